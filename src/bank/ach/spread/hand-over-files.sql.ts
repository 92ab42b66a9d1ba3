import type { Queryable } from '../../../database/database.ts'

/** The first file of all organisations after an id whose bytes are sealed with the key of an organisation, or are to be. */
export async function nextSealedBy(
  database: Queryable,
  organisationId: number,
  after: number,
): Promise<number | undefined> {
  const [row] = await database.query<{ id: number | null }>(
    `select min(id) as id from ach_file
     where organisation_id is null and key_organisation_id = $1::bigint and (sealed_content is not null or state = 'building')
       and id > $2::bigint`,
    [organisationId, after],
  )
  return row?.id ?? undefined
}

/** The first organisation of the database but this one. */
export async function otherOrganisation(database: Queryable, organisationId: number): Promise<number | undefined> {
  const [row] = await database.query<{ id: number | null }>(
    `select min(id) as id from organisation where ended_at is null and id <> $1::bigint`,
    [organisationId],
  )
  return row?.id ?? undefined
}

/** The bytes of a file under the key of an organisation; null while it is being built, undefined if another has it by now. */
export async function findSealedBy(
  database: Queryable,
  organisationId: number,
  fileId: number,
): Promise<Buffer | null | undefined> {
  const [row] = await database.query<{ sealedContent: Buffer | null }>(
    `select sealed_content as "sealedContent" from ach_file where id = $1::bigint and key_organisation_id = $2::bigint`,
    [fileId, organisationId],
  )
  return row?.sealedContent
}

/** Replaces the bytes of a file by the same ones under the key of another organisation. */
export async function replaceSealed(
  database: Queryable,
  { fileId, from, to, sealedContent }: { fileId: number; from: number; to: number; sealedContent: Buffer | null },
): Promise<void> {
  await database.query(
    `update ach_file set sealed_content = $4::bytea, key_organisation_id = $3::bigint
     where id = $1::bigint and key_organisation_id = $2::bigint and (sealed_content is null) = ($4::bytea is null)`,
    [fileId, from, to, sealedContent],
  )
}

/** A file of a database that is being retired. */
export interface KeptFile {
  id: number
  keyOrganisationId: number
  sealedContent: Buffer
  /** Its other columns, as JSON. */
  row: string
}

const columns = 'id, direction, window_at, part, modifier, created_on, name, state, header, sha256, delivered_at'

/** The first file of all organisations whose bytes a database has. */
export async function firstKeptFile(database: Queryable): Promise<KeptFile | undefined> {
  const [row] = await database.query<KeptFile>(
    `select f.id, f.key_organisation_id as "keyOrganisationId", f.sealed_content as "sealedContent", to_json(x)::text as row
     from ach_file f cross join lateral (select ${columns} from ach_file where id = f.id) x
     where f.organisation_id is null and f.sealed_content is not null order by f.id limit 1`,
  )
  return row
}

/** Gives the first database a file with its bytes. A row that it has, because organisations moved there, keeps its totals. */
export async function adoptFile(
  home: Queryable,
  { row, keyOrganisationId, sealedContent }: Omit<KeptFile, 'id'>,
): Promise<void> {
  await home.query(
    `insert into ach_file as f (${columns}, key_organisation_id, sealed_content, arrived)
     select ${columns}, $2::bigint, $3::bytea, true from json_populate_record(null::ach_file, $1::json)
     on conflict (id) do update set state = excluded.state, delivered_at = excluded.delivered_at,
       key_organisation_id = excluded.key_organisation_id, sealed_content = excluded.sealed_content`,
    [row, keyOrganisationId, sealedContent],
  )
}

/** Removes the bytes of a file that the first database has. The row goes with the rows of the organisations. */
export async function releaseFile(database: Queryable, id: number): Promise<void> {
  await database.query('update ach_file set sealed_content = null, arrived = true where id = $1::bigint', [id])
}
