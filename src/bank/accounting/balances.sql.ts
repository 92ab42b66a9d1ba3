import type { Queryable } from '../../database/database.ts'

export interface DailyBalanceRow {
  accountId: number
  /** The number of the day, from 0; -1 for the day before the first. */
  day: number
  seq: number
  balance: number
}

/** The accounts whose balances are read: one, or all internal ones of the organisation. */
export function findAccountsToRead(
  database: Queryable,
  organisationId: number,
  accountId: number | null,
): Promise<{ id: number; kind: string | null }[]> {
  return accountId === null
    ? database.query(`select id, kind from account where organisation_id = $1::bigint and id < 0`, [organisationId])
    : database.query(`select id, kind from account where organisation_id = $1::bigint and id = $2::bigint`, [
        organisationId,
        accountId,
      ])
}

/** Balances at the ends of days, and at that of the day before the first. */
export function readDailyBalances(
  database: Queryable,
  accountIds: number[],
  firstDay: string,
  count: number,
): Promise<DailyBalanceRow[]> {
  return database.query(
    `select account_id as "accountId", day - $2::date as day, seq, balance
     from daily_balances($1::bigint[], $2::date - 1, $2::date + $3::int - 1) order by day, account_id`,
    [accountIds, firstDay, count],
  )
}
