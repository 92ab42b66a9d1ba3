import type { Operation } from '../../base/operation.ts'
import { FAULTS_PATH } from '../../sandbox/faults/fault-rule.ts'
import type { JsonObject } from './schemas.ts'

const text = { type: 'string' }

/** The response headers that the service sets, described once and referred to. */
export const headers = {
  'X-Request-Id': {
    description: 'Names the request in logs, events and problems. A caller may choose it by sending the same header.',
    schema: text,
    example: '0d1f2a6e-6c1b-4a53-9d54-1f9a3b8f2f10',
  },
  ETag: {
    description:
      'Names this content. Send it as `If-None-Match` with the next GET to get 304 while nothing has changed.',
    schema: text,
  },
  Link: {
    description: 'The address of the next page with `rel="next"`; absent on the last page.',
    schema: text,
    example: '</v0/banking/payments?limit=100&cursor=AAABnDpvUgAAAAAAAA9CQKX1mW3uJk0c>; rel="next"',
  },
  'X-Total-Count': {
    description:
      'With `count=true`: the number of records that match the filters. A plus sign says that there may be more: only 10,000 records are looked at, and the largest value is `10000+`. A provider other than the built-in bank may leave the header out.',
    schema: { type: 'string', pattern: '^[0-9]+[+]?$' },
    example: '42',
  },
  'Omitted-Records': {
    description:
      'The number of records that are left out, because the provider sent them in a form that cannot be shown.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Omitted-Reason': {
    description: 'With `Omitted-Records`: the type and the id of the first record that is left out, and the reason.',
    schema: text,
    example: 'individualCustomer 1042: createdAt of a individualCustomer is not a text',
  },
  'Idempotent-Replayed': {
    description: '`true` if the answer was stored by an earlier request with the same idempotency key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Purser-Position': {
    description:
      'With `PURSER_READ_URL`: the number of the latest event of the organisation. Send it as `Purser-Position` with a read to see at least the state after this write.',
    schema: { type: 'integer', minimum: 0 },
    example: 42,
  },
  'Preference-Applied': {
    description: '`stale` with its seconds if a standby has answered.',
    schema: text,
    example: 'stale=5',
  },
  Deprecation: {
    description:
      'The time since when this spelling is deprecated, as `@` and Unix seconds. `Link` names its successor.',
    schema: text,
    example: '@1767225600',
  },
  'Retry-After': {
    description: 'The number of seconds to wait before the request is sent again.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Purser-Fault': {
    description: 'Sandbox: the id of the fault rule that had an effect on this request.',
    schema: text,
    example: '1000051',
  },
  'WWW-Authenticate': { description: 'The way to authenticate.', schema: text, example: 'ApiKey realm="purser"' },
  Allow: { description: 'The methods that this path serves.', schema: text, example: 'GET, HEAD' },
  RateLimit: {
    description: 'Live mode: the requests that the key has left, and the seconds until all are available again.',
    schema: text,
    example: '"reads";r=199;t=1',
  },
  'RateLimit-Policy': {
    description: 'Live mode: the number of requests that the key may make, and the window in seconds.',
    schema: text,
    example: '"reads";q=200;w=2',
  },
} satisfies Record<string, JsonObject>

export type HeaderName = keyof typeof headers

export function headerRefs(names: HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const rateLimits: HeaderName[] = ['RateLimit', 'RateLimit-Policy']

/** The headers of a success. */
export function successHeaders(operation: Operation, isAlias: boolean): HeaderName[] {
  const isList = (operation.data as { type?: string }).type === 'array'
  // The lists that a connector can serve.
  const isUpstreamList = (isList && operation.area === 'banking') || operation.path.includes('/reward-offers/')
  return [
    'X-Request-Id',
    ...(operation.status === 204 ? [] : (['ETag'] as const)),
    ...(isList || isAlias ? (['Link'] as const) : []),
    ...(operation.query && 'count' in operation.query.properties ? (['X-Total-Count'] as const) : []),
    ...(isUpstreamList ? (['Omitted-Records', 'Omitted-Reason'] as const) : []),
    ...(operation.method === 'POST' ? (['Idempotent-Replayed'] as const) : []),
    ...(operation.method === 'GET' ? [] : (['Purser-Position'] as const)),
    ...(operation.fromStandby ? (['Preference-Applied'] as const) : []),
    ...(isAlias ? (['Deprecation'] as const) : []),
    ...(operation.path.startsWith(FAULTS_PATH) ? [] : (['X-Purser-Fault'] as const)),
    ...rateLimits,
  ]
}

/** Problems with these statuses are found before fault rules are looked at. */
const beforeFaults = [401, 405, 431]

/** The headers of a problem with this status. */
export function problemHeaders(status: number): HeaderName[] {
  const own: Record<number, HeaderName[]> = {
    401: ['WWW-Authenticate'],
    405: ['Allow'],
    429: ['Retry-After', ...rateLimits],
    503: ['Retry-After'],
  }
  return [
    'X-Request-Id',
    ...(own[status] ?? []),
    ...(beforeFaults.includes(status) ? [] : (['X-Purser-Fault'] as const)),
  ]
}
