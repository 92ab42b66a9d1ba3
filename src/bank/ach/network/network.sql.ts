import type { Queryable } from '../../../database/database.ts'

export interface FileToAnswer {
  id: number
  /** The time of its next answer. Just after its delivery the file is read for the first time. */
  at: string
}

/** The delivered files of an organisation that other banks answer next. */
export function nextToAnswer(database: Queryable, organisationId: number, limit: number): Promise<FileToAnswer[]> {
  return database.query(
    `select id, answer_at as at from ach_file where organisation_id = $1::bigint and answer_at is not null
     order by answer_at, id limit $2`,
    [organisationId, limit],
    'once',
  )
}

/** The answers that an organisation waits for. A file that is not read yet has none. */
export function upcomingAnswers(database: Queryable, organisationId: number, limit: number): Promise<FileToAnswer[]> {
  return database.query(
    `select id, answer_at as at from ach_file where organisation_id = $1::bigint and answer_at > window_at
     order by answer_at, id limit $2`,
    [organisationId, limit],
    'once',
  )
}

export interface AnsweredFile {
  keyOrganisationId: number
  sealedContent: Buffer
  /** Numbers of its rejected batches. */
  rejected: number[]
}

export async function fileToAnswer(database: Queryable, id: number): Promise<AnsweredFile | undefined> {
  const [row] = await database.query<AnsweredFile>(
    `select f.key_organisation_id as "keyOrganisationId", f.sealed_content as "sealedContent",
       array(select b.number from ach_batch b where b.file_id = f.id and b.rejected_at is not null) as rejected
     from ach_file f where f.id = $1::bigint and f.answer_at is not null`,
    [id],
    'once',
  )
  return row
}

/** Notes when a file is answered next; null if all answers have been taken. */
export async function noteAnswered(database: Queryable, { id, at }: FileToAnswer, next: string | null): Promise<void> {
  await database.query(
    `update ach_file set answer_at = $3::timestamptz where id = $1::bigint and answer_at = $2::timestamptz`,
    [id, at, next],
  )
}

/** The records that the entries of an incoming file have changed, in the order of the file. */
export function changedBy(database: Queryable, fileId: number): Promise<{ type: string; id: number }[]> {
  return database.query(
    `select case e.kind when 'return' then 'payment.returned' else 'externalAccount.corrected' end as type,
       case e.kind when 'return' then p.id else p.external_account_id end as id
     from ach_received_entry e join payment p on p.id = e.payment_id
     where e.file_id = $1::bigint and e.outcome = 'applied' and e.kind in ('return', 'change') order by e.line`,
    [fileId],
    'once',
  )
}
