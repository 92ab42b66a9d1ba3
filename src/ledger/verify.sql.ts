import type { Queryable } from '../database/database.ts'

/** Both sides of every transfer: one row for each account. */
export const sides = `
  select t.id, t.organisation_id, t.debit_account_id as account_id, t.debit_seq as seq, -t.amount as change,
    t.debit_balance as balance, t.created_at
  from transfer t
  union all
  select t.id + 1, t.organisation_id, t.credit_account_id, t.credit_seq, t.amount, t.credit_balance, t.created_at
  from transfer t`

/** The tables whose ids come from the sequence `record_id`, besides `transfer`, which takes two neighbouring ids a row. */
export const recordTables = [
  'organisation',
  'api_key',
  'customer',
  'application',
  'document',
  'account',
  'external_account',
  'payment',
  'card',
  'card_authorization',
  'account_hold',
  'statement',
  'merchant',
  'offer',
  'webhook_endpoint',
  'ach_file',
  'ach_batch',
  'received_payment',
  'ach_exception',
]
// Internal accounts have negative ids.
const recordIds = recordTables
  .map((table) => `select '${table}' as record, abs(id) as id from ${table}`)
  .join(' union all ')

/** The law about sequences, for rows of `sides` and rows without an id, which are the state that an account begins with. */
export const chainOf = (rows: string) => `
    select * from (
      select id, account_id, seq, balance, created_at,
        lag(seq, 1, 0::bigint) over account as seq_before,
        lag(balance, 1, 0::bigint) over account + change as balance_expected,
        lag(created_at, 1, created_at) over account as created_before
      from (${rows}) s
      window account as (partition by account_id order by seq)
    ) chain
    where id is not null and (seq <> seq_before + 1 or balance <> balance_expected or created_at < created_before)`

/** Rows with values that the ledger does not write. */
export const ledgerValues = `
    select 'account' as "table", id::text from account
    where status not in ('Open', 'Frozen', 'Closed') or close_reason not in ('ByCustomer', 'Fraud', 'NegativeBalance')
      or kind not in ('ach_clearing', 'ach_settlement', 'ach_suspense', 'ach_write_off', 'card_settlement', 'rewards_funding') or account_number !~ '^[0-9]{10,12}$'
    union all
    select 'transfer', id::text from transfer
    where source_kind not in ('payment', 'payment_return', 'payment_release', 'ach_settlement', 'ach_return', 'ach_exception', 'ach_resolution', 'received_ach',
      'received_ach_return', 'card_settlement', 'card_refund', 'reward',
      'reward_clawback')
    union all
    select 'payment', id::text from payment
    where status not in ('Sent', 'Returned') and case when cutoff_at is null
        then first_status is distinct from 'PendingReview' or status not in ('PendingReview', 'Canceled', 'Rejected')
        else status not in ('Pending', 'Clearing', 'Canceled', 'Rejected') end
      or review_note is not null and first_status is distinct from 'PendingReview'
      or (cutoff_at is null) <> (settles_at is null) or (ach_file_id is null) <> (trace_number is null)
      or (status in ('Clearing', 'Sent', 'Returned', 'Rejected') and cutoff_at is not null) <> (ach_file_id is not null)
      or (type, direction) not in (('achPayment', 'Credit'), ('bookPayment', 'Credit'), ('bookPayment', 'Debit'))
      or (type, direction) = ('bookPayment', 'Credit') and (status <> 'Sent' or cutoff_at is not null or destination_account_id is null)
      or length(description) not between 1 and case original_type when 'BOOK' then 50 else 10 end or length(addenda) not between 1 and 80`
export const answerValues = `
    select 'answer' as "table", encode(key_hash, 'hex') as id from answer
    where length(key_hash) not in (16, 32, 33) or length(fingerprint) <> 32`

/**
 * The days on which the usage of an account with limits differs from the payments of the day that count; with a condition on
 * the day, only some days.
 */
