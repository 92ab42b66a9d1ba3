import type { Queryable } from '../database/database.ts'

export async function insertMarker(database: Queryable, sealed: Buffer): Promise<void> {
  await database.query(`insert into encryption_marker (id, sealed) values (1, $1::bytea) on conflict do nothing`, [
    sealed,
  ])
}

export async function findMarker(database: Queryable): Promise<Buffer> {
  const [row] = await database.query<{ sealed: Buffer }>(`select sealed from encryption_marker where id = 1`)
  if (!row) throw new Error('the encryption marker is gone')
  return row.sealed
}
