import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenedUnit, openUnitBanking } from '../../../test/support/banking-providers.ts'
import { ask } from '../../../test/support/cards.ts'
import type { Reply } from '../../../test/support/harness.ts'

let opened: OpenedUnit
let customerId: string
let accountId: string
const lines: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })

beforeEach(async () => {
  lines.length = 0
  opened = await openUnitBanking({}, { log })
  customerId = await opened.arrange.customer()
  accountId = (await ask(opened.bank, 'POST', '/v0/banking/accounts', { customerId })).id
})
afterEach(() => opened.close())

const list = (path: string): Promise<Reply> => opened.bank.call('GET', `/v0/banking${path}`)
const idsOf = (reply: Reply): string[] => reply.json.data.map(({ id }: { id: string }) => id)
const headersOf = ({ headers }: Reply) => [headers['omitted-records'], headers.link]
const nextOf = (reply: Reply): string => /<\/v0\/banking(.+)>; rel="next"/.exec(String(reply.headers.link))?.[1] ?? ''

/** Adds a card; without a status the interface cannot show it. */
function addCard(type: string, status?: string): string {
  const attributes = { expirationDate: '2031-02', last4Digits: '0001', ...(status && { status }) }
  const relationships = { account: { data: { type: 'account', id: accountId } } }
  return opened.fake.books.add('cards', type, attributes, relationships).id
}

describe('A record that cannot be read', () => {
  test('is left out of a list, counted and logged', async () => {
    const good = addCard('businessDebitCard', 'Active')
    const bad = addCard('businessDebitCard')
    const reply = await list(`/cards?accountId=${accountId}`)
    expect([reply.status, idsOf(reply), ...headersOf(reply)]).toEqual([200, [good], '1', undefined])
    const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'upstream records are left out')
    expect(line).toMatchObject({
      upstream: 'Unit',
      path: '/cards',
      omitted: 1,
      records: [{ type: 'businessDebitCard', id: bad, reason: 'status of a businessDebitCard is not a text' }],
    })
    expect(opened.fake.server.calls.filter(({ path }) => path === '/cards')).toHaveLength(1)
  })

  test('is counted in a reply without a body, too', async () => {
    addCard('businessDebitCard')
    const path = `/v0/banking/cards?accountId=${accountId}`
    const { headers } = await opened.bank.call('GET', path)
    const unchanged = await opened.bank.call('GET', path, { headers: { 'if-none-match': String(headers.etag) } })
    const head = await opened.bank.call('HEAD', path)
    expect([unchanged.status, unchanged.headers['omitted-records']]).toEqual([304, '1'])
    expect([head.status, head.headers['omitted-records']]).toEqual([200, '1'])
  })

  test('alone is an upstream error', async () => {
    const reply = await list(`/cards/${addCard('businessDebitCard')}`)
    expect([reply.status, reply.json.code]).toEqual([502, 'upstream_error'])
  })

  test('is not mentioned where there is none', async () => {
    addCard('businessDebitCard', 'Active')
    expect(headersOf(await list('/cards'))).toEqual([undefined, undefined])
    expect(lines).toEqual([])
  })

  test('makes no long line in the log', async () => {
    for (let number = 0; number < 30; number++) addCard('businessDebitCard')
    expect(headersOf(await list('/cards'))).toEqual(['30', undefined])
    const [line = '', ...more] = lines
    expect([JSON.parse(line).omitted, JSON.parse(line).records.length, more]).toEqual([30, 20, []])
  })
})

test('A page has no more records than were asked for, even if Unit ignores the limit', async () => {
  const ids = Array.from({ length: 5 }, () => addCard('businessDebitCard', 'Active'))
  const data = ids.map((id) => opened.fake.books.get('cards', id))
  opened.fake.server.misbehave({ status: 200, body: { data } })
  const reply = await list('/cards?limit=2')
  expect([idsOf(reply), nextOf(reply)]).toEqual([ids.slice(0, 2), '/cards?limit=2&offset=2'])
})

describe('Every other record is found by following the links', () => {
  /** The ids on each page, and the number of records left out of it. */
  async function pagesFrom(first: string): Promise<[string[], string | undefined][]> {
    const pages: [string[], string | undefined][] = []
    for (let path = first; path !== '' && pages.length < 20; ) {
      const reply = await list(path)
      pages.push([idsOf(reply), reply.headers['omitted-records'] as string | undefined])
      path = nextOf(reply)
    }
    return pages
  }

  test('also after a page of which nothing is left', async () => {
    const [one, two] = [addCard('individualDebitCard', 'Active'), addCard('individualDebitCard', 'Active')]
    for (let number = 0; number < 4; number++) addCard('individualDebitCard')
    const last = addCard('individualDebitCard', 'Active')
    expect(await pagesFrom('/cards?limit=2&sort=createdAt')).toEqual([
      [[one, two], undefined],
      [[], '2'],
      [[], '2'],
      [[last], undefined],
    ])
  })

  test('in a list of cards by their type, which counts cards of this type only', async () => {
    const virtual = 'individualVirtualDebitCard'
    const one = addCard(virtual, 'Active')
    addCard('individualDebitCard')
    addCard(virtual)
    const two = addCard(virtual, 'Active')
    addCard(virtual)
    addCard('individualDebitCard', 'Active')
    const three = addCard(virtual, 'Active')
    expect(await pagesFrom(`/cards?type=${virtual}&limit=2&sort=createdAt`)).toEqual([
      [[one], '1'],
      [[two], '1'],
      [[three], undefined],
    ])
  })

  test('in such a list also if the first thousand cards have as many of the type as a page', async () => {
    const virtual = 'individualVirtualDebitCard'
    const first = [addCard(virtual, 'Active'), addCard(virtual, 'Active')]
    for (let number = 0; number < 998; number++) addCard('individualDebitCard', 'Active')
    const last = addCard(virtual, 'Active')
    expect(await pagesFrom(`/cards?type=${virtual}&limit=2&sort=createdAt`)).toEqual([
      [first, undefined],
      [[last], undefined],
    ])
  })
})

