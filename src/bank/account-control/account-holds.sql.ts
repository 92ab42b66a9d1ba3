import type { AccountHoldStatus } from '../../banking/account-holds/account-hold.ts'
import type { Queryable } from '../../database/database.ts'
import { type ListWindow, listRows } from '../../database/lists.ts'
import { holdColumns } from '../records/holds.sql.ts'
import type { LedgerHold } from '../records/records.ts'

export async function findHold(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<LedgerHold | undefined> {
  const [row] = await database.query<LedgerHold>(
    `select ${holdColumns} from account_hold where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

/** Lists holds of an account. */
export function listHoldRows(
  database: Queryable,
  filter: { accountId: number; status: AccountHoldStatus | undefined },
  page: ListWindow,
): Promise<LedgerHold[]> {
  const filters = { always: ['account_id = $accountId::bigint'], along: ['status = $status::text'] }
  return listRows(database, `select ${holdColumns} from account_hold`, filters, filter, page)
}

/** The active holds that expire until a time, in the order of their expiry. */
export function expiringHolds(
  database: Queryable,
  organisationId: number,
  until: string,
  most: number,
): Promise<(Pick<LedgerHold, 'id' | 'accountId' | 'customerId'> & { expiresAt: string })[]> {
  return database.query(
    `select id, account_id as "accountId", customer_id as "customerId", expires_at as "expiresAt" from account_hold
     where organisation_id = $1::bigint and status = 'Active' and expires_at <= $2::timestamptz
     order by expires_at, id limit $3`,
    [organisationId, until, most],
  )
}
