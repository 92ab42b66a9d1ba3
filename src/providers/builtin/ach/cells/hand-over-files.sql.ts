import type { Queryable } from '../../../../database/database.ts'

/** The first file of all organisations behind an id whose bytes are sealed with the key of an organisation, or are to be. */
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

/** The first organisation of the cell but this one. */
export async function otherOrganisation(database: Queryable, organisationId: number): Promise<number | undefined> {
  const [row] = await database.query<{ id: number | null }>(
    `select min(id) as id from organisation where ended_at is null and id <> $1::bigint`,
    [organisationId],
  )
  return row?.id ?? undefined
}

/** The bytes of a file under the key of an organisation; null while it is being built, undefined where another has it by now. */
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
