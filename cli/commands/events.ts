import type { Event, EventFilter, ListEventsQuery } from '../../client/src/index.ts'
import { UsageError } from '../../ground/failure.ts'
import type { Call, Command } from '../command.ts'
import { type NumberedList, positionOptions, printNumbered } from '../numbered-list.ts'
import { quietClient } from '../quiet-client.ts'
import { triggers } from '../trigger/triggers.ts'

export const events: Command = {
  path: 'events',
  summary: 'Shows the latest events, or new ones as they arrive',
  description:
    'Prints the events of the organisation, oldest first: the latest 20, those after a number, or new ones as they arrive.',
  group: 'Develop',
  options: [
    ...positionOptions,
    {
      flags: '--types <types>',
      description: 'Only these types, with commas: payment.*,card.created',
      completions: Object.keys(triggers),
    },
    { flags: '--entity <type/id>', description: 'Only events of one record, such as payment/1000042, or of a kind' },
    { flags: '--request <id>', description: 'Only events that this request caused (its X-Request-Id)' },
  ],
  examples: [
    { run: 'purser events', does: 'Shows the latest 20 events' },
    { run: "purser events --types 'payment.*' --limit 5", does: 'Shows the latest five events of payments' },
    { run: 'purser events --entity payment/$PAYMENT', does: 'Shows the events of one payment' },
    { run: 'purser events --follow', does: 'Prints events as they come', lasting: true },
  ],
  run,
}

async function run(call: Call): Promise<void> {
  const purser = quietClient(call)
  const types = eventFilters(call.options.types as string | undefined)
  const entity = entityOf(call.options.entity as string | undefined)
  const requestId = call.options.request as string | undefined
  const filter = {
    ...(entity && { entityType: entity.type as ListEventsQuery['entityType'] }),
    ...(entity?.id && { entityId: entity.id }),
    ...(requestId && { requestId }),
  }
  const list: NumberedList<Event> = {
    page: (query) => purser.events.list({ ...filter, ...(types && { type: types }), ...query }),
    follow: (after, signal) => purser.events.follow({ ...filter, ...(types && { types }), after, signal }),
    table: ['sequence', 'timestamp', 'type', 'entity.type', 'entity.id', 'id'],
    line: [
      { text: ({ sequence }) => String(sequence), width: 6 },
      { text: ({ timestamp }) => timestamp, width: 24 },
      { text: ({ type }) => type, width: 29 },
      { text: (event) => `${event.entity.type}/${event.entity.id}`, width: 25 },
      { text: ({ id }) => id, width: 20 },
    ],
  }
  await printNumbered(call, list)
}

/** The filters of `--events` and `--types`. The service knows which types exist. */
export function eventFilters(text: string | undefined): EventFilter[] | undefined {
  if (text === undefined) return undefined
  const words = text.split(',').map((word) => word.trim())
  if (words.includes('')) throw new UsageError('the types of events are separated by commas: payment.*,card.created')
  return words as EventFilter[]
}

function entityOf(text: string | undefined): { type: string; id: string | undefined } | undefined {
  if (text === undefined) return undefined
  const [type = '', id, ...more] = text.split('/')
  if (type && id !== '' && more.length === 0) return { type, id }
  throw new UsageError(`--entity takes a kind of record and an id, such as payment/1000042, not ${text}`)
}
