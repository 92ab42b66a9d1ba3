import type { Queryable } from '../database/database.ts'

/** Both sides of every transfer: one row for each account. */
const sides = `
  select t.id, t.organisation_id, t.debit_account_id as account_id, t.debit_seq as seq, -t.amount as change,
    t.debit_balance as balance, t.created_at
  from transfer t
  union all
  select t.id + 1, t.organisation_id, t.credit_account_id, t.credit_seq, t.amount, t.credit_balance, t.created_at
  from transfer t`

/** The tables whose ids come from the sequence `record_id`, besides `transfer`, which takes two neighbouring ids a row. */
const recordTables = [
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
  'statement',
  'merchant',
  'offer',
  'webhook_endpoint',
]
// Internal accounts have negative ids.
const recordIds = recordTables
  .map((table) => `select '${table}' as record, abs(id) as id from ${table}`)
  .join(' union all ')

/** The laws of the ledger, each with a statement that selects the rows that break it. */
const laws: Record<string, string> = {
  'balances sum to zero in every organisation': `
    select organisation_id, sum(balance)::text as sum from account group by organisation_id having sum(balance) <> 0`,

  'sequences have no gap, every balance follows from the one before, and time never falls': `
    select * from (
      select id, account_id, seq, balance, created_at,
        lag(seq, 1, 0::bigint) over account as seq_before,
        lag(balance, 1, 0::bigint) over account + change as balance_expected,
        lag(created_at, 1, created_at) over account as created_before
      from (${sides}) s
      window account as (partition by account_id order by seq)
    ) chain
    where seq <> seq_before + 1 or balance <> balance_expected or created_at < created_before`,

  'an account has the balance and the sequence number of its last transfer': `
    select a.id, a.seq, a.balance, s.seq as last_seq, s.balance as last_balance
    from account a
    left join (select distinct on (account_id) account_id, seq, balance from (${sides}) x order by account_id, seq desc) s
      on s.account_id = a.id
    where a.seq <> coalesce(s.seq, 0) or a.balance <> coalesce(s.balance, 0)`,

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

  'an account holds what its open authorizations hold': `
    select a.id, a.hold, coalesce(sum(greatest(0, c.amount - c.settled)), 0)::bigint as held
    from account a left join card_authorization c on c.account_id = a.id and c.status = 'Authorized'
    group by a.id, a.hold having a.hold <> coalesce(sum(greatest(0, c.amount - c.settled)), 0)`,

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
    where p.type = 'bookPayment' group by p.id having count(t.id) <> 1`,

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
    select p.id, p.status, count(t.id) filter (where t.source_kind = 'payment') as debits,
      count(t.id) filter (where t.source_kind = 'payment_return') as returns
    from payment p
    left join transfer t on t.source_id = p.id and t.amount = p.amount and (
      t.source_kind = 'payment' and t.debit_account_id = p.account_id
      or t.source_kind = 'payment_return' and t.credit_account_id = p.account_id)
    where p.type = 'achPayment'
    group by p.id, p.status
    having count(t.id) filter (where t.source_kind = 'payment') <> 1
      or count(t.id) filter (where t.source_kind = 'payment_return') <> case when p.status = 'Returned' then 1 else 0 end`,

  'every transfer of a payment has its payment, and moves its amount between its accounts': `
    select t.id, t.source_kind, t.source_id from transfer t
    left join payment p on p.id = t.source_id and p.organisation_id = t.organisation_id and p.amount = t.amount and (
      t.source_kind = 'payment' and t.debit_account_id = p.account_id
        and (t.credit_account_id = p.destination_account_id or p.destination_account_id is null and t.credit_account_id < 0)
      or t.source_kind = 'payment_return' and t.credit_account_id = p.account_id and t.debit_account_id < 0)
    where t.source_kind in ('payment', 'payment_return') and p.id is null`,

  // Two passes over the ids: with 200,000 payments 1.0 s, where the law about sequences takes 1.3 s.
  'an id belongs to one record': `
    select id, min(record) as record, max(record) as other from (${recordIds}) r group by id having count(*) > 1
    union all
    select r.id, r.record, 'transfer' from (${recordIds}) r join transfer t on t.id = r.id - r.id % 2`,

  'a statement has the balances and transfers of its month': `
    select s.id from statement s
    cross join lateral (select (s.period || '-01T00:00:00Z')::timestamptz as start) month
    where s.opening_balance <> balance_at(s.account_id, s.first_seq - 1)
      or s.closing_balance <> balance_at(s.account_id, s.last_seq)
      or s.first_seq <> seq_before(s.account_id, month.start) + 1
      or s.last_seq <> seq_before(s.account_id, month.start + interval '1 month')`,

  'one idempotency key has one effect': `
    select organisation_id, min(left(body, 200)) as body, count(*) as answers
    from answer where status = 201
      -- Only answers of operations that move or hold money are unique. Others may be equal: a month has one statement,
      -- however often it is requested.
      and (body like '{"data":{"type":"bookTransaction",%' or body like '{"data":{"id":"_______%","type":"achPayment",%'
        or body like '{"data":{"id":"_______%","type":"depositAccount",%'
        or body like '{"data":{"id":"_______%","status":"Authorized",%')
    group by organisation_id, md5(body) having count(*) > 1
    union all
    select organisation_id, 'payment ' || payment_id, count(*) from answer where payment_id is not null
    group by organisation_id, payment_id having count(*) > 1`,

  // No check constraints: PostgreSQL would evaluate them with every payment.
  'rows have only values that the ledger writes': `
    select 'account' as "table", id::text from account
    where status not in ('Open', 'Frozen', 'Closed') or close_reason not in ('ByCustomer', 'Fraud', 'NegativeBalance')
      or kind not in ('ach_clearing', 'card_settlement', 'rewards_funding') or account_number !~ '^[0-9]{10,12}$'
    union all
    select 'transfer', id::text from transfer
    where source_kind not in ('payment', 'payment_return', 'received_ach', 'card_settlement', 'card_refund', 'reward',
      'reward_clawback')
    union all
    select 'payment', id::text from payment
    where status not in ('Sent', 'Returned') or (type, direction) not in (('achPayment', 'Credit'), ('bookPayment', 'Debit'))
      or length(description) not between 1 and 10 or length(addenda) not between 1 and 80
    union all
    select 'answer', encode(key_hash, 'hex') from answer
    where length(key_hash) not in (16, 32) or length(fingerprint) <> 32`,

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
}

