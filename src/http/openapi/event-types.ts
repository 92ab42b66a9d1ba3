import type { EventKind } from '../../events/event.ts'
import type { EventTypeInfo } from '../../events/list-event-types.ts'
import { answerSchema, type JsonObject, type NamedSchemas } from './schemas.ts'

const PLACE = '#/components/schemas/'

/** The catalogue of event types as the interface lists it. */
export function eventTypesOf(catalogue: EventKind[]): EventTypeInfo[] {
  return catalogue.map(({ type, description, data, sample }) => {
    const named: NamedSchemas = {}
    const root = answerSchema(data, named)
    return { type, description, schema: documentOf(root, named), sample }
  })
}

/** A schema of the OpenAPI document with those that it refers to, as a JSON Schema document of its own. */
function documentOf(root: JsonObject, named: NamedSchemas): JsonObject {
  const document = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...root, $defs: named }
  return JSON.parse(JSON.stringify(document), (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace(PLACE, '#/$defs/') : value,
  )
}
