import type { Queryable } from '../../database/database.ts'
import { conditions, isOfOrganisation, named } from '../../database/lists.ts'

export interface StatementRow {
  id: number
  accountId: number
  customerId: number
  period: string
  openingBalance: number
  closingBalance: number
  firstSeq: number
  lastSeq: number
  createdAt: string
  version: number
}

const columns = `id, account_id as "accountId", customer_id as "customerId", period, opening_balance as "openingBalance",
  closing_balance as "closingBalance", first_seq as "firstSeq", last_seq as "lastSeq", created_at as "createdAt",
  version`

export async function findStatement(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<StatementRow | undefined> {
  const [row] = await database.query<StatementRow>(
    `select ${columns} from statement where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

export async function findStatementOf(
  transaction: Queryable,
  accountId: number,
  period: string,
): Promise<StatementRow | undefined> {
  const [row] = await transaction.query<StatementRow>(
    `select ${columns} from statement where account_id = $1::bigint and period = $2::text`,
    [accountId, period],
  )
  return row
}

export function listStatementRows(
  database: Queryable,
  filter: { organisationId: number; accountId: number; period: string | null },
  page: { take: number; offset: number; ascending: boolean },
): Promise<StatementRow[]> {
  const always = [isOfOrganisation, 'account_id = $accountId::bigint']
  const text = `select ${columns} from statement where ${conditions({ always, along: ['period = $period::text'] }, filter)}
     order by period ${page.ascending ? '' : 'desc'} limit $take offset $offset`
  return database.query(...named(text, filter, page))
}

/** The current month of bank time. */
export async function currentPeriod(database: Queryable, organisationId: number): Promise<string> {
  const [row] = await database.query<{ period: string }>(`select to_char(bank_time($1::bigint), 'YYYY-MM') as period`, [
    organisationId,
  ])
  if (!row) throw new Error('a select without a table answered no row')
  return row.period
}

/**
 * The next accounts of the organisation by id, and whether each was opened before the month's end. Reads along one index
 * and does not join the statements: a plan made while there were few of them would stay slow.
 */
export function nextAccounts(
  database: Queryable,
  wanted: { organisationId: number; end: string; after: number; limit: number },
): Promise<{ id: number; wasThere: boolean }[]> {
  return database.query(
    `with next as materialized (
       select id, created_at from account
       where organisation_id = $1::bigint and id > 0 and id > $2::bigint order by id limit $3::int)
     select id, created_at < $4::timestamptz as "wasThere" from next order by id`,
    [wanted.organisationId, wanted.after, wanted.limit, wanted.end],
  )
}

/** Locks in id order, as the lane does. */
export async function lockAccounts(transaction: Queryable, ids: number[]): Promise<void> {
  await transaction.query(`select from account where id = any($1::bigint[]) order by id for no key update`, [ids])
}

/**
 * Inserts one statement for each account that has none of the month, and returns these. The accounts must have been locked
 * by an earlier statement, so that this one sees every posting to them. If nothing was posted since the edge of the
 * month, the account's present balance is the balance at the edge; only other accounts are searched.
 */
export function insertStatements(
  transaction: Queryable,
  month: { organisationId: number; period: string; start: string; end: string },
  statements: { id: number; accountId: number }[],
): Promise<StatementRow[]> {
  return transaction.query(
    `insert into statement (id, organisation_id, account_id, customer_id, period, opening_balance, closing_balance,
       first_seq, last_seq, created_at)
     select n.id, a.organisation_id, a.id, a.customer_id, $4::text,
       case when edge.before = a.seq then a.balance else balance_at(a.id, edge.before) end,
       case when edge.last = a.seq then a.balance else balance_at(a.id, edge.last) end,
       edge.before + 1, edge.last, (select bank_time($3::bigint))
     from unnest($1::bigint[], $2::bigint[]) as n (id, account_id)
     join account a on a.id = n.account_id and a.organisation_id = $3
     cross join lateral (select
       case when a.posted_at >= $5::timestamptz then seq_before(a.id, $5) else a.seq end as before,
       case when a.posted_at >= $6::timestamptz then seq_before(a.id, $6) else a.seq end as last) edge
     on conflict (account_id, period) do nothing
     returning ${columns}`,
    [
      statements.map(({ id }) => id),
      statements.map(({ accountId }) => accountId),
      month.organisationId,
      month.period,
      month.start,
      month.end,
    ],
  )
}

/** The oldest month whose turn is not finished. */
export async function findUnturnedPeriod(database: Queryable, organisationId: number): Promise<string | undefined> {
  const [row] = await database.query<{ period: string }>(
    `select to_char(coalesce(o.statements_from,
       least(o.created_at, (select min(created_at) from account a where a.organisation_id = o.id and a.id > 0))
     ), 'YYYY-MM') as period
     from organisation o where o.id = $1::bigint`,
    [organisationId],
  )
  return row?.period
}

/** Notes the oldest month whose turn is not finished; it never moves back. */
export async function updateUnturnedPeriod(database: Queryable, organisationId: number, next: string): Promise<void> {
  await database.query(
    `update organisation set statements_from = $2::date, version = version + 1
     where id = $1::bigint and (statements_from is null or statements_from < $2::date)`,
    [organisationId, `${next}-01`],
  )
}
