import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, bankNow, timestamp } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeSandboxOrganisation } from '../../test/support/organisations.ts'
import { makeWorld } from '../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

describe('get clock', () => {
  test('answers bank time, which is real time until it is advanced', async () => {
    const { status, json } = await bank.call('GET', '/v0/sandbox/clock')
    expect(status).toBe(200)
    expect(json).toEqual({
      data: {
        now: expect.stringMatching(timestamp),
        frozen: false,
        upcoming: [
          {
            at: expect.stringMatching(/-01T00:00:00.000Z$/),
            type: 'month.ended',
            id: json.data.now.slice(0, 7),
            count: 1,
          },
        ],
      },
    })
    expect(Math.abs(Date.parse(json.data.now) - Date.now())).toBeLessThan(60_000)
  })

  test('answers a later time at every call', async () => {
    const before = await bankNow(bank)
    await expect.poll(() => bankNow(bank)).not.toBe(before)
    expect((await bankNow(bank)) > before).toBe(true)
  })

  test('answers the time that an advance led to, and counts on from there', async () => {
    const { now } = await advance(bank, { by: 'P100D' })
    const read = await bankNow(bank)
    expect(read >= now).toBe(true)
    expect(Date.parse(read) - Date.parse(now)).toBeLessThan(60_000)
  })

  test('shows what every timer brings next, the earliest first', async () => {
    const { key } = await makeSandboxOrganisation(bank, { now: '2027-01-10T12:00:00Z', frozen: true })
    const ask = async (method: string, path: string, body?: unknown) =>
      (await bank.call(method, path, { key, body })).json.data
    await ask('POST', '/v0/webhook-endpoints', { url: 'https://example.com/', events: ['customer.created'] })
    const { cardId } = await ask('POST', '/v0/sandbox/scenarios')
    const { id } = await ask('POST', `/v0/sandbox/cards/${cardId}/authorizations`, {
      amount: 1_00,
      merchant: { name: 'Sample Coffee' },
    })
    const { now, frozen, upcoming } = await ask('GET', '/v0/sandbox/clock')
    expect([now, frozen]).toEqual(['2027-01-10T12:00:00.000Z', true])
    expect(upcoming.at(-2)).toEqual({
      at: expect.stringMatching(/^2027-01-/),
      type: 'authorization.canceled',
      id,
      count: 1,
    })
    expect(upcoming.at(-1)).toEqual({ at: '2027-02-01T00:00:00.000Z', type: 'month.ended', id: '2027-01', count: 1 })
    const times = upcoming.map(({ at }: { at: string }) => at)
    expect(times).toEqual([...times].sort())
  })

  test('shows the pending deliveries to an endpoint as one thing, which `next` passes by', async () => {
    const { key, id } = await makeSandboxOrganisation(bank, { now: '2027-01-10T12:00:00Z', frozen: true })
    const world = await makeWorld(bank, key)
    await bank.database.query(
      `insert into webhook_delivery (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at)
       select $1::bigint, $2::bigint, n, 'customer/' || n, 'Pending', bank_time($2), bank_time($2) + (n - 10000) * interval '1 minute'
       from generate_series(10001, 10025) n`,
      [world.webhookEndpoint, id],
    )
    const { upcoming } = (await bank.call('GET', '/v0/sandbox/clock', { key })).json.data
    // The delivery of the world is due at once.
    expect(upcoming[0]).toEqual({
      at: '2027-01-10T12:00:00.000Z',
      type: 'webhook.delivered',
      id: world.delivery,
      count: 26,
    })
    const others = upcoming.filter(({ type }: { type: string }) => type !== 'webhook.delivered')
    expect(others).toHaveLength(upcoming.length - 1)
    const { json } = await bank.call('POST', '/v0/sandbox/clock/advance', { key, body: { to: 'next' } })
    expect(json.data.now).toBe(others[0].at)
  })

  test('shows at most 20 things', async () => {
    const { key } = await makeSandboxOrganisation(bank, { now: '2027-01-10T12:00:00Z', frozen: true })
    const { account } = await makeWorld(bank, key)
    for (let minute = 10; minute < 35; minute++) {
      const body = { amount: 1, reason: 'Other', expiresAt: `2027-01-10T13:${minute}:00Z` }
      await bank.call('POST', `/v0/banking/accounts/${account}/holds`, { key, body })
    }
    const { upcoming } = (await bank.call('GET', '/v0/sandbox/clock', { key })).json.data
    expect(upcoming).toHaveLength(20)
    expect(upcoming.at(-1)).toMatchObject({ type: 'accountHold.expired', count: 1 })
  })
})
