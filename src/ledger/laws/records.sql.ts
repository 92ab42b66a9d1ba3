import { internalNames, sourceKinds } from '../records.ts'

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
  'recurring_payment',
  'recurring_payment_run',
  'campaign',
  'campaign_offer',
  'offer_activation',
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

const textsOf = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ')

/** Rows with values that the ledger does not write. */
export const ledgerValues = `
    select 'account' as "table", id::text from account
    where status not in ('Open', 'Frozen', 'Closed') or close_reason not in ('ByCustomer', 'Fraud', 'NegativeBalance')
      or kind not in (${textsOf(Object.keys(internalNames))}) or account_number !~ '^[0-9]{10,12}$'
    union all
    select 'transfer', id::text from transfer
    where source_kind not in (${textsOf(sourceKinds)})
    union all
    select 'payment', id::text from payment
    where status not in ('Sent', 'Returned') and case when cutoff_at is null
        then first_status is distinct from 'PendingReview' and departures is null
          or status not in ('PendingReview', 'Canceled', 'Rejected')
        else status not in ('Pending', 'Clearing', 'Canceled', 'Rejected') end
      or review_note is not null and first_status is distinct from 'PendingReview' and departures is null
      or departures is not null and (first_status is null or first_status not in ('Pending', 'PendingReview'))
      or (cutoff_at is null) <> (settles_at is null) or (ach_file_id is null) <> (trace_number is null)
      or (status in ('Clearing', 'Sent', 'Returned', 'Rejected') and cutoff_at is not null) <> (ach_file_id is not null)
      or (type, direction) not in (('achPayment', 'Credit'), ('achPayment', 'Debit'), ('bookPayment', 'Credit'), ('bookPayment', 'Debit'))
      or (type, direction) = ('bookPayment', 'Credit') and (status <> 'Sent' or cutoff_at is not null or destination_account_id is null)
      or length(description) not between 1 and case original_type when 'BOOK' then 50 else 10 end or length(addenda) not between 1 and 80`
export const answerValues = `
    select 'answer' as "table", encode(key_hash, 'hex') as id from answer
    where length(key_hash) not in (16, 32, 33) or length(fingerprint) <> 32`

/** Laws about ids, statements, stored responses, values of columns and the numbers of events. */
export const recordLaws = {
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
    group by organisation_id, payment_id, payment_status, body having count(*) > 1`,

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
