import type { Address } from '../../banking/address.ts'
import { type CardStatus, type CardType, liveCardStatuses, MAX_PENDING_REPLACEMENTS } from '../../banking/cards/card.ts'
import type { Queryable } from '../../database/database.ts'
import { isOfOrganisation, type ListWindow, listRows, type OwnFilter, period } from '../../database/lists.ts'

export interface CardRow {
  id: number
  accountId: number
  customerId: number
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

export const cardColumns = `id, account_id as "accountId", customer_id as "customerId", created_at as "createdAt", last4, expires, status, type, design,
  shipping_address as "shippingAddress", replaces_card_id as "replacesCardId", version`

export async function insertCard(
  transaction: Queryable,
  card: Omit<CardRow, 'customerId' | 'createdAt' | 'expires' | 'version'> & { tags: Record<string, string> },
): Promise<CardRow> {
  const [row] = await transaction.query<CardRow>(
    `insert into card (id, organisation_id, account_id, customer_id, created_at, last4, expires, status, type, design,
       shipping_address, replaces_card_id, tags, activated_at, limits)
     select $1::bigint, a.organisation_id, a.id, a.customer_id, t.now, $3::text,
       to_char(least(t.now + interval '4 years', '9999-12-31'), 'YYYY-MM'), $4::text, $5::text, $6::text, $7::json,
       $8::bigint, $9::jsonb, case when $4 = 'Active' then t.now end,
       (select old.limits from card old where old.id = $8::bigint)
     from account a cross join lateral (select bank_time(a.organisation_id) as now) t
     where a.id = $2::bigint
     returning ${cardColumns}`,
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
  if (!row) throw new Error('an insert returned no row')
  return row
}

export async function findCard(database: Queryable, organisationId: number, id: number): Promise<CardRow | undefined> {
  const [row] = await database.query<CardRow>(
    `select ${cardColumns} from card where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

export async function updateCardStatus(transaction: Queryable, id: number, status: CardStatus): Promise<CardRow> {
  const [row] = await transaction.query<CardRow>(
    `update card set status = $2::text, version = version + 1,
       activated_at = case when $2 = 'Active' then coalesce(activated_at, bank_time(organisation_id)) else activated_at end
     where id = $1::bigint returning ${cardColumns}`,
    [id, status],
  )
  if (!row) throw new Error('an update of an existing card returned no row')
  return row
}

/**
 * Walks from card $1 over the cards that it replaces, directly or by way of others, to the first one that was ever
 * activated: the activation of that card ended all cards after it. `step` is the number of replacements on the way, at
 * most $2.
 */
const replacementChain = `
  with recursive chain as (
    select id, replaces_card_id, activated_at, 0 as step from card where id = $1::bigint
    union all
    select old.id, old.replaces_card_id, old.activated_at, chain.step + 1
    from chain join card old on old.id = chain.replaces_card_id
    where chain.activated_at is null and chain.step < $2::int)`

/** Ends the live cards that a card replaces, before that card is activated. Returns them, the latest one first. */
export function endReplacedCards(transaction: Queryable, id: number): Promise<CardRow[]> {
  return transaction.query(
    `${replacementChain}, ended as (
       update card set status = 'ClosedByCustomer', version = version + 1
       where id in (select id from chain where step > 0) and status = any($3::text[])
       returning *)
     select ${cardColumns} from ended order by (select step from chain where chain.id = ended.id)`,
    [id, MAX_PENDING_REPLACEMENTS, liveCardStatuses],
  )
}

/** The number of cards that replaced one another, down to this one, since one of them was activated. */
export async function countPendingReplacements(transaction: Queryable, id: number): Promise<number> {
  const [row] = await transaction.query<{ replacements: number }>(
    `${replacementChain} select max(step) as replacements from chain`,
    [id, MAX_PENDING_REPLACEMENTS],
  )
  return row?.replacements ?? 0
}

/** Ends every live card of an account. Returns them, the oldest one first. */
export function closeCardsOf(transaction: Queryable, accountId: number): Promise<CardRow[]> {
  return transaction.query(
    `with closed as (
       update card set status = 'ClosedByCustomer', version = version + 1
       where account_id = $1::bigint and status = any($2::text[])
       returning *)
     select ${cardColumns} from closed order by id`,
    [accountId, liveCardStatuses],
  )
}

export function listCardRows(database: Queryable, filter: OwnFilter, page: ListWindow): Promise<CardRow[]> {
  return listRows(database, `select ${cardColumns} from card`, cardFilters, filter, page)
}

const cardFilters = {
  always: [isOfOrganisation],
  along: [
    'account_id = $accountId::bigint',
    'customer_id = $customerId::bigint',
    'last4 = $last4Digits::text',
    ...period,
  ],
  matching: ['status = $status::text', 'type = $type::text'],
}
