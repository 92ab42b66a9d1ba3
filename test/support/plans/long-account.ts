import type { TestBank } from '../harness.ts'
import { makeAccount, makeCustomer } from '../world.ts'

/** An account with many transfers, one of which belongs to a payment. */
export interface LongAccount {
  organisationId: number
  accountId: number
  /** The internal account on the other side. */
  clearingId: number
  paymentId: number
  /** The transfer with a number along the account, from 1. */
  transferId(entry: number): number
  /** Its time: entries are spread evenly over 100 days that end a day ago. */
  timeOf(entry: number): string
}

const FIRST_TRANSFER = 20_000_000
const DAYS = 100
/** Entries in one statement, which must end within its time limit on a busy machine. */
const STEP = 50_000
const DAY_MS = 86_400_000

/** Inserts an account with `entries` transfers, as the lane would have written them. */
export async function insertLongAccount(bank: TestBank, entries: number): Promise<LongAccount> {
  const customerId = await makeCustomer(bank)
  const accountId = Number(await makeAccount(bank, { customerId }))
  const clearingId = -accountId
  const paymentId = 5_000_000
  const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - (DAYS + 1) * DAY_MS
  const stepMs = (DAYS * DAY_MS) / entries
  const timeOf = (entry: number) => new Date(startMs + Math.floor(entry * stepMs)).toISOString()
  const [row] = await bank.database.query<{ id: number }>('select organisation_id as id from account where id = $1', [
    accountId,
  ])
  const organisationId = row?.id ?? 0
  await bank.database.query(
    `insert into account (id, organisation_id, created_at, name, status, kind, slot)
     values ($1::bigint, $2::bigint, now(), 'ACH clearing', 'Open', 'ach_clearing', 63)`,
    [clearingId, organisationId],
  )
  // Two credits of 2 cents, then a debit of 1.
  for (let first = 1; first <= entries; first += STEP) {
    await bank.database.query(
      `insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id,
       credit_seq, credit_balance, amount, source_kind, source_id, party, description, created_at)
     select $1::bigint + 2 * n, $2::bigint, case when debit then $3::bigint else $4::bigint end, n,
       case when debit then balance else -balance end, case when debit then $4 else $3 end, n,
       case when debit then -balance else balance end, case when debit then 1 else 2 end,
       case when n = 3 then 'payment' else 'received_ach' end, case when n = 3 then $5::bigint end, 'Sample', 'Planted',
       timestamptz 'epoch' + floor($6::numeric + n * $7::numeric) * interval '1 millisecond'
     from (select n, n % 3 = 0 as debit, 2 * n - 3 * (n / 3) as balance from generate_series($8::bigint, $9::bigint) n) x`,
      [
        FIRST_TRANSFER,
        organisationId,
        accountId,
        clearingId,
        paymentId,
        startMs,
        stepMs,
        first,
        Math.min(entries, first + STEP - 1),
      ],
    )
  }
  await bank.database.query(
    `update account a set seq = $2::bigint, posted_at = t.created_at,
       balance = case when a.id = t.debit_account_id then t.debit_balance else t.credit_balance end
     from transfer t where t.id = $3::bigint + 2 * $2::bigint and a.id in ($1::bigint, -$1::bigint)`,
    [accountId, entries, FIRST_TRANSFER],
  )
  await bank.database.query(
    `insert into payment (id, organisation_id, account_id, customer_id, type, direction, status, amount, description,
       original_type, created_at, counterparty_name, counterparty_routing_number, counterparty_account_number,
       counterparty_account_type)
     select source_id, organisation_id, debit_account_id, $1::bigint, 'achPayment', 'Credit', 'Sent', 1, 'Planted',
       'ACH', created_at, 'Sample', '021000021', '1', 'Checking' from transfer where source_kind = 'payment'`,
    [customerId],
  )
  await bank.database.query(`update account set created_at = $2::timestamptz where id in ($1::bigint, -$1::bigint)`, [
    accountId,
    timeOf(0),
  ])
  // Neighbours that a plan might read in full to join a page with a few of them.
  await bank.database.query(
    `insert into account (id, organisation_id, customer_id, created_at, name, status)
     select 6000000 + n, $1::bigint, $2::bigint, now(), 'Neighbour', 'Open' from generate_series(1, 30000) n`,
    [organisationId, customerId],
  )
  await bank.database.query('analyze')
  return {
    organisationId,
    accountId,
    clearingId,
    paymentId,
    transferId: (entry) => FIRST_TRANSFER + 2 * entry,
    timeOf,
  }
}
