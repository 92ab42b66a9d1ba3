import type { Queryable } from '../database/database.ts'
import { isHeld } from './ach/files.sql.ts'

/** An organisation that has moved leaves its rows behind in its former database, where it has ended. */
const ofPresent = '(select id from organisation where ended_at is null)'

const records = {
  customer: `select from customer where id = $1::bigint and organisation_id in ${ofPresent}`,
  achFile: `select from ach_file where id = $1::bigint and ${isHeld} and (organisation_id is null or organisation_id in ${ofPresent})`,
  achException: `select from ach_exception where id = $1::bigint and organisation_id in ${ofPresent}`,
  organisation: 'select from organisation where id = $1::bigint and ended_at is null',
}

export type RecordKind = keyof typeof records

/** Whether a record belongs to an organisation that is in this database. */
export async function hasRecord(database: Queryable, kind: RecordKind, id: number): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(`select exists (${records[kind]}) as found`, [id], 'once')
  return row?.found === true
}
