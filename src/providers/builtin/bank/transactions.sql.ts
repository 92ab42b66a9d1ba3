import type { Queryable } from '../../../database/database.ts'
import { type PaymentPart, paymentPartJson } from '../../../ledger/payment-columns.ts'
import type { SourceKind } from '../../../ledger/records.ts'

/** One side of a transfer, with the account on its other side. */
export interface TransactionRow {
  id: number
  organisationId: number
  accountId: number
  customerId: number
  amount: number
  direction: 'Credit' | 'Debit'
  balance: number
  createdAt: string
  sourceKind: SourceKind
  party: string | null
  description: string | null
  /** The payment that caused the transfer, if any. */
  payment: PaymentPart | null
  other: { id: number; customerId: number | null; name: string; accountNumber: string }
}

const side = (own: 'debit' | 'credit', other: 'debit' | 'credit') => `
  select t.id + ${own === 'debit' ? 0 : 1} as id, t.organisation_id, t.${own}_account_id as account_id, t.${own}_seq as seq,
    t.${own}_balance as balance, '${own === 'debit' ? 'Debit' : 'Credit'}' as direction, t.amount, t.created_at,
    t.source_kind, t.source_id, t.party, t.description, t.${other}_account_id as other_id
  from transfer t`
const debitSide = side('debit', 'credit')
const creditSide = side('credit', 'debit')

/**
 * Adds accounts and payments to a page of sides. `offset 0` keeps each join a look-up per row: the planner expects
 * thousands of rows and would read whole tables to hash them.
 */
const shown = (page: string, order: string) => `
  select x.id, x.organisation_id as "organisationId", x.account_id as "accountId", a.customer_id as "customerId", x.amount,
    x.direction, x.balance, x.created_at as "createdAt", x.source_kind as "sourceKind", x.party, x.description,
    case when p.id is not null then ${paymentPartJson('p')} end as payment,
    json_build_object('id', o.id, 'customerId', o.customer_id, 'name', o.name, 'accountNumber', o.account_number) as other
  from (${page}) x
  cross join lateral (select customer_id from account where id = x.account_id offset 0) a
  cross join lateral (select id, customer_id, name, account_number from account where id = x.other_id offset 0) o
  left join lateral (
    select * from payment where id = x.source_id and x.source_kind in ('payment', 'payment_return', 'reward', 'reward_clawback') offset 0) p on true
  order by ${order}`

export async function findTransaction(
  database: Queryable,
  organisationId: number,
  transactionId: number,
): Promise<TransactionRow | undefined> {
  const text = transactionId % 2 === 0 ? debitById : creditById
  const [row] = await database.query<TransactionRow>(text, [organisationId, transactionId - (transactionId % 2)])
  return row
}

const byId = (sideText: string) =>
  shown(`${sideText} where t.organisation_id = $1::bigint and t.id = $2::bigint`, 'x.id')
const debitById = byId(debitSide)
const creditById = byId(creditSide)

export interface TransactionFilter {
  organisationId: number
  since: string | null
  until: string | null
}

export interface TransactionPage {
  take: number
  offset: number
  ascending: boolean
}

/** The sequence numbers of an account's transfers between `since` and `until`: greater than `low`, at most `high`. */
const bounds = (account: string, since: string, until: string) => `
  select case when ${until}::timestamptz is null then ${account}.seq else seq_before(${account}.id, ${until}) end as high,
    case when ${since}::timestamptz is null then 0 else seq_before(${account}.id, ${since} + interval '1 microsecond') end as low`

/** Lists one account's transactions. Sequence numbers have no gaps, so a page is an index range at any offset. */
export function listOfAccount(
  database: Queryable,
  filter: TransactionFilter & { accountId: number },
  page: TransactionPage,
): Promise<TransactionRow[]> {
  return database.query(page.ascending ? accountAscending : accountDescending, [
    filter.accountId,
    filter.organisationId,
    filter.since,
    filter.until,
    page.take,
    page.offset,
  ])
}

const ofAccount = (range: string, order: string) => `
  with bound as materialized (
    select b.* from account a cross join lateral (${bounds('a', '$3', '$4')}) b
    where a.id = $1::bigint and a.organisation_id = $2::bigint),
  range as materialized (${range})
  ${shown(
    `${debitSide} where t.debit_account_id = $1 and t.debit_seq between (select first from range) and (select last from range)
     union all
     ${creditSide} where t.credit_account_id = $1 and t.credit_seq between (select first from range) and (select last from range)`,
    order,
  )}`
