import type { Queryable } from '../../database/database.ts'
import { isOfOrganisation, type ListWindow, listRows } from '../../database/lists.ts'
import { activationColumns } from '../records/campaigns/activations.sql.ts'
import type { LedgerActivation } from '../records/campaigns/activations.ts'

const { selected } = activationColumns

/** A partner user under lock, as purchases lock it, with bank time. */
export async function lockPartnerUser(
  transaction: Queryable,
  organisationId: number,
  id: number,
): Promise<{ id: number; tags: Record<string, string>; isRemoved: boolean; now: string } | undefined> {
  const [row] = await transaction.query<{ id: number; tags: Record<string, string>; isRemoved: boolean; now: string }>(
    `select id, tags, is_removed as "isRemoved", bank_time($1::bigint) as now from partner_user
     where organisation_id = $1::bigint and id = $2::bigint for no key update`,
    [organisationId, id],
  )
  return row
}

/** The activations of a partner user whose time is not over, for some offers. */
export function runningActivations(
  database: Queryable,
  partnerUserId: number,
  offerIds: number[],
  now: string,
): Promise<LedgerActivation[]> {
  return database.query(
    `select ${selected} from offer_activation
     where partner_user_id = $1::bigint and offer_id = any($2::bigint[]) and expires_at > $3::timestamptz
     order by created_at, id`,
    [partnerUserId, offerIds, now],
  )
}

export async function insertActivation(
  transaction: Queryable,
  row: Pick<LedgerActivation, 'id' | 'organisationId' | 'offerId' | 'partnerUserId' | 'expiresAt' | 'uses'>,
): Promise<LedgerActivation> {
  const [made] = await transaction.query<LedgerActivation>(
    `insert into offer_activation (id, organisation_id, offer_id, partner_user_id, status, expires_at, uses, created_at)
     values ($1::bigint, $2::bigint, $3::bigint, $4::bigint, 'Active', $5::timestamptz, $6::int, bank_time($2))
     returning ${selected}`,
    [row.id, row.organisationId, row.offerId, row.partnerUserId, row.expiresAt, row.uses],
  )
  return made as LedgerActivation
}

export async function findActivation(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<LedgerActivation | undefined> {
  const [row] = await database.query<LedgerActivation>(
    `select ${selected} from offer_activation where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

/** No row if it is canceled already. */
export async function cancelRow(transaction: Queryable, id: number): Promise<LedgerActivation | undefined> {
  const [row] = await transaction.query<LedgerActivation>(
    `update offer_activation set status = 'Canceled', updated_at = bank_time(organisation_id), version = version + 1
     where id = $1::bigint and status = 'Active' returning ${selected}`,
    [id],
  )
  return row
}

const filters = {
  always: [isOfOrganisation],
  along: ['partner_user_id = $partnerUserId::bigint'],
  matching: ['offer_id = $offerId::bigint'],
}

export function listActivationRows(
  database: Queryable,
  filter: { organisationId: number; partnerUserId: number | null; offerId: number | null },
  page: ListWindow,
): Promise<LedgerActivation[]> {
  return listRows(database, `select ${selected} from offer_activation`, filters, filter, page)
}
