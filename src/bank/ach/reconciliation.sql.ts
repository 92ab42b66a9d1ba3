import type { Queryable } from '../../database/database.ts'

/** The sums of a settlement day. */
export interface DaySums {
  kind: 'originated' | 'received' | 'returnsSent' | 'returnsReceived'
  count: number
  credits: number
  debits: number
  /** The part that is not booked yet. */
  pendingCredits: number
  pendingDebits: number
}

/** Of one organisation, or of all but those that have moved to another database, which counts them, or are moving there. */
const chosen = (table: string) =>
  `($1::bigint is null and ${table}.organisation_id not in (select id from organisation where ended_at is not null)
      and ${table}.organisation_id <> all ($3::bigint[])
    or ${table}.organisation_id = $1)`

/** The batches of outgoing files that settle on a day. */
const sentBatches = `
  select b.* from ach_batch b
  where ${chosen('b')} and b.rejected_at is null
    and b.settles_at >= ($2::date::timestamp at time zone 'America/New_York')
    and b.settles_at < (($2::date + 1)::timestamp at time zone 'America/New_York')`

/** The entries of incoming files that settle on a day, each once. */
const receivedEntries = `
  select e.* from ach_received_entry e
  where ${chosen('e')} and e.settles_on = $2::date and e.outcome <> 'repeated'`

/** Entries and batches of a day, as the files have them. Of one organisation, or of all. */
export function daySums(
  database: Queryable,
  organisationId: number | null,
  date: string,
  elsewhere: number[],
): Promise<DaySums[]> {
  return database.query(
    `select kind, sum(count)::int as count, sum(credits)::bigint as credits, sum(debits)::bigint as debits,
       coalesce(sum(credits) filter (where not booked), 0)::bigint as "pendingCredits",
       coalesce(sum(debits) filter (where not booked), 0)::bigint as "pendingDebits"
     from (
       select case when b.return_side is null then 'originated' else 'returnsSent' end as kind, b.entry_count as count,
         b.credits, b.debits, b.settled_at is not null as booked
       from (${sentBatches}) b
       union all
       select case
           when e.kind = 'lostPayment' then 'originated'
           when e.kind = 'lostReturn' then 'returnsSent'
           when e.kind in ('payment', 'prenote', 'other') then 'received' else 'returnsReceived' end, 1,
         case when e.code % 10 < 5 then e.amount else 0 end, case when e.code % 10 < 5 then 0 else e.amount end,
         r.id is null or r.booked_at is not null
       from (${receivedEntries}) e left join received_payment r on r.id = e.received_payment_id) x
     group by kind`,
    [organisationId, date, elsewhere],
    'once',
  )
}

/**
 * The money that the ledger has booked to the settlement account for a day: by the settlement day of the entry behind a
 * transfer. A return that came without an entry counts on its own day.
 */
export async function ledgerNet(
  database: Queryable,
  organisationId: number | null,
  date: string,
  elsewhere: number[],
): Promise<number> {
  const [row] = await database.query<{ net: number }>(
    `select coalesce(sum(case when d.kind = 'ach_settlement' then x.amount else -x.amount end), 0)::bigint as net
     from (
       select t.* from (${sentBatches}) b join transfer t on t.source_id = b.id and t.source_kind = 'ach_settlement'
       union all
       select t.* from (${receivedEntries}) e
       join transfer t on t.source_id = e.received_payment_id and t.source_kind = 'received_ach'
       union all
       select t.* from (${receivedEntries}) e join transfer t on t.source_id = e.exception_id and t.source_kind = 'ach_exception'
       union all
       select t.* from (${receivedEntries}) e
       join transfer t on t.source_id = e.payment_id and t.source_kind = 'ach_return'
       where e.kind = 'return' and e.outcome = 'applied'
       union all
       select t.* from transfer t
       where ${chosen('t')} and t.source_kind = 'ach_return'
         and t.created_at >= ($2::date::timestamp at time zone 'America/New_York')
         and t.created_at < (($2::date + 1)::timestamp at time zone 'America/New_York')
         and not exists (
           select from ach_received_entry e
           where e.payment_id = t.source_id and e.kind = 'return' and e.outcome = 'applied')) x
     join account d on d.id = x.debit_account_id join account c on c.id = x.credit_account_id
     where d.kind = 'ach_settlement' or c.kind = 'ach_settlement'`,
    [organisationId, date, elsewhere],
    'once',
  )
  return row?.net ?? 0
}
