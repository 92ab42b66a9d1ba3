import type { Address } from '../../../banking/address.ts'
import type { CardStatus, CardType } from '../../../banking/cards/card.ts'
import type { Queryable } from '../../../database/database.ts'

export interface CardRow {
  id: number
  accountId: number
  createdAt: string
  last4: string
  expires: string
  status: CardStatus
  type: CardType
  design: string | null
  shippingAddress: Address | null
  replacesCardId: number | null
  version: number
}

const columns = `id, account_id as "accountId", created_at as "createdAt", last4, expires, status, type, design,
  shipping_address as "shippingAddress", replaces_card_id as "replacesCardId", version`

export async function insertCard(
  transaction: Queryable,
  card: Omit<CardRow, 'createdAt' | 'expires' | 'version'> & { tags: Record<string, string> },
): Promise<CardRow> {
  const [row] = await transaction.query<CardRow>(
    `insert into card (id, organisation_id, account_id, customer_id, created_at, last4, expires, status, type, design,
       shipping_address, replaces_card_id, tags)
     select $1::bigint, a.organisation_id, a.id, a.customer_id, t.now, $3::text,
       to_char(t.now + interval '4 years', 'YYYY-MM'), $4::text, $5::text, $6::text, $7::json, $8::bigint, $9::jsonb
     from account a cross join lateral (select bank_time(a.organisation_id) as now) t
     where a.id = $2::bigint
     returning ${columns}`,
    [
      card.id,
      card.accountId,
      card.last4,
      card.status,
      card.type,
      card.design,
      card.shippingAddress && JSON.stringify(card.shippingAddress),
      card.replacesCardId,
      JSON.stringify(card.tags),
    ],
  )
  if (!row) throw new Error('an insert answered no row')
  return row
}

export async function findCard(database: Queryable, organisationId: number, id: number): Promise<CardRow | undefined> {
  const [row] = await database.query<CardRow>(
    `select ${columns} from card where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

export async function updateCardStatus(transaction: Queryable, id: number, status: CardStatus): Promise<CardRow> {
  const [row] = await transaction.query<CardRow>(
    `update card set status = $2::text, version = version + 1 where id = $1::bigint returning ${columns}`,
    [id, status],
  )
  if (!row) throw new Error('an update of a known card answered no row')
  return row
}

/** Ends every card of an account that has not ended yet; answers those, the oldest first. */
export function closeCardsOf(transaction: Queryable, accountId: number): Promise<CardRow[]> {
  return transaction.query(
    `with closed as (
       update card set status = 'ClosedByCustomer', version = version + 1
       where account_id = $1::bigint and status not in ('Lost', 'Stolen', 'ClosedByCustomer')
       returning *)
     select ${columns} from closed order by id`,
    [accountId],
  )
}

export function listCardRows(
  database: Queryable,
  filter: {
    organisationId: number
    accountId: number | null
    customerId: number | null
    status: CardStatus | null
    type: CardType | null
  },
  page: { take: number; offset: number; ascending: boolean },
): Promise<CardRow[]> {
  const order = page.ascending ? 'created_at, id' : 'created_at desc, id desc'
  return database.query(
    `select ${columns} from card
     where organisation_id = $1::bigint
       and ($2::bigint is null or account_id = $2) and ($3::bigint is null or customer_id = $3)
       and ($4::text is null or status = $4) and ($5::text is null or type = $5)
     order by ${order} limit $6 offset $7`,
    [filter.organisationId, filter.accountId, filter.customerId, filter.status, filter.type, page.take, page.offset],
  )
}
