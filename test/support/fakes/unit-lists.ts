import type { FakeReply } from './server.ts'
import { type Collection, refuse, type UnitRecord, type UnitRecords } from './unit-records.ts'

type Match = (record: UnitRecord, wanted: string[], records: UnitRecords) => boolean

const related =
  (name: string): Match =>
  (record, [wanted]) =>
    record.relationships[name]?.data?.id === wanted
const attribute =
  (name: string): Match =>
  (record, wanted) =>
    wanted.includes(String(record.attributes[name]))
const type: Match = (record, wanted) => wanted.some((word) => word.toLowerCase() === record.type.toLowerCase())
const since: Match = (record, [wanted = '']) => record.attributes.createdAt > wanted
const until: Match = (record, [wanted = '']) => record.attributes.createdAt < wanted
const fromAmount: Match = (record, [wanted]) => record.attributes.amount >= Number(wanted)
const toAmount: Match = (record, [wanted]) => record.attributes.amount <= Number(wanted)
const tags: Match = (record, [wanted = '{}']) =>
  Object.entries(JSON.parse(wanted)).every(([name, value]) => record.attributes.tags?.[name] === value)

const period = { since, until }
const amounts = { fromAmount, toAmount }
const owners = { accountId: related('account'), customerId: related('customer') }

/** The filters of each list; filters with several values are marked. */
const filters: Record<Collection, Record<string, Match>> = {
  accounts: {
    customerId: related('customer'),
    'status[]': attribute('status'),
    type: (record, [wanted]) => record.type === `${wanted}Account`,
  },
  applications: {},
  authorizations: {
    ...owners,
    cardId: related('card'),
    status: attribute('status'),
    ...period,
    ...amounts,
  },
  cards: { ...owners, 'status[]': attribute('status') },
  counterparties: {
    customerId: related('customer'),
    routingNumber: attribute('routingNumber'),
    accountNumber: attribute('accountNumber'),
  },
  customers: {},
  documents: {},
  payments: {
    ...owners,
    counterpartyAccountId: related('counterparty'),
    recurringPaymentId: related('recurringPayment'),
    tags,
    'status[]': attribute('status'),
    'type[]': type,
    'direction[]': attribute('direction'),
    'feature[]': (record, wanted) => wanted.includes('SameDay') && record.attributes.sameDay === true,
    ...period,
    ...amounts,
  },
  statements: { ...owners, period: attribute('period') },
  transactions: { ...owners, 'direction[]': attribute('direction'), ...period },
}

/** Returns a list. Unknown parameters are refused, so that a test notices a filter that the upstream would ignore. */
export function listed(collection: Collection, query: URLSearchParams, records: UnitRecords): FakeReply {
  const wanted = new Map<string, string[]>()
  let limit = 100
  let offset = 0
  let sort = ''
  for (const [name, value] of query) {
    const [, filter, array] = /^filter\[(\w+)\](\[\d*\])?$/.exec(name) ?? []
    if (name === 'page[limit]') limit = Number(value)
    else if (name === 'page[offset]') offset = Number(value)
    else if (name === 'sort') sort = value
    else if (filter)
      wanted.set(`${filter}${array ? '[]' : ''}`, [...(wanted.get(`${filter}${array ? '[]' : ''}`) ?? []), value])
    else return refuse(400, 'Bad Request', { code: 'unknown_parameter', detail: name })
  }
  const key = collection === 'statements' ? 'period' : 'createdAt'
  // The list of accounts has no described order: without one it comes in the order of creation.
  const unsorted = collection === 'accounts' && sort === ''
  if (!unsorted && sort.replace(/^-/, '') !== key)
    return refuse(400, 'Bad Request', { code: 'invalid_sort', detail: sort })
  if (!(limit >= 1 && limit <= 1000) || !(offset >= 0)) return refuse(400, 'Bad Request', { code: 'invalid_page' })
  const unknown = [...wanted.keys()].find((name) => !(name in filters[collection]))
  if (unknown) return refuse(400, 'Bad Request', { code: 'unknown_filter', detail: unknown })
  const found = records[collection]
    .filter((record) => [...wanted].every(([name, values]) => filters[collection][name]?.(record, values, records)))
    .map((record, at) => ({ record, at }))
    .sort((a, b) => (unsorted ? 0 : order(a.record.attributes[key], b.record.attributes[key])) || a.at - b.at)
    .map(({ record }) => record)
  if (sort.startsWith('-')) found.reverse()
  const data = found.slice(offset, offset + limit)
  return { status: 200, body: { data, meta: { pagination: { total: found.length, limit, offset } } } }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
