import type { CardStatus } from '../../banking/cards/card.ts'
import type { StoredCardLimits } from '../../banking/cards/card-limits.ts'
import type { Queryable } from '../../database/database.ts'

export interface CardWithLimits {
  id: number
  customerId: number
  status: CardStatus
  limits: StoredCardLimits | null
  version: number
  /** Bank time of the organisation. */
  now: string
}

const columns = `id, customer_id as "customerId", status, limits, version, bank_time(organisation_id) as now`

export async function findCardWithLimits(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<CardWithLimits | undefined> {
  const [row] = await database.query<CardWithLimits>(
    `select ${columns} from card where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

export async function updateLimits(
  transaction: Queryable,
  id: number,
  limits: StoredCardLimits | null,
): Promise<CardWithLimits> {
  const [row] = await transaction.query<CardWithLimits>(
    `update card set limits = $2::jsonb, version = version + 1 where id = $1::bigint returning ${columns}`,
    [id, limits && JSON.stringify(limits)],
  )
  if (!row) throw new Error('an update of an existing card returned no row')
  return row
}
