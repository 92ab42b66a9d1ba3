import { type LoggedRequestDetail, type OperationId, operations } from '../../../client/src/index.ts'
import type { SnippetInput } from '../../../ground/snippets.ts'

/** Stands in a logged message for a secret, a document, or a body that cannot be searched for them. */
const REDACTED = '[redacted]'

/** Parameters of queries that are whole numbers. */
export const numbers: Record<string, true | readonly OperationId[]> = {
  fromAmount: true,
  toAmount: true,
  limit: true,
  offset: true,
  page: true,
  pageSize: true,
  radius: true,
  wait: true,
  after: ['listEvents', 'listRequests', 'listDeliveries', 'listAllDeliveries', 'listHistory'],
  before: ['listEvents', 'listRequests'],
}
/** Parameters of queries that are true or false. */
export const booleans: Record<string, true> = { count: true, failing: true, nearLimit: true }
/** Parameters of queries that are lists. */
export const lists: Record<string, readonly OperationId[]> = {
  type: ['listPayments', 'listEvents', 'listAchBatches'],
  status: [
    'listPayments',
    'listReceivedPayments',
    'listAchBatches',
    'listAchFiles',
    'listAllAuthorizations',
    'listRecurringPayments',
  ],
  direction: ['listPayments', 'listReceivedPayments', 'listAchBatches', 'listAchFiles'],
  accountId: ['listAccounts'],
  kind: ['listLedgerAccounts'],
}

type Logged = Pick<LoggedRequestDetail, 'operation' | 'path' | 'query' | 'request'>

/** The input of the operation that a logged request called. */
export function inputOf({ operation, path, query, request }: Logged): SnippetInput {
  const id = operation as OperationId
  const params = paramsOf(operations[id][2], path)
  const found = query === null ? {} : queryOf(id, query)
  const body = jsonOf(request.body)
  return {
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(found).length > 0 && { query: found }),
    ...(body !== undefined && { body }),
  }
}

/** Why a logged request cannot be sent again as it was; undefined if it can. */
export function refusalToReplay({ request }: Pick<LoggedRequestDetail, 'request'>): string | undefined {
  if (request.truncated) return 'The log keeps only the first 10 KB of the body.'
  if (request.body?.includes(REDACTED)) return 'The log leaves out secrets and documents of the body.'
  return undefined
}

/** The value of a JSON text; undefined for any other text. */
export function jsonOf(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function paramsOf(template: string, path: string): Record<string, string> {
  const values = path.split('/')
  const named = template.split('/').flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), at] as const] : []))
  return Object.fromEntries(named.map(([name, at]) => [name, decoded(values[at] ?? '')]))
}

/** Callers may send paths that are not encoded properly. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function queryOf(id: OperationId, query: string): Record<string, unknown> {
  const search = new URLSearchParams(query)
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const values = search.getAll(name).map((text) => queryValue(id, name, text))
      return [name, values.length > 1 || lists[name]?.includes(id) ? values : values[0]]
    }),
  )
}

function queryValue(id: OperationId, name: string, text: string): unknown {
  const numeric = numbers[name]
  if ((numeric === true || numeric?.includes(id)) && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (booleans[name] && /^(true|false)$/.test(text)) return text === 'true'
  return text
}
