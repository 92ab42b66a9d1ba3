import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeVirtualCard, sendMessage } from '../../test/support/cards.ts'
import { makeEndpoint } from '../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeSandboxOrganisation } from '../../test/support/organisations.ts'
import { makeWorld } from '../../test/support/world.ts'
import { parseConfig } from '../config.ts'
import { openMetrics } from '../http/metrics/metrics.ts'
import { DEMO_KEY } from '../idempotency/own-keys.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { openRetention, type RetentionOptions } from './retention.ts'

let bank: TestBank
let account: string
let externalAccount: string
let organisationId: number

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  const world = await makeWorld(bank)
  account = world.account
  externalAccount = world.externalAccount
  const [row] = await query<{ id: number }>(`select organisation_id as id from account where id = $1::bigint`, [
    account,
  ])
  organisationId = row?.id ?? 0
})
afterAll(() => bank.close())

const query = <Row>(text: string, values?: unknown[]) => bank.database.query<Row>(text, values, 'once')
const { keep } = parseConfig({})

/** Options under which one call completes the walk of every kind. */
function options(changes: Partial<RetentionOptions> = {}): RetentionOptions {
  return {
    database: bank.database,
    keep,
    failed: (error) => {
      throw error
    },
    limits: { kindMs: 10_000, restMs: 1 },
    ...changes,
  }
}

/** The block of answers at which the next step begins. */
const nextBlock = async () =>
  (await query<{ block: number }>(`select block from retention_progress where kind = 'answers'`))[0]?.block

const prune = (changes?: Partial<RetentionOptions>) => openRetention(options(changes)).prune()

const pay = (idempotencyKey?: string) =>
  bank.call('POST', `/v0/banking/accounts/${account}/payments`, {
    body: { amount: 1_00, counterpartyAccountId: externalAccount, description: 'Rent', originalType: 'ACH' },
    ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
  })

/** Inserts an answer of some age, and returns its hash. */
async function answerOf(age: string, hash: Buffer = randomBytes(32)): Promise<Buffer> {
  await query(
    `insert into answer (organisation_id, key_hash, fingerprint, status, body, created_at)
     values ($1::bigint, $2::bytea, $3::bytea, 200, '{}', clock_timestamp() - $4::interval)`,
    [organisationId, hash, Buffer.alloc(32), age],
  )
  return hash
}

async function hasAnswer(hash: Buffer): Promise<boolean> {
  return (await query(`select from answer where key_hash = $1::bytea`, [hash])).length === 1
}

/** Lets some time pass for what has its age by marks. */
async function passTime(age: string): Promise<void> {
  await query(`select mark_retention()`)
  await query(`update retention_mark set marked_at = marked_at - $1::interval`, [age])
}

const count = async (from: string, values?: unknown[]) =>
  (await query<{ count: number }>(`select count(*) as count from ${from}`, values))[0]?.count

