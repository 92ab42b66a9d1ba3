import { arrayOf, bigint, rowSet, text } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { Rows } from '../books.ts'
import type { LedgerAccount } from '../records.ts'

/** The amounts of the payments of accounts with limits: by account and day. */
export type Usage = Map<number, Map<string, number>>

/** Reads the usage of accounts with limits since the beginning of the month. Other accounts cost no round trip. */
export async function readUsage(
  transaction: Queryable,
  accounts: LedgerAccount[],
  times: Map<number, string>,
): Promise<Usage> {
  const usage: Usage = new Map()
  for (const { id, limits } of accounts) if (limits !== null) usage.set(id, new Map())
  if (usage.size === 0) return usage
  const month = `${[...times.values()].sort()[0]?.slice(0, 7)}-01`
  const rows = await transaction.query<{ accountId: number; day: string; amount: number }>(
    `select account_id as "accountId", day::text as day, amount from payment_usage
     where account_id = any($1::bigint[]) and day >= $2::text::date`,
    [arrayOf('bigint', [...usage.keys()]), month],
  )
  for (const { accountId, day, amount } of rows) usage.get(accountId)?.set(day, amount)
  return usage
}

const changes = rowSet<Rows['usages'][number]>({
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
export async function writeUsage(transaction: Queryable, { usages }: Pick<Rows, 'usages'>): Promise<void> {
  if (usages.length === 0) return
  const sums = new Map<string, Rows['usages'][number]>()
  for (const change of usages) {
    const name = `${change.accountId} ${change.day}`
    sums.set(name, { ...change, amount: change.amount + (sums.get(name)?.amount ?? 0) })
  }
  await transaction.query(upsertUsage, changes.values([...sums.values()]))
}
