import type { Queryable } from '../../database/database.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { ProvenKind } from './kinds.sql.ts'

/** A row, with the members that its events show. */
export interface ProvenRow {
  organisationId: number
  id: number
  /** Whether it must have an event: all events of its organisation are kept. */
  whole: boolean
  members: Record<string, unknown>
}

/** Rows after an id, of organisations that have not ended. */
export async function readProvenRows(
  transaction: Queryable,
  { table, members, where = 'true', unshown = 'false' }: ProvenKind,
  after: number,
  take: number,
): Promise<ProvenRow[]> {
  const columns = Object.entries(members).map(([name, column]) => `${column} as "m_${name}"`)
  const rows = await transaction.query<Record<string, unknown>>(
    `select r.organisation_id as "organisationId", r.id, o.events_after = 0 and not (${unshown}) as whole, ${columns.join(', ')}
     from ${table} r join organisation o on o.id = r.organisation_id and o.ended_at is null
     where r.id > $1::bigint and ${where} order by r.id limit $2`,
    [after, take],
    'once',
  )
  return rows.map(({ organisationId, id, whole, ...shown }) => ({
    organisationId: Number(organisationId),
    id: Number(id),
    whole: whole === true,
    members: Object.fromEntries(Object.entries(shown).map(([name, value]) => [name.slice(2), value])),
  }))
}

/** An event of a record. */
export type RecordEvent = Pick<
  StoredEvent,
  'organisationId' | 'sequence' | 'type' | 'entityId' | 'entityVersion' | 'data'
>

/** The events of some records, oldest first. */
export function readEventsOf(
  transaction: Queryable,
  entity: string,
  records: { organisationId: number; id: number | string }[],
): Promise<RecordEvent[]> {
  return transaction.query(
    `select e.organisation_id as "organisationId", e.sequence, e.type, e.entity_id as "entityId",
       e.entity_version as "entityVersion", e.data
     from unnest($1::bigint[], $2::text[]) w (organisation, id)
     join event_entity x on x.organisation_id = w.organisation and x.entity_type = $3::text and x.entity_id = w.id
     cross join lateral event_at(w.organisation, x.sequence) e
     order by e.organisation_id, e.sequence`,
    [records.map(({ organisationId }) => organisationId), records.map(({ id }) => String(id)), entity],
    'once',
  )
}

/** Records that have events and no row. */
export function findRemoved(
  transaction: Queryable,
  { entity, table }: ProvenKind,
  take: number,
): Promise<{ organisationId: number; id: string; event: number }[]> {
  return transaction.query(
    `select x.organisation_id as "organisationId", x.entity_id as id, max(x.sequence) as event
     from event_entity x join organisation o on o.id = x.organisation_id and o.ended_at is null
     left join ${table} r on r.organisation_id = x.organisation_id and r.id::text = x.entity_id
     where x.entity_type = $1::text and r.id is null
     group by 1, 2 order by 1, 2 limit $2`,
    [entity, take],
    'once',
  )
}

export interface Misplaced {
  organisationId: number
  event: number
}

/** Events that the index of records does not name. It leaves out payments and their transactions on pages of their own, and on pages of 0.1.0. */
export function findUnindexed(transaction: Queryable, take: number): Promise<Misplaced[]> {
  return transaction.query(
    `select e.organisation_id as "organisationId", e.sequence as event
     from event e
     join event_page p on p.organisation_id = e.organisation_id and p.last = e.page and p.timed is not true
     left join event_entity x on x.organisation_id = e.organisation_id and x.entity_type = split_part(e.type, '.', 1)
       and x.entity_id = e.entity_id and x.sequence = e.sequence
     where x.sequence is null
       and not (p.timed is null and e.type in ('payment.created', 'transaction.created') and e.request_id is not null)
     order by 1, 2 limit $1`,
    [take],
    'once',
  )
}

/**
 * Changes whose request has no stored answer, although it is not old enough to be deleted: the same key would make them again.
 * Bank time runs ahead of real time by an offset that only grows.
 */
export function findUnanswered(transaction: Queryable, keepMs: number, take: number): Promise<Misplaced[]> {
  return transaction.query(
    `select e.organisation_id as "organisationId", min(e.sequence) as event
     from organisation o
     join event e on e.organisation_id = o.id
     left join answer a on a.organisation_id = o.id and a.key_hash = sha256(convert_to(e.idempotency_key, 'UTF8'))
     where o.ended_at is null and o.frozen_at is null and e.idempotency_key is not null
       and e.created_at - o.clock_offset > now() - make_interval(secs => $1::float8) and a.key_hash is null
     group by e.organisation_id, e.idempotency_key order by 1, 2 limit $2`,
    [keepMs / 1_000, take],
    'once',
  )
}

/** Pages of events after a number. */
export function readEventPages(
  transaction: Queryable,
  organisationId: number,
  after: number,
  take: number,
): Promise<{ last: number; count: number; events: string }[]> {
  return transaction.query(
    `select last, count, events from event_page where organisation_id = $1::bigint and last > $2::bigint
     order by last limit $3`,
    [organisationId, after, take],
    'once',
  )
}

/** Reads everything in one snapshot. */
export async function beginProof(transaction: Queryable): Promise<void> {
  await transaction.query('set transaction isolation level repeatable read, read only')
}

export interface TransferRow {
  id: number
  createdAt: string
  amount: number
  party: string | null
  description: string | null
  debitAccountId: number
  debitBalance: number
  creditAccountId: number
  creditBalance: number
}

export function readTransfers(transaction: Queryable, ids: number[]): Promise<TransferRow[]> {
  return transaction.query(
    `select id, created_at as "createdAt", amount, party, description, debit_account_id as "debitAccountId",
       debit_balance as "debitBalance", credit_account_id as "creditAccountId", credit_balance as "creditBalance"
     from transfer where id = any($1::bigint[])`,
    [ids],
    'once',
  )
}

export function listOrganisations(transaction: Queryable): Promise<{ id: number }[]> {
  return transaction.query(`select id from organisation where ended_at is null order by id`, [], 'once')
}
