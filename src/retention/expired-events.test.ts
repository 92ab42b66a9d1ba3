import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeEndpoint } from '../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeSandboxOrganisation } from '../../test/support/organisations.ts'
import { makeWorld, type World } from '../../test/support/world.ts'
import { readSealedStates } from '../bank/first-states/first-states.ts'
import type { Caller, Patience } from '../base/operation.ts'
import { parseConfig } from '../config.ts'
import { openFeed } from '../events/feed.ts'
import type { ListEventsQuery } from '../events/list-events.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { followEvents } from '../webhooks/delivery/follow.ts'
import { openRetention } from './retention.ts'

let bank: TestBank
let key: string
let organisationId: string
let world: World
/** The number of the last event that has expired. */
let floor: number
let head: number
/** Ids of two endpoints: one has deliveries of all events, the other one was disabled before the first. */
let endpoint: string
let disabled: string

const query = <Row>(text: string, values?: unknown[]) => bank.database.query<Row>(text, values, 'once')
const get = (path: string) => bank.call('GET', path, { key })
const headNow = async () =>
  (
    await query<{ n: number }>(`select sequence as n from event_counter where organisation_id = $1::bigint`, [
      organisationId,
    ])
  )[0]?.n ?? 0

async function prune(): Promise<void> {
  const retention = openRetention({
    database: bank.database,
    keep: parseConfig({ PURSER_KEEP_EVENTS: 'P7D' }).keep,
    failed: (error) => {
      throw error
    },
    limits: { kindMs: 10_000, restMs: 1, pages: 3, rows: 4 },
  })
  await retention.prune()
}

const freeze = (account: string, by = key) => bank.call('POST', `/v0/banking/accounts/${account}/freeze`, { key: by })
const unfreeze = (account: string) => bank.call('POST', `/v0/banking/accounts/${account}/unfreeze`, { key })

/** Deletes the events of an organisation except for the newest ones. */
async function expire(id: string): Promise<void> {
  await query(`delete from retention_mark where organisation_id = $1::bigint`, [id])
  await query(`select mark_retention()`)
  const older = `update retention_mark set marked_at = marked_at - interval '8 days' where organisation_id = $1::bigint`
  await query(older, [id])
  await prune()
}

/** Follows until no endpoint is behind: one call stops early on a busy machine. */
async function followAll(): Promise<void> {
  const failed = (error: Error) => {
    throw error
  }
  while ((await followEvents(bank.database, failed)).behind);
}

const patience: Patience = { whenGone: () => undefined, during: (wait) => wait() }

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  const made = await makeSandboxOrganisation(bank)
  key = made.key
  organisationId = made.id
  endpoint = (await makeEndpoint(bank, 'http://127.0.0.1:1/hooks', ['*'], key)).id
  disabled = (await makeEndpoint(bank, 'http://127.0.0.1:1/other', ['*'], key)).id
  await bank.call('PATCH', `/v0/webhook-endpoints/${disabled}`, { key, body: { status: 'Disabled' } })
  world = await makeWorld(bank, key)
  await freeze(world.account)
  await followAll()
  await query(`select mark_retention()`)
  floor = await headNow()
  await query(`update retention_mark set marked_at = marked_at - interval '8 days'`)
  await unfreeze(world.account)
  head = await headNow()
  expect(head).toBeGreaterThan(floor)
  await followAll()
  await prune()
})
afterAll(() => bank.close())