export const usageLaw = (condition = 'true') => `
    select account_id, day::text as day, u.amount as used, p.amount as paid
    from (
      select u.account_id, u.day, u.amount from payment_usage u join account a on a.id = u.account_id
      where u.day >= (a.limits ->> 'since')::date and ${condition}) u
    full join (
      select p.account_id, p.day, sum(p.amount)::bigint as amount
      from (
        select account_id, (created_at at time zone 'UTC')::date as day, amount from payment
        where type = 'achPayment' and status not in ('Canceled', 'Rejected')) p
      join account a on a.id = p.account_id
      where p.day >= (a.limits ->> 'since')::date and ${condition}
      group by p.account_id, p.day) p using (account_id, day)
    where coalesce(u.amount, 0) <> coalesce(p.amount, 0)`

/** The same for organisations: the sum of the shares of a day or month differs from the payments that count. */
export const organisationUsageLaw = (condition = 'true') => `
    select organisation_id, period, u.used, p.amount as paid
    from (
      select u.organisation_id, u.period, sum(u.used)::bigint as used
      from organisation_usage u join organisation o on o.id = u.organisation_id
      where (o.limits ->> 'enforced')::boolean and u.period >= left(o.limits ->> 'since', length(u.period)) and ${condition}
      group by u.organisation_id, u.period) u
    full join (
      select p.organisation_id, p.period, sum(p.amount)::bigint as amount
      from (
        select organisation_id, amount, unnest(array[
          to_char(created_at at time zone 'UTC', 'YYYY-MM-DD'), to_char(created_at at time zone 'UTC', 'YYYY-MM')]) as period
        from payment
        where type = 'achPayment' and status not in ('Canceled', 'Rejected')) p
      join organisation o on o.id = p.organisation_id
      where (o.limits ->> 'enforced')::boolean and p.period >= left(o.limits ->> 'since', length(p.period)) and ${condition}
      group by p.organisation_id, p.period) p using (organisation_id, period)
    where coalesce(u.used, 0) <> coalesce(p.amount, 0)`

/**
 * The laws of the ledger, each with a statement that selects the rows that break it. Tables are joined by equality only,
 * so that they can be hashed: with `hashTables` every statement takes time in proportion to its rows, also where PostgreSQL
 * has no statistics and would otherwise compare each row of a table with each row of another.
 */
