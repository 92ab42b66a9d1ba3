import type { Queryable } from '../../database/database.ts'
import { chainOf, sides } from './accounts.sql.ts'
import { findBreaches, MAX_ROWS } from './breaches.sql.ts'
import { type Law, laws } from './laws.sql.ts'
import { organisationUsageLaw, usageLaw } from './payments.sql.ts'
import { answerValues, ledgerValues } from './records.sql.ts'
import { budgetLaw } from './rewards.sql.ts'
import {
  accountsOfTransfers,
  moved,
  named,
  organisations,
  recentFiles,
  recordsNear,
  scanned,
  sourcesOf,
  standing,
  statesBefore,
  takenFiles,
  transfers,
  transfersOf,
  writtenSince,
} from './written-since.sql.ts'

/**
 * A law for the rows written since a time, which is `$1`. Parts under the names of tables stand in front of the law and
 * hide the whole tables, as in the check of an organisation.
 */
interface Ranged {
  parts: string[]
  /** The text of the law, if it differs from the one for the whole database. */
  text?: string
  /** Whether a table without an index on time is read as a whole, and its earlier rows are left out. */
  scans?: true
}

/** The payment that another one repeats or takes back, as an index has it. */
const linked = `(link ->> 'paymentId')::bigint`

/** The laws whose cost would grow with all rows that were ever written. The others are checked for the whole database. */
const ranged: Partial<Record<Law, Ranged[]>> = {
  'sequences have no gap, every balance follows from the one before, and time never falls': [
    { parts: transfers, text: chainOf(`${sides} union all ${statesBefore}`) },
  ],
  'an account has the balance and the sequence number of its last transfer': [
    { parts: [...transfers, accountsOfTransfers] },
  ],
  'a transfer is between two existing accounts of its organisation': [{ parts: [...transfers, accountsOfTransfers] }],
  'an authorization has settled and refunded what its transfers moved': [
    {
      parts: [
        ...moved,
        named('card_authorization', sourcesOf(`'card_settlement', 'card_refund'`)),
        transfersOf('select id from card_authorization'),
      ],
    },
  ],
  'a payout reaches its account once': [{ parts: [...transfers, writtenSince('payment')] }],
  'a reward has paid out what its transfers left, and its shares are the commission': [
    {
      parts: [
        ...moved,
        writtenSince('reward', 'earned'),
        named('reward', sourcesOf(`'reward', 'reward_clawback'`), { column: 'payout_payment_id', name: 'paid' }),
        `reward as materialized (
          select * from paid union all select * from earned where not exists (select from paid where paid.id = earned.id))`,
        named('rewardable_transaction', 'select distinct rewardable_transaction_id as id from reward'),
        transfersOf('select distinct payout_payment_id as id from reward'),
      ],
    },
  ],
  'what is used of a budget is what its rewards earned, less what was taken back': [
    {
      parts: [organisations, writtenSince('reward')],
      // A month or a day that began before the time has rewards that are left out.
      text: budgetLaw(`length(period) = 10 and period > to_char($1::timestamptz at time zone 'UTC', 'YYYY-MM-DD')`),
    },
  ],
  'every payment has one debit of its account, and a returned one has one return': [
    {
      parts: [
        ...moved,
        writtenSince('payment', 'made'),
        // Earlier payments that were returned since then, and their debits, which have the same time.
        named('payment', sourcesOf(`'payment_return'`), { condition: 'created_at < $1', name: 'returned' }),
        `debits as materialized (
          select t.* from returned p cross join lateral (
            select * from public.transfer
            where organisation_id = p.organisation_id and created_at = p.created_at and source_id = p.id offset 0) t)`,
        'payment as materialized (select * from made union all select * from returned)',
        'transfer as materialized (select * from moved union all select * from debits)',
      ],
    },
  ],
  'a debit is credited once when it is sent, and taken back once when it is returned after that': [
    {
      parts: [
        ...moved,
        writtenSince('payment', 'made'),
        // Earlier ones that were credited or returned since then.
        named('payment', sourcesOf(`'debit', 'debit_return'`), { condition: 'created_at < $1', name: 'changed' }),
        'payment as materialized (select * from made union all select * from changed)',
        named('debit', `select id from payment where direction = 'Debit' and type = 'achPayment'`),
        transfersOf(`select id from payment where direction = 'Debit' and type = 'achPayment'`),
      ],
    },
  ],
  'a payment that was reviewed has its decision, and reached its account here once': [
    {
      parts: [
        ...moved,
        // Reviews of payments since then, and those that were released since then.
        writtenSince('payment_review', 'begun'),
        named('payment_review', sourcesOf(`'payment_release'`), { condition: 'created_at < $1', name: 'released' }),
        'payment_review as materialized (select * from begun union all select * from released)',
        named('payment', 'select id from payment_review'),
        transfersOf('select id from payment_review'),
      ],
    },
  ],
  // For the whole database, along the indexes of recurring payments: other payments are not read.
  'every due date of a recurring payment has one run, and every payment of a run its recurring payment': [
    { parts: ['since as (select $1::timestamptz)'] },
  ],
  'a debit has two retries at most, and a payment one reversal, of the other direction': [
    {
      parts: [
        organisations,
        writtenSince('payment', 'made'),
        // The payments that these repeat or take back, all others that do so, and those that the former repeat.
        `named as materialized (select distinct ${linked} as id from made where link is not null)`,
        named('payment', 'select id from named', { name: 'original' }),
        named('payment', 'select id from named', { column: linked, condition: 'link is not null', name: 'following' }),
        named('payment', `select ${linked} as id from original where link is not null`, { name: 'first' }),
        `payment as materialized (
          select * from following union select * from original union select * from first)`,
      ],
    },
  ],
  'the usage of the limits of an account is the sum of its payments': [
    {
      parts: [
        organisations,
        writtenSince('payment'),
        // A day that began before the time has payments that are left out.
        `payment_usage as materialized (
          select u.* from standing o cross join lateral (
            select * from public.payment_usage where organisation_id = o.id and day > ($1::timestamptz at time zone 'UTC')::date
            offset 0) u)`,
        named('account', 'select account_id as id from payment union select account_id from payment_usage'),
      ],
      text: usageLaw(`day > ($1::timestamptz at time zone 'UTC')::date`),
    },
  ],
  'the usage of the limits of an organisation is the sum of its payments': [
    {
      parts: [organisations, writtenSince('payment')],
      // A month or a day that began before the time has payments that are left out.
      text: organisationUsageLaw(
        `length(period) = 10 and period > to_char($1::timestamptz at time zone 'UTC', 'YYYY-MM-DD')`,
      ),
    },
  ],
  'every transfer of a payment has its payment, and moves its amount between its accounts': [
    {
      parts: [
        ...transfers,
        named(
          'payment',
          `select source_id as id from transfer where source_kind in ('payment', 'payment_return', 'payment_release') group by source_id`,
        ),
      ],
    },
  ],
  'ACH clearing holds the payments that are under way with files': [
    {
      // Other laws compare the debits, the refunds and the settlements; what remains is the way of a return.
      parts: [
        ...moved,
        named('payment', sourcesOf(`'payment_return', 'ach_return'`)),
        transfersOf('select id from payment'),
      ],
      text: `
        select p.id, p.status, coalesce(t.amount, 0) as returned from payment p
        left join (
          select source_id, sum(amount) as amount from transfer where source_kind = 'ach_return' group by source_id
        ) t on t.source_id = p.id
        where p.cutoff_at is not null and coalesce(t.amount, 0) <> case when p.status = 'Returned' then p.amount else 0 end`,
    },
  ],
  'a payment in an ACH file is in one batch of that file, and an entry has its payment': [
    { parts: [...recentFiles, standing('payment', 'select id from ach_file', 'ach_file_id')] },
  ],
  'an ACH file has the totals of its batches, a batch those of its payments and of its transfer': [
    {
      parts: [
        ...recentFiles,
        named('payment', 'select payment_id as id from ach_entry'),
        transfersOf('select id from ach_batch'),
      ],
    },
  ],
  'an entry of an incoming ACH file is booked once, and a return has returned its payment': [
    {
      parts: [
        ...moved,
        named('received_payment', sourcesOf(`'received_ach'`)),
        named('ach_exception', sourcesOf(`'ach_exception', 'ach_resolution'`)),
        transfersOf(sourcesOf(`'received_ach', 'ach_exception', 'ach_resolution'`)),
        takenFiles,
        standing('ach_received_entry', 'select id from ach_file', 'file_id'),
        named('payment', 'select payment_id as id from ach_received_entry'),
      ],
    },
  ],
  'an incoming ACH file has the totals of its entries': [
    {
      parts: [organisations, takenFiles, standing('ach_received_entry', 'select id from ach_file', 'file_id')],
    },
  ],
  'an id belongs to one record': [{ parts: recordsNear }],
  'a statement has the balances and transfers of its month': [
    { parts: [organisations, scanned('statement')], scans: true },
  ],
  'one idempotency key has one effect': [{ parts: [organisations, scanned('answer')], scans: true }],
  'rows have only values that the ledger writes': [
    { parts: [...transfers, accountsOfTransfers, writtenSince('payment')], text: ledgerValues },
    { parts: [organisations, scanned('answer')], text: answerValues, scans: true },
  ],
  'events are numbered from the first to where their counter stands, without a gap': [
    {
      parts: [
        organisations,
        // The last event before the time stands in for the last one that was deleted.
        `organisation as materialized (
          select id, greatest(events_after, event_sequence_at(id, $1::timestamptz - interval '1 microsecond')) as events_after
          from standing)`,
        `event_page as materialized (
          select p.* from organisation o cross join lateral (
            select * from public.event_page where organisation_id = o.id and last > o.events_after offset 0) p)`,
        `event_counter as materialized (
          select c.* from organisation o cross join lateral (
            select * from public.event_counter where organisation_id = o.id and sequence > o.events_after offset 0) c)`,
      ],
    },
  ],
}

