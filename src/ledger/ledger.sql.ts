import { arrayOf, bigint, bytea, integer, rowSet, smallint, text, tid, timestamptz } from '../database/arrays.ts'
import { isDuplicate, type Queryable } from '../database/database.ts'
import { KeyTaken } from '../idempotency/run-once.ts'
import type { Rows } from './books.ts'
import { type PaymentRow, paymentColumns, paymentFromRow, paymentRows } from './payment-columns.ts'
import type { LedgerAccount, LedgerAuthorization, LedgerCard, LedgerPayee, LedgerPayment } from './records.ts'

const lockText = (waiting: string) => `
  select id, organisation_id as "organisationId", customer_id as "customerId", name, account_number as "accountNumber",
    status, balance, hold, seq, posted_at as "postedAt", ctid
  from account where id = any($1::bigint[]) order by id for no key update ${waiting}`
const lockWaiting = lockText('')
const lockFree = lockText('skip locked')

/** Locks in id order, so that two batches never wait for each other in a circle. */
export function lockAccounts(transaction: Queryable, ids: number[]): Promise<LedgerAccount[]> {
  return transaction.query(lockWaiting, [arrayOf('bigint', ids)])
}

/** Locks only what nobody else holds. */
export function lockFreeAccounts(transaction: Queryable, ids: number[]): Promise<LedgerAccount[]> {
  return transaction.query(lockFree, [arrayOf('bigint', ids)])
}

export async function existingAccounts(transaction: Queryable, ids: number[]): Promise<Set<number>> {
  const rows = await transaction.query<{ id: number }>(`select id from account where id = any($1::bigint[])`, [ids])
  return new Set(rows.map(({ id }) => id))
}

/** An idempotency key that has an answer. */
export interface AnsweredKey {
  organisationId: number
  hash: Buffer
}

/**
 * Bank times, and the keys that have an answer: read after the locks, in a statement of its own. The keys are compared
 * with a plain list, because a join is planned as a walk over all answers when the table was empty at its last analysis.
 */
export async function readTimesAndKeys(
  transaction: Queryable,
  organisationIds: number[],
  hashes: Buffer[],
): Promise<{ times: Map<number, string>; keys: AnsweredKey[] }> {
  const rows = await transaction.query<{ organisationId: number; time: string | null; hash: Buffer | null }>(
    `select id as "organisationId", bank_time(id) as time, null::bytea as hash
     from organisation where id = any($1::bigint[])
     union all
     select organisation_id, null, key_hash from answer
     where organisation_id = any($1::bigint[]) and key_hash = any($2::bytea[])`,
    [arrayOf('bigint', organisationIds), arrayOf('bytea', hashes)],
  )
  return {
    times: new Map(rows.flatMap(({ organisationId, time }) => (time === null ? [] : [[organisationId, time]]))),
    keys: rows.flatMap(({ organisationId, hash }) => (hash === null ? [] : [{ organisationId, hash }])),
  }
}

/** Most batches hold payments alone: what nobody asks for costs no round trip. */
async function readById<Row>(transaction: Queryable, text: string, ids: number[]): Promise<Row[]> {
  return ids.length === 0 ? [] : transaction.query(text, [arrayOf('bigint', ids)])
}

export function readPayees(transaction: Queryable, ids: number[]): Promise<LedgerPayee[]> {
  return readById(
    transaction,
    `select id, customer_id as "customerId", name, routing_number as "routingNumber",
       account_number as "accountNumber", account_type as "accountType"
     from external_account where id = any($1::bigint[]) and deleted_at is null`,
    ids,
  )
}

export function readCards(transaction: Queryable, ids: number[]): Promise<LedgerCard[]> {
  return readById(
    transaction,
    `select id, account_id as "accountId", last4, expires, status from card where id = any($1::bigint[])`,
    ids,
  )
}

