import { hash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type OpenedUnit, openUnitBanking } from '../../test/support/banking-providers.ts'
import { clock } from '../base/clock.ts'
import { CommitLost, type Database } from '../database/database.ts'

let opened: OpenedUnit
let customerId: string
/** Part of a statement: the COMMIT of the first transaction that runs it is lost after it took effect. */
let lose: string | undefined
/** The number of transactions that tried to take a claim. */
let tries = 0
/** Called when a transaction has taken a claim. */
let claimed: () => void = () => undefined

function losing(database: Database): Database {
  return {
    ...database,
    transaction: async (work) => {
      let met = false
      let claims = false
      const result = await database.transaction((transaction) =>
        work({
          query: (text, values, use) => {
            claims ||= text.startsWith('insert into claim')
            met ||= lose !== undefined && text.includes(lose)
            return transaction.query(text, values, use)
          },
        }),
      )
      if (claims) tries++
      if (claims) claimed()
      if (!met) return result
      lose = undefined
      throw new CommitLost('COMMIT was not answered')
    },
  }
}

beforeAll(async () => {
  opened = await openUnitBanking(
    { timeouts: { callMs: 1_000, totalMs: 1_000, uploadMs: 1_000 } },
    { around: losing, waitMs: 1_000 },
  )
  customerId = await opened.arrange.customer()
})
afterAll(() => opened.close())

const send = (key: string, body: object = { customerId }) =>
  opened.bank.call('POST', '/v0/banking/accounts', { body, headers: { 'idempotency-key': key } })
const effects = () => opened.fake.books.effects.length

interface ClaimRow {
  attempt: number
  state: string
}

async function claimsOf(key: string): Promise<ClaimRow[]> {
  return opened.bank.database.query<ClaimRow>(`select attempt, state from claim where key_hash = $1`, [
    hash('sha256', key, 'buffer'),
  ])
}

async function change(key: string, set: string): Promise<void> {
  await opened.bank.database.query(`update claim set ${set} where key_hash = $1`, [hash('sha256', key, 'buffer')])
}

/** A request that broke off: the upstream never answered it. */
async function breakOff(key: string): Promise<void> {
  opened.fake.server.misbehave('slow')
  expect((await send(key)).json.code).toBe('upstream_timeout')
  expect(await claimsOf(key)).toEqual([{ attempt: 1, state: 'sent' }])
}

describe('a claim', () => {
  test('is replaced by the stored answer', async () => {
    expect((await send('answered')).status).toBe(201)
    expect(await claimsOf('answered')).toEqual([])
  })

  test('gets the next attempt number after a refusal, so that the upstream sees another key', async () => {
    const refused = await send('refused', { customerId: '4711' })
    expect(refused.json.code).toBe('customer_not_found')
    expect(await claimsOf('refused')).toEqual([{ attempt: 2, state: 'refused' }])
    const keys = () =>
      opened.fake.server.calls
        .slice(-2)
        .map(({ body }) => JSON.parse(body.toString()).data.attributes.idempotencyKey as string)
    expect((await send('refused')).status).toBe(201)
    expect(new Set(keys()).size).toBe(2)
    expect(keys().every((key) => key.length <= 255 && !key.includes('refused'))).toBe(true)
  })

  test('that another process holds is waited for, then answered as in progress', async () => {
    await breakOff('busy')
    await change('busy', `holder = '${randomUUID()}', busy_until = now() + interval '1 minute'`)
    tries = 0
    const reply = await send('busy')
    // In the second that it waits it looks after 50, 150, 350 and 750 ms, so that many who wait leave the database free.
    expect(tries).toBeLessThanOrEqual(6)
    expect([reply.status, reply.json.code, reply.headers['retry-after']]).toEqual([409, 'idempotency_in_progress', '1'])
    const other = await send('busy', { customerId, tags: {} })
    expect(other.json.code).toBe('idempotency_key_reused')
    const waiting = send('busy')
    await change('busy', `busy_until = now()`)
    expect((await waiting).status).toBe(201)
  })

  test('that took too long to acquire is not sent, because others may take its holder for dead', async () => {
    const calls = opened.fake.server.calls.length
    const { elapsedMs } = clock
    claimed = () => void vi.spyOn(clock, 'elapsedMs').mockImplementation(() => elapsedMs() + 1_400)
    const reply = await send('long-in-coming')
    claimed = () => undefined
    vi.restoreAllMocks()
    expect([reply.status, reply.json.code]).toEqual([504, 'upstream_timeout'])
    expect(opened.fake.server.calls).toHaveLength(calls)
    expect((await send('long-in-coming')).status).toBe(201)
  })

  test('that broke off is resumed under the same upstream key', async () => {
    await breakOff('broken')
    expect((await send('broken', { customerId, tags: {} })).json.code).toBe('idempotency_key_reused')
    expect((await send('broken')).status).toBe(201)
    const [first, second] = opened.fake.server.calls.slice(-2).map(({ body }) => body.toString())
    expect(first).toBe(second)
  })

  test('that a refusal left is of the corrected request: this one is resumed, and the refused one is not', async () => {
    const wrong = { customerId: '4711' }
    expect((await send('corrected', wrong)).json.code).toBe('customer_not_found')
    opened.fake.server.misbehave('slow')
    expect((await send('corrected')).json.code).toBe('upstream_timeout')
    expect((await send('corrected', wrong)).json.code).toBe('idempotency_key_reused')
    expect((await send('corrected')).status).toBe(201)
  })

  test('that broke off before the upstream forgot its keys is never sent again', async () => {
    await breakOff('just-in-time')
    await change('just-in-time', `sent_at = now() - interval '47 hours' + interval '1 minute'`)
    expect((await send('just-in-time')).status).toBe(201)
    await breakOff('too-late')
    await change('too-late', `sent_at = now() - interval '47 hours'`)
    const calls = opened.fake.server.calls.length
    for (let time = 0; time < 2; time++) {
      const reply = await send('too-late')
      expect([reply.status, reply.json.code]).toEqual([502, 'upstream_outcome_unknown'])
    }
    expect(opened.fake.server.calls).toHaveLength(calls)
  })
})

