import type { Queryable } from '../../database/database.ts'
import { isOfOrganisation, type ListWindow, listRows, period } from '../../database/lists.ts'
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
  filter: {
    organisationId: number
    customerId: number
    accountId: number | null
    cardId: number | null
    since: string | null
    until: string | null
    fromAmount: number | null
    toAmount: number | null
  },
  page: ListWindow,
): Promise<AuthorizationRow[]> {
  return listRows(database, `select ${authorizationColumns} from card_authorization`, openFilters, filter, page)
}

const openFilters = {
  always: [isOfOrganisation, 'customer_id = $customerId::bigint', `status = 'Authorized'`],
  along: period,
  matching: [
    'account_id = $accountId::bigint',
    'card_id = $cardId::bigint',
    'amount >= $fromAmount::bigint',
    'amount <= $toAmount::bigint',
  ],
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
