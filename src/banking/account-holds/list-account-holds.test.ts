import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, makeFunded } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'

let bank: TestBank
let accountId: string
const made: Record<'Active' | 'Released' | 'Expired', string[]> = { Active: [], Released: [], Expired: [] }

beforeAll(async () => {
  bank = await openTestBank()
  accountId = await makeFunded(bank, 100_00)
  const other = await makeFunded(bank, 100_00)
  const { now } = (await bank.call('GET', '/v0/sandbox/clock')).json.data
  const expiresAt = new Date(Date.parse(now) + 60_000).toISOString()
  for (const [status, body] of [
    ['Active', {}],
    ['Released', {}],
    ['Expired', { expiresAt }],
    ['Active', {}],
  ] as const) {
    const path = `/v0/banking/accounts/${accountId}/holds`
    const { json } = await bank.call('POST', path, { body: { amount: 1_00, reason: 'Other', ...body } })
    made[status].unshift(json.data.id)
    if (status === 'Released') await bank.call('POST', `${path}/${json.data.id}/release`)
  }
  await bank.call('POST', `/v0/banking/accounts/${other}/holds`, { body: { amount: 1_00, reason: 'Other' } })
  await advance(bank, { by: 'PT1H' })
})
afterAll(() => bank.close())

const list = (query = '', { of = accountId, key = bank.key } = {}) =>
  bank.call('GET', `/v0/banking/accounts/${of}/holds${query}`, { key })
const idsOf = async (query: string) => (await list(query)).json.data.map(({ id }: { id: string }) => id)

describe('list account holds', () => {
  test('lists those of the account, newest first, of every state or of one', async () => {
    const all = Object.values(made)
      .flat()
      .toSorted((a, b) => Number(b) - Number(a))
    expect(await idsOf('')).toEqual(all)
    expect(await idsOf('?sort=createdAt')).toEqual(all.toReversed())
    for (const [status, ids] of Object.entries(made)) expect(await idsOf(`?status=${status}`)).toEqual(ids)
    const [first] = (await list('?limit=1')).json.data
    const { json } = await bank.call('GET', `/v0/banking/accounts/${accountId}/holds/${first.id}`)
    expect(first).toEqual(json.data)
  })

  test('continues by a cursor, also within a state', async () => {
    for (const [query, ids] of [
      ['?limit=1&status=Active', made.Active],
      ['?limit=3', (await idsOf('')) as string[]],
    ] as const) {
      const first = await list(query)
      const next = /cursor=([A-Za-z0-9_-]{32})/.exec(String(first.headers.link))?.[1]
      const second = await list(`${query}&cursor=${next}`)
      const seen = [...first.json.data, ...second.json.data].map(({ id }: { id: string }) => id)
      expect(seen).toEqual(ids)
    }
  })

  test('refuses an unknown state, an unknown account and one of another organisation', async () => {
    expect((await list('?status=Open')).json).toMatchObject({ code: 'invalid_request' })
    for (const reply of [await list('', { of: '1000' }), await list('', { key: bank.otherKey })]) {
      expect([reply.status, reply.json.code]).toEqual([404, 'account_not_found'])
    }
  })
})
