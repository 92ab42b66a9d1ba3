import type { Queryable } from '../../database/database.ts'

export interface DeliverableFile {
  id: number
  organisationId: number | null
  keyOrganisationId: number
  state: 'built' | 'delivering'
  name: string
  sealedContent: Buffer
  sha256: Buffer
}

/** Files after an id that wait for their delivery, of one organisation or of all. */
export async function undelivered(
  database: Queryable,
  { organisationId, after, limit }: { organisationId: number | null; after: number; limit: number },
): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select id from ach_file where state in ('built', 'delivering') and id > $1::bigint
       and ($3::bigint is null or organisation_id = $3)
     order by id limit $2`,
    [after, limit, organisationId],
  )
  return rows.map(({ id }) => id)
}

/** The first number of the advisory locks of deliveries; no other advisory lock begins with it. */
const DELIVERY_LOCKS = 7_275_747

/** Takes a file for its delivery until the transaction ends. Another process has it if it is not found. */
export async function holdFile(transaction: Queryable, id: number): Promise<DeliverableFile | undefined> {
  const [row] = await transaction.query<{ free: boolean }>(
    `select pg_try_advisory_xact_lock($1::int, $2::int) as free`,
    [DELIVERY_LOCKS, id % 2 ** 31],
  )
  if (!row?.free) return undefined
  const [file] = await transaction.query<DeliverableFile>(
    `select id, organisation_id as "organisationId", key_organisation_id as "keyOrganisationId", state, name,
       sealed_content as "sealedContent", sha256
     from ach_file where id = $1::bigint and state in ('built', 'delivering')`,
    [id],
  )
  return file
}

/**
 * Moves a file to its next state; returns false if its state does not allow it. A file of a sandbox that has reached
 * the other banks is read by them.
 */
export async function moveFile(
  database: Queryable,
  { id, from, to }: { id: number; from: string[]; to: string },
): Promise<boolean> {
  const rows = await database.query(
    `update ach_file set state = $3::text,
       delivered_at = case when $3::text = 'delivered' then coalesce(bank_time(organisation_id), clock_timestamp()) else delivered_at end,
       answer_at = case
         when $3::text = 'acknowledged' and state = 'delivered' then answer_at
         when $3::text in ('delivered', 'acknowledged') and organisation_id is not null then window_at end
     where id = $1::bigint and state = any($2::text[]) returning id`,
    [id, from, to],
  )
  return rows.length === 1
}