/** The tables whose rows the background deletes, step by step, after their organisation has ended. */
const sweptTables = [
  ...[
    'account',
    'answer',
    'api_key',
    'application',
    'card',
    'card_authorization',
    'customer',
    'document',
    'event_counter',
  ],
  ...['event_page', 'external_account', 'partner_user', 'partner_user_card', 'payment', 'reward', 'reward_payment'],
  ...['rewardable_transaction', 'statement', 'transfer', 'webhook_endpoint'],
]
/** Stand in for the tables in the laws, without the rows of organisations that have ended. */
const standing = sweptTables
  .map(
    (table) => `${table} as not materialized (select * from public.${table}
      where organisation_id not in (select id from organisation where ended_at is not null))`,
  )
  .join(', ')

export const lawNames = Object.keys(laws)

export interface Breach {
  law: string
  rows: Record<string, unknown>[]
}

/** Checks one law after the other and gives the first hundred rows that break each; none where it holds. */
export async function* checkLaws(database: Queryable): AsyncGenerator<Breach> {
  const [row] = await database.query<{ found: boolean }>(
    `select exists (select from organisation where ended_at is not null) as found`,
  )
  const scope = row?.found ? `with ${standing}` : ''
  for (const [law, text] of Object.entries(laws)) {
    const rows = await database.query<Record<string, unknown>>(`${scope} select * from (${text}) breach limit 100`)
    yield { law, rows }
  }
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
    'card',
    'card_authorization',
    'statement',
    'webhook_endpoint',
    'reward',
    'rewardable_transaction',
    'answer',
    'event_counter',
    'event_page',
  ]
    .map((table) => `${table} as not materialized (select * from ${table} where organisation_id = $1)`)
    .join(',\n  ')}`

/** Begins the check of an organisation: one snapshot, one core of the server. Returns the bank time of the snapshot. */
export async function beginCheck(transaction: Queryable, organisationId: number): Promise<string> {
  await transaction.query('set transaction isolation level repeatable read, read only')
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
  law: string,
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