export const laws = {
  'balances sum to zero in every organisation': `
    select organisation_id, sum(balance)::text as sum from account group by organisation_id having sum(balance) <> 0`,

  'sequences have no gap, every balance follows from the one before, and time never falls': chainOf(sides),

  'an account has the balance and the sequence number of its last transfer': `
    select a.id, a.seq, a.balance, s.last_seq, s.balance as balance_at_seq
    from account a
    left join (
      select x.account_id, max(x.seq) as last_seq, max(x.balance) filter (where x.seq = o.seq) as balance
      from (${sides}) x join account o on o.id = x.account_id group by x.account_id) s on s.account_id = a.id
    where a.seq <> coalesce(s.last_seq, 0) or a.balance <> coalesce(s.balance, 0)`,

  'a transfer is between two existing accounts of its organisation': `
    select t.id from transfer t
    left join account d on d.id = t.debit_account_id and d.organisation_id = t.organisation_id
    left join account c on c.id = t.credit_account_id and c.organisation_id = t.organisation_id
    where d.id is null or c.id is null`,

  // No foreign keys: PostgreSQL would check them with every posting.
  'an account has its organisation and its customer, a card and a statement have their account': `
    select 'account' as "table", a.id from account a
    left join customer c on c.id = a.customer_id and c.organisation_id = a.organisation_id
    left join organisation o on o.id = a.organisation_id
    where o.id is null or a.id > 0 and c.id is null
    union all
    select 'card', k.id from card k
    left join account a on a.id = k.account_id and a.organisation_id = k.organisation_id and a.customer_id = k.customer_id
    where a.id is null
    union all
    select 'statement', s.id from statement s
    left join account a on a.id = s.account_id and a.organisation_id = s.organisation_id and a.customer_id = s.customer_id
    where a.id is null`,

  'an account holds what its open authorizations and its active holds hold': `
    select coalesce(a.id, c.account_id) as id, a.hold, coalesce(c.held, 0) as held
    from account a
    full join (
      select account_id, sum(held)::bigint as held
      from (
        select account_id, greatest(0, amount - settled) as held from card_authorization where status = 'Authorized'
        union all
        select account_id, amount from account_hold where status = 'Active') x
      group by account_id) c on c.account_id = a.id
    where a.hold is distinct from coalesce(c.held, 0)`,

  'an authorization has settled and refunded what its transfers moved': `
    select c.id, c.settled, c.refunded
    from card_authorization c
    left join transfer t on t.source_id = c.id and t.source_kind in ('card_settlement', 'card_refund')
    group by c.id, c.settled, c.refunded
    having c.settled <> coalesce(sum(t.amount) filter (where t.source_kind = 'card_settlement'), 0)
      or c.refunded <> coalesce(sum(t.amount) filter (where t.source_kind = 'card_refund'), 0)`,

  'a payout reaches its account once': `
    select p.id, count(t.id) as credits from payment p
    left join transfer t on t.source_id = p.id and t.source_kind = 'reward' and t.amount = p.amount
      and t.credit_account_id = p.account_id and t.debit_account_id < 0
    where p.type = 'bookPayment' and p.direction = 'Debit' group by p.id having count(t.id) <> 1`,

  'a reward has paid out what its transfers left, and its shares are the commission': `
    select r.id, r.state, r.user_amount, r.issuer_amount, b.amount, b.refunded, moved.paid
    from reward r join rewardable_transaction b on b.id = r.rewardable_transaction_id
    left join (
      select source_id, sum(case source_kind when 'reward' then amount else -amount end) as paid
      from transfer where source_kind in ('reward', 'reward_clawback') group by source_id
    ) moved on moved.source_id = r.payout_payment_id
    where r.payout_payment_id is not null and (
      -- A payout by another bank is in that bank's ledger.
      (b.bank_account_id is null and coalesce(moved.paid, 0) <> r.user_amount) or (r.user_amount + r.issuer_amount)::numeric
        <> floor((b.amount - b.refunded)::numeric * r.total_basis_points / 10000))`,

  'every payment has one debit of its account, and a returned one has one return': `
    select p.id, p.status, coalesce(t.debits, 0) as debits, coalesce(t.returns, 0) as returns
    from payment p
    left join (
      select source_id, amount, account_id, count(*) filter (where source_kind = 'payment') as debits,
        count(*) filter (where source_kind = 'payment_return') as returns
      from (
        select source_id, amount, source_kind,
          case source_kind when 'payment' then debit_account_id else credit_account_id end as account_id
        from transfer where source_kind in ('payment', 'payment_return')) moved
      group by source_id, amount, account_id
    ) t on t.source_id = p.id and t.amount = p.amount and t.account_id = p.account_id
    where p.direction = 'Credit'
      and (coalesce(t.debits, 0) <> 1 or coalesce(t.returns, 0) <> case when p.status in ('Returned', 'Canceled', 'Rejected') then 1 else 0 end)`,

  'a payment that was reviewed has its decision, and reached its account here once': `
    select p.id, p.status, r.decision, coalesce(t.releases, 0) as releases
    from (
      select id, status, destination_account_id, review_note from payment
      where first_status = 'PendingReview' or status = 'PendingReview') p
    full join payment_review r on r.id = p.id
    left join (
      select source_id, count(*) as releases from transfer where source_kind = 'payment_release' group by source_id
    ) t on t.source_id = coalesce(p.id, r.id)
    where (p.status = 'PendingReview') is distinct from (r.decision is null)
      or (p.review_note is not null) is distinct from (coalesce(r.decision, '') in ('Approved', 'Rejected'))
      or coalesce(t.releases, 0) <> case when p.destination_account_id is null then 0 else 1 end`,

  'the usage of the limits of an account is the sum of its payments': usageLaw(),

  'the usage of the limits of an organisation is the sum of its payments': organisationUsageLaw(),

  'every transfer of a payment has its payment, and moves its amount between its accounts': `
    select t.id, t.source_kind, t.source_id from transfer t
    left join payment p on p.id = t.source_id
    where t.source_kind in ('payment', 'payment_return', 'payment_release') and (p.organisation_id, p.amount, case t.source_kind
      when 'payment' then t.debit_account_id = p.account_id and case
        when p.destination_account_id is null or p.first_status = 'PendingReview' then t.credit_account_id < 0
        else t.credit_account_id = p.destination_account_id end
      when 'payment_release' then t.credit_account_id = p.destination_account_id and t.debit_account_id < 0
      else t.credit_account_id = p.account_id and t.debit_account_id < 0 end)
      is distinct from (t.organisation_id, t.amount, true)`,

  'ACH clearing holds the payments that are under way with files': `
    select organisation_id, coalesce(m.held, 0) as held, coalesce(u.amount, 0) as under_way
    from (
      select x.organisation_id, sum(x.change)::bigint as held
      from (
        select t.organisation_id, t.amount as change, t.source_kind, t.source_id from transfer t
        join account a on a.id = t.credit_account_id where a.kind = 'ach_clearing'
        union all
        select t.organisation_id, -t.amount, t.source_kind, t.source_id from transfer t
        join account a on a.id = t.debit_account_id where a.kind = 'ach_clearing') x
      left join payment p on p.id = x.source_id and x.source_kind in ('payment', 'payment_return')
      where p.cutoff_at is not null or x.source_kind in ('ach_settlement', 'ach_return')
      group by x.organisation_id) m
    full join (
      select p.organisation_id, sum(p.amount)::bigint as amount
      from payment p left join ach_entry e on e.payment_id = p.id left join ach_batch b on b.id = e.batch_id
      where p.cutoff_at is not null and p.status not in ('Canceled', 'Rejected') and b.settled_at is null
      group by p.organisation_id) u using (organisation_id)
    where coalesce(m.held, 0) <> coalesce(u.amount, 0)`,

  'a payment in an ACH file is in one batch of that file, and an entry has its payment': `
    select coalesce(p.id, e.payment_id) as payment_id, p.ach_file_id, b.file_id
    from (
      select p.id, p.ach_file_id from payment p join public.ach_file f on f.id = p.ach_file_id where f.state <> 'building') p
    full join ach_entry e on e.payment_id = p.id left join ach_batch b on b.id = e.batch_id
    where p.ach_file_id is distinct from b.file_id`,

  'an ACH file has the totals of its batches, a batch those of its payments and of its transfer': `
    select 'file' as "table", f.id from ach_file f
    left join (
      select file_id, sum(entry_count) as entries, sum(debits) as debits, sum(credits) as credits
      from ach_batch group by file_id) b on b.file_id = f.id
    where f.direction = 'out' and f.state <> 'building'
      -- All organisations with entries in a file may have moved to other cells.
      and (f.entry_count, f.debits, f.credits) is distinct from
        (coalesce(b.entries, 0), coalesce(b.debits, 0), coalesce(b.credits, 0))
    union all
    select 'batch', b.id from ach_batch b
    left join (
      select batch_id, count(*) as entries, sum(amount) as amount
      from (
        select e.batch_id, p.amount from ach_entry e join payment p on p.id = e.payment_id
        union all
        select r.return_batch_id, r.amount from received_payment r where r.return_batch_id is not null) x
      group by batch_id) e on e.batch_id = b.id
    left join (
      select source_id, sum(amount) as moved from transfer where source_kind = 'ach_settlement' group by source_id
    ) t on t.source_id = b.id
    -- The returns of a rejected batch leave with another one.
    where (case when b.return_side is not null and b.refunded_at is not null then (0::bigint, 0::numeric)
        else (b.entry_count::bigint, (b.debits + b.credits)::numeric) end)
        is distinct from (coalesce(e.entries, 0), coalesce(e.amount, 0))
      or coalesce(t.moved, 0) <> case when b.settled_at is null then 0 else b.debits + b.credits end`,

  'ACH suspense holds the open exceptions and the received payments that are being returned': `
    select organisation_id, s.balance, o.amount from (
      select organisation_id, sum(balance)::bigint as balance from account where kind = 'ach_suspense' group by organisation_id
    ) s
    full join (
      select organisation_id, sum(case direction when 'Credit' then amount else -amount end)::bigint as amount
      from (
        select organisation_id, direction, amount from ach_exception where direction is not null and resolved_at is null
        union all
        select r.organisation_id, r.direction, r.amount
        from received_payment r left join ach_batch b on b.id = r.return_batch_id
        where r.return_code is not null and r.booked_at is not null and b.settled_at is null) x
      group by organisation_id) o using (organisation_id)
    where coalesce(s.balance, 0) <> coalesce(o.amount, 0)`,

  'an entry of an incoming ACH file is booked once, and a return has returned its payment': `
    select 'received payment' as record, coalesce(r.id, t.source_id) as id
    from (select id, amount, booked_at is not null as booked from received_payment) r
    full join (
      select source_id, count(*) as count, sum(amount) as amount from transfer
      where source_kind = 'received_ach' and source_id is not null group by source_id) t on t.source_id = r.id
    where (coalesce(t.count, 0), coalesce(t.amount, 0)) is distinct from
      (case when r.booked then 1 else 0 end, case when r.booked then r.amount else 0 end)
    union all
    select 'exception', coalesce(x.id, t.source_id)
    from (select id, amount from ach_exception where direction is not null) x
    full join (
      select source_id, count(*) as count, sum(amount) as amount from transfer
      where source_kind = 'ach_exception' group by source_id) t on t.source_id = x.id
    where (t.count, t.amount) is distinct from (1, x.amount)
    union all
    select 'resolution', coalesce(x.id, t.source_id)
    from (select id, amount from ach_exception where direction is not null and resolved_at is not null) x
    full join (
      select source_id, count(*) as count, sum(amount) as amount from transfer
      where source_kind = 'ach_resolution' group by source_id) t on t.source_id = x.id
    where (t.count, t.amount) is distinct from (1, x.amount)
    union all
    select 'return', e.payment_id
    from (
      select payment_id, count(*) as count, sum(amount) as amount
      from ach_received_entry where kind = 'return' and outcome = 'applied' group by payment_id) e
    left join payment p on p.id = e.payment_id
    where (p.status, p.amount, e.count) is distinct from ('Returned', e.amount, 1)`,

  'an incoming ACH file has the totals of its entries': `
    select f.id from ach_file f
    left join (
      select file_id, count(*) as entries, sum(case when code % 10 < 5 then amount else 0 end) as credits,
        sum(case when code % 10 < 5 then 0 else amount end) as debits
      from ach_received_entry group by file_id) e on e.file_id = f.id
    where f.direction = 'in' and f.state = 'applied'
      -- A file may have entries of other cells alone.
      and (f.entry_count, f.debits, f.credits) is distinct from
        (coalesce(e.entries, 0), coalesce(e.debits, 0), coalesce(e.credits, 0))`,

  // Two passes over the ids: with 200,000 payments 1.0 s, where the law about sequences takes 1.3 s.
  'an id belongs to one record': `
    select id, min(record) as record, max(record) as other from (${recordIds}) r group by id having count(*) > 1
    union all
    select r.id, r.record, 'transfer' from (${recordIds}) r join transfer t on t.id = r.id - r.id % 2`,

  'a statement has the balances and transfers of its month': `
    select s.id from statement s
    cross join lateral (
      select (s.period || '-01T00:00:00Z')::timestamptz as start,
        (s.period || '-01T00:00:00Z')::timestamptz + interval '1 month' as "end") month
    -- The last transfer before the month, its first one, its last one, and the first one behind it. Times never fall along
    -- an account, which is a law of its own.
    cross join lateral (
      select max(balance) filter (where seq = s.first_seq - 1) as opening,
        max(balance) filter (where seq = s.last_seq) as closing,
        max(created_at) filter (where seq = s.first_seq - 1) as before,
        max(created_at) filter (where seq = s.first_seq) as first,
        max(created_at) filter (where seq = s.last_seq) as last,
        max(created_at) filter (where seq = s.last_seq + 1) as behind
      from (
        select debit_seq as seq, debit_balance as balance, created_at from public.transfer
        where debit_account_id = s.account_id and debit_seq in (s.first_seq - 1, s.first_seq, s.last_seq, s.last_seq + 1)
        union all
        select credit_seq, credit_balance, created_at from public.transfer
        where credit_account_id = s.account_id
          and credit_seq in (s.first_seq - 1, s.first_seq, s.last_seq, s.last_seq + 1)) x) t
    where s.opening_balance <> coalesce(t.opening, 0) or s.closing_balance <> coalesce(t.closing, 0)
      or s.first_seq > 1 and (t.before < month.start) is not true or t.first < month.start
      or s.last_seq > 0 and (t.last < month."end") is not true or t.behind < month."end"`,

  'one idempotency key has one effect': `
    select organisation_id, min(left(body, 200)) as body, count(*) as answers
    from answer where status = 201
      -- Only answers of operations that move or hold money are unique. Others may be equal: a month has one statement,
      -- however often it is requested.
      and (body like '{"data":{"type":"bookTransaction",%' or body like '{"data":{"id":"_______%","type":"achPayment",%'
        or body like '{"data":{"id":"_______%","type":"depositAccount",%'
        or body like '{"data":{"id":"_______%","status":"Authorized",%'
        or body like '{"data":{"id":"_______%","status":"Active","accountId":%')
    -- A message of a card processor is answered under its own id once, and under every key that came with it.
    group by organisation_id, md5(body)
    having case count(*) filter (where length(key_hash) = 33) when 0 then count(*) > 1 when 1 then false else true end
    union all
    select organisation_id, 'payment ' || payment_id, count(*) from answer where payment_id is not null
    group by organisation_id, payment_id, payment_status having count(*) > 1`,

  // No check constraints: PostgreSQL would evaluate them with every payment.
  'rows have only values that the ledger writes': `${ledgerValues} union all ${answerValues}`,

  'events are numbered from the first to where their counter stands, without a gap': `
    select organisation_id, c.sequence as counter, e.last, e.gapless
    from event_counter c
    full join (
      select organisation_id, max(last) as last, bool_and(last - count = before and count = length) as gapless
      from (
        select organisation_id, last, count, cardinality(string_to_array(events, e'\\x1e')) as length,
          coalesce(lag(last) over (partition by organisation_id order by last), o.events_after) as before
        from event_page e join organisation o on o.id = e.organisation_id) p
      group by organisation_id) e using (organisation_id)
    where (c.sequence, e.gapless) is distinct from (e.last, true)`,
} satisfies Record<string, string>

