import { COUNTED_ROWS } from '../../base/page.ts'
import type { Queryable } from '../../database/database.ts'
import {
  countLimit,
  countStatement,
  type ListWindow,
  named,
  newestFirst,
  pageMembers,
  totalBy,
} from '../../database/lists.ts'
import type { SourceKind } from '../../ledger/records.ts'
import { type PaymentPart, paymentPartJson } from '../records/payment-columns.ts'

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
export const debitSide = side('debit', 'credit')
export const creditSide = side('credit', 'debit')

/** The kinds of transfers whose source is a payment. */
export const paymentKinds = `'payment', 'payment_return', 'payment_release', 'debit', 'debit_return', 'reward', 'reward_clawback'`

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
    select * from payment where id = x.source_id and x.source_kind in (${paymentKinds}) offset 0) p on true
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
  fromAmount: number | null
  toAmount: number | null
}

const isOfAmount = (amount: string) =>
  `($fromAmount::bigint is null or ${amount} >= $fromAmount) and ($toAmount::bigint is null or ${amount} <= $toAmount)`

/** The order of a list statement, and whether its rows come after the position of a page. */
interface Order {
  ascending: boolean
  placed: boolean
}

/** Chooses among the texts of a list statement, which are made once. */
function textsOf(make: (order: Order) => string): (page: ListWindow) => string {
  const both = (placed: boolean) => [make({ ascending: false, placed }), make({ ascending: true, placed })] as const
  const [first, later] = [both(false), both(true)]
  return ({ ascending, after }) => (after ? later : first)[ascending ? 1 : 0]
}

/** The sequence numbers of the transfers of account `a` between `since` and `until`: greater than `low`, at most `high`. */
const bounds = `
  select case when $until::timestamptz is null then a.seq else seq_before(a.id, $until) end as high,
    case when $since::timestamptz is null then 0 else seq_before(a.id, $since + interval '1 microsecond') end as low`

/** The sequence number of the transaction at the position of a page, on account `a`; null if it is on another one. */
const placedSeq = `(select case $afterId::bigint % 2 when 0 then t.debit_seq else t.credit_seq end from transfer t
  where t.id = $afterId::bigint - $afterId::bigint % 2
    and a.id = case $afterId::bigint % 2 when 0 then t.debit_account_id else t.credit_account_id end)`

/** The bounds of one account's list. After the transaction of another account there is nothing. */
const boundOfAccount = ({ ascending, placed }: Order) => {
  const low = placed && ascending ? `greatest(b.low, coalesce(${placedSeq}, b.high))` : 'b.low'
  const high = placed && !ascending ? `least(b.high, coalesce(${placedSeq}, 0) - 1)` : 'b.high'
  return `bound as materialized (
    select ${low} as low, ${high} as high from account a cross join lateral (${bounds}) b
    where a.id = $accountId::bigint and a.organisation_id = $organisationId::bigint)`
}

/** Lists one account's transactions. Sequence numbers have no gaps, so a page is an index range at any offset. */
export function listOfAccount(
  database: Queryable,
  filter: TransactionFilter & { accountId: number },
  page: ListWindow,
): Promise<TransactionRow[]> {
  return database.query(...named(ofAccount(page), pageMembers(page), filter))
}

const ofAccount = textsOf((order) => {
  const range = order.ascending
    ? 'select low + $offset::bigint + 1 as first, least(high, low + $offset::bigint + $take::bigint) as last from bound'
    : 'select greatest(low, high - $offset::bigint - $take::bigint) + 1 as first, high - $offset::bigint as last from bound'
  const within = 'between (select first from range) and (select last from range)'
  return `with ${boundOfAccount(order)}, range as materialized (${range})
  ${shown(
    `${debitSide} where t.debit_account_id = $accountId and t.debit_seq ${within}
     union all
     ${creditSide} where t.credit_account_id = $accountId and t.credit_seq ${within}`,
    order.ascending ? 'x.seq' : 'x.seq desc',
  )}`
})

/** Lists one account's credits or debits, along the index of that side. */
export function listOfAccountSide(
  database: Queryable,
  filter: TransactionFilter & { accountId: number; direction: 'Credit' | 'Debit' },
  page: ListWindow,
): Promise<TransactionRow[]> {
  const text = filter.direction === 'Debit' ? debitsOfAccount : creditsOfAccount
  return database.query(...named(text(page), pageMembers(page), filter))
}

