import type { Queryable } from '../../database/database.ts'
import { type CardRow, cardColumns } from '../cards/cards.sql.ts'

export type ReferencedCard = CardRow & { reference: string | null }

export async function findReferencedCard(
  database: Queryable,
  organisationId: number,
  reference: string,
): Promise<ReferencedCard | undefined> {
  const [row] = await database.query<ReferencedCard>(
    `select ${cardColumns}, processor_reference as reference from card
     where organisation_id = $1::bigint and processor_reference = $2::text`,
    [organisationId, reference],
  )
  return row
}

export async function referenceOf(transaction: Queryable, id: number): Promise<string | null> {
  const [row] = await transaction.query<{ reference: string | null }>(
    `select processor_reference as reference from card where id = $1::bigint`,
    [id],
  )
  return row?.reference ?? null
}

export async function updateReference(
  transaction: Queryable,
  id: number,
  reference: string | null,
): Promise<ReferencedCard> {
  const [row] = await transaction.query<ReferencedCard>(
    `update card set processor_reference = $2::text, version = version + 1 where id = $1::bigint
     returning ${cardColumns}, processor_reference as reference`,
    [id, reference],
  )
  if (!row) throw new Error('an update of an existing card returned no row')
  return row
}
