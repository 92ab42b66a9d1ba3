import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeSandboxOrganisation } from '../../test/support/organisations.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ webhooks: {} })
})
afterAll(() => bank.close())

const path = '/v0/sandbox/reset'

function askOf(key: string) {
  return async (method: string, to: string, body?: unknown) => {
    const { status, text, json } = await bank.call(method, to, { key, body })
    if (status >= 300) throw new Error(`${method} ${to} answered ${status}: ${text}`)
    return json?.data
  }
}

describe('reset organisation', () => {
  test('gives all keys a new and empty organisation of the same name', async () => {
    const made = await makeSandboxOrganisation(bank, { name: 'Emptied' })
    const ask = askOf(made.key)
    const second = (await ask('POST', '/v0/api-keys', { name: 'Second' })).key
    const scenario = await ask('POST', '/v0/sandbox/scenarios')
    await ask('POST', '/v0/webhook-endpoints', { url: 'https://example.com/', events: ['*'] })
    expect((await bank.call('GET', '/v0/events', { key: second })).status).toBe(200)

    const reset = await ask('POST', path)
    expect(reset).toEqual({
      id: expect.stringMatching(/^\d{7,}$/),
      name: 'Emptied',
      createdAt: expect.stringMatching(timestamp),
      frozen: false,
    })
    expect(reset.id).not.toBe(made.id)
    for (const key of [made.key, second]) {
      const asKey = askOf(key)
      expect(await asKey('GET', '/v0/banking/customers')).toEqual([])
      expect(await asKey('GET', '/v0/webhook-endpoints')).toEqual([])
      expect((await bank.call('GET', `/v0/banking/accounts/${scenario.accountId}`, { key })).status).toBe(404)
      expect((await asKey('GET', '/v0/api-keys')).length).toBe(2)
    }
    const next = await ask('POST', '/v0/sandbox/scenarios')
    expect(Number(next.customerId)).toBeGreaterThan(Number(scenario.documentId))
  })

  test('never repeats an event number: a reader goes on behind the last one it saw', async () => {
    const { key } = await makeSandboxOrganisation(bank)
    const ask = askOf(key)
    await ask('POST', '/v0/sandbox/customers', { name: 'Ada Example' })
    const [{ sequence: last }] = await ask('GET', '/v0/events')
    const { id } = await ask('POST', path)
    await ask('POST', '/v0/sandbox/customers', { name: 'Grace Sample' })
    const events = await ask('GET', `/v0/events?after=${last}`)
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['organisation.created', 'customer.created'])
    expect(events[0]).toMatchObject({ entity: { id, version: 1 }, data: { id } })
    expect(events[0].sequence).toBeGreaterThan(last)
    expect(await ask('GET', '/v0/events?after=0')).toEqual(events)
    expect((await ask('GET', `/v0/events/${events[1].id}`)).data.name).toBe('Grace Sample')
    await ask('POST', path)
    expect((await ask('GET', `/v0/events?after=${events[1].sequence}`)).length).toBe(1)
  })

  test('starts the clock anew, at a time and frozen where the request says so', async () => {
    const { key } = await makeSandboxOrganisation(bank, { now: '2030-01-01', frozen: true })
    const ask = askOf(key)
    expect(await ask('POST', path, { now: '2027-05-05', frozen: true })).toMatchObject({
      createdAt: '2027-05-05T00:00:00.000Z',
      frozen: true,
    })
    expect((await ask('GET', '/v0/sandbox/clock')).now).toBe('2027-05-05T00:00:00.000Z')
    const { createdAt } = await ask('POST', path)
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000)
  })

  test('runs once for an idempotency key, although the key has another organisation then', async () => {
    const { key } = await makeSandboxOrganisation(bank)
    const headers = { 'idempotency-key': 'reset-once' }
    const first = await bank.call('POST', path, { key, headers })
    const [again, another] = await Promise.all([1, 2].map(() => bank.call('POST', path, { key, headers })))
    expect([again?.text, another?.text]).toEqual([first.text, first.text])
    expect([again?.headers['idempotent-replayed'], first.status]).toEqual(['true', 200])
  })

  test('empties an organisation that no request made, and keeps its name for the next start', async () => {
    const key = await bank.makeKey('third', null)
    const ask = askOf(key)
    await ask('POST', '/v0/sandbox/customers', { name: 'Ada Example' })
    const { id, name } = await ask('POST', path)
    expect(name).toBe('third')
    const rows = await bank.database.query<{ id: number; made: boolean }>(
      `select id, made from organisation where name = 'third'`,
    )
    expect(rows).toEqual([{ id: Number(id), made: false }])
    expect((await bank.call('DELETE', '/v0/sandbox/organisations/current', { key })).status).toBe(409)
  })

  test('keeps a revoked key revoked', async () => {
    const { key } = await makeSandboxOrganisation(bank)
    const ask = askOf(key)
    const other = await ask('POST', '/v0/api-keys', { name: 'Other' })
    await ask('DELETE', `/v0/api-keys/${other.id}`)
    await ask('POST', path)
    expect((await bank.call('GET', '/v0/events', { key: other.key })).status).toBe(401)
  })

  test('is safe with requests of the same key: each runs before it or after it', async () => {
    const { key } = await makeSandboxOrganisation(bank)
    const write = () => bank.call('POST', '/v0/sandbox/customers', { key, body: { name: 'Ada Example' } })
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, at) => (at % 12 === 5 ? bank.call('POST', path, { key }) : write())),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 201]))
    await bank.call('POST', path, { key })
    expect((await bank.call('GET', '/v0/banking/customers', { key })).json.data).toEqual([])
    expect((await write()).status).toBe(201)
    expect((await bank.call('GET', '/v0/banking/customers', { key })).json.data.length).toBe(1)
  })

  test('is not held up by changes under way: an endless series of them would starve it', async () => {
    const { id, key } = await makeSandboxOrganisation(bank)
    await bank.database.transaction(async (transaction) => {
      // As every insert does that refers to the organisation.
      await transaction.query('select from organisation where id = $1::bigint for key share', [id])
      expect((await bank.call('POST', path, { key })).status).toBe(200)
    })
  })

  test('leaves a long poll of the former organisation to end by itself', async () => {
    const { key } = await makeSandboxOrganisation(bank)
    const poll = bank.call('GET', '/v0/events?wait=2', { key })
    await bank.call('POST', path, { key })
    const { status, json } = await poll
    expect(status).toBe(200)
    expect(json.data.length).toBeLessThanOrEqual(1)
  })

  test('of one organisation changes nothing in another', async () => {
    const [one, other] = [await makeSandboxOrganisation(bank), await makeSandboxOrganisation(bank)]
    await askOf(other.key)('POST', '/v0/sandbox/customers', { name: 'Ada Example' })
    await askOf(one.key)('POST', path)
    expect((await askOf(other.key)('GET', '/v0/banking/customers')).length).toBe(1)
  })
})
