import type { Queryable } from '../../database/database.ts'
import { isOfOrganisation, type ListWindow, listRows } from '../../database/lists.ts'
import { type ExternalAccountRow, externalAccountColumns } from '../payments/external-accounts.sql.ts'

/** External accounts that wait for a review, along the index of the queue. */
export function listReviewExternalAccountRows(
  database: Queryable,
  organisationId: number,
  page: ListWindow,
): Promise<ExternalAccountRow[]> {
  const always = [isOfOrganisation, `review = 'PendingReview'`, 'deleted_at is null']
  return listRows(
    database,
    `select ${externalAccountColumns} from external_account`,
    { always },
    { organisationId },
    page,
  )
}

/** Decides about a locked external account. A rejected one is deleted. */
export async function decideReviewedAccount(
  transaction: Queryable,
  id: number,
  review: string,
): Promise<ExternalAccountRow> {
  const [row] = await transaction.query<ExternalAccountRow>(
    `update external_account set review = $2::text, version = version + 1,
       deleted_at = case when $2 = 'Rejected' then bank_time(organisation_id) end
     where id = $1::bigint returning ${externalAccountColumns}`,
    [id, review],
  )
  if (!row) throw new Error('an update of a locked external account returned no row')
  return row
}
