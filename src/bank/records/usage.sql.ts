import { arrayOf, bigint, rowSet, text } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { LedgerAccount } from '../../ledger/records.ts'

/** The amounts of the payments of accounts with limits: by account and day. */
export type Usage = Map<number, Map<string, number>>

/** A change of what payments use of the limits of their account, by the day of the payment. */
export interface UsageChange {
  accountId: number
  organisationId: number
  day: string
  amount: number
}

/** Reads the usage of accounts with limits since the beginning of the month. */
export async function readUsage(
  transaction: Queryable,
  accounts: Pick<LedgerAccount, 'id'>[],
  times: Map<number, string>,
): Promise<Usage> {
  const usage: Usage = new Map(accounts.map(({ id }) => [id, new Map()]))
  const month = `${[...times.values()].sort()[0]?.slice(0, 7)}-01`
  const rows = await transaction.query<{ accountId: number; day: string; amount: number }>(
    `select account_id as "accountId", day::text as day, amount from payment_usage
     where account_id = any($1::bigint[]) and day >= $2::text::date`,
    [arrayOf('bigint', [...usage.keys()]), month],
  )
  for (const { accountId, day, amount } of rows) usage.get(accountId)?.set(day, amount)
  return usage
}

const changes = rowSet<UsageChange>({
  account_id: bigint(({ accountId }) => accountId),
  organisation_id: bigint(({ organisationId }) => organisationId),
  day: text(({ day }) => day),
  amount: bigint(({ amount }) => amount),
})
const upsertUsage = `
  insert into payment_usage (${changes.names})
  select account_id, organisation_id, day::date, amount from (${changes.select}) n
  on conflict (account_id, day) do update set amount = payment_usage.amount + excluded.amount`

/** Adds what new payments use of the limits of their accounts, and takes back what others gave up. */
export async function writeUsage(transaction: Queryable, usages: UsageChange[]): Promise<void> {
  if (usages.length === 0) return
  const sums = new Map<string, UsageChange>()
  for (const change of usages) {
    const name = `${change.accountId} ${change.day}`
    sums.set(name, { ...change, amount: change.amount + (sums.get(name)?.amount ?? 0) })
  }
  await transaction.query(upsertUsage, changes.values([...sums.values()]))
}
