import { type Static, Type } from 'typebox'
import { operationsOver } from '../base/operation.ts'
import { Page } from '../base/page.ts'
import { Event, eventTypes } from './event.ts'

const JsonSchema = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'JSON Schema (2020-12) of the `data` of an event. It refers to nothing outside itself',
  $id: 'JsonSchema',
})

const EventTypeInfo = Type.Object(
  {
    type: Type.Enum([...eventTypes], { description: 'The type, as `type` of an event names it' }),
    description: Type.String({ description: 'When the event is emitted', examples: ['A payment was created.'] }),
    schema: JsonSchema,
    sample: Event,
  },
  { $id: 'EventTypeInfo', description: 'A type of event, with the schema of its data and a sample' },
)
export type EventTypeInfo = Static<typeof EventTypeInfo>

const { read } = operationsOver<{ eventTypes(): EventTypeInfo[] }>('events', 'any')

/** Extension. Lists every event type with the schema of its data. */
export const listEventTypes = read({
  id: 'listEventTypes',
  resource: 'eventTypes',
  verb: 'list',
  path: '/v0/event-types',
  summary: 'List event types',
  description: `Lists every type of event in alphabetical order: a sentence that says when it is emitted, the
JSON Schema of its \`data\`, and a sample. The whole list is one page.

The list is the same for all organisations, modes and providers; types that only a connector emits are part of it. A schema
lists the known words; if \`x-extensible-enum\` is true, a provider may send others. Later versions may add types
and members.`,
  data: Type.Array(EventTypeInfo, { description: 'Every type of event' }),
  problems: [],
  run: async ({ eventTypes }) => new Page(eventTypes(), false),
})
