import type { Queryable } from '../../../src/database/database.ts'

/** Payments of one organisation, inserted in sets as the lane would have written them, with their events and answers. */
export interface PaymentSet {
  organisationId: number
  firstAccount: number
  /** Account `firstAccount + n` may pay to the external account `firstExternal + n`. */
  firstExternal: number
  accounts: number
  payments: number
  /** Number of the first event of payment 0. Each payment has two events. */
  firstEvent: number
  /** Time of a payment, by its number from 0. Payments are spread evenly over the days, which end an hour ago. */
  timeOf(payment: number): string
  paymentId(payment: number): number
}

export interface PaymentSetOptions {
  organisationId: number
  accounts: number
  payments: number
  days?: number
}

const AMOUNT = 1_00
const FUNDS = 10_000_000_00
/** A slot that no lane takes. */
const SLOT = 1_000_002
/** Payments in one statement, which must end within its time limit on a busy machine. */
const STEP = 20_000
/** Payments whose events are in one row. */
const PAGE = 100
const DAY_MS = 86_400_000

/**
 * Inserts accounts that are funded, and payments that they make in turn: payment `n` is of account `n % accounts`. The
 * number of payments is a multiple of 100.
 */
export async function insertPayments(database: Queryable, options: PaymentSetOptions): Promise<PaymentSet> {
  const { organisationId, accounts, payments, days = 10 } = options
  if (payments % PAGE !== 0) throw new Error(`${payments} is no multiple of ${PAGE}`)
  const first = await reserveIds(database, 5 * accounts + 4 * payments + 4)
  const startMs = Date.now() - days * DAY_MS - DAY_MS / 24
  const places: Places = {
    organisationId,
    accounts,
    payments,
    customers: first + 1,
    firstAccount: first + 1 + accounts,
    firstExternal: first + 1 + 2 * accounts,
    fundings: evenFrom(first + 1 + 3 * accounts),
    firstPayment: evenFrom(first + 1 + 3 * accounts) + 2 * accounts,
    clearing: -first,
    startMs,
    stepMs: (days * DAY_MS) / payments,
  }
  await insertAccounts(database, places)
  const [firstEvent] = await Promise.all([insertEvents(database, places), insertRows(database, places)])
  return {
    organisationId,
    firstAccount: places.firstAccount,
    firstExternal: places.firstExternal,
    accounts,
    payments,
    firstEvent,
    timeOf: (payment) => new Date(startMs + Math.floor(payment * places.stepMs)).toISOString(),
    paymentId: (payment) => places.firstPayment + 4 * payment,
  }
}

interface Places {
  organisationId: number
  accounts: number
  payments: number
  customers: number
  firstAccount: number
  firstExternal: number
  fundings: number
  /** Payment `n` has the id `firstPayment + 4 * n`; those of the two sides of its transfer are 2 and 3 greater. */
  firstPayment: number
  clearing: number
  startMs: number
  stepMs: number
}

async function reserveIds(database: Queryable, count: number): Promise<number> {
  const [row] = await database.query<{ last: number }>(
    `select setval('record_id', nextval('record_id') + ceil($1::numeric / 100)::bigint * 100) as last`,
    [count],
  )
  return (row?.last ?? 0) - Math.ceil(count / 100) * 100
}

function evenFrom(id: number): number {
  return id + (id % 2)
}

/** The time of payment `n`. */
const timeOf = (start: string, step: string) =>
  `timestamptz 'epoch' + floor(${start}::numeric + n * ${step}::numeric) * interval '1 millisecond'`

/** The accounts, each with a customer, an external account and a transfer that funds it, and the internal account on the other side. */
async function insertAccounts(database: Queryable, places: Places): Promise<void> {
  const { organisationId, accounts, payments, customers, firstAccount, firstExternal, fundings, clearing, startMs } =
    places
  const start = `timestamptz 'epoch' + floor($1::numeric) * interval '1 millisecond'`
  await database.query(
    `insert into customer (id, organisation_id, created_at, name, status)
     select $2::bigint + n, $3::bigint, ${start}, 'Customer ' || n, 'Active' from generate_series(0, $4::bigint - 1) n`,
    [startMs, customers, organisationId, accounts],
  )
  await database.query(
    `insert into account (id, organisation_id, customer_id, created_at, name, status, balance, seq, posted_at)
     select $2::bigint + n, $3::bigint, $4::bigint + n, ${start}, 'Customer ' || n, 'Open', $7::bigint - $8::bigint * paid,
       1 + paid, ${start} + interval '1 day'
     from (select n, $6::bigint / $5 + case when n < $6 % $5 then 1 else 0 end as paid
           from generate_series(0, $5::bigint - 1) n) p`,
    [startMs, firstAccount, organisationId, customers, accounts, payments, FUNDS, AMOUNT],
  )
  await database.query(
    `insert into external_account
       (id, organisation_id, customer_id, created_at, name, routing_number, account_number, account_type, type, bank)
     select $2::bigint + n, $3::bigint, $4::bigint + n, ${start}, 'Landlord', '021000021', '1000000001', 'Checking',
       'Business', 'JPMorgan Chase Bank, N.A.'
     from generate_series(0, $5::bigint - 1) n`,
    [startMs, firstExternal, organisationId, customers, accounts],
  )
  await database.query(
    `insert into account (id, organisation_id, created_at, name, status, kind, slot, balance, seq, posted_at)
     values ($2::bigint, $3::bigint, ${start}, 'ACH clearing', 'Open', 'ach_clearing', $4::int,
       $7::bigint * $6::bigint - $8::bigint * $5::bigint, $5::bigint + $6::bigint, ${start} + interval '1 day')`,
    [startMs, clearing, organisationId, SLOT, accounts, payments, AMOUNT, FUNDS],
  )
  await database.query(
    `insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id,
       credit_seq, credit_balance, amount, source_kind, party, description, created_at)
     select $2::bigint + 2 * n, $3::bigint, $4::bigint, n + 1, -$7::bigint * (n + 1), $5::bigint + n, 1, $7, $7,
       'received_ach', 'Employer', 'Salary', ${start}
     from generate_series(0, $6::bigint - 1) n`,
    [startMs, fundings, organisationId, clearing, firstAccount, accounts, FUNDS],
  )
}

