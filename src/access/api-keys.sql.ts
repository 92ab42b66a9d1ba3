import type { Scope } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'

export interface ApiKeyRow {
  id: number
  organisationId: number
  scopes: Scope[] | null
}

/** A key that may be used now: known, not revoked, not expired. Keys live on real time. */
export async function findUsableKey(database: Queryable, hash: Buffer): Promise<ApiKeyRow | undefined> {
  const [row] = await database.query<ApiKeyRow>(
    `select id, organisation_id as "organisationId", scopes from api_key
     where hash = $1::bytea and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`,
    [hash],
  )
  return row
}

export async function insertKey(
  database: Queryable,
  key: { id: number; organisationId: number; name: string; hash: Buffer; scopes: Scope[] | null },
): Promise<void> {
  await database.query(
    `insert into api_key (id, organisation_id, name, hash, scopes, created_at)
     values ($1::bigint, $2::bigint, $3::text, $4::bytea, $5::text[], clock_timestamp())
     on conflict (hash) do update set revoked_at = null, version = api_key.version + 1
       where api_key.revoked_at is not null`,
    [key.id, key.organisationId, key.name, key.hash, key.scopes],
  )
}

export async function revokeOtherKeys(database: Queryable, name: string, hash: Buffer): Promise<void> {
  await database.query(
    `update api_key set revoked_at = clock_timestamp(), version = version + 1
     where name = $1::text and hash <> $2::bytea and revoked_at is null`,
    [name, hash],
  )
}

export async function countUsableKeys(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*) as count from api_key
     where revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`,
  )
  return row?.count ?? 0
}
