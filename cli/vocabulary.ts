import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { resources } from './generated/resources.ts'
import { commandOf } from './operation-command.ts'
import type { Group, Vocabulary } from './program.ts'

const groups: readonly Group[] = [
  ...resources.map(([name, words]): Group => ({ path: name, summary: words, group: 'Records' })),
  { path: 'keys', summary: 'create, list, revoke', group: 'Operate' },
  { path: 'snapshot', summary: 'save, list, restore, delete', group: 'Operate' },
]

/** The commands that a command line can mean. Those of operations take long to load and are left out where none is named. */
export async function vocabularyFor(words: readonly string[]): Promise<Vocabulary> {
  const named = resources.filter(([name]) => words.includes(name)).map(([name]) => name)
  const generated = named.length > 0 ? await operationCommandList() : []
  const wanted = generated.filter(({ path }) => named.includes(path.split(' ')[0] ?? ''))
  return { commands: [...commands, ...wanted], groups }
}

/** Every command: those written by hand first. */
export async function allCommands(): Promise<readonly Command[]> {
  return [...commands, ...(await operationCommandList())]
}

async function operationCommandList(): Promise<Command[]> {
  const { operationCommands } = await import('./generated/operations.ts')
  return operationCommands.map(commandOf)
}