async function insertRows(database: Queryable, places: Places): Promise<void> {
  for (let from = 0; from < places.payments; from += STEP) {
    const to = Math.min(from + STEP, places.payments) - 1
    await Promise.all([
      insertTransfers(database, places, from, to),
      insertPaymentRows(database, places, from, to),
      insertAnswers(database, places, from, to),
    ])
  }
}

async function insertTransfers(database: Queryable, places: Places, from: number, to: number): Promise<void> {
  const { organisationId, accounts, firstAccount, firstPayment, clearing, startMs, stepMs } = places
  await database.query(
    `insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id,
       credit_seq, credit_balance, amount, source_kind, source_id, created_at)
     select $3::bigint + 4 * n + 2, $4::bigint, $5::bigint + n % $6::bigint, n / $6 + 2,
       $8::bigint - $9::bigint * (n / $6 + 1), $7::bigint, $6 + n + 1, $9 * (n + 1) - $8 * $6, $9, 'payment',
       $3 + 4 * n, ${timeOf('$1', '$2')}
     from generate_series($10::bigint, $11::bigint) n`,
    [startMs, stepMs, firstPayment, organisationId, firstAccount, accounts, clearing, FUNDS, AMOUNT, from, to],
  )
}

async function insertPaymentRows(database: Queryable, places: Places, from: number, to: number): Promise<void> {
  const { organisationId, accounts, firstAccount, firstExternal, customers, firstPayment, startMs, stepMs } = places
  await database.query(
    `insert into payment (id, organisation_id, account_id, customer_id, type, direction, status, amount, description,
       original_type, created_at, external_account_id, counterparty_name, counterparty_routing_number,
       counterparty_account_number, counterparty_account_type)
     select $3::bigint + 4 * n, $4::bigint, $5::bigint + n % $6::bigint, $7::bigint + n % $6, 'achPayment', 'Credit', 'Sent',
       $8::bigint, 'Rent', 'ACH', ${timeOf('$1', '$2')}, $11::bigint + n % $6, 'Landlord', '021000021', '1000000001', 'Checking'
     from generate_series($9::bigint, $10::bigint) n`,
    [startMs, stepMs, firstPayment, organisationId, firstAccount, accounts, customers, AMOUNT, from, to, firstExternal],
  )
}

async function insertAnswers(database: Queryable, places: Places, from: number, to: number): Promise<void> {
  const { organisationId, firstPayment, startMs, stepMs } = places
  await database.query(
    `insert into answer (organisation_id, key_hash, fingerprint, status, body, created_at, payment_id)
     select $4::bigint, sha256(id::text::bytea), sha256(id::text::bytea), 201, '', ${timeOf('$1', '$2')}, id
     from (select n, $3::bigint + 4 * n as id from generate_series($5::bigint, $6::bigint) n) p`,
    [startMs, stepMs, firstPayment, organisationId, from, to],
  )
}

/** Two events a payment, numbered after those that there are, and without the data. Returns the number of the first. */
async function insertEvents(database: Queryable, places: Places): Promise<number> {
  const { organisationId, payments, firstPayment, startMs, stepMs } = places
  const [counter] = await database.query<{ sequence: number }>(
    `insert into event_counter as c (organisation_id, sequence) values ($1::bigint, $2::bigint)
     on conflict (organisation_id) do update set sequence = c.sequence + excluded.sequence returning sequence`,
    [organisationId, 2 * payments],
  )
  const before = (counter?.sequence ?? 0) - 2 * payments
  for (let from = 0; from < payments; from += STEP) {
    await database.query(
      `insert into event_page (organisation_id, last, count, created_at, events, timed)
       select $4::bigint, $5::bigint + 2 * $8::int * (n / $8 + 1), 2 * $8, max(${timeOf('$1', '$2')}),
         string_agg('payment.created' || e'\x1f' || $3::bigint + 4 * n || e'\x1f1\x1f\x1f1\x1frequest\x1f\x1e'
           || 'transaction.created' || e'\x1f' || $3 + 4 * n + 2 || e'\x1f1\x1f\x1f1\x1frequest\x1f', e'\x1e' order by n),
         true
       from generate_series($6::bigint, $7::bigint) n group by n / $8`,
      [startMs, stepMs, firstPayment, organisationId, before, from, Math.min(from + STEP, payments) - 1, PAGE],
    )
  }
  return before + 1
}
