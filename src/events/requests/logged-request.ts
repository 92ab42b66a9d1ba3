import { type Static, Type } from 'typebox'
import { Timestamp } from '../../base/text.ts'

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const entry = {
  sequence: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Number of the entry, higher than those of earlier entries, also after a restart',
  }),
  id: Type.String({ description: 'Id of the entry', examples: ['req_1000001_1794835200000001_k3f9q2'] }),
  requestId: Type.String({ description: 'The header `X-Request-Id`, which callers may choose and repeat' }),
  at: Type.Unsafe<string>({ ...Timestamp, description: 'When the request arrived, in real time' }),
  operation: Type.String({ description: 'Id of the operation', examples: ['createPayment'] }),
  method: Type.String({ description: 'HTTP method', examples: ['POST'] }),
  path: Type.String({
    description: 'Path without the query string',
    examples: ['/v0/banking/accounts/1000042/payments'],
  }),
  query: nullableText('The query string, without the question mark'),
  status: Type.Integer({ description: 'HTTP status of the answer', examples: [201] }),
  code: nullableText('Code of the problem; null for a success'),
  ms: Type.Number({ description: 'Milliseconds until the answer was ready' }),
  apiKeyId: Type.String({ description: 'Id of the API key' }),
  idempotencyKey: nullableText('The idempotency key that the caller sent'),
  replayed: Type.Boolean({ description: 'Whether the answer is that of an earlier request with the same key' }),
}

/** A request as the list of requests shows it. */
export const LoggedRequest = Type.Object(entry, {
  $id: 'LoggedRequest',
  description: 'A request of the organisation, without headers and bodies',
})
export type LoggedRequest = Static<typeof LoggedRequest>

const LoggedMessage = Type.Object(
  {
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Names in lower case. Keys, tokens and cookies read `[redacted]`',
    }),
    body: nullableText(
      'The body as text; null without one and for a file. Secrets and documents read `[redacted]`, and so does a body that cannot be searched for them',
    ),
    truncated: Type.Boolean({ description: 'Whether the body was longer than 10 KB and only a part of it is shown' }),
  },
  { $id: 'LoggedMessage', description: 'Headers and body of a request or of its answer' },
)
export type LoggedMessage = Static<typeof LoggedMessage>

/** A request with headers, bodies and the events that it caused. */
export const LoggedRequestDetail = Type.Object(
  {
    ...entry,
    request: LoggedMessage,
    response: LoggedMessage,
    events: Type.Array(Type.String(), { description: 'Ids of the events that the request caused' }),
  },
  { $id: 'LoggedRequestDetail', description: 'A request with its answer and the events that it caused' },
)
export type LoggedRequestDetail = Static<typeof LoggedRequestDetail>
