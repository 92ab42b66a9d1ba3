import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Text } from '../../base/text.ts'
import { eventsRead } from '../events.ts'
import { positionQuery, positionRule, requirePosition } from '../position.ts'
import { LoggedRequest } from './logged-request.ts'

const ListRequestsFilter = Type.Object(
  {
    ...positionQuery,
    status: Type.Optional(
      Type.String({
        pattern: '^[1-5]([0-9]{2}|[xX]{2})$',
        examples: ['4xx'],
        description: 'Only answers with this status; `4xx` for all from 400 to 499',
      }),
    ),
    operation: Type.Optional(Text(1, 100, { description: 'Only this operation', examples: ['createPayment'] })),
    code: Type.Optional(
      Text(1, 100, { description: 'Only refusals with this code', examples: ['insufficient_funds'] }),
    ),
    apiKeyId: Type.Optional(Id('apiKey', 'Only requests of this API key')),
    idempotencyKey: Type.Optional(Text(1, 255, { description: 'Only requests with this idempotency key' })),
    requestId: Type.Optional(Text(1, 128, { description: 'Only requests with this `X-Request-Id`' })),
  },
  { 'x-rules': [positionRule] },
)
export type ListRequestsQuery = Static<typeof ListRequestsFilter>

/** Extension. Lists the requests of the organisation, and waits for the next one if asked to. */
export const listRequests = eventsRead({
  id: 'listRequests',
  resource: 'requests',
  verb: 'list',
  path: '/v0/requests',
  summary: 'List requests',
  description:
    'Lists the latest requests of the organisation in the order of their answers, oldest first. With `wait` the answer comes as soon as there is another one.\n\nA sandbox keeps up to 5,000 requests of an organisation, 32 MB of all together, in the memory of the process that answered them; a restart loses them. Live mode keeps none and answers 501. Requests without a working key or with the header `X-Purser-Tool`, and long polls of this list, are not kept.',
  query: ListRequestsFilter,
  data: Type.Array(LoggedRequest),
  problems: ['not_supported_by_provider'],
  run: async ({ events, caller, patience }, { query }) => {
    requirePosition(query)
    return events.listRequests(caller, query, patience)
  },
})
