import type { FakeReply } from './server.ts'
import { type Collection, isOwnedBy, refuse, type UnitRecord, type UnitRecords } from './unit-records.ts'

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

/** Unit's search: the words of the name or the e-mail address, of which this one knows the beginning. */
const query: Match = ({ attributes: { fullName, email } }, [wanted = '']) =>
  [fullName?.first, fullName?.last, `${fullName?.first} ${fullName?.last}`, email].some((text) =>
    String(text).toLowerCase().startsWith(wanted.toLowerCase()),
  )

const customerId: Match = (record, [wanted]) => isOwnedBy(record, wanted)
const period = { since, until }
const amounts = { fromAmount, toAmount }
const owners = { accountId: related('account'), customerId }

interface List {
  /** The filters; one with several values ends with `[]`. */
  filters: Record<string, Match>
  /** The attribute that the list can be sorted by. */
  sort?: 'createdAt' | 'period'
  /** Whether the answer has the total in `meta`. */
  meta: boolean
}

/** The lists, with the parameters and the `meta` that their descriptions have. */
const lists: Partial<Record<Collection, List>> = {
  accounts: {
    filters: {
      customerId,
      'status[]': attribute('status'),
      type: (record, [wanted]) => record.type === `${wanted}Account`,
      tags,
    },
    meta: true,
  },
  applications: {
    filters: { 'status[]': attribute('status'), email: attribute('email'), tags },
    sort: 'createdAt',
    meta: true,
  },
  authorizations: {
    filters: { ...owners, cardId: related('card'), status: attribute('status'), ...period, ...amounts },
    sort: 'createdAt',
    meta: false,
  },
  cards: { filters: { ...owners, 'status[]': attribute('status'), tags }, sort: 'createdAt', meta: false },
  counterparties: {
    filters: { customerId, routingNumber: attribute('routingNumber'), accountNumber: attribute('accountNumber'), tags },
    sort: 'createdAt',
    meta: false,
  },
  customers: { filters: { query, status: attribute('status'), tags }, sort: 'createdAt', meta: true },
  payments: {
    filters: {
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
    sort: 'createdAt',
    meta: true,
  },
  statements: { filters: { ...owners, period: attribute('period') }, sort: 'period', meta: false },
  transactions: {
    filters: {
      ...owners,
      cardId: related('card'),
      'type[]': type,
      'direction[]': attribute('direction'),
      tags,
      ...period,
      ...amounts,
    },
    sort: 'createdAt',
    meta: true,
  },
}

/** Returns a list; undefined if there is none. Parameters that its description does not have are ignored. */
export function listed(collection: Collection, query: URLSearchParams, records: UnitRecords): FakeReply | undefined {
  const list = lists[collection]
  if (!list) return undefined
  const wanted = new Map<string, string[]>()
  const given = { 'page[limit]': '100', 'page[offset]': '0', sort: '' }
  for (const [name, value] of query) {
    const [, filter, array = ''] = /^filter\[(\w+)\](\[\d*\])?$/.exec(name) ?? []
    const key = `${filter}${array && '[]'}`
    if (name === 'page[limit]' || name === 'page[offset]') given[name] = value
    else if (name === 'sort' && list.sort && value.replace(/^-/, '') === list.sort) given.sort = value
    else if (filter && key in list.filters) wanted.set(key, [...(wanted.get(key) ?? []), value])
  }
  const [limit, offset] = [Number(given['page[limit]']), Number(given['page[offset]'])]
  if (!(limit >= 1 && limit <= 1000) || !(offset >= 0)) return refuse(400, 'Bad Request', { code: 'invalid_value' })
  const found = records[collection].filter((record) =>
    [...wanted].every(([name, values]) => list.filters[name]?.(record, values, records)),
  )
  const sorted = given.sort ? inOrder(found, given.sort) : found
  const data = sorted.slice(offset, offset + limit)
  const meta = { pagination: { total: found.length, limit, offset } }
  return { status: 200, body: { data, ...(list.meta && { meta }) } }
}

function inOrder(found: UnitRecord[], sort: string): UnitRecord[] {
  const key = sort.replace(/^-/, '')
  const sorted = found
    .map((record, at) => ({ record, at }))
    .sort((a, b) => order(a.record.attributes[key], b.record.attributes[key]) || a.at - b.at)
    .map(({ record }) => record)
  return sort.startsWith('-') ? sorted.reverse() : sorted
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