/** The rows that break a law: among those written since the time, or among all if the law is cheap for all. */
export async function findBreachesSince(
  transaction: Queryable,
  law: Law,
  since: string,
): Promise<Record<string, unknown>[]> {
  const own = ranged[law]
  if (!own) return findBreaches(transaction, law)
  const found: Record<string, unknown>[] = []
  for (const { parts, text = laws[law], scans = false } of own) {
    await allowScans(transaction, scans)
    const statement = `with ${parts.join(', ')} select * from (${text}) breach limit ${MAX_ROWS}`
    found.push(...(await transaction.query<Record<string, unknown>>(statement, [since], 'once')))
  }
  await allowScans(transaction, true)
  return found.slice(0, MAX_ROWS)
}

/** Without sequential scans, PostgreSQL reads a range along its index also if it has no statistics or old ones. */
async function allowScans(transaction: Queryable, allowed: boolean): Promise<void> {
  await transaction.query(`select set_config('enable_seqscan', $1::text, true)`, [allowed ? 'on' : 'off'])
}

export async function countTransfersSince(transaction: Queryable, since: string): Promise<number> {
  await allowScans(transaction, false)
  const [row] = await transaction.query<{ count: number }>(
    `with ${transfers.join(', ')} select count(*)::bigint as count from transfer`,
    [since],
    'once',
  )
  await allowScans(transaction, true)
  return row?.count ?? 0
}
