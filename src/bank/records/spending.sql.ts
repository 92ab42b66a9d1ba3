import { arrayOf } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { CardDay, SpendingSince } from './spending.ts'

/**
 * The approved purchases of cards since a time, by UTC day. They are found by the customer, whose index begins with the
 * newest: an index by card would cost every authorization, and most cards have no limits.
 */
export async function readSpending(database: Queryable, cards: SpendingSince[]): Promise<CardDay[]> {
  if (cards.length === 0) return []
  return database.query<CardDay>(
    `select n.card_id as "cardId", to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD') as day,
       least(sum(case when a.status = 'Authorized' then greatest(a.amount, a.settled) else a.settled end),
         9007199254740991)::bigint as amount,
       count(*) filter (where a.status = 'Authorized' or a.settled > 0) as count
     from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) n (card_id, customer_id, since)
     join card_authorization a
       on a.customer_id = n.customer_id and a.created_at >= n.since and a.card_id = n.card_id and a.status <> 'Declined'
     group by 1, 2`,
    [
      arrayOf(
        'bigint',
        cards.map(({ cardId }) => cardId),
      ),
      arrayOf(
        'bigint',
        cards.map(({ customerId }) => customerId),
      ),
      arrayOf(
        'timestamptz',
        cards.map(({ since }) => since),
      ),
    ],
  )
}
