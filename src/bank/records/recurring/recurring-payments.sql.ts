import { arrayOf, bigint, integer, jsonb, recordColumns, rowSet, text, timestamptz } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'
import { type Changed, lastVersions } from '../../../ledger/kinds.ts'
import type { LedgerRecurringPayment, LedgerRun } from '../records.ts'

type Row = LedgerRecurringPayment

const changing = {
  status: text<Row>(({ status }) => status),
  reason: text<Row>(({ reason }) => reason),
  amount: bigint<Row>(({ amount }) => amount),
  changes: jsonb<Row>(({ changes }) => JSON.stringify(changes)),
  run_count: integer<Row>(({ runCount }) => runCount),
  tries: integer<Row>(({ tries }) => tries),
  next_due_date: text<Row>(({ nextDueDate }) => nextDueDate),
  next_at: timestamptz<Row>(({ nextAt }) => nextAt),
  last_run: jsonb<Row>(({ lastRun }) => lastRun && JSON.stringify(lastRun)),
  ended_at: timestamptz<Row>(({ endedAt }) => endedAt),
  version: integer<Row>(({ version }) => version),
}

/** The one table of the columns of a recurring payment. */
const columns = {
  id: bigint<Row>(({ id }) => id),
  organisation_id: bigint<Row>(({ organisationId }) => organisationId),
  account_id: bigint<Row>(({ accountId }) => accountId),
  customer_id: bigint<Row>(({ customerId }) => customerId),
  type: text<Row>(({ type }) => type),
  direction: text<Row>(({ direction }) => direction),
  external_account_id: bigint<Row>(({ externalAccountId }) => externalAccountId),
  to_account_id: bigint<Row>(({ toAccountId }) => toAccountId),
  details: jsonb<Row>(({ details }) => JSON.stringify(details)),
  schedule: jsonb<Row>(({ schedule }) => JSON.stringify(schedule)),
  rules: jsonb<Row>(({ rules }) => JSON.stringify(rules)),
  created_at: timestamptz<Row>(({ createdAt }) => createdAt),
  ...changing,
}

const memberOf = (column: string) => column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
export const recurringColumns = Object.keys(columns)
  .map((column) => `${column} as "${memberOf(column)}"`)
  .join(', ')

const runColumns = recordColumns<LedgerRun>({
  id: 'bigint',
  organisationId: 'bigint',
  recurringPaymentId: 'bigint',
  dueDate: 'text',
  status: 'text',
  reason: 'text',
  amount: 'bigint',
  paymentId: 'bigint',
  tries: 'integer',
  createdAt: 'timestamptz',
  at: 'timestamptz',
})
export const recurringRunColumns = runColumns.selected

export function readRecurringPayments(transaction: Queryable, ids: number[]): Promise<Row[]> {
  return transaction.query(`select ${recurringColumns} from recurring_payment where id = any($1::bigint[])`, [
    arrayOf('bigint', ids),
  ])
}

const newRows = rowSet<Row>(columns)
const insertRows = `insert into recurring_payment (${newRows.names}) ${newRows.select}`

const changedRows = rowSet<Changed<Row>>({
  id: bigint(({ row }) => row.id),
  ...Object.fromEntries(
    Object.entries(changing).map(([name, { type, of }]) => [name, { type, of: ({ row }: Changed<Row>) => of(row) }]),
  ),
  expected_version: integer(({ expectedVersion }) => expectedVersion),
})
const assignments = Object.keys(changing)
  .map((name) => `${name} = n.${name}`)
  .join(', ')
const updateRows = `
  with changed as (
    update recurring_payment r set ${assignments}
    from (${changedRows.select}) n
    where r.id = n.id and r.id = any($1::bigint[]) and r.version = n.expected_version
    returning 1)
  select require((select count(*) from changed) = $${changedRows.next}::bigint, 'a recurring payment changed under its lock')`

const newRuns = runColumns.rows()
/** A due date has one run: one that is over is never written again. */
const writeRuns = `
  with noted as (
    insert into recurring_payment_run as r (${newRuns.names}) ${newRuns.select}
    on conflict (recurring_payment_id, due_date) do update
      set status = excluded.status, reason = excluded.reason, amount = excluded.amount, payment_id = excluded.payment_id,
        tries = excluded.tries, at = excluded.at
      where r.status = 'Waiting'
    returning 1)
  select require((select count(*) from noted) = $${newRuns.next}::bigint, 'a due date has a second run')`

interface Changes {
  inserted: Row[]
  updated: Row[]
  runs: LedgerRun[]
}

/** Writes recurring payments in their last states, and what became of due dates. */
export async function writeRecurringPayments(
  transaction: Queryable,
  { inserted, updated, runs }: Changes,
): Promise<void> {
  if (inserted.length > 0) await transaction.query(insertRows, newRows.values(inserted))
  if (updated.length > 0) {
    const changes = lastVersions(updated)
    await transaction.query(updateRows, [...changedRows.values(changes), changes.length])
  }
  if (runs.length > 0) await transaction.query(writeRuns, [...newRuns.values(runs), runs.length])
}
