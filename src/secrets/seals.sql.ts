import type { Queryable } from '../database/database.ts'

/** The keys of an organisation, sealed with the operator's key. */
export interface SealedKeys {
  organisationId: number
  dataKey: Buffer
  digestKey: Buffer
}

export interface KeysRow {
  organisationId: number
  /** Null for an organisation that existed before keys, until they are made. */
  dataKey: Buffer | null
  digestKey: Buffer | null
}

const columns = `organisation_id as "organisationId", data_key as "dataKey", digest_key as "digestKey"`

export async function findKeys(database: Queryable, organisationId: number): Promise<KeysRow | undefined> {
  const [row] = await database.query<KeysRow>(
    `select ${columns} from organisation_key where organisation_id = $1::bigint`,
    [organisationId],
  )
  return row
}

/** Stores the keys of organisations that have none. */
export async function insertKeys(transaction: Queryable, rows: SealedKeys[]): Promise<void> {
  await transaction.query(
    `insert into organisation_key as k (organisation_id, data_key, digest_key)
     select o.id, given.data_key, given.digest_key
     from unnest($1::bigint[], $2::bytea[], $3::bytea[]) given (id, data_key, digest_key)
     join organisation o on o.id = given.id and o.ended_at is null
     order by o.id
     on conflict (organisation_id) do update set data_key = excluded.data_key, digest_key = excluded.digest_key
     where k.data_key is null`,
    arraysOf(rows),
  )
}

/** Organisations whose keys are still to be made. */
export async function withoutKeys(
  database: Queryable,
  limit: number,
): Promise<{ organisationId: number; beforeKeys: boolean }[]> {
  return database.query(
    `select o.id as "organisationId", k.organisation_id is not null as "beforeKeys"
     from organisation o left join organisation_key k on k.organisation_id = o.id
     where k.data_key is null and o.ended_at is null order by o.id limit $1`,
    [limit],
  )
}

/** Locks keys that are not sealed with the key of this version, in the order of their organisations. */
export async function lockKeysOfOthers(transaction: Queryable, version: Buffer, limit: number): Promise<KeysRow[]> {
  return transaction.query<KeysRow>(
    `select ${columns} from organisation_key
     where substring(data_key from 1 for 4) <> $1::bytea
     order by organisation_id limit $2 for update`,
    [version, limit],
  )
}

export async function countKeys(database: Queryable, version: Buffer): Promise<{ all: number; ofVersion: number }> {
  const [row] = await database.query<{ all: number; ofVersion: number }>(
    `select count(data_key) as all, count(*) filter (where substring(data_key from 1 for 4) = $1::bytea) as "ofVersion"
     from organisation_key`,
    [version],
  )
  return row ?? { all: 0, ofVersion: 0 }
}

export async function replaceKeys(transaction: Queryable, rows: SealedKeys[]): Promise<void> {
  await transaction.query(
    `update organisation_key k set data_key = given.data_key, digest_key = given.digest_key
     from unnest($1::bigint[], $2::bytea[], $3::bytea[]) given (id, data_key, digest_key)
     where k.organisation_id = given.id`,
    arraysOf(rows),
  )
}

function arraysOf(rows: SealedKeys[]) {
  return [
    rows.map(({ organisationId }) => organisationId),
    rows.map(({ dataKey }) => dataKey),
    rows.map(({ digestKey }) => digestKey),
  ]
}
