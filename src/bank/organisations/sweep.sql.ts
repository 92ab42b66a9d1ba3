import type { Queryable } from '../../database/database.ts'

/**
 * Organisations that ended long enough ago that no request is under way in them, oldest first. Not those of a move that is not
 * over: their rows would also be deleted in the other database.
 */
export async function endedOrganisations(database: Queryable, endedMs: number, limit: number): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select id from organisation o where ended_at < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
       and not exists (select from organisation_move m where m.id = o.id and m.state <> 'moved')
     order by ended_at limit $2`,
    [endedMs, limit],
  )
  return rows.map(({ id }) => id)
}

/** The files of other databases in which no organisation of this one has entries any more. */
const emptyShares = `select f.ctid from ach_file f where cardinality($1::bigint[]) > 0 and f.arrived and f.entry_count = 0
  and f.sealed_content is null
  and not exists (select from ach_batch b where b.file_id = f.id)
  and not exists (select from ach_received_entry e where e.file_id = f.id)
  and not exists (select from received_payment r where r.file_id = f.id)
  and not exists (select from ach_exception x where x.file_id = f.id)`

/** The tables in the order in which their rows are deleted: before the rows that they refer to. */
const tables: { table: string; rows?: string }[] = [
  // Events are rendered from payments and transfers, which go after them.
  of('webhook_delivery', 'webhook_endpoint', 'endpoint_id'),
  of('webhook_cursor', 'webhook_endpoint', 'endpoint_id'),
  of('webhook_outcome_hour', 'webhook_endpoint', 'endpoint_id'),
  own('webhook_endpoint'),
  appendOnly('event_page'),
  appendOnly('event_link'),
  own('event_entity'),
  own('attribution_id'),
  own('attribution_touch'),
  own('attribution_day'),
  own('reward_payment'),
  own('reward_reduction'),
  own('reward'),
  own('rewardable_transaction'),
  own('partner_user_card'),
  own('campaign_usage'),
  own('offer_activation'),
  own('campaign_offer'),
  own('campaign'),
  own('partner_user'),
  own('statement'),
  appendOnly('transfer'),
  own('ach_entry'),
  own('ach_received_entry'),
  own('ach_exception'),
  own('received_payment'),
  own('ach_batch'),
  own('ach_file'),
  { table: 'ach_file', rows: emptyShares },
  own('debit'),
  own('account_verification'),
  own('payment_review'),
  own('payment_usage'),
  own('organisation_usage'),
  own('payment'),
  own('recurring_payment_run'),
  own('recurring_payment'),
  own('card_authorization'),
  own('account_hold'),
  own('card'),
  own('external_account'),
  own('verification_token'),
  of('document_file', 'document', 'document_id'),
  own('document'),
  own('application'),
  own('decision_reason'),
  own('proposal'),
  own('account', 'and id > 0'),
  own('account', 'and id < 0'),
  own('customer'),
  appendOnly('customer_key'),
  own('fault_rule'),
  appendOnly('denied_request'),
  own('event_counter'),
  own('ledger_verification'),
  own('ledger_flow_hour'),
  own('retention_mark'),
  own('inbound_event'),
  own('inbound_version'),
  own('former_id'),
  own('claim'),
  own('answer'),
  of('api_key_retired', 'api_key', 'api_key_id'),
  own('api_key'),
  own('organisation_key'),
]

/** The names of the tables with rows of organisations, in the order of deletion. */
export const organisationTables = [...new Set(tables.map(({ table }) => table))]

/** A table whose rows only its owner deletes, by a function that checks that the organisation has ended. */
function appendOnly(table: string) {
  return { table }
}

/** The rows of a table that names the organisation. */
function own(table: string, also = '') {
  return { table, rows: `select ctid from ${table} where organisation_id = any($1::bigint[]) ${also}` }
}

/** The rows of a table that names the organisation by another record. */
function of(table: string, owner: string, column: string) {
  const rows = `select t.ctid from ${owner} o join ${table} t on t.${column} = o.id where o.organisation_id = any($1::bigint[])`
  return { table, rows }
}

/** Statements that each delete up to so many rows of ended organisations, and return how many they deleted. */
export const sweepSteps = tables.map(({ table, rows }) => async (database: Queryable, ids: number[], limit: number) => {
  const text = rows
    ? `with gone as (
         delete from ${table} where ctid = any(array(${rows} limit $2::int))
           returning true)
       select count(*) as count from gone`
    : `select delete_ended('${table}', $1::bigint[], $2::int) as count`
  const [row] = await database.query<{ count: number }>(text, [ids, limit], 'once')
  return row?.count ?? 0
})

/** Deletes rows whose endpoint or document is missing, because a move into this database was broken off. Returns their number. */
export async function deleteUnattached(database: Queryable, id: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `with deliveries as (delete from webhook_delivery where organisation_id = $1::bigint returning true),
     files as (delete from document_file where organisation_id = $1::bigint returning true)
     select (select count(*) from deliveries) + (select count(*) from files) as count`,
    [id],
    'once',
  )
  return row?.count ?? 0
}

export async function deleteOrganisations(database: Queryable, ids: number[]): Promise<void> {
  await database.query(`delete from organisation where id = any($1::bigint[]) and ended_at is not null`, [ids])
}

/** Made organisations none of whose keys has been used for so long, by real time. */
export async function unusedOrganisations(database: Queryable, unusedMs: number, limit: number): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select o.id from organisation o where o.made and o.ended_at is null
       and not exists (select from organisation_move m where m.id = o.id) and not exists (
       select from api_key k where k.organisation_id = o.id
         and coalesce(k.last_used_at, k.created_at) > clock_timestamp() - make_interval(secs => $1::float8 / 1000))
     order by o.id limit $2`,
    [unusedMs, limit],
  )
  return rows.map(({ id }) => id)
}

/** Marks made organisations as idle whose keys have not been used for so long, by real time. */
export async function markIdle(database: Queryable, unusedMs: number): Promise<void> {
  await database.query(
    `update organisation o set idle = true where o.made and o.ended_at is null and not o.idle and not exists (
       select from api_key k where k.organisation_id = o.id
         and coalesce(k.last_used_at, k.created_at) > clock_timestamp() - make_interval(secs => $1::float8 / 1000))`,
    [unusedMs],
  )
}