const accountDescending = ofAccount(
  'select greatest(low, high - $6::bigint - $5::bigint) + 1 as first, high - $6::bigint as last from bound',
  'x.seq desc',
)
const accountAscending = ofAccount(
  'select low + $6::bigint + 1 as first, least(high, low + $6::bigint + $5::bigint) as last from bound',
  'x.seq',
)

/** Lists one account's credits or debits, along the index of that side. */
export function listOfAccountSide(
  database: Queryable,
  filter: TransactionFilter & { accountId: number; direction: 'Credit' | 'Debit' },
  page: TransactionPage,
): Promise<TransactionRow[]> {
  const own = filter.direction === 'Debit' ? 'debit' : 'credit'
  const order = page.ascending ? 'seq' : 'seq desc'
  return database.query(
    `with bound as materialized (
       select b.* from account a cross join lateral (${bounds('a', '$3', '$4')}) b
       where a.id = $1::bigint and a.organisation_id = $2::bigint)
     ${shown(
       `${own === 'debit' ? debitSide : creditSide}
        where t.${own}_account_id = $1 and t.${own}_seq > (select low from bound) and t.${own}_seq <= (select high from bound)
        order by t.${own}_${order} limit $5 offset $6`,
       `x.${order}`,
     )}`,
    [filter.accountId, filter.organisationId, filter.since, filter.until, page.take, page.offset],
  )
}

/**
 * Lists the transactions of several accounts by time. Of each account only its newest (or oldest) `take + offset` can be
 * on the page, and those of the same millisecond as the last of them; with a direction, all of them can. Without such a
 * last one the bound is null, which `greatest` and `least` ignore.
 */
export function listOfAccounts(
  database: Queryable,
  filter: TransactionFilter & { accountIds: number[]; direction: 'Credit' | 'Debit' | null },
  page: TransactionPage,
): Promise<TransactionRow[]> {
  return database.query(page.ascending ? mergedAscending : mergedDescending, [
    filter.accountIds,
    filter.organisationId,
    filter.since,
    filter.until,
    page.take,
    page.offset,
    filter.direction,
    filter.direction === null ? page.take + page.offset : null,
  ])
}

const merged = (cut: string, order: string) =>
  shown(
    `select s.* from account a
     cross join lateral (${bounds('a', '$3', '$4')}) b
     cross join lateral (${cut}) c
     cross join lateral (
       ${debitSide} where t.debit_account_id = a.id and t.debit_seq > c.low and t.debit_seq <= c.high
       union all
       ${creditSide} where t.credit_account_id = a.id and t.credit_seq > c.low and t.credit_seq <= c.high) s
     where a.id = any($1::bigint[]) and a.organisation_id = $2::bigint and ($7::text is null or s.direction = $7)
     order by ${order} limit $5 offset $6`,
    order.replaceAll('s.', 'x.'),
  )
const mergedDescending = merged(
  'select greatest(b.low, seq_before(a.id, posted_at(a.id, b.high - $8::bigint + 1))) as low, b.high',
  's.created_at desc, s.id desc',
)
const mergedAscending = merged(
  `select b.low, least(b.high, seq_before(a.id, posted_at(a.id, b.low + $8::bigint) + interval '1 microsecond')) as high`,
  's.created_at, s.id',
)

/** Lists an organisation's transactions, along the index of the organisation. */
export function listOfOrganisation(
  database: Queryable,
  filter: TransactionFilter & { direction: 'Credit' | 'Debit' | null },
  page: TransactionPage,
): Promise<TransactionRow[]> {
  return database.query(page.ascending ? organisationAscending : organisationDescending, [
    filter.organisationId,
    filter.since,
    filter.until,
    page.take,
    page.offset,
    filter.direction,
  ])
}

const ofOrganisation = (direction: '' | 'desc') =>
  shown(
    `select t.id + s.side as id, t.organisation_id, s.account_id, s.balance, s.direction, t.amount, t.created_at,
       t.source_kind, t.source_id, t.party, t.description, s.other_id
     from transfer t
     cross join lateral (values
       (0, t.debit_account_id, t.debit_balance, 'Debit', t.credit_account_id),
       (1, t.credit_account_id, t.credit_balance, 'Credit', t.debit_account_id)
     ) s (side, account_id, balance, direction, other_id)
     where t.organisation_id = $1::bigint and s.account_id > 0
       and ($2::timestamptz is null or t.created_at > $2) and ($3::timestamptz is null or t.created_at < $3)
       and ($6::text is null or s.direction = $6)
     order by t.created_at ${direction}, t.id ${direction}, s.side ${direction} limit $4 offset $5`,
    `x.created_at ${direction}, x.id ${direction}`,
  )
const organisationDescending = ofOrganisation('desc')
const organisationAscending = ofOrganisation('')
