import type { LedgerPosition } from '../../accounting/list-ledger-position.ts'
import { COUNTED_ROWS } from '../../base/page.ts'
import type { Queryable } from '../../database/database.ts'

const MOST = COUNTED_ROWS - 1

/**
 * The records behind each kind as `amount`, `records` and `due`, in bounded parts of indexes. A batch of a file stands for
 * its payments: one with debits collects money, and one of a side returns what was received.
 */
const parts = {
  outgoing: [
    `select amount, 1 as records, settles_at as due from payment
     where organisation_id = $1::bigint and status = 'Pending' and direction = 'Credit'
     order by cutoff_at, id limit ${COUNTED_ROWS}`,
    `select credits, entry_count, settles_at from ach_batch
     where organisation_id = $1::bigint and settled_at is null and rejected_at is null
       and debits = 0 and credits > 0 and return_side is null
     order by settles_at, id limit ${COUNTED_ROWS}`,
  ],
  purchases: [
    `select greatest(amount - settled, 0) as amount, 1 as records, expires_at as due from card_authorization
     where organisation_id = $1::bigint and status = 'Authorized' order by expires_at limit ${COUNTED_ROWS}`,
  ],
  // A reward waits as PENDING for its payout by this bank, and as CONFIRMED for that by a connector.
  cashBack: ['PENDING', 'CONFIRMED'].map(
    (state) => `select user_amount as amount, 1 as records, payout_due_at as due from reward
     where organisation_id = $1::bigint and state = '${state}' order by payout_due_at limit ${COUNTED_ROWS}`,
  ),
}

const sums = Object.entries(parts).map(
  ([kind, rows]) => `select '${kind}' as kind, coalesce(sum(amount), 0)::bigint as amount,
     least(coalesce(sum(records), 0), ${MOST})::int as count, coalesce(sum(records), 0) > ${MOST} as more, min(due) as due
   from (${rows.map((each) => `(${each})`).join(' union all ')}) r`,
)

/** All balances of an organisation are zero together: its deposits are what its internal accounts lack. */
const deposits = `select 'deposits' as kind,
    (select coalesce(-sum(balance), 0)::bigint from account where organisation_id = $1::bigint and id < 0) as amount,
    (count(*) filter (where status <> 'Closed'))::int as count, count(*) > ${MOST} as more, null::timestamptz as due
  from (select status from account where organisation_id = $1::bigint and id > 0
    order by created_at desc, id desc limit ${COUNTED_ROWS}) a`

export function readPosition(database: Queryable, organisationId: number): Promise<LedgerPosition[]> {
  return database.query([deposits, ...sums].join(' union all '), [organisationId], 'once')
}
