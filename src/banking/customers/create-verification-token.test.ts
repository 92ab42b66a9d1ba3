import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeCustomer } from '../../../test/support/world.ts'
import { CommitLost, type Database } from '../../database/database.ts'

let bank: TestBank
let customer: string
let commitsToLose = 0

const around = (database: Database): Database => ({
  ...database,
  async transaction(work) {
    const result = await database.transaction(work)
    if (commitsToLose-- > 0) throw new CommitLost('lost')
    return result
  },
})

beforeAll(async () => {
  bank = await openTestBank({ around })
  customer = await makeCustomer(bank)
})
afterAll(() => bank.close())

const spellings = [
  ['POST', 'token-verifications'],
  ['GET', 'token-verifications'],
  ['POST', 'token-verification'],
  ['GET', 'token-verification'],
] as const

const create = (headers: Record<string, string> = {}, method = 'POST', word = 'token-verifications') =>
  bank.call(method, `/v0/banking/customers/${customer}/${word}`, { headers })

describe('B2 create verification token', () => {
  test('answers a token at every path and method, and forbids caching it', async () => {
    const seen = new Set<string>()
    for (const [method, word] of spellings) {
      const { status, headers, json } = await create({}, method, word)
      expect([status, headers['cache-control']], `${method} ${word}`).toEqual([201, 'no-store'])
      expect(json).toEqual({ data: { verificationToken: expect.stringMatching(/^prs_vt_[0-9a-f]{64}$/) } })
      expect(headers.etag).toBeDefined()
      seen.add(json.data.verificationToken)
    }
    expect(seen.size).toBe(4)
  })

  test('marks every path and method but the main one as deprecated and names the successor', async () => {
    for (const [at, [method, word]] of spellings.entries()) {
      const { headers } = await create({}, method, word)
      const expected = [
        `@${Date.UTC(2026, 0) / 1000}`,
        `</v0/banking/customers/${customer}/token-verifications>; rel="successor-version"`,
      ]
      expect([headers.deprecation, headers.link]).toEqual(at === 0 ? [undefined, undefined] : expected)
    }
  })

  test('stores the hash of the token for ten minutes of real time', async () => {
    await bank.database.query(`update organisation set clock_offset = '-75 days' where name = 'first'`)
    const { json } = await create()
    const [row] = await bank.database.query<{ customerId: number; minutes: number; age: number }>(
      `select customer_id as "customerId", extract(epoch from expires_at - created_at)::float / 60 as minutes,
         extract(epoch from clock_timestamp() - created_at)::float as age
       from verification_token where hash = $1`,
      [hash('sha256', json.data.verificationToken, 'buffer')],
    )
    expect(row).toEqual({ customerId: Number(customer), minutes: 10, age: expect.any(Number) })
    expect(row?.age).toBeLessThan(30)
  })

  test('emits an event with the customer and the expiry, and without the token', async () => {
    const { json } = await create()
    const event = (await bank.call('GET', '/v0/events?type=verificationToken.created&limit=1000')).json.data.at(-1)
    const created = Date.parse(event.data.createdAt)
    expect(event).toMatchObject({
      type: 'verificationToken.created',
      entity: { type: 'verificationToken', id: expect.stringMatching(/^[1-9]\d{6,}$/), version: 1 },
    })
    expect(event.data).toEqual({
      id: event.entity.id,
      customerId: customer,
      createdAt: new Date(created).toISOString(),
      expiresAt: new Date(created + 600_000).toISOString(),
    })
    expect(JSON.stringify(event)).not.toContain(json.data.verificationToken.slice('prs_vt_'.length))
  })

  test('repeats the same bytes for an idempotency key, from an answer that is stored sealed', async () => {
    for (const word of ['token-verifications', 'token-verification']) {
      const headers = { 'idempotency-key': `once-${word}` }
      const first = await create(headers, 'POST', word)
      const again = await create(headers, 'POST', word)
      expect([again.status, again.text, again.headers.etag]).toEqual([201, first.text, first.headers.etag])
      expect([again.headers['idempotent-replayed'], again.headers['cache-control']]).toEqual(['true', 'no-store'])
      const rows = await bank.database.query(`select body, length(sealed) as length from answer where key_hash = $1`, [
        hash('sha256', `once-${word}`, 'buffer'),
      ])
      expect(rows).toEqual([{ body: '', length: first.text.length + 32 }])
    }
  })

  test('answers one token when an idempotency key is used eight times at once', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => create({ 'idempotency-key': 'at-once' })))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  })

  test('answers the stored token when the COMMIT was lost', async () => {
    for (const headers of [{}, { 'idempotency-key': 'lost' }]) {
      commitsToLose = 1
      const { status, json } = await create(headers)
      expect(status).toBe(201)
      const rows = await bank.database.query(`select from verification_token where hash = $1`, [
        hash('sha256', json.data.verificationToken, 'buffer'),
      ])
      expect(rows).toHaveLength(1)
    }
  })

  test('ignores an idempotency key and If-None-Match when it is called by GET', async () => {
    const headers = { 'idempotency-key': 'get', 'if-none-match': '*' }
    const [first, second] = [await create(headers, 'GET'), await create(headers, 'GET')]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.text).not.toBe(second.text)
    expect((await create({ 'idempotency-key': 'no key' }, 'GET')).status).toBe(201)
    expect((await create({ 'idempotency-key': 'no key' }, 'POST')).status).toBe(400)
  })

  test('accepts a request without a body', async () => {
    for (const body of [null, {}]) {
      const { status } = await bank.call('POST', `/v0/banking/customers/${customer}/token-verifications`, { body })
      expect(status).toBe(201)
    }
  })

  test('refuses an unknown customer at every path and method', async () => {
    for (const [method, word] of spellings) {
      const { status, json } = await bank.call(method, `/v0/banking/customers/1000/${word}`)
      expect([status, json.code]).toEqual([404, 'customer_not_found'])
    }
  })
})