describe('stored answers', () => {
  test('are kept for 90 days with a key and for an hour without one, and those of the service for ever', async () => {
    const old = await answerOf('90 days 1 minute')
    const young = await answerOf('89 days 23 hours')
    const keylessOld = await answerOf('61 minutes', randomBytes(16))
    const keylessYoung = await answerOf('59 minutes', randomBytes(16))
    const demo = await answerOf('2000 days', DEMO_KEY)
    await prune()
    expect(await Promise.all([old, young, keylessOld, keylessYoung, demo].map(hasAnswer))).toEqual([
      false,
      true,
      false,
      true,
      true,
    ])
  })

  test('are replayed until they are deleted, and their keys are free afterwards', async () => {
    const first = await pay('rent-of-may')
    await prune()
    expect((await pay('rent-of-may')).text).toBe(first.text)
    await query(`update answer set created_at = created_at - interval '91 days' where organisation_id = $1::bigint`, [
      organisationId,
    ])
    await prune()
    const again = await pay('rent-of-may')
    expect(again.status).toBe(201)
    expect(again.json.data.id).not.toBe(first.json.data.id)
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('of messages of a card processor stay for ever, and the key beside them goes', async () => {
    const card = (await makeVirtualCard(bank, account)).id
    const processorId = 'a message that is sent again after years'
    const headers = { 'idempotency-key': 'beside-the-message' }
    const send = (options = {}) =>
      sendMessage(
        bank,
        `cards/${card}/authorizations`,
        { amount: 1, merchant: { name: 'Hotel' }, processorId },
        options,
      )
    const first = await send({ headers })
    const stored = () =>
      count(`answer where organisation_id = $1::bigint and body = $2::text`, [organisationId, first.text])
    expect([first.status, await stored()]).toEqual([201, 2])
    await query(`update answer set created_at = created_at - interval '4000 days' where body = $1::text`, [first.text])
    await prune()
    expect(await stored()).toBe(1)
    const again = await send()
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    expect((await send({ headers })).text).toBe(first.text)
    // Other tests count old answers.
    await query(`update answer set created_at = clock_timestamp() where body = $1::text`, [first.text])
  })

  test('stay for ever where the configuration says so', async () => {
    const old = await answerOf('9000 days')
    await prune({ keep: parseConfig({ PURSER_KEEP_ANSWERS: 'forever' }).keep })
    expect(await hasAnswer(old)).toBe(true)
    await prune()
    expect(await hasAnswer(old)).toBe(false)
  })

  test('are deleted in small steps that another process continues', async () => {
    // The answers of other tests leave the first blocks, which the first step reads.
    await query(`vacuum full answer`)
    await query(
      `insert into answer (organisation_id, key_hash, fingerprint, status, body, created_at)
       select $1::bigint, sha256(n::text::bytea), $2::bytea, 200, repeat('x', 500), clock_timestamp() - interval '91 days'
       from generate_series(1, 2000) n`,
      [organisationId, Buffer.alloc(32)],
    )
    const old = `answer where created_at < clock_timestamp() - interval '90 days' and key_hash <> '\\x${DEMO_KEY.toString('hex')}'`
    const limits = { kindMs: 0, pause: 0, stepMs: 60_000, blocks: 4, restMs: 1 }
    const [one, other] = [openRetention(options({ limits })), openRetention(options({ limits }))]
    await one.prune()
    const afterOne = (await count(old)) ?? 0
    expect(afterOne).toBeLessThan(2000)
    expect(afterOne).toBeGreaterThan(1800)
    expect(await nextBlock()).toBe(4)
    let calls = 0
    for (; (await count(old)) !== 0 && calls < 200; calls++) await Promise.all([one.prune(), other.prune()])
    expect(await count(old)).toBe(0)
    expect(calls).toBeGreaterThan(3)
  })

  test('are deleted in smaller steps while the database is slow, and not before the pause of a process is over', async () => {
    await query(`delete from retention_progress`)
    await query(
      `insert into answer (organisation_id, key_hash, fingerprint, status, body, created_at)
       select $1::bigint, sha256(random()::text::bytea), $2::bytea, 200, repeat('x', 500), clock_timestamp()
       from generate_series(1, 2000)`,
      [organisationId, Buffer.alloc(32)],
    )
    const open = (limits: RetentionOptions['limits']) =>
      openRetention(options({ limits: { kindMs: 0, blocks: 8, restMs: 60_000, ...limits } }))
    // Every step takes longer than no time.
    const slow = open({ pause: 0, stepMs: 0 })
    const blocks: unknown[] = []
    for (let calls = 0; calls < 3; calls++) {
      await slow.prune()
      blocks.push(await nextBlock())
    }
    expect(blocks).toEqual([8, 12, 14])
    const paused = open({ pause: 1_000_000, stepMs: 60_000 })
    for (let calls = 0; calls < 2; calls++) await paused.prune()
    expect(await nextBlock()).toBe(22)
    await query(`delete from retention_progress`)
  })

  test('give their space back to new ones', async () => {
    const fill = () =>
      query(
        `insert into answer (organisation_id, key_hash, fingerprint, status, body, created_at)
         select $1::bigint, sha256(random()::text::bytea), $2::bytea, 200, repeat('x', 500),
           clock_timestamp() - interval '91 days' from generate_series(1, 2000)`,
        [organisationId, Buffer.alloc(32)],
      )
    const size = async () => (await query<{ size: number }>(`select pg_relation_size('answer') as size`))[0]?.size ?? 0
    await fill()
    const full = await size()
    for (let round = 0; round < 3; round++) {
      await prune()
      // As autovacuum does in time.
      await query(`vacuum answer`)
      await fill()
    }
    await prune()
    expect(await size()).toBeLessThan(full * 1.2)
  })
})

describe('a payment', () => {
  test('is not held up while old rows are deleted at full speed', async () => {
    await query(
      `insert into answer (organisation_id, key_hash, fingerprint, status, body, created_at)
       select $1::bigint, sha256(random()::text::bytea), $2::bytea, 200, repeat('y', 500),
         clock_timestamp() - interval '91 days' from generate_series(1, 5000)`,
      [organisationId, Buffer.alloc(32)],
    )
    const old = () => count(`answer where body like 'yyy%'`)
    expect(await old()).toBe(5_000)
    // Small steps without a pause: the deletion lasts longer than the payments.
    const { prune: pruneOn } = openRetention(options({ limits: { kindMs: 50, pause: 0, restMs: 1, blocks: 4 } }))
    let paying = true
    let rounds = 0
    const pruning = (async () => {
      for (; paying || (await old()) !== 0; rounds++) await pruneOn()
    })()
    pruning.catch(() => undefined)
    const timesMs: number[] = []
    const statuses = new Set<number>()
    for (let n = 0; n < 20; n++) {
      const startMs = performance.now()
      statuses.add((await pay()).status)
      timesMs.push(performance.now() - startMs)
    }
    paying = false
    await pruning
    expect([...statuses]).toEqual([201])
    expect(rounds).toBeGreaterThan(1)
    expect(Math.max(...timesMs)).toBeLessThan(10 * 100)
    expect(await verifyLedger(bank.database)).toEqual([])
  })
})

describe('other rows past their retention', () => {
  test('tokens and former secrets go, but a start still knows the former secrets of the environment', async () => {
    const world = await makeWorld(bank)
    await bank.call('POST', `/v0/banking/customers/${world.customer}/token-verifications`)
    await bank.call('POST', `/v0/api-keys/${world.apiKey}/rotate`, { body: { graceSeconds: 60 } })
    const configured = (await bank.call('POST', '/v0/api-keys', { body: { name: 'Configured' } })).json.data.id
    await bank.call('POST', `/v0/api-keys/${configured}/rotate`, { body: { graceSeconds: 60 } })
    await query(`update api_key set source = 'configured' where id = $1::bigint`, [configured])
    await bank.call('POST', `/v0/webhook-endpoints/${world.webhookEndpoint}/rotate-secret`)
    const rows = () =>
      Promise.all([
        count(`verification_token where customer_id = $1::bigint`, [world.customer]),
        count(`api_key_retired where api_key_id = $1::bigint`, [world.apiKey]),
        count(`api_key_retired where api_key_id = $1::bigint`, [configured]),
        count(`webhook_endpoint where id = $1::bigint and sealed_previous_secret is not null`, [world.webhookEndpoint]),
      ])
    await prune()
    expect(await rows()).toEqual([1, 1, 1, 1])
    await query(`update verification_token set expires_at = clock_timestamp() - interval '30 days 1 second'`)
    await query(`update api_key_retired set works_until = clock_timestamp() - interval '30 days 1 second'`)
    await query(`update webhook_endpoint set previous_secret_until = clock_timestamp() - interval '2 minutes'
      where previous_secret_until is not null`)
    await prune()
    expect(await rows()).toEqual([0, 0, 1, 0])
  })

  test('claims and events of providers go, except for a claim that is at work', async () => {
    await query(
      `insert into claim (organisation_id, key_hash, fingerprint, attempt, holder, state, sent_at, busy_until)
       select $1::bigint, sha256(state::bytea), $2::bytea, 1, gen_random_uuid(), 'sent',
         clock_timestamp() - interval '91 days', clock_timestamp() + busy::interval
       from (values ('old', '-1 day'), ('busy', '1 minute')) c (state, busy)`,
      [organisationId, Buffer.alloc(32)],
    )
    await query(
      `insert into inbound_event (provider, upstream_id, organisation_id, type, received_at)
       select 'unit', age, $1::bigint, 'x', clock_timestamp() - age::interval from unnest(array['91 days', '89 days']) age`,
      [organisationId],
    )
    await query(
      `insert into ledger_flow_hour (organisation_id, hour, flows)
       select $1::bigint, date_trunc('hour', clock_timestamp() - age::interval), '[]' from unnest(array['401 days', '399 days']) age`,
      [organisationId],
    )
    await prune()
    expect(await count('claim')).toBe(1)
    expect(await query(`select upstream_id as id from inbound_event`)).toEqual([{ id: '89 days' }])
    expect(await count('ledger_flow_hour')).toBe(1)
    await query(`delete from claim`)
  })

  test('denied requests go after 400 days of real time', async () => {
    const narrow = (await bank.call('POST', '/v0/api-keys', { body: { name: 'Narrow', scopes: ['events:read'] } })).json
    const deny = async () => {
      expect((await bank.call('GET', '/v0/banking/customers', { key: narrow.data.key })).status).toBe(403)
      await bank.denials.save()
    }
    await deny()
    await passTime('399 days')
    await prune()
    const kept = await count('denied_request')
    expect(kept).toBeGreaterThan(0)
    await passTime('2 days')
    await deny()
    await prune()
    expect(await count('denied_request')).toBe(1)
  })

  test('deliveries go after 30 days of real time, unless they are pending', async () => {
    const { id } = await makeEndpoint(bank, 'http://127.0.0.1:1/hooks', ['*'])
    const { id: deleted } = await makeEndpoint(bank, 'http://127.0.0.1:1/hooks', ['*'])
    const insert = (endpoint: string, status: string) =>
      query(
        `insert into webhook_delivery (endpoint_id, organisation_id, test_id, body, entity, status, created_at, due_at)
         values ($1::bigint, $2::bigint, $3::text, '{}', $3::text, $4::text, now(), now())`,
        [endpoint, organisationId, randomBytes(6).toString('hex'), status],
      )
    for (const status of ['Succeeded', 'Failed', 'Pending']) await insert(id, status)
    await insert(deleted, 'Pending')
    await bank.call('DELETE', `/v0/webhook-endpoints/${deleted}`)
    const statuses = () =>
      query(`select status from webhook_delivery where endpoint_id in ($1::bigint, $2::bigint) order by id`, [
        id,
        deleted,
      ])
    await passTime('29 days')
    await prune()
    expect(await statuses()).toHaveLength(4)
    await passTime('2 days')
    await insert(id, 'Succeeded')
    await prune()
    expect(await statuses()).toEqual([{ status: 'Pending' }, { status: 'Succeeded' }])
  })
})

describe('a failure', () => {
  test('of one kind is reported and counted, and the others are deleted', async () => {
    const old = await answerOf('91 days')
    const metrics = openMetrics()
    const failures: string[] = []
    await bank.database.transaction(async (transaction) => {
      await transaction.query('lock table claim in exclusive mode')
      await prune({ failed: (error) => failures.push(error.message), observe: metrics.retention })
    })
    expect(failures).toEqual([expect.stringMatching(/^old rows were not deleted \(claims\): ./)])
    expect(await hasAnswer(old)).toBe(false)
    const text = await metrics.text()
    expect(text).toContain('purser_retention_failures_total{kind="claims"} 1')
    expect(text).toMatch(/purser_retention_rows_total\{kind="answers"\} [1-9]/)
    expect(text).toMatch(/purser_retention_oldest_seconds\{kind="answers"\} [1-9]/)
    expect(text).toMatch(/purser_retention_last_success_timestamp_seconds\{kind="events"\} [1-9]/)
    expect(text).not.toContain('purser_retention_last_success_timestamp_seconds{kind="claims"}')
  })
})

describe('the database', () => {
  test.each(['events', 'denials'])('takes no short time of retention for %s', async (kind) => {
    await expect(query(`select set_retention($1::text, interval '6 days')`, [kind])).rejects.toThrow(
      'are kept for longer',
    )
  })

  test('deletes no row of an append-only table before its time', async () => {
    await query(`select set_retention('events', interval '7 days'), set_retention('denials', interval '30 days')`)
    await query(`delete from retention_mark`)
    await passTime('6 days')
    const events = await count('event_page')
    expect(await query(`select prune_events($1::bigint, 1000000) as pages`, [organisationId])).toEqual([{ pages: 0 }])
    expect(await query(`select prune_denials(1000) as rows`)).toEqual([{ rows: 0 }])
    for (const table of ['event_page', 'denied_request', 'transfer']) {
      await expect(query(`delete from ${table}`)).rejects.toThrow(`${table} is append-only`)
    }
    expect(await count('event_page')).toBe(events)
    for (const table of ['event_page', 'denied_request', 'transfer']) {
      await expect(
        query(`select delete_ended($1::text, array[$2::bigint], 10)`, [table, organisationId]),
      ).rejects.toThrow('an organisation has not ended')
    }
    await expect(query(`select delete_ended('account', array[]::bigint[], 10)`)).rejects.toThrow('is not append-only')
  })

  test('counts real time: an organisation that moves its clock keeps its events', async () => {
    const { key, id } = await makeSandboxOrganisation(bank)
    await makeWorld(bank, key)
    await bank.call('POST', '/v0/sandbox/clock/advance', { key, body: { by: 'P300D' } })
    const before = await count(`event_page where organisation_id = $1::bigint`, [id])
    await prune({ keep: parseConfig({ PURSER_KEEP_EVENTS: 'P7D' }).keep })
    expect(await count(`event_page where organisation_id = $1::bigint`, [id])).toBe(before)
  })
})