export type Law = keyof typeof laws

/** The tables whose rows the background deletes, step by step, after their organisation has ended. */
const sweptTables = [
  ...[
    'account',
    'account_hold',
    'ach_batch',
    'ach_entry',
    'ach_exception',
    'ach_file',
    'ach_received_entry',
    'answer',
    'api_key',
    'application',
    'card',
    'card_authorization',
    'customer',
    'document',
    'event_counter',
  ],
  ...[
    'event_page',
    'external_account',
    'organisation_usage',
    'partner_user',
    'partner_user_card',
    'payment',
    'payment_review',
    'payment_usage',
    'received_payment',
    'reward',
    'reward_payment',
  ],
  ...['rewardable_transaction', 'statement', 'transfer', 'webhook_endpoint'],
]
/** Stand in for the tables in the laws, without the rows of organisations that have ended. */
const standing = sweptTables
  .map(
    (table) => `${table} as not materialized (select * from public.${table}
      where not exists (select from organisation o where o.id = organisation_id and o.ended_at is not null))`,
  )
  .join(', ')

export const lawNames = Object.keys(laws) as Law[]

export interface Breach {
  law: Law
  rows: Record<string, unknown>[]
}

/** How many rows of a breach a check of the whole database gives. */
export const MAX_ROWS = 100

