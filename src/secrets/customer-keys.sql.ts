import { arrayOf } from '../database/arrays.ts'
import type { Queryable } from '../database/database.ts'

export interface CustomerKeyRow {
  /** Id of the customer or of the application. */
  id: number
  /** Sealed with the data key of the organisation; null after the erasure. */
  dataKey: Buffer | null
}

export function findCustomerKeys(database: Queryable, ids: number[]): Promise<CustomerKeyRow[]> {
  return database.query(`select id, data_key as "dataKey" from customer_key where id = any($1::bigint[])`, [
    arrayOf('bigint', ids),
  ])
}

/** The same, which an erasure waits for. */
export function holdCustomerKeys(transaction: Queryable, ids: number[]): Promise<CustomerKeyRow[]> {
  return transaction.query(
    `select id, data_key as "dataKey" from customer_key where id = any($1::bigint[]) order by id for share`,
    [arrayOf('bigint', ids)],
  )
}

/** Stores the key of a customer; that of another transaction, which was faster, stays. */
export async function insertCustomerKey(
  transaction: Queryable,
  organisationId: number,
  { id, dataKey }: CustomerKeyRow,
): Promise<void> {
  await transaction.query(
    `insert into customer_key (id, organisation_id, data_key) values ($1::bigint, $2::bigint, $3::bytea)
     on conflict do nothing`,
    [id, organisationId, dataKey],
  )
}
