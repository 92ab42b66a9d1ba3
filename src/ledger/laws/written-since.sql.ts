import { sides } from './accounts.sql.ts'
import { recordTables } from './records.sql.ts'

// Parts of tables with the rows written since a time, which is `$1`. They are read along indexes, because a look-up that ends
// with `offset 0` cannot become a join.

export const organisations = `standing as materialized (select id, events_after from public.organisation where ended_at is null)`

/** The rows of a table with an index that begins with the organisation and the time. */
export const writtenSince = (table: string, name = table) => `${name} as materialized (
    select r.* from standing o cross join lateral (
      select * from public.${table} where organisation_id = o.id and created_at >= $1::timestamptz offset 0) r)`

/** The rows of a table that has no such index. */
export const scanned = (table: string) => `${table} as materialized (
    select * from public.${table} r
    where created_at >= $1::timestamptz and exists (select from standing o where o.id = r.organisation_id))`

interface Named {
  /** The column of the ids, which has an index. */
  column?: string
  condition?: string
  /** The name of the part, if it is not that of the table. */
  name?: string
}

/** A common table expression: the rows of a table whose ids the query `ids` selects as `id`. */
export const named = (
  table: string,
  ids: string,
  { column = 'id', condition = 'true', name = table }: Named = {},
) => `${name} as materialized (
    select r.* from (${ids}) i cross join lateral (
      select * from public.${table} where ${column} = i.id and ${condition} offset 0) r)`

export const transfers = [organisations, writtenSince('transfer')]
export const accountsOfTransfers = named(
  'account',
  'select debit_account_id as id from transfer union select credit_account_id from transfer',
)

/** The transfers since the time, named `moved`: a law that needs all transfers with the same sources names those `transfer`. */
export const moved = [organisations, writtenSince('transfer', 'moved')]
export const sourcesOf = (kinds: string) =>
  `select source_id as id from moved where source_kind in (${kinds}) group by source_id`
export const transfersOf = (sources: string) =>
  named('transfer', sources, { column: 'source_id', condition: `source_kind <> 'payment' and source_id is not null` })

/** The state of each account before the time, by the transfer before its first one since then. Absent without such a one. */
export const statesBefore = `
  select null::bigint, null::bigint, f.account_id, f.seq, 0::bigint, b.balance, b.created_at
  from (select account_id, min(seq) - 1 as seq from (${sides}) x group by account_id) f
  cross join lateral (
    select debit_balance as balance, created_at from public.transfer
    where debit_account_id = f.account_id and debit_seq = f.seq
    union all
    select credit_balance, created_at from public.transfer
    where credit_account_id = f.account_id and credit_seq = f.seq
    offset 0) b
  where b.created_at < $1::timestamptz`

/** Ids are looked up in ranges of this length: an even one, because a transfer has two neighbouring ids. */
const SPAN = 100

/**
 * The records with ids near those of transfers and payments since the time. The lowest of these is no bound: one organisation
 * may have moved its clock years ahead of the others.
 */
export const recordsNear = [
  ...moved,
  writtenSince('payment', 'paid'),
  `span as materialized (
    select place * ${SPAN} as low, place * ${SPAN} + ${SPAN - 1} as high
    from (select id / ${SPAN} as place from moved union select id / ${SPAN} from paid) places)`,
  near('account', 'union all select id from public.account where id between -s.high and -s.low'),
  ...[...recordTables.filter((table) => table !== 'account'), 'transfer'].map((table) => near(table)),
]

function near(table: string, more = ''): string {
  return `${table} as materialized (
    select r.id from span s cross join lateral (
      select id from public.${table} where id between s.low and s.high ${more} offset 0) r)`
}

/**
 * The same, in `column`, without organisations that have ended: one that has moved to another database has taken its share of the
 * totals of files along.
 */
export const standing = (table: string, ids: string, column: string) => `${table} as materialized (
    select r.* from (
      select r.* from (${ids}) i cross join lateral (
        select * from public.${table} where ${column} = i.id offset 0) r
      offset 0) r
    join standing o on o.id = r.organisation_id)`

/** The files of organisations that have not ended, and those that all organisations share. */
const filesOf = (condition: string) => `ach_file as materialized (
    select f.* from public.ach_file f left join standing o on o.id = f.organisation_id
    where (f.organisation_id is null or o.id is not null) and ${condition})`

/** The incoming files that were taken since the time. */
export const takenFiles = filesOf(`f.direction = 'in' and f.window_at >= $1::timestamptz`)

/** The outgoing files of the cut-offs since the time and of some days before, which may have settled since then. */
export const recentFiles = [
  organisations,
  filesOf(`f.direction = 'out' and f.window_at >= $1::timestamptz - interval '10 days'`),
  standing('ach_batch', 'select id from ach_file', 'file_id'),
  named('ach_entry', 'select id from ach_batch', { column: 'batch_id' }),
]
