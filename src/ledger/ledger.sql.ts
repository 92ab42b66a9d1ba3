import { arrayOf, bigint, bytea, columns, integer, jsonb, smallint, text, timestamptz } from '../database/arrays.ts'
import { isDuplicate, type Queryable } from '../database/database.ts'
import { KeyTaken } from '../write/perform.ts'
import type { Rows } from './books.ts'
import type { LedgerAccount, LedgerAuthorization, LedgerCard, LedgerPayee, LedgerPayment } from './records.ts'

const lockText = (waiting: string) => `
  select id, organisation_id as "organisationId", customer_id as "customerId", name, account_number as "accountNumber",
    status, balance, hold, seq, posted_at as "postedAt"
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

/**
 * Bank times, and the keys that have an answer: read after the locks, in a statement of its own. The keys are compared
 * with a plain list, because a join is planned as a walk over all answers when the table was empty at its last analysis.
 */
export async function readTimesAndKeys(
  transaction: Queryable,
  organisationIds: number[],
  hashes: Buffer[],
): Promise<{ times: Map<number, string>; taken: { organisationId: number; hash: Buffer }[] }> {
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
    taken: rows.flatMap(({ organisationId, hash }) => (hash === null ? [] : [{ organisationId, hash }])),
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

export function readPayments(transaction: Queryable, ids: number[]): Promise<LedgerPayment[]> {
  return readById(
    transaction,
    `select id, organisation_id as "organisationId", account_id as "accountId", customer_id as "customerId", type,
       direction, status, amount, description, addenda, original_type as "originalType", created_at as "createdAt",
       external_account_id as "externalAccountId",
       json_build_object('name', counterparty_name, 'routingNumber', counterparty_routing_number,
         'accountNumber', counterparty_account_number, 'accountType', counterparty_account_type) as counterparty,
       destination_account_id as "destinationAccountId", coalesce(tags, '{}') as tags, return_code as "returnCode"
     from payment where id = any($1::bigint[])`,
    ids,
  )
}

export async function writeAuthorizations(
  transaction: Queryable,
  { authorizations, authorizationUpdates }: Pick<Rows, 'authorizations' | 'authorizationUpdates'>,
): Promise<void> {
  if (authorizations.length > 0) {
    await transaction.query(
      `insert into card_authorization (id, organisation_id, account_id, customer_id, card_id, card_last4, status, amount,
         merchant_name, merchant_category, merchant_location, decline_reason, created_at, expires_at)
       select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
         $8::bigint[], $9::text[], $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::timestamptz[])`,
      columns(authorizations, [
        bigint(({ id }) => id),
        bigint(({ organisationId }) => organisationId),
        bigint(({ accountId }) => accountId),
        bigint(({ customerId }) => customerId),
        bigint(({ cardId }) => cardId),
        text(({ cardLast4 }) => cardLast4),
        text(({ status }) => status),
        bigint(({ amount }) => amount),
        text(({ merchantName }) => merchantName),
        text(({ merchantCategory }) => merchantCategory),
        text(({ merchantLocation }) => merchantLocation),
        text(({ declineReason }) => declineReason),
        timestamptz(({ createdAt }) => createdAt),
        timestamptz(({ expiresAt }) => expiresAt),
      ]),
    )
  }
  // An authorization that changed twice in a batch is written once, as it ended up.
  const last = [...new Map(authorizationUpdates.map((authorization) => [authorization.id, authorization])).values()]
  if (last.length > 0) {
    await transaction.query(
      `update card_authorization a
       set status = n.status, settled = n.settled, refunded = n.refunded, version = n.version
       from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::int[])
         as n (id, status, settled, refunded, version)
       where a.id = n.id`,
      columns(last, [
        bigint(({ id }) => id),
        text(({ status }) => status),
        bigint(({ settled }) => settled),
        bigint(({ refunded }) => refunded),
        integer(({ version }) => version),
      ]),
    )
  }
}

/**
 * Everything else a batch changes, in one statement over arrays, which fails when it could not change all of it. What
 * cannot be put into arrays is thrown at once: a promise would be too late, because COMMIT is sent behind the statement.
 */
export function writeRows(
  transaction: Queryable,
  { accounts, transfers, payments, paymentUpdates, answers }: Rows,
): Promise<void> {
  // Answers in the order of their keys: unsorted inserts of two processes deadlock on a key they share.
  const sorted = answers.toSorted((a, b) => Buffer.compare(a.write.key.hash, b.write.key.hash))
  const values = [
    ...columns(accounts, [
      bigint(({ account }) => account.id),
      bigint(({ account }) => account.balance),
      bigint(({ account }) => account.hold),
      bigint(({ account }) => account.seq),
      timestamptz(({ account }) => account.postedAt),
      bigint(({ expectedSeq }) => expectedSeq),
    ]),
    ...columns(transfers, [
      bigint(({ id }) => id),
      bigint(({ organisationId }) => organisationId),
      bigint(({ debitAccountId }) => debitAccountId),
      bigint(({ debitSeq }) => debitSeq),
      bigint(({ debitBalance }) => debitBalance),
      bigint(({ creditAccountId }) => creditAccountId),
      bigint(({ creditSeq }) => creditSeq),
      bigint(({ creditBalance }) => creditBalance),
      bigint(({ amount }) => amount),
      text(({ sourceKind }) => sourceKind),
      bigint(({ sourceId }) => sourceId),
      text(({ party }) => party),
      text(({ description }) => description),
      timestamptz(({ createdAt }) => createdAt),
    ]),
    ...columns(payments, [
      bigint(({ id }) => id),
      bigint(({ organisationId }) => organisationId),
      bigint(({ accountId }) => accountId),
      bigint(({ customerId }) => customerId),
      text(({ type }) => type),
      text(({ direction }) => direction),
      text(({ status }) => status),
      bigint(({ amount }) => amount),
      text(({ description }) => description),
      text(({ addenda }) => addenda),
      text(({ originalType }) => originalType),
      timestamptz(({ createdAt }) => createdAt),
      bigint(({ externalAccountId }) => externalAccountId),
      text(({ counterparty }) => counterparty.name),
      text(({ counterparty }) => counterparty.routingNumber),
      text(({ counterparty }) => counterparty.accountNumber),
      text(({ counterparty }) => counterparty.accountType),
      bigint(({ destinationAccountId }) => destinationAccountId),
      jsonb(({ tags }) => (isEmpty(tags) ? null : JSON.stringify(tags))),
    ]),
    ...columns(paymentUpdates, [
      bigint(({ id }) => id),
      text(({ status }) => status),
      text(({ returnCode }) => returnCode),
    ]),
    ...columns(sorted, [
      bigint(({ write }) => write.caller.organisationId),
      bytea(({ write }) => write.key.hash),
      bytea(({ write }) => write.key.fingerprint),
      smallint(({ answer }) => answer.status),
      text(({ answer }) => answer.body),
    ]),
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
 * The answers stand last: of statements that nobody refers to PostgreSQL runs the last one first, so that a key with an
 * answer is told as such before any of the rows that a repeated command would make again.
 */
const writeText = `
  with moved as (
    update account a
    set balance = n.balance, hold = n.hold, seq = n.seq, posted_at = n.posted_at, version = a.version + 1
    from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::bigint[])
      as n (id, balance, hold, seq, posted_at, expected_seq)
    where a.id = n.id and a.seq = n.expected_seq
    returning 1),
  posted as (
    insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id,
      credit_seq, credit_balance, amount, source_kind, source_id, party, description, created_at)
    select * from unnest($7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[],
      $13::bigint[], $14::bigint[], $15::bigint[], $16::text[], $17::bigint[], $18::text[], $19::text[], $20::timestamptz[])),
  paid as (
    insert into payment (id, organisation_id, account_id, customer_id, type, direction, status, amount, description,
      addenda, original_type, created_at, external_account_id, counterparty_name, counterparty_routing_number,
      counterparty_account_number, counterparty_account_type, destination_account_id, tags)
    select * from unnest($21::bigint[], $22::bigint[], $23::bigint[], $24::bigint[], $25::text[], $26::text[],
      $27::text[], $28::bigint[], $29::text[], $30::text[], $31::text[], $32::timestamptz[], $33::bigint[], $34::text[],
      $35::text[], $36::text[], $37::text[], $38::bigint[], $39::jsonb[])),
  changed as (
    update payment p set status = n.status, return_code = n.return_code, version = p.version + 1
    from unnest($40::bigint[], $41::text[], $42::text[]) as n (id, status, return_code)
    where p.id = n.id),
  answered as (
    insert into answer (organisation_id, key_hash, fingerprint, status, body, created_at)
    select n.*, clock_timestamp() from unnest($43::bigint[], $44::bytea[], $45::bytea[], $46::smallint[], $47::text[]) as n)
  select require((select count(*) from moved) = $48::bigint, 'an account changed under its lock')`

function isEmpty(tags: Record<string, string>): boolean {
  for (const _name in tags) return false
  return true
}

export async function findInternalAccount(
  database: Queryable,
  organisationId: number,
  kind: string,
  slot: number,
): Promise<number | undefined> {
  const [row] = await database.query<{ id: number }>(
    `select id from account where organisation_id = $1::bigint and kind = $2::text and slot = $3::int and id < 0`,
    [organisationId, kind, slot],
  )
  return row?.id
}

export async function insertInternalAccount(
  database: Queryable,
  account: { id: number; organisationId: number; kind: string; slot: number; name: string },
): Promise<void> {
  await database.query(
    `insert into account (id, organisation_id, created_at, name, status, kind, slot)
     values ($1::bigint, $2::bigint, bank_time($2), $3::text, 'Open', $4::text, $5::int) on conflict do nothing`,
    [account.id, account.organisationId, account.name, account.kind, account.slot],
  )
}

/** Every table the lane reads grows without end: a plan made while one was small must not read it whole. */
export async function alwaysUseIndexes(connection: Queryable): Promise<void> {
  await connection.query(`set enable_seqscan = off`)
}

export async function takeSlot(connection: Queryable, slot: number): Promise<boolean> {
  const [row] = await connection.query<{ taken: boolean }>(`select pg_try_advisory_lock($1::int, $2::int) as taken`, [
    SLOT_LOCKS,
    slot,
  ])
  return row?.taken === true
}

/** Any fixed number that no other advisory lock begins with. */
const SLOT_LOCKS = 7_275_738
