import type { Queryable } from '../../database/database.ts'

export interface OperatorFile {
  id: number
  /** Null for a file of all organisations. */
  organisationId: number | null
  keyOrganisationId: number
  direction: 'out' | 'in'
  name: string
  state: string
  windowAt: string
  entryCount: number
  debits: number
  credits: number
  deliveredAt: string | null
}

const columns = `id, organisation_id as "organisationId", key_organisation_id as "keyOrganisationId", direction, name, state,
  window_at as "windowAt", entry_count as "entryCount", debits, credits, delivered_at as "deliveredAt"`

/** Whether a database has a file, and not only entries of organisations in it: the file is its own, or of one that is retired. */
export const isHeld = '(not arrived or sealed_content is not null)'

/** Files of a database, the latest first. */
export function latestFiles(database: Queryable, state: string | null, limit: number): Promise<OperatorFile[]> {
  return database.query(
    `select ${columns} from ach_file where ${isHeld} and ($1::text is null or state = $1::text) order by id desc limit $2`,
    [state, limit],
  )
}

export async function findFile(database: Queryable, id: number): Promise<OperatorFile | undefined> {
  const [row] = await database.query<OperatorFile>(`select ${columns} from ach_file where id = $1::bigint`, [id])
  return row
}

export type FileShare = Pick<OperatorFile, 'id' | 'entryCount' | 'debits' | 'credits'>

/** The totals of files in a database that is not theirs: those of organisations that have moved to it. */
export function sharesOf(database: Queryable, ids: number[]): Promise<FileShare[]> {
  return database.query(
    `select id, entry_count as "entryCount", debits, credits from ach_file where not ${isHeld} and id = any($1::bigint[])`,
    [ids],
  )
}

/** The state of a file, which does not change before the transaction ends. */
export async function lockFile(transaction: Queryable, id: number): Promise<{ state: string } | undefined> {
  const [row] = await transaction.query<{ state: string }>(
    `select state from ach_file where id = $1::bigint and direction = 'out' for update`,
    [id],
  )
  return row
}

export async function findContent(database: Queryable, id: number): Promise<Buffer | null> {
  const [row] = await database.query<{ sealedContent: Buffer | null }>(
    `select sealed_content as "sealedContent" from ach_file where id = $1::bigint`,
    [id],
  )
  return row?.sealedContent ?? null
}

export interface OperatorBatch {
  id: number
  number: number
  organisationId: number
  companyName: string
  companyId: string
  secCode: string
  description: string
  entryCount: number
  debits: number
  credits: number
  settlesAt: string
  settledAt: string | null
  rejectedAt: string | null
  /** Whether its time of settlement has come. */
  isDue: boolean
}

export function batchesOfFile(database: Queryable, fileId: number): Promise<OperatorBatch[]> {
  return database.query(
    `select id, number, organisation_id as "organisationId", company_name as "companyName", company_id as "companyId",
       sec_code as "secCode", description, entry_count as "entryCount", debits, credits, settles_at as "settlesAt",
       settled_at as "settledAt", rejected_at as "rejectedAt", settles_at <= bank_time(organisation_id) as "isDue"
     from ach_batch
     where file_id = $1::bigint and organisation_id not in (select id from organisation where ended_at is not null)
     order by number`,
    [fileId],
  )
}

/** Notes that batches were rejected, in the bank time of their organisations. */
export async function noteRejected(transaction: Queryable, batchIds: number[]): Promise<void> {
  await transaction.query(
    `update ach_batch set rejected_at = bank_time(organisation_id)
     where id = any($1::bigint[]) and settled_at is null and rejected_at is null`,
    [batchIds],
  )
}

/** Sets what is given of the company of an organisation. Returns undefined if there is no such organisation. */
export async function updateCompany(
  database: Queryable,
  given: { organisation: string; name: string | undefined; companyId: string | undefined },
): Promise<{ name: string | null; companyId: string | null } | undefined> {
  const [row] = await database.query<{ name: string | null; companyId: string | null }>(
    `update organisation set
       ach_company_name = case when $2::text is null then ach_company_name else nullif($2::text, '') end,
       ach_company_id = case when $3::text is null then ach_company_id else nullif($3::text, '') end,
       version = version + 1
     where name = $1::text and ended_at is null
     returning ach_company_name as name, ach_company_id as "companyId"`,
    [given.organisation, given.name ?? null, given.companyId ?? null],
  )
  return row
}