export function readAuthorizations(transaction: Queryable, ids: number[]): Promise<LedgerAuthorization[]> {
  return readById(
    transaction,
    `select id, organisation_id as "organisationId", account_id as "accountId", customer_id as "customerId",
       card_id as "cardId", card_last4 as "cardLast4", status, amount, settled, refunded, merchant_name as "merchantName",
       merchant_category as "merchantCategory", merchant_location as "merchantLocation",
       decline_reason as "declineReason", created_at as "createdAt", expires_at as "expiresAt", version
     from card_authorization where id = any($1::bigint[])`,
    ids,
  )
}

const selectPayments = `select ${paymentColumns} from payment where id = any($1::bigint[])`

export async function readPayments(transaction: Queryable, ids: number[]): Promise<LedgerPayment[]> {
  return (await readById<PaymentRow>(transaction, selectPayments, ids)).map(paymentFromRow)
}

const authorizationRows = rowSet<LedgerAuthorization>({
  id: bigint(({ id }) => id),
  organisation_id: bigint(({ organisationId }) => organisationId),
  account_id: bigint(({ accountId }) => accountId),
  customer_id: bigint(({ customerId }) => customerId),
  card_id: bigint(({ cardId }) => cardId),
  card_last4: text(({ cardLast4 }) => cardLast4),
  status: text(({ status }) => status),
  amount: bigint(({ amount }) => amount),
  merchant_name: text(({ merchantName }) => merchantName),
  merchant_category: text(({ merchantCategory }) => merchantCategory),
  merchant_location: text(({ merchantLocation }) => merchantLocation),
  decline_reason: text(({ declineReason }) => declineReason),
  created_at: timestamptz(({ createdAt }) => createdAt),
  expires_at: timestamptz(({ expiresAt }) => expiresAt),
})
const insertAuthorizations = `
  insert into card_authorization (${authorizationRows.names}) ${authorizationRows.select}`

const changedAuthorizations = rowSet<LedgerAuthorization>({
  id: bigint(({ id }) => id),
  status: text(({ status }) => status),
  settled: bigint(({ settled }) => settled),
  refunded: bigint(({ refunded }) => refunded),
  version: integer(({ version }) => version),
})
const updateAuthorizations = `
  update card_authorization a
  set status = n.status, settled = n.settled, refunded = n.refunded, version = n.version
  from (${changedAuthorizations.select}) n
  where a.id = n.id and a.id = any($1::bigint[])`

const changedPayments = rowSet<LedgerPayment>({
  id: bigint(({ id }) => id),
  status: text(({ status }) => status),
  return_code: text(({ returnCode }) => returnCode),
})
const updatePayments = `
  update payment p set status = n.status, return_code = n.return_code, version = p.version + 1
  from (${changedPayments.select}) n
  where p.id = n.id and p.id = any($1::bigint[])`

export async function writeChangedPayments(
  transaction: Queryable,
  { paymentUpdates }: Pick<Rows, 'paymentUpdates'>,
): Promise<void> {
  if (paymentUpdates.length > 0) await transaction.query(updatePayments, changedPayments.values(paymentUpdates))
}

export async function writeAuthorizations(
  transaction: Queryable,
  { authorizations, authorizationUpdates }: Pick<Rows, 'authorizations' | 'authorizationUpdates'>,
): Promise<void> {
  if (authorizations.length > 0) {
    await transaction.query(insertAuthorizations, authorizationRows.values(authorizations))
  }
  // An authorization that changed twice in a batch is written once, as it ended up.
  const last = [...new Map(authorizationUpdates.map((authorization) => [authorization.id, authorization])).values()]
  if (last.length > 0) await transaction.query(updateAuthorizations, changedAuthorizations.values(last))
}

