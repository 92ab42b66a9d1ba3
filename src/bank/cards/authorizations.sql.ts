import type { Queryable } from '../../database/database.ts'
import {
  amountRange,
  isOfOrganisation,
  type ListWindow,
  lastSearched,
  listRows,
  named,
  type OwnFilter,
  period,
} from '../../database/lists.ts'
import { haveWords } from '../customers/matches.sql.ts'
import { authorizationColumns } from '../records/cards.sql.ts'
import type { LedgerAuthorization } from '../records/records.ts'

export type AuthorizationRow = LedgerAuthorization

export async function findAuthorization(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<AuthorizationRow | undefined> {
  const [row] = await database.query<AuthorizationRow>(
    `select ${authorizationColumns} from card_authorization where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

export function listAuthorizationRows(
  database: Queryable,
  filter: OwnFilter,
  page: ListWindow,
): Promise<AuthorizationRow[]> {
  return listRows(database, `select ${authorizationColumns} from card_authorization`, openFilters, filter, page)
}

const openFilters = {
  always: [isOfOrganisation, 'customer_id = $customerId::bigint', `status = 'Authorized'`],
  along: period,
  matching: ['account_id = $accountId::bigint', 'card_id = $cardId::bigint', ...amountRange],
}

export interface OwnedFilter extends OwnFilter {
  customerId: number | null
  accountId: number | null
  cardId: number | null
  status?: string[]
  reason?: string
}

/** The time after which a list with a search looks at authorizations; null if it looks at all. */
export async function findOwnedStart(database: Queryable, filter: OwnedFilter): Promise<string | null> {
  const statement = lastSearched('card_authorization', ownedRange(filter), filter)
  const [row] = await database.query<{ created_at: string }>(...named(statement, filter))
  return row?.created_at ?? null
}

/** Authorizations in all states with the names of their holders, along the index that fits the filter. */
export function listOwnedRows(
  database: Queryable,
  filter: OwnedFilter,
  page: ListWindow,
): Promise<(AuthorizationRow & { customerName: string })[]> {
  const holder = '(select c.name from customer c where c.id = card_authorization.customer_id) as "customerName"'
  const filters = { always: ownedRange(filter), along: period, matching: ownedMatching }
  return listRows(database, `select ${authorizationColumns}, ${holder} from card_authorization`, filters, filter, page)
}

const ownedMatching = [
  'account_id = $accountId::bigint',
  'card_id = $cardId::bigint',
  'status = any($status::text[])',
  'decline_reason = $reason::text',
  haveWords(['merchant_name', 'merchant_location'], '$search::text'),
  ...amountRange,
]

/** The conditions that lead to an index: of a customer, of declined authorizations, or else of the organisation. */
function ownedRange({ customerId, accountId, cardId, status, reason }: OwnedFilter): string[] {
  const heldBy = (table: string, column: string, id: string) => [
    `customer_id = (select ${column} from ${table} where id = ${id}::bigint and organisation_id = $organisationId::bigint)`,
  ]
  if (customerId !== null) return heldBy('customer', 'id', '$customerId')
  if (accountId !== null) return heldBy('account', 'customer_id', '$accountId')
  if (cardId !== null) return heldBy('card', 'customer_id', '$cardId')
  return reason !== undefined || status?.join() === 'Declined'
    ? [isOfOrganisation, `status = 'Declined'`]
    : [isOfOrganisation]
}

/** Authorizations with an open over-settlement, along its index. */
export function listOverSettledRows(
  database: Queryable,
  organisationId: number,
  page: ListWindow,
): Promise<AuthorizationRow[]> {
  const always = [isOfOrganisation, `over_settlement = 'Open'`]
  return listRows(
    database,
    `select ${authorizationColumns} from card_authorization`,
    { always },
    { organisationId },
    page,
  )
}

/** Resolves the over-settlement of an authorization whose account is locked. */
export async function resolveOverSettled(transaction: Queryable, id: number): Promise<AuthorizationRow> {
  const [row] = await transaction.query<AuthorizationRow>(
    `update card_authorization set over_settlement = 'Resolved', version = version + 1
     where id = $1::bigint returning ${authorizationColumns}`,
    [id],
  )
  if (!row) throw new Error('an update of a locked authorization returned no row')
  return row
}

/** The open authorizations that expire until a time, in the order of their expiry. */
export function expiringAuthorizations(
  database: Queryable,
  organisationId: number,
  until: string,
  most: number,
): Promise<{ id: number; accountId: number; expiresAt: string }[]> {
  return database.query(
    `select id, account_id as "accountId", expires_at as "expiresAt" from card_authorization
     where organisation_id = $1::bigint and status = 'Authorized' and expires_at <= $2::timestamptz
     order by expires_at, id limit $3`,
    [organisationId, until, most],
  )
}
