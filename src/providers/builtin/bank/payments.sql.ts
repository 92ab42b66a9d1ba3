import { arrayOf } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'
import { type PaymentRow, paymentColumns } from '../../../ledger/payment-columns.ts'

export function findPayments(database: Queryable, ids: number[]): Promise<PaymentRow[]> {
  return database.query(`select ${paymentColumns} from payment where id = any($1::bigint[])`, [arrayOf('bigint', ids)])
}

export interface PaymentFilter {
  organisationId: number
  /** The accounts whose payments can match; null where those of every account can. */
  accountIds: number[] | null
  paymentId: number | null
  customerId: number | null
  externalAccountId: number | null
  tags: Record<string, string> | null
  statuses: string[] | null
  types: string[]
  directions: string[] | null
  since: string | null
  until: string | null
  fromAmount: number | null
  toAmount: number | null
}

export function listPaymentRows(
  database: Queryable,
  filter: PaymentFilter,
  page: { take: number; offset: number; ascending: boolean },
): Promise<PaymentRow[]> {
  const order = page.ascending ? 'created_at, id' : 'created_at desc, id desc'
  return database.query(
    `select ${paymentColumns} from payment
     where organisation_id = $1::bigint
       and ($2::bigint[] is null or account_id = any($2))
       and ($3::bigint is null or id = $3)
       and ($4::bigint is null or customer_id = $4)
       and ($5::bigint is null or external_account_id = $5)
       and ($6::jsonb is null or coalesce(tags, '{}') @> $6)
       and ($7::text[] is null or status = any($7))
       and type = any($8::text[])
       and ($9::text[] is null or direction = any($9))
       and ($10::timestamptz is null or created_at > $10)
       and ($11::timestamptz is null or created_at < $11)
       and ($12::bigint is null or amount >= $12)
       and ($13::bigint is null or amount <= $13)
     order by ${order} limit $14 offset $15`,
    [
      filter.organisationId,
      filter.accountIds,
      filter.paymentId,
      filter.customerId,
      filter.externalAccountId,
      filter.tags && JSON.stringify(filter.tags),
      filter.statuses,
      filter.types,
      filter.directions,
      filter.since,
      filter.until,
      filter.fromAmount,
      filter.toAmount,
      page.take,
      page.offset,
    ],
  )
}
