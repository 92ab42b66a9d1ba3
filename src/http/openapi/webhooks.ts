import { Type } from 'typebox'
import { Event, type EventKind } from '../../events/event.ts'
import { answerSchema, type JsonObject, type NamedSchemas, pascal } from './schemas.ts'

/** The event of one type, with the schema of its data. */
function EventOf({ type, description, data }: EventKind) {
  const $id = `${pascal(type)}Event`
  return Type.Object(
    { ...Event.properties, type: Type.Literal(type, { description: 'Type of the event' }), data },
    { $id, description },
  )
}

/** The union of all events, by their type. */
export function eventUnion(catalogue: EventKind[], schemas: NamedSchemas): JsonObject {
  return answerSchema(
    Type.Union(catalogue.map(EventOf), {
      description: 'An event of the feed; its type decides the schema of `data`',
      discriminator: { propertyName: 'type' },
    }),
    schemas,
  )
}

/** The requests that the service makes to webhook endpoints, one for each event type. */
export function webhooksOf(catalogue: EventKind[]): JsonObject {
  return Object.fromEntries(
    catalogue.map(({ type, description, sample: example }) => [
      type,
      {
        post: {
          operationId: `on${pascal(type)}`,
          tags: ['events'],
          summary: type,
          description,
          security: [],
          parameters: Object.keys(signatureHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { $ref: `#/components/schemas/${pascal(type)}Event` },
                example,
              },
            },
          },
          responses: {
            '2XX': {
              description: 'The event was received. Any other answer, and none within the time limit, is retried.',
            },
            410: { description: 'The endpoint is gone: it is disabled, and nothing more is sent.' },
          },
        },
      },
    ]),
  )
}

const headerTexts = {
  'webhook-id': 'The id of the event. It is the same in every attempt: use it to drop duplicates.',
  'webhook-timestamp': 'The time of the attempt in Unix seconds.',
  'webhook-signature': 'Signatures of id, timestamp and body, as Standard Webhooks defines them.',
  'webhook-key-id': 'Names the secrets that signed, in the order of the signatures. It proves nothing by itself.',
}

/** The headers of a webhook, described once and referred to. */
export const signatureHeaders: Record<string, JsonObject> = Object.fromEntries(
  Object.entries(headerTexts).map(([name, description]) => [
    name,
    { name, description, in: 'header', required: true, schema: { type: 'string' } },
  ]),
)