const accountRows = rowSet<Rows['accounts'][number]>({
  place: tid(({ account }) => account.ctid),
  id: bigint(({ account }) => account.id),
  balance: bigint(({ account }) => account.balance),
  hold: bigint(({ account }) => account.hold),
  seq: bigint(({ account }) => account.seq),
  posted_at: timestamptz(({ account }) => account.postedAt),
  expected_seq: bigint(({ expectedSeq }) => expectedSeq),
})
const transferRows = rowSet<Rows['transfers'][number]>(
  {
    id: bigint(({ id }) => id),
    organisation_id: bigint(({ organisationId }) => organisationId),
    debit_account_id: bigint(({ debitAccountId }) => debitAccountId),
    debit_seq: bigint(({ debitSeq }) => debitSeq),
    debit_balance: bigint(({ debitBalance }) => debitBalance),
    credit_account_id: bigint(({ creditAccountId }) => creditAccountId),
    credit_seq: bigint(({ creditSeq }) => creditSeq),
    credit_balance: bigint(({ creditBalance }) => creditBalance),
    amount: bigint(({ amount }) => amount),
    source_kind: text(({ sourceKind }) => sourceKind),
    source_id: bigint(({ sourceId }) => sourceId),
    party: text(({ party }) => party),
    description: text(({ description }) => description),
    created_at: timestamptz(({ createdAt }) => createdAt),
  },
  accountRows.next,
)
const newPayments = paymentRows(transferRows.next)
const answerRows = rowSet<Rows['answers'][number]>(
  {
    organisation_id: bigint(({ write }) => write.caller.organisationId),
    key_hash: bytea(({ write }) => write.key.hash),
    fingerprint: bytea(({ write }) => write.key.fingerprint),
    status: smallint(({ answer }) => answer.status),
    body: text(({ answer }) => answer.body),
  },
  newPayments.next,
)

/**
 * The accounts are found by where their rows lie, which stays as long as the lock, and not by the index: a plan made while
 * there were few would walk along all of it, were it not for `+ 0`.
 * The answers stand last: of statements that nobody refers to PostgreSQL runs the last one first, so that a key with an
 * answer is told as such before any of the rows that a repeated command would make again.
 */
const writeText = `
  with moved as (
    update account a
    set balance = n.balance, hold = n.hold, seq = n.seq, posted_at = n.posted_at, version = a.version + 1
    from (${accountRows.select}) n
    where a.ctid = n.place and a.id + 0 = n.id and a.seq = n.expected_seq
    returning 1),
  posted as (insert into transfer (${transferRows.names}) ${transferRows.select}),
  paid as (insert into payment (${newPayments.names}) ${newPayments.select}),
  answered as (
    insert into answer (${answerRows.names}, created_at) ${answerRows.select}, clock_timestamp())
  select require((select count(*) from moved) = $${answerRows.next}::bigint, 'an account changed under its lock')`

/**
 * Everything else a batch changes, in one statement over arrays, which fails when it could not change all of it. What
 * cannot be put into arrays is thrown at once: a promise would be too late, because COMMIT is sent behind the statement.
 */
export function writeRows(transaction: Queryable, { accounts, transfers, payments, answers }: Rows): Promise<void> {
  // Answers in the order of their keys: unsorted inserts of two processes deadlock on a key they share.
  const sorted = answers.toSorted((a, b) => Buffer.compare(a.write.key.hash, b.write.key.hash))
  const values = [
    ...accountRows.values(accounts),
    ...transferRows.values(transfers),
    ...newPayments.values(payments),
    ...answerRows.values(sorted),
    accounts.length,
  ]
  return transaction.query(writeText, values).then(
    () => undefined,
    (error: unknown) => {
      throw isDuplicate(error, 'answer_pkey') ? new KeyTaken() : error
    },
  )
}

/**
 * Every table the lane reads grows without end: a plan made while one was small must not read it whole. Where a table is
 * joined that takes a plain list of its ids, too. No plan depends on the values, so that each is made once.
 */
export async function fixPlans(connection: Queryable): Promise<void> {
  await connection.query(`set enable_seqscan = off`)
  await connection.query(`set plan_cache_mode = force_generic_plan`)
}