const sideOfAccount = (own: 'debit' | 'credit') =>
  textsOf((order) => {
    const bySeq = order.ascending ? 'seq' : 'seq desc'
    return `with ${boundOfAccount(order)}
     ${shown(
       `${own === 'debit' ? debitSide : creditSide}
        where t.${own}_account_id = $accountId and t.${own}_seq > (select low from bound) and t.${own}_seq <= (select high from bound)
        order by t.${own}_${bySeq} limit $take offset $offset`,
       `x.${bySeq}`,
     )}`
  })
const debitsOfAccount = sideOfAccount('debit')
const creditsOfAccount = sideOfAccount('credit')

/**
 * Lists the transactions of several accounts by time. Of each account only its newest (or oldest) `take + offset` can be
 * on the page, and those of the same millisecond as the last of them; with a direction or an amount, all of them can. Without such a
 * last one the bound is null, which `greatest` and `least` ignore.
 */
export function listOfAccounts(
  database: Queryable,
  filter: TransactionFilter & { accountIds: number[]; direction: 'Credit' | 'Debit' | null },
  page: ListWindow,
): Promise<TransactionRow[]> {
  const { direction, fromAmount, toAmount } = filter
  const isWhole = direction === null && fromAmount === null && toAmount === null
  const reach = isWhole ? page.take + page.offset : null
  return database.query(...named(ofAccounts(page), pageMembers(page), { reach }, filter))
}

/** The sequence numbers that can be on a page. With a position, `take + offset` are counted from the time before it. */
const cutOf = ({ ascending, placed }: Order) => {
  const before = (time: string) => `seq_before(a.id, ${time})`
  const upTo = (time: string) => `seq_before(a.id, ${time} + interval '1 microsecond')`
  const time = '$afterTime::timestamptz'
  if (ascending) {
    const from = placed ? `greatest(b.low, ${upTo(time)})` : 'b.low'
    const low = placed ? `greatest(b.low, ${before(time)})` : 'b.low'
    return `select ${low} as low, least(b.high, ${upTo(`posted_at(a.id, ${from} + $reach::bigint)`)}) as high`
  }
  const from = placed ? `least(b.high, ${before(time)})` : 'b.high'
  const high = placed ? `least(b.high, ${upTo(time)})` : 'b.high'
  return `select greatest(b.low, ${before(`posted_at(a.id, ${from} - $reach::bigint + 1)`)}) as low, ${high} as high`
}

const ofAccounts = textsOf((order) => {
  const direction = order.ascending ? '' : ' desc'
  const placed = `and (s.created_at, s.id) ${order.ascending ? '>' : '<'} ($afterTime::timestamptz, $afterId::bigint)`
  return shown(
    `select s.* from account a
     cross join lateral (${bounds}) b
     cross join lateral (${cutOf(order)}) c
     cross join lateral (
       ${debitSide} where t.debit_account_id = a.id and t.debit_seq > c.low and t.debit_seq <= c.high
       union all
       ${creditSide} where t.credit_account_id = a.id and t.credit_seq > c.low and t.credit_seq <= c.high) s
     where a.id = any($accountIds::bigint[]) and a.organisation_id = $organisationId::bigint
       and ($direction::text is null or s.direction = $direction) and ${isOfAmount('s.amount')}
       ${order.placed ? placed : ''}
     order by s.created_at${direction}, s.id${direction} limit $take offset $offset`,
    `x.created_at${direction}, x.id${direction}`,
  )
})

/** Lists an organisation's transactions, along the index of the organisation. */
export function listOfOrganisation(
  database: Queryable,
  filter: TransactionFilter & { direction: 'Credit' | 'Debit' | null },
  page: ListWindow,
): Promise<TransactionRow[]> {
  return database.query(...named(ofOrganisation(page), pageMembers(page), filter))
}