describe('events past their retention', () => {
  test('are deleted with the entries of their records, and the books stay whole', async () => {
    const [pages] = await query<{ first: number }>(
      `select min(last - count) as first from event_page where organisation_id = $1::bigint`,
      [organisationId],
    )
    expect(pages?.first).toBe(floor)
    const entries = await query(
      `select from event_entity where organisation_id = $1::bigint and sequence <= $2::bigint`,
      [organisationId, floor],
    )
    expect(entries).toEqual([])
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('are refused with 410 and where to go on, and a follower from the beginning gets the oldest one', async () => {
    const late = await get(`/v0/events?after=${floor - 1}`)
    expect([late.status, late.json.code, late.json.resumeAfter]).toEqual([410, 'events_expired', floor])
    const search = await get(`/v0/events?after=${floor - 1}&type=account.*`)
    expect([search.status, search.json.resumeAfter]).toEqual([410, floor])
    for (const path of ['/v0/events', '/v0/events?type=account.*', `/v0/events?after=${floor}`]) {
      expect((await get(path)).json.data[0].sequence).toBe(floor + 1)
    }
    const back = await get('/v0/events?sort=-sequence')
    expect(back.json.data.at(-1).sequence).toBe(floor + 1)
    expect((await get(`/v0/events?entityType=account&entityId=${world.account}`)).json.data).toHaveLength(1)
  })

  test('answer 410 by their ids, and unknown ones 404', async () => {
    const gone = await get(`/v0/events/evt_${organisationId}_${floor}`)
    expect([gone.status, gone.json.code]).toEqual([410, 'event_expired'])
    const again = await bank.call('POST', `/v0/events/evt_${organisationId}_${floor}/redeliver`, { key })
    expect([again.status, again.json.code]).toEqual([410, 'event_expired'])
    const [delivery] = await query<{ id: number }>(
      `insert into webhook_delivery (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at)
       values ($1::bigint, $2::bigint, $3::bigint, 'account/1', 'Failed', now(), now()) returning id`,
      [endpoint, organisationId, floor],
    )
    const sent = await bank.call('POST', `/v0/deliveries/dlv_${endpoint}_${delivery?.id}/redeliver`, { key })
    expect([sent.status, sent.json.code]).toEqual([410, 'event_expired'])
    await query(`delete from webhook_delivery where id = $1::bigint`, [delivery?.id])
    expect((await get(`/v0/events/evt_${organisationId}_${head}`)).status).toBe(200)
    expect((await get(`/v0/events/evt_${organisationId}_${head + 1}`)).status).toBe(404)
  })

  test('leave transactions, the audit log and the look-up of requests as they were', async () => {
    const { json, status } = await get(`/v0/banking/transactions?accountId=${world.account}`)
    expect(status).toBe(200)
    expect(json.data.length).toBeGreaterThan(0)
    expect((await get(`/v0/ledger/transfers?limit=10`)).status).toBe(200)
    expect((await get('/v0/audit-log')).json.data.length).toBeGreaterThan(0)
    expect((await get(`/v0/lookup/payment/${world.payment}`)).status).toBe(200)
  })

  test('refuse a page of the audit log that would begin at one of them', async () => {
    const gone = await get(`/v0/audit-log?before=e${floor}`)
    expect([gone.status, gone.json.code]).toEqual([410, 'event_expired'])
    expect((await get(`/v0/audit-log?before=e${floor + 1}`)).status).toBe(200)
    expect((await get(`/v0/audit-log?before=e${head + 1}`)).json.data).toEqual([])
    await query(`delete from retention_mark where kind = 'denials'`)
    await query(
      `insert into retention_mark (kind, organisation_id, marked_at, position)
       values ('denials', 0, now() - interval '401 days', 5)`,
    )
    expect((await get('/v0/audit-log?before=d5')).json.code).toBe('event_expired')
    expect((await get('/v0/audit-log?before=d6')).json.data).toEqual([])
    await query(`delete from retention_mark where kind = 'denials'`)
  })

  const searches: [string, (account: string) => ListEventsQuery][] = [
    ['some types', () => ({ after: 1, type: ['account.*'] })],
    ['one record', (account) => ({ after: 1, entityType: 'account', entityId: account })],
    ['one request', () => ({ after: 1, requestId: 'unknown' })],
  ]
  test.each(searches)(
    'are not skipped in silence by a call for events of %s that was reading them',
    async (_, queryOf) => {
      const other = await makeSandboxOrganisation(bank)
      const { account } = await makeWorld(bank, other.key)
      await freeze(account, other.key)
      let expired = false
      const query: typeof bank.database.query = async (text, values, use) => {
        if (!expired && /events_after\(|events_of_request\(|event_entity/.test(text)) {
          expired = true
          await expire(other.id)
        }
        return bank.database.query(text, values, use)
      }
      const racing = { ...bank.database, query }
      const feed = openFeed({ database: racing, readFirstStates: readSealedStates })
      const call = feed.listEvents({ organisationId: Number(other.id) } as Caller, queryOf(account), patience)
      await expect(call).rejects.toMatchObject({ code: 'events_expired' })
      expect(expired).toBe(true)
    },
  )

  test('take their deliveries with them, and later deliveries of their records are let go', async () => {
    const deliveries = await query<{ sequence: number; blocked: boolean }>(
      `select sequence, blocked from webhook_delivery where endpoint_id = $1::bigint order by id`,
      [endpoint],
    )
    expect(deliveries.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: head - floor }, (_, place) => floor + 1 + place),
    )
    expect(deliveries.filter(({ blocked }) => blocked)).toEqual([])
    expect((await get(`/v0/webhook-endpoints/${endpoint}/deliveries`)).status).toBe(200)
  })

  test('are skipped by an endpoint that was disabled for so long', async () => {
    await bank.call('PATCH', `/v0/webhook-endpoints/${disabled}`, { key, body: { status: 'Enabled' } })
    await followAll()
    const deliveries = await query<{ sequence: number }>(
      `select min(sequence) as sequence from webhook_delivery where endpoint_id = $1::bigint and sequence is not null`,
      [disabled],
    )
    expect(deliveries).toEqual([{ sequence: floor + 1 }])
  })

  test('are not deleted to the last one', async () => {
    await query(`delete from retention_mark`)
    await query(`select mark_retention()`)
    await query(`update retention_mark set marked_at = marked_at - interval '8 days'`)
    await prune()
    const reply = await get('/v0/events')
    expect(reply.json.data.length).toBeGreaterThan(0)
    expect(await verifyLedger(bank.database)).toEqual([])
    expect((await freeze(world.account)).status).toBe(200)
    expect(await verifyLedger(bank.database)).toEqual([])
  })
})
