import { byVerb, type Command } from './command.ts'
import { commands } from './commands.ts'
import { resources } from './generated/resources.ts'
import { commandOf } from './operation-command.ts'
import type { Group, Vocabulary } from './program.ts'

/** The subjects of groups of commands; the help of a group lists their words after it. */
const summaries: Record<string, string> = {
  ach: 'ACH files',
  agent: 'Connects an agent to the service',
  audit: 'The chain of events',
  drill: 'Exercises beside the running bank',
  cells: 'Databases, each with some of the organisations',
  keys: 'API keys, in the database itself',
  organisations: 'Organisations and their cells',
  snapshot: 'Copies of the bank',
}

const groups: readonly Group[] = [
  ...resources.map(
    ([path, words]): Group => ({ path, summary: [words, ...wordsIn(path)].join(', '), group: 'Records' }),
  ),
  // Groups of commands by hand alone, such as `keys`. Each is named once for every command in it.
  ...commands.flatMap(({ path, group }): Group[] => {
    const [name = '', second] = path.split(' ')
    const own = second && !resources.some(([each]) => each === name) && !commands.some((each) => each.path === name)
    return own ? [{ path: name, summary: summaryOf(name), group }] : []
  }),
]

function summaryOf(group: string): string {
  const about = summaries[group]
  return `${about ? `${about}: ` : ''}${wordsIn(group).join(', ')}`
}

/** The words of the commands by hand in a group. */
function wordsIn(group: string): string[] {
  return commands.flatMap(({ path }) => (path.startsWith(`${group} `) ? [path.slice(group.length + 1)] : []))
}

/** The commands that a command line can mean. Those of operations take long to load and are left out if none is named. */
export async function vocabularyFor(words: readonly string[]): Promise<Vocabulary> {
  const named = resources.filter(([name]) => words.includes(name)).map(([name]) => name)
  const generated = named.length > 0 ? await operationCommandList() : []
  const wanted = generated.filter(({ path }) => named.includes(path.split(' ')[0] ?? ''))
  const elsewhere = generated.map(({ path }) => path)
  return { commands: [...commands, ...wanted.toSorted((a, b) => byVerb(verbOf(a), verbOf(b)))], groups, elsewhere }
}

function verbOf({ path }: Command): string {
  return path.slice(path.lastIndexOf(' ') + 1)
}

/** Every command: those written by hand first. */
export async function allCommands(): Promise<readonly Command[]> {
  return [...commands, ...(await operationCommandList())]
}

async function operationCommandList(): Promise<Command[]> {
  const { operationCommands } = await import('./generated/operations.ts')
  return operationCommands.map(commandOf)
}