const ofOrganisation = textsOf(({ ascending, placed }) => {
  const direction = ascending ? '' : ' desc'
  const beyond = ascending ? '>' : '<'
  // The first condition is a range of the index; the second decides between the two sides of the transfer at the position.
  const position = `and (t.created_at, t.id) ${beyond}= ($afterTime::timestamptz, $afterId::bigint - $afterId::bigint % 2)
       and (t.created_at, t.id + s.side) ${beyond} ($afterTime::timestamptz, $afterId::bigint)`
  return shown(
    `select t.id + s.side as id, t.organisation_id, s.account_id, s.balance, s.direction, t.amount, t.created_at,
       t.source_kind, t.source_id, t.party, t.description, s.other_id
     from transfer t
     cross join lateral (values
       (0, t.debit_account_id, t.debit_balance, 'Debit', t.credit_account_id),
       (1, t.credit_account_id, t.credit_balance, 'Credit', t.debit_account_id)
     ) s (side, account_id, balance, direction, other_id)
     where t.organisation_id = $organisationId::bigint and s.account_id > 0
       and ($since::timestamptz is null or t.created_at > $since)
       and ($until::timestamptz is null or t.created_at < $until)
       and ($direction::text is null or s.direction = $direction) and ${isOfAmount('t.amount')} ${placed ? position : ''}
     order by t.created_at${direction}, t.id${direction}, s.side${direction} limit $take offset $offset`,
    `x.created_at${direction}, x.id${direction}`,
  )
})

/** Counts the transactions of accounts: from their sequence numbers or, with a direction, along the index of that side. */
export function countOfAccounts(
  transaction: Queryable,
  filter: TransactionFilter & { accountIds: number[]; direction: 'Credit' | 'Debit' | null },
): Promise<string> {
  const { direction, fromAmount, toAmount } = filter
  const isOfAmount = fromAmount !== null || toAmount !== null
  const text = isOfAmount
    ? countAmounts
    : direction === null
      ? countBySeq
      : direction === 'Debit'
        ? countDebits
        : countCredits
  return totalBy(transaction, text, filter)
}

const accountBounds = (inside: string) => `account a cross join lateral (${bounds}) b ${inside}
  where a.id = any($accountIds::bigint[]) and a.organisation_id = $organisationId::bigint`
const countBySeq = `select n.all as looked, n.all as matching
  from (select least(coalesce(sum(greatest(b.high - b.low, 0)), 0), ${COUNTED_ROWS})::int as all from ${accountBounds('')}) n`
const countSide = (own: 'debit' | 'credit') =>
  countStatement(
    accountBounds(`cross join lateral (
      select 1 from transfer t where t.${own}_account_id = a.id and t.${own}_seq > b.low and t.${own}_seq <= b.high
      order by t.${own}_seq desc ${countLimit}) s`),
  )
/** The newest of each side of each account, so that no account is read beyond what is counted. */
const newestSide = (own: 'debit' | 'credit', direction: string) =>
  `(select t.created_at, t.amount, '${direction}' as direction from transfer t
    where t.${own}_account_id = a.id and t.${own}_seq > b.low and t.${own}_seq <= b.high order by t.${own}_seq desc ${countLimit})`
const countAmounts = `select count(*)::int as looked,
    (count(*) filter (where ($direction::text is null or n.direction = $direction) and ${isOfAmount('n.amount')}))::int as matching
  from (
    select s.* from ${accountBounds(`cross join lateral (${newestSide('debit', 'Debit')} union all ${newestSide('credit', 'Credit')}) s`)}
    ${countLimit}) n`
const countDebits = countSide('debit')
const countCredits = countSide('credit')

/** Counts an organisation's transactions, along the index of the organisation: of each transfer the sides of customers. */
export function countOfOrganisation(
  transaction: Queryable,
  filter: TransactionFilter & { direction: 'Credit' | 'Debit' | null },
): Promise<string> {
  return totalBy(transaction, countSides, filter)
}

const countSides = `
  select count(*)::int as looked,
    (count(*) filter (where t.debit_account_id > 0 and $direction::text is distinct from 'Credit' and ${isOfAmount('t.amount')})
      + count(*) filter (where t.credit_account_id > 0 and $direction::text is distinct from 'Debit' and ${isOfAmount('t.amount')})
    )::int as matching
  from (
    select debit_account_id, credit_account_id, amount from transfer
    where organisation_id = $organisationId::bigint and created_at > coalesce($since::timestamptz, '-infinity')
      and created_at < coalesce($until::timestamptz, 'infinity')
    ${newestFirst} ${countLimit}) t`