describe('a call that the upstream may still work on', () => {
  test('is not sent again under its key before the time limit of the call is over', async () => {
    const own = await openUnitBanking({ timeouts: { callMs: 3_000, totalMs: 3_000, uploadMs: 3_000 } }, { waitMs: 500 })
    const body = { customerId: await own.arrange.customer() }
    const post = () =>
      own.bank.call('POST', '/v0/banking/accounts', { body, headers: { 'idempotency-key': 'working' } })
    own.fake.server.misbehave('drop')
    const startedMs = performance.now()
    expect((await post()).json.code).toBe('upstream_error')
    expect((await post()).json.code).toBe('idempotency_in_progress')
    expect(own.fake.server.calls).toHaveLength(1)
    await expect.poll(() => post().then(({ status }) => status), { timeout: 20_000 }).toBe(201)
    expect(performance.now() - startedMs).toBeGreaterThan(2_900)
    expect([own.fake.server.calls.length, own.fake.books.effects.length]).toEqual([2, 1])
    await own.close()
  })
})

describe('a call that may have taken effect in an earlier request', () => {
  /** The upstream does its work, and the caller never learns of it. */
  async function breakAfter(key: string): Promise<void> {
    opened.fake.server.misbehave('drop', 'drop', 'drop', 'drop')
    expect((await send(key)).json.code).toBe('upstream_error')
    opened.fake.server.misbehave()
  }

  test.each([
    [400, 'refused_by_provider'],
    [401, 'upstream_error'],
    [429, 'upstream_unavailable'],
  ] as const)('is not sent under another upstream key after %i', async (fault, code) => {
    const key = `refused-later-${fault}`
    const before = effects()
    await breakAfter(key)
    opened.fake.server.misbehave(fault)
    expect((await send(key)).json.code).toBe(code)
    expect(await claimsOf(key)).toEqual([{ attempt: 1, state: 'sent' }])
    // After 429 no call is sent for a second.
    await expect.poll(() => send(key).then(({ status }) => status), { timeout: 10_000 }).toBe(201)
    expect(effects() - before).toBe(1)
  })

  test('is sent under another one where the upstream shows that it rejected it', async () => {
    const path = '/v0/banking'
    const accountId = (await opened.bank.call('POST', `${path}/accounts`, { body: { customerId } })).json.data.id
    const external = { type: 'Person', name: 'Grace Sample', routingNumber: '021000021', accountNumber: '1' }
    const made = await opened.bank.call('POST', `${path}/customers/${customerId}/external-accounts`, {
      body: { ...external, accountType: 'Checking' },
    })
    const body = { amount: 1_00, counterpartyAccountId: made.json.data.id, description: 'Rent', originalType: 'ACH' }
    const headers = { 'idempotency-key': 'rejected' }
    const pay = () => opened.bank.call('POST', `${path}/accounts/${accountId}/payments`, { body, headers })
    opened.fake.server.misbehave('drop', 'drop', 'drop', 'drop')
    expect((await pay()).json.code).toBe('upstream_error')
    opened.fake.server.misbehave()
    expect((await pay()).json.code).toBe('insufficient_funds')
    expect(await claimsOf('rejected')).toEqual([{ attempt: 2, state: 'refused' }])
    await opened.arrange.fund(accountId, 1_00)
    expect((await pay()).status).toBe(201)
  })
})

describe('a lost COMMIT', () => {
  test.each(['insert into claim', 'insert into answer'])('of %s changes nothing', async (statement) => {
    const before = effects()
    const key = `lost-${statement.replaceAll(' ', '-')}`
    lose = statement
    const reply = await send(key)
    expect([reply.status, effects() - before, lose]).toEqual([201, 1, undefined])
    const again = await send(key)
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([reply.text, 'true'])
    expect(await claimsOf(key)).toEqual([])
  })
})

test('an answer that carries a secret is stored sealed', async () => {
  const path = `/v0/banking/customers/${customerId}/token-verifications`
  const headers = { 'idempotency-key': 'a-token' }
  const { json, text } = await opened.bank.call('POST', path, { headers })
  const rows = await opened.bank.database.query<{ row: string }>(`select answer::text as row from answer`)
  expect(rows.filter(({ row }) => row.includes(json.data.verificationToken))).toEqual([])
  expect((await opened.bank.call('POST', path, { headers })).text).toBe(text)
})
