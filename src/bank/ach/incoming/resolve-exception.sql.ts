import type { Queryable } from '../../../database/database.ts'
import type { AchException } from '../../records/received-records.ts'

export interface StoredException extends AchException {
  resolvedAt: string | null
  /** Settlement day of the entry; null for a whole file. */
  settlesOn: string | null
}

/** An exception of an organisation that has not ended. */
export async function findException(database: Queryable, id: number): Promise<StoredException | undefined> {
  const [row] = await database.query<StoredException>(
    `select x.id, x.organisation_id as "organisationId", x.file_id as "fileId", x.line, x.kind, x.detail, x.direction,
       x.amount, x.payment_id as "paymentId", x.created_at as "createdAt", x.resolved_at as "resolvedAt",
       e.settles_on::text as "settlesOn"
     from ach_exception x join organisation o on o.id = x.organisation_id
     left join ach_received_entry e on e.file_id = x.file_id and e.line = x.line
     where x.id = $1::bigint and o.ended_at is null`,
    [id],
  )
  return row
}

/** Whether a customer of the organisation has an account. */
export async function isAccountOf(database: Queryable, organisationId: number, accountId: number): Promise<boolean> {
  const rows = await database.query(
    `select from account where id = $2::bigint and organisation_id = $1::bigint and id > 0`,
    [organisationId, accountId],
  )
  return rows.length === 1
}
