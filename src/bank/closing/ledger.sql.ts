import type { Queryable } from '../../database/database.ts'

/** A movement of the settlement account of the ledger, with the references of the record behind it. */
export interface MovementRow {
  transferId: number
  day: string
  /** Positive if money came to the account at the bank. */
  amount: number
  sourceKind: string
  sourceId: number | null
  batchNumber: number | null
  companyId: string | null
  returnSide: string | null
  fileId: number | null
  traces: string[]
  description: string
}

/** Without organisations that have ended, or that another cell owns. */
const owned = (table: string, parameter: string) =>
  `${table}.organisation_id in (select id from organisation where ended_at is null) and ${table}.organisation_id <> all (${parameter}::bigint[])`

/** Movements from the beginning of a day in Eastern time. */
export function movementsSince(database: Queryable, since: string, elsewhere: number[]): Promise<MovementRow[]> {
  return database.query(
    `with moved as (
       select t.*, case when d.kind = 'ach_settlement' then t.amount else -t.amount end as change
       from organisation o
       join transfer t on t.organisation_id = o.id and t.created_at >= ($1::date::timestamp at time zone 'America/New_York')
       join account d on d.id = t.debit_account_id join account c on c.id = t.credit_account_id
       where ${owned('t', '$2')} and (d.kind = 'ach_settlement') <> (c.kind is not distinct from 'ach_settlement'))
     select t.id as "transferId", (t.created_at at time zone 'America/New_York')::date::text as day, t.change as amount,
       t.source_kind as "sourceKind", t.source_id as "sourceId", b.number as "batchNumber", b.company_id as "companyId",
       b.return_side as "returnSide", coalesce(b.file_id, r.file_id, e.file_id) as "fileId",
       array_remove(array[r.trace_number, p.trace_number, e.trace_number], null) as traces,
       concat_ws(' ', replace(replace(t.source_kind, '_', ' '), 'ach', 'ACH'), t.source_id, 'batch ' || b.number, 'of ' || b.company_name, r.company_name,
         'trace ' || coalesce(r.trace_number, p.trace_number, e.trace_number), t.description) as description
     from moved t
     left join ach_batch b on t.source_kind = 'ach_settlement' and b.id = t.source_id
     left join received_payment r on t.source_kind = 'received_ach' and r.id = t.source_id
     left join payment p on t.source_kind = 'ach_return' and p.id = t.source_id
     left join lateral (
       select e.file_id, e.trace_number from ach_received_entry e
       where t.source_kind = 'ach_return' and e.payment_id = t.source_id and e.kind = 'return' and e.outcome = 'applied'
       union all
       select e.file_id, e.trace_number from ach_exception x join ach_received_entry e on e.file_id = x.file_id and e.line = x.line
       where t.source_kind = 'ach_exception' and x.id = t.source_id
       limit 1) e on true
     order by t.id`,
    [since, elsewhere],
    'once',
  )
}

export interface KindBalance {
  kind: string
  balance: number
}

export interface ChainHead {
  organisationId: number
  sequence: number
  link: string
}

/** The ledger at the end of a day in Eastern time. */
export interface LedgerAtEnd {
  balances: KindBalance[]
  /** The organisations whose accounts do not sum to zero. */
  unbalanced: number[]
  heads: ChainHead[]
}

/**
 * Reads the balances of all accounts at the end of a day: those of now without what was moved since. All in one snapshot.
 */
export async function ledgerAtEnd(transaction: Queryable, day: string, elsewhere: number[]): Promise<LedgerAtEnd> {
  await transaction.query('set transaction isolation level repeatable read, read only')
  const rows = await transaction.query<KindBalance & { organisationId: number }>(
    `with late as (
       select t.* from organisation o
       join transfer t on t.organisation_id = o.id and t.created_at >= (($1::date + 1)::timestamp at time zone 'America/New_York')
       where ${owned('t', '$2')}),
     change as (
       select account_id, sum(amount) as amount
       from (
         select credit_account_id as account_id, amount from late union all select debit_account_id, -amount from late) x
       group by account_id)
     select a.organisation_id as "organisationId", coalesce(a.kind, 'customers') as kind,
       sum(a.balance - coalesce(c.amount, 0))::bigint as balance
     from account a left join change c on c.account_id = a.id
     where ${owned('a', '$2')} group by 1, 2 order by 1, 2`,
    [day, elsewhere],
    'once',
  )
  const heads = await transaction.query<ChainHead>(
    `select organisation_id as "organisationId", sequence, encode(link, 'hex') as link from event_counter c
     where link is not null and ${owned('c', '$1')} order by 1`,
    [elsewhere],
    'once',
  )
  const [kinds, sums] = [new Map<string, number>(), new Map<number, number>()]
  for (const { organisationId, kind, balance } of rows) {
    kinds.set(kind, (kinds.get(kind) ?? 0) + balance)
    sums.set(organisationId, (sums.get(organisationId) ?? 0) + balance)
  }
  return {
    balances: [...kinds].map(([kind, balance]) => ({ kind, balance })),
    unbalanced: [...sums].filter(([, sum]) => sum !== 0).map(([organisationId]) => organisationId),
    heads,
  }
}
