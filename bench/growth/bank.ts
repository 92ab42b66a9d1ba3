import { type Database, openDatabase, plainTimeouts } from '../../src/database/database.ts'
import { insertPayments, type PaymentSet } from '../../test/support/sets/payments.ts'
import type { Desk } from '../desk.ts'
import { call, type Service, scratchFolder, startService } from '../service.ts'
import type { World } from '../world.ts'

/** The payments are spread over three years, so that most of their events and answers are past their retention. */
const DAYS = 1_095
const CONNECTIONS = 5
/** One payment in so many was delivered to an endpoint. */
const PAYMENTS_PER_DELIVERY = 10
const STEP = 100_000
const DAY_MS = 86_400_000

/** With these settings the service deletes nothing. */
export const keepAll = Object.fromEntries(
  ['ANSWERS', 'KEYLESS_ANSWERS', 'DELIVERIES', 'EVENTS'].map((kind) => [`PURSER_KEEP_${kind}`, 'forever']),
)

/** Tables to which a payment adds rows. */
const tables = ['payment', 'transfer', 'answer', 'event_page', 'event_link', 'webhook_delivery']

/** A service with a data folder of its own, whose database holds a number of payments. */
export interface Bank {
  size: number
  service: Service
  database: Database
  set: PaymentSet
  world: World
}

export async function makeBank({ options, say }: Desk, size: number): Promise<Bank> {
  say(`${size} payments are inserted`)
  const service = await startService(scratchFolder(), { environment: keepAll })
  const database = connect(service)
  // No statements are made for the months before the start.
  const [organisation] = await database.query<{ id: number }>(
    `update organisation set statements_from = date_trunc('month', now() at time zone 'UTC')::date returning id`,
  )
  const organisationId = organisation?.id ?? 0
  const endpoint = await call(service.url, 'POST', '/v0/webhook-endpoints', {
    url: 'http://127.0.0.1:9/hooks',
    events: ['payment.*'],
  })
  await call(service.url, 'DELETE', `/v0/webhook-endpoints/${endpoint.id}`)
  const { accounts } = options
  const set = await insertPayments(database, { organisationId, accounts, payments: size, days: DAYS })
  await insertDeliveries(database, set, Number(endpoint.id))
  await insertMarks(database, set)
  for (const table of [...tables, 'account', 'customer', 'external_account']) await vacuum(database, table)
  await database.query('checkpoint', [], 'once')
  const { firstAccount, firstExternal } = set
  const world = { organisationId, count: accounts, firstAccount, firstExternal }
  return { size, service, database, set, world }
}

function connect({ connection }: Service): Database {
  return openDatabase({
    servers: [{ ...connection, ssl: false }],
    connections: CONNECTIONS,
    timeouts: { ...plainTimeouts, statementMs: 0 },
  })
}

/** Starts the service again with other settings. The deletion of old rows begins at the start of every table. */
export async function restart(bank: Bank, environment: Record<string, string>): Promise<void> {
  const { dataDir } = bank.service
  await bank.database.query('delete from retention_progress')
  await bank.database.close()
  await bank.service.stop()
  bank.service = await startService(dataDir, { environment })
  bank.database = connect(bank.service)
}

async function vacuum(database: Database, table: string): Promise<void> {
  await database.query(`vacuum analyze ${table}`, [], 'once')
}

/** Deliveries that succeeded at once. */
async function insertDeliveries(database: Database, set: PaymentSet, endpointId: number): Promise<void> {
  const { organisationId, firstEvent, payments } = set
  const start = Date.parse(set.timeOf(0))
  const stepMs = (DAYS * DAY_MS) / payments
  for (let from = 0; from < payments; from += STEP) {
    await database.query(
      `insert into webhook_delivery
         (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at, attempts, log)
       select $1::bigint, $2::bigint, $3::bigint + 2 * n, 'payment:' || $4::bigint + 4 * n, 'Succeeded', t.time, t.time, 1,
         jsonb_build_array(jsonb_build_object('at', t.time, 'status', 200, 'durationMs', 12,
           'signature', 't=1700000000,v1=' || encode(sha256(n::text::bytea), 'hex')))
       from generate_series($7::bigint, $8::bigint, $9::bigint) n
       cross join lateral (
         select timestamptz 'epoch' + floor($5::numeric + n * $6::numeric) * interval '1 millisecond' as time) t`,
      [
        ...[endpointId, organisationId, firstEvent, set.paymentId(0), start, stepMs, from],
        ...[Math.min(from + STEP, payments) - 1, PAYMENTS_PER_DELIVERY],
      ],
    )
  }
}

/** One mark a day of how far events and deliveries had come, as the service would have made them. */
async function insertMarks(database: Database, set: PaymentSet): Promise<void> {
  const { organisationId, firstEvent, payments } = set
  await database.query(
    `insert into retention_mark (kind, organisation_id, marked_at, position)
     select k.kind, k.organisation_id, clock_timestamp() - ($2::int - d) * interval '1 day',
       k.before + floor(k.rows * d::numeric / $2)
     from generate_series(1, $2::int) d cross join (
       select 'events' as kind, $1::bigint as organisation_id, $3::bigint - 1 as before, 2 * $4::bigint as rows
       union all
       select 'deliveries', 0, min(id) - 1, count(*) from webhook_delivery) k
     where k.rows > 0`,
    [organisationId, DAYS, firstEvent, payments],
  )
}

/** Bytes of the tables a payment, indexes included: of their files, and without the space that later rows reuse. */
export async function diskOf({ database }: Bank): Promise<{ files: number; used: number }> {
  await database.query('create extension if not exists pg_freespacemap', [], 'once')
  for (const table of tables) await vacuum(database, table)
  const [row] = await database.query<{ files: number; free: number; payments: number }>(
    `select sum(pg_relation_size(c.oid) + pg_relation_size(c.oid, 'fsm') + pg_relation_size(c.oid, 'vm'))::float8 as files,
       sum((select coalesce(sum(avail::bigint), 0) from pg_freespace(c.oid)))::float8 as free,
       (select count(*) from payment)::float8 as payments
     from pg_class c
     where c.oid in (
       select t::regclass from unnest($1::text[]) t
       union select indexrelid from pg_index where indrelid in (select t::regclass from unnest($1::text[]) t)
       union select reltoastrelid from pg_class where oid in (select t::regclass from unnest($1::text[]) t)
         and reltoastrelid <> 0)`,
    [tables],
    'once',
  )
  const { files = 0, free = 0, payments = 1 } = row ?? {}
  return { files: files / payments, used: (files - free) / payments }
}
