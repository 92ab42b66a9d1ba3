import type { Operation } from '../../base/operation.ts'
import harvested from './examples.json' with { type: 'json' }
import type { JsonObject } from './schemas.ts'

/** A request of an operation and the answer to it. */
interface Example {
  request: { params?: JsonObject; query?: JsonObject; body?: JsonObject }
  /** Absent if the answer has no JSON. */
  response?: JsonObject
}

const examples = harvested as Record<string, Example>

/** The example of an operation, as the service answered it in a test. `npm run examples` takes them anew. */
export function exampleOf({ id }: Pick<Operation, 'id'>): Example {
  const { request, response } = examples[id] ?? { request: {} }
  // Generators resolve references inside of examples, too. The schemas of event types contain some.
  return response && !JSON.stringify(response).includes('"$ref"') ? { request, response } : { request }
}
