import type { AttentionItem } from '../../../client/src/index.ts'
import { shellWord } from '../../../ground/text.ts'
import type { Call, Command } from '../../command.ts'

export const attention: Command = {
  path: 'attention',
  summary: 'Shows what needs a person, the most urgent first',
  description:
    'Shows what `GET /v0/attention` lists: failing endpoints, payments returned today, decisions that wait for a second signature, reviews, exceptions of the rail, days that are not closed, open items, limits nearly used and the last check of the ledger, each with its age and the command that leads on. The exit code is 1 if something is urgent.',
  group: 'Service',
  examples: [{ run: 'purser attention', does: 'Shows what needs a person' }],
  run,
}

async function run({ purser, out }: Call): Promise<number> {
  const { data } = await purser().attention.list().page()
  await out.records(out.forPeople ? data.map(shown) : data)
  return data.some(({ level }) => level === 'urgent') ? 1 : 0
}

const levels: Record<string, string> = { urgent: 'urgent', soon: 'soon', inOrder: 'in order' }

function shown(item: AttentionItem): object {
  const { level, words, since } = item
  return { level: levels[level] ?? level, what: words, since: since ?? '', next: nextStep(item) ?? '' }
}

/** The command that shows the records of an item. */
export function nextStep({ operation, command }: AttentionItem): string | null {
  const flags = Object.entries(operation?.input ?? {}).map(([name, value]) => ` -f ${shellWord(`${name}=${value}`)}`)
  return operation ? `purser api ${operation.id}${flags.join('')}` : command
}