/** Begins a check: one snapshot, without locks. */
export async function prepareCheck(transaction: Queryable): Promise<void> {
  await transaction.query('set transaction isolation level repeatable read, read only')
  await hashTables(transaction)
}

/**
 * Hashing takes time in proportion to the rows; a nested loop that PostgreSQL chose by a wrong number of rows would not end.
 * Just-in-time compilation costs more than it saves here.
 */
export async function hashTables(transaction: Queryable): Promise<void> {
  await transaction.query('set local enable_nestloop = off')
  await transaction.query('set local jit = off')
}

/** The rows of the whole database that break a law, except those of organisations that have ended; the first hundred. */
export async function findBreaches(transaction: Queryable, law: Law): Promise<Record<string, unknown>[]> {
  const [row] = await transaction.query<{ found: boolean }>(
    `select exists (select from organisation where ended_at is not null) as found`,
  )
  const scope = row?.found ? `with ${standing}` : ''
  return transaction.query(`${scope} select * from (${laws[law]}) breach limit ${MAX_ROWS}`, [], 'once')
}

/**
 * The tables of the laws, restricted to one organisation. They stand in front of a law under the names of the tables and
 * hide them, so that one text serves for the whole database and for an organisation. Merchants and offers are everybody's.
 * Accounts are read in two parts, because each part has an index.
 */
