// The plain way: an update of accounts by id, and an insert with a list of values for each table.
// What it cost: by id instead of `ctid`, a batch took the database 6 % longer; with arrays as tables, a sixth longer.
// The test that compares: test/properties/ledger-model.test.ts checks every balance against a model in memory.
import { bigint, bytea, rowSet, smallint, text, tid, timestamptz } from '../database/arrays.ts'
import type { Queryable } from '../database/database.ts'
import { isDuplicate } from '../database/errors.ts'
import { KeyTaken } from '../idempotency/run-once.ts'
import type { Decided, Rows } from './books.ts'
import type { AnyKind } from './kinds.ts'
import type { Transfer } from './records.ts'

const accountRows = rowSet<Rows['accounts'][number]>({
  place: tid(({ account }) => account.ctid),
  id: bigint(({ account }) => account.id),
  balance: bigint(({ account }) => account.balance),
  hold: bigint(({ account }) => account.hold),
  seq: bigint(({ account }) => account.seq),
  posted_at: timestamptz(({ account }) => account.postedAt),
  expected_seq: bigint(({ expectedSeq }) => expectedSeq),
})
const transferColumns = {
  id: bigint(({ id }: Transfer) => id),
  organisation_id: bigint(({ organisationId }: Transfer) => organisationId),
  debit_account_id: bigint(({ debitAccountId }: Transfer) => debitAccountId),
  debit_seq: bigint(({ debitSeq }: Transfer) => debitSeq),
  debit_balance: bigint(({ debitBalance }: Transfer) => debitBalance),
  credit_account_id: bigint(({ creditAccountId }: Transfer) => creditAccountId),
  credit_seq: bigint(({ creditSeq }: Transfer) => creditSeq),
  credit_balance: bigint(({ creditBalance }: Transfer) => creditBalance),
  amount: bigint(({ amount }: Transfer) => amount),
  source_kind: text(({ sourceKind }: Transfer) => sourceKind),
  source_id: bigint(({ sourceId }: Transfer) => sourceId),
  party: text(({ party }: Transfer) => party),
  description: text(({ description }: Transfer) => description),
  created_at: timestamptz(({ createdAt }: Transfer) => createdAt),
}
const transferRows = rowSet<Transfer>(transferColumns, accountRows.next)
const pastTransfers = rowSet<Transfer>(transferColumns)

/** Inserts transfers of the past, whose sequence numbers and balances are computed already. */
export async function insertPastTransfers(transaction: Queryable, transfers: Transfer[]): Promise<void> {
  await transaction.query(
    `insert into transfer (${pastTransfers.names}) ${pastTransfers.select}`,
    pastTransfers.values(transfers),
  )
}

/** An account as it is after its past transfers. */
export interface PastAccount {
  id: number
  balance: number
  seq: number
  postedAt: string
}

const pastAccounts = rowSet<PastAccount>({
  id: bigint(({ id }) => id),
  balance: bigint(({ balance }) => balance),
  seq: bigint(({ seq }) => seq),
  posted_at: timestamptz(({ postedAt }) => postedAt),
})

/** Gives accounts that had no transfers the balances that follow from their past ones. */
export async function updatePastAccounts(transaction: Queryable, accounts: PastAccount[]): Promise<void> {
  await transaction.query(
    `with moved as (
       update account a set balance = n.balance, seq = n.seq, posted_at = n.posted_at, version = a.version + 1
       from (${pastAccounts.select}) n where a.id = n.id and a.seq = 0 returning 1)
     select require((select count(*) from moved) = $${pastAccounts.next}::bigint, 'an account has other transfers')`,
    [...pastAccounts.values(accounts), accounts.length],
  )
}

const answerRows = (first: number) =>
  rowSet<Rows['answers'][number]>(
    {
      organisation_id: bigint(({ write }) => write.caller.organisationId),
      key_hash: bytea(({ write }) => write.key.hash),
      fingerprint: bytea(({ write }) => write.key.fingerprint),
      status: smallint(({ answer }) => answer.status),
      body: text(({ answer, paymentId, paymentVersion }) =>
        paymentId === null ? answer.body : paymentVersion === null ? '' : String(paymentVersion),
      ),
      payment_id: bigint(({ paymentId }) => paymentId),
      payment_status: text(({ paymentStatus }) => paymentStatus),
    },
    first,
  )

/** Writes the rows of a batch, and those records that are inserted with them. */
export type WriteRows = (transaction: Queryable, rows: Rows, records: Decided['records']) => Promise<void>

/**
 * Writes accounts, transfers, answers, and the new records of some kinds in one statement, which fails unless every account was still as
 * it was read. A value that cannot be encoded throws before the call returns: COMMIT is sent without waiting for the promise.
 *
 * Accounts are found by `ctid`, the place of a row, which cannot change while the row is locked. `+ 0` keeps the planner
 * from walking along the whole primary key, which it prefers if the table was small when the plan was made.
 * Answers come last, because PostgreSQL runs the last of the unreferenced parts first: a key that has an answer then fails
 * as such, and not as a duplicate of a row that the repeated command would insert again.
 */
export function rowsWriter(kinds: AnyKind[]): WriteRows {
  let next = transferRows.next
  const joined = kinds.flatMap((kind) => {
    if (!kind.joined) return []
    const rows = kind.joined.rows(next)
    next = rows.next
    return [{ kind, table: kind.joined.table, of: kind.joined.of, rows }]
  })
  const answered = answerRows(next)
  const inserts = joined.map(
    ({ table, rows }) => `
  new_${table} as (insert into ${table} (${rows.names}) ${rows.select}),`,
  )
  const writeText = `
  with moved as (
    update account a
    set balance = n.balance, hold = n.hold, seq = n.seq, posted_at = n.posted_at, version = a.version + 1
    from (${accountRows.select}) n
    where a.ctid = n.place and a.id + 0 = n.id and a.seq = n.expected_seq
    returning 1),
  posted as (insert into transfer (${transferRows.names}) ${transferRows.select}),${inserts.join('')}
  answered as (
    insert into answer (${answered.names}, created_at) ${answered.select}, clock_timestamp())
  select require((select count(*) from moved) = $${answered.next}::bigint, 'an account changed under its lock')`
  return (transaction, { accounts, transfers, answers }, records) => {
    // In the order of their keys: two processes that share two keys would otherwise deadlock.
    const sorted = answers.toSorted((a, b) => Buffer.compare(a.write.key.hash, b.write.key.hash))
    const values: unknown[] = [...accountRows.values(accounts), ...transferRows.values(transfers)]
    for (const { kind, rows, of } of joined) values.push(...rows.values(records.has(kind) ? of(records.get(kind)) : []))
    values.push(...answered.values(sorted), accounts.length)
    return transaction.query(writeText, values).then(
      () => undefined,
      (error: unknown) => {
        throw isDuplicate(error, 'answer_pkey') ? new KeyTaken() : error
      },
    )
  }
}