test('Accounts of a customer that cannot be read come last', async () => {
  const { books } = opened.fake
  const { name: _name, ...unnamed } = books.get('accounts', accountId).attributes
  const { relationships } = books.get('accounts', accountId)
  for (let number = 0; number < 3; number++) books.add('accounts', 'depositAccount', unnamed, relationships)
  const path = `/accounts?customerId=${customerId}&limit=2`
  const first = await list(path)
  expect([idsOf(first), ...headersOf(first)]).toEqual([[accountId], '1', expect.stringContaining('offset=2')])
  const second = await list(nextOf(first))
  expect([idsOf(second), ...headersOf(second)]).toEqual([[], '2', undefined])
})

test('A payment by its id that cannot be read is left out of the list', async () => {
  const related = { account: { data: { type: 'account', id: accountId } } }
  const { id } = opened.fake.books.add('payments', 'achPayment', { amount: 1, direction: 'Credit' }, related)
  const reply = await list(`/payments?paymentId=${id}`)
  expect([reply.status, reply.json.data, ...headersOf(reply)]).toEqual([200, [], '1', undefined])
})

test('An external account that cannot be read does not make its customer unknown', async () => {
  const related = { customer: { data: { type: 'customer', id: customerId } } }
  opened.fake.books.add('counterparties', 'achCounterparty', { name: 'Grace Sample' }, related)
  const reply = await list(`/customers/${customerId}/external-accounts`)
  expect([reply.status, reply.json.data, ...headersOf(reply)]).toEqual([200, [], '1', undefined])
})

describe('The list of applications', () => {
  const add = (status: string, created: string): string =>
    opened.fake.books.add(
      'applications',
      'individualApplication',
      {
        status,
        createdAt: `2026-01-${created}T12:00:00.000Z`,
        fullName: { first: 'Ada', last: 'Example' },
        email: 'ada@example.com',
      },
      {},
    ).id

  test('has those of a status, newest first, and leads on by an offset', async () => {
    const [older, newer] = [add('AwaitingDocuments', '02'), add('AwaitingDocuments', '03')]
    add('Approved', '04')
    const first = await list('/applications?status=AwaitingDocuments&limit=1')
    expect([first.status, idsOf(first), nextOf(first)]).toEqual([
      200,
      [newer],
      '/applications?status=AwaitingDocuments&limit=1&offset=1',
    ])
    expect(first.json.data[0]).toEqual({
      id: newer,
      status: 'AwaitingDocuments',
      createdAt: '2026-01-03T12:00:00.000Z',
      name: 'Ada Example',
      email: 'ada@example.com',
    })
    expect(idsOf(await list(nextOf(first)))).toEqual([older])
  })
})

test.each(['applications', 'customers', 'accounts', 'payments'])('A cursor of %s is refused', async (name) => {
  const reply = await list(`/${name}?cursor=AAABnDpvUgAAAAAAAA9CQKX1mW3uJk0c`)
  expect([reply.status, reply.json.errors[0].parameter, reply.json.errors[0].code]).toEqual([
    400,
    'cursor',
    'unknown_cursor',
  ])
})

test('X-Total-Count is the number that Unit counts, where it is asked for', async () => {
  await opened.arrange.customer()
  const counted = await list('/customers?limit=1&count=true')
  expect([counted.headers['x-total-count'], idsOf(counted).length]).toEqual(['2', 1])
  expect((await list('/customers?limit=1')).headers).not.toHaveProperty('x-total-count')
  const none = await list('/accounts?customerId=unknown&count=true')
  expect([none.status, none.json.data, none.headers['x-total-count']]).toEqual([200, [], '0'])
})

test('Lists of banking describe the header in the OpenAPI document', async () => {
  const { json } = await opened.bank.call('GET', '/openapi.json')
  for (const path of ['/v0/banking/cards', '/v0/banking/transactions', '/v0/banking/payments']) {
    expect(json.paths[path].get.responses[200].headers, path).toHaveProperty('Omitted-Records')
  }
  expect(json.paths['/v0/banking/cards/{cardId}'].get.responses[200].headers).not.toHaveProperty('Omitted-Records')
})