const scopedTables = `
  with organisation as not materialized (select * from organisation where id = $1::bigint),
  account as not materialized (
    select * from account where organisation_id = $1 and id > 0
    union all
    select * from account where organisation_id = $1 and id < 0),
  ${[
    'api_key',
    'customer',
    'application',
    'document',
    'external_account',
    'transfer',
    'payment',
    'payment_review',
    'payment_usage',
    'organisation_usage',
    'card',
    'card_authorization',
    'account_hold',
    'statement',
    'webhook_endpoint',
    'reward',
    'rewardable_transaction',
    'answer',
    'event_counter',
    'event_page',
    'ach_file',
    'ach_batch',
    'ach_entry',
    'ach_exception',
    'ach_received_entry',
    'received_payment',
  ]
    .map((table) => `${table} as not materialized (select * from ${table} where organisation_id = $1)`)
    .join(',\n  ')}`

/**
 * Begins the check of an organisation: one snapshot, one core of the server. Every table has an index that begins with the
 * organisation; without sequential scans a check takes time in proportion to the organisation, however large the others
 * are. Returns the bank time of the snapshot.
 */
export async function beginCheck(transaction: Queryable, organisationId: number): Promise<string> {
  await prepareCheck(transaction)
  await transaction.query('set local enable_seqscan = off')
  await transaction.query('set local max_parallel_workers_per_gather = 0')
  const [row] = await transaction.query<{ now: string }>(`select bank_time($1::bigint) as now`, [organisationId])
  if (!row) throw new Error('no bank time')
  return row.now
}

export async function limitStatements(transaction: Queryable, ms: number): Promise<void> {
  await transaction.query(`select set_config('statement_timeout', $1::text, true)`, [String(ms)])
}

/** Finds rows of an organisation that break a law. Planned anew each time: organisations differ in size. */
export async function findBreachesOf(
  transaction: Queryable,
  law: Law,
  organisationId: number,
  take: number,
): Promise<Record<string, string | number | boolean | null>[]> {
  const rows = await transaction.query<{ row: Record<string, string | number | boolean | null> }>(
    `${scopedTables} select to_json(breach) as row from (${laws[law]}) breach limit $2::bigint`,
    [organisationId, take],
    'once',
  )
  return rows.map(({ row }) => row)
}

export async function hasLedger(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(`select to_regclass('transfer') is not null as found`)
  return row?.found === true
}
