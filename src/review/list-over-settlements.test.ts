import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask, makeFunded, makeVirtualCard } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { accountOf, expectSoundLedger } from '../../test/support/ledger.ts'
import { refusalOf } from '../../test/support/review/reviewer.ts'
import { openMetrics } from '../http/metrics/metrics.ts'

let bank: TestBank
const metrics = openMetrics()

beforeAll(async () => {
  bank = await openTestBank({ metrics })
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

const path = '/v0/review/over-settlements'

async function charge(amount: number, category = ''): Promise<{ id: string; accountId: string }> {
  const accountId = await makeFunded(bank, 500_00)
  const { id: cardId } = await makeVirtualCard(bank, accountId)
  const merchant = { name: 'Sample Shop', ...(category && { category }) }
  const { id } = await ask(bank, 'POST', `/v0/sandbox/cards/${cardId}/authorizations`, { amount, merchant })
  return { id, accountId }
}

const settle = (id: string, amount: number, final = true) =>
  ask(bank, 'POST', `/v0/sandbox/authorizations/${id}/settle`, { amount, final })
const list = async (query = '') => (await ask(bank, 'GET', `${path}${query}`)) as { id: string; status: string }[]
const listed = async (id: string) => (await list()).find((row) => row.id === id)

/** The number of over-settlements, as the metric says it. */
async function noted(): Promise<number> {
  return Number(/^purser_over_settlements_total (\d+)$/m.exec(await metrics.text())?.[1])
}

async function typesOf(id: string): Promise<string[]> {
  const events = await ask(bank, 'GET', `/v0/events?entityType=authorization&entityId=${id}`)
  const versions = events.map(({ entity }: { entity: { version: number } }) => entity.version)
  expect(versions, 'each event has a version of its own').toEqual(versions.map((_: number, index: number) => index + 1))
  return events.map(({ type }: { type: string }) => type)
}

describe('over-settlements', () => {
  test('a settlement beyond the tolerance is booked, and waits for a reviewer', async () => {
    const { id, accountId } = await charge(1)
    await settle(id, 999_999_999_999, false)
    expect((await accountOf(bank, accountId)).balance).toBe(500_00 - 999_999_999_999)
    expect(await listed(id)).toMatchObject({
      id,
      accountId,
      status: 'Open',
      amount: 1,
      tolerated: 1,
      settled: 999_999_999_999,
      refunded: 0,
      merchant: { name: 'Sample Shop' },
    })
    await settle(id, 1)
    expect(await typesOf(id)).toEqual([
      'authorization.created',
      'authorization.amountChanged',
      'authorization.overSettled',
      'authorization.completed',
      'authorization.overSettled',
    ])
    expect(await noted()).toBe(2)
  })

  test.each([
    ['', 110_00],
    ['Restaurants', 120_00],
    ['Lodging', 115_00],
    ['5542', 175_00],
  ])('the trade %j tolerates up to its share, of all settlements together', async (category, tolerated) => {
    const { id } = await charge(100_00, category)
    await settle(id, 60_00, false)
    await settle(id, tolerated - 60_00, false)
    expect(await listed(id)).toBeUndefined()
    await settle(id, 1)
    expect(await listed(id)).toMatchObject({ tolerated, settled: tolerated + 1 })
  })

  test('a replayed settlement is counted once', async () => {
    const { id } = await charge(1_00)
    const before = await noted()
    const headers = { 'idempotency-key': 'over-settlement' }
    for (const replayed of [undefined, 'true']) {
      const reply = await bank.call('POST', `/v0/sandbox/authorizations/${id}/settle`, {
        body: { amount: 5_00 },
        headers,
      })
      expect([reply.status, reply.headers['idempotent-replayed']]).toEqual([201, replayed])
    }
    expect(await noted()).toBe(before + 1)
  })

  test('are listed oldest first, in pages, for their organisation and for reviewers alone', async () => {
    const rows = await list()
    expect(rows.length).toBeGreaterThan(2)
    expect((await list('?sort=-createdAt')).map(({ id }) => id)).toEqual(rows.map(({ id }) => id).reverse())
    const page = await bank.call('GET', `${path}?limit=1`)
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(page.headers.link)) ?? []
    expect((await bank.call('GET', next)).json.data[0].id).toBe(rows[1]?.id)
    expect((await bank.call('GET', path, { key: bank.otherKey })).json.data).toEqual([])
    const key = await bank.makeKey('first', null)
    expect(refusalOf(await bank.call('GET', path, { key }))).toEqual([403, 'forbidden'])
  })
})
