import type { Queryable } from '../database/database.ts'

export interface Marker {
  /** Opens with the operator's key. */
  sealed: Buffer
  /** Opens with the next key of the operator, while the key is being changed. */
  next: Buffer | null
}

export async function insertMarker(database: Queryable, sealed: Buffer): Promise<void> {
  await database.query(`insert into encryption_marker (id, sealed) values (1, $1::bytea) on conflict do nothing`, [
    sealed,
  ])
}

export async function findMarker(database: Queryable): Promise<Marker> {
  return only(await database.query<Marker>(`select sealed, next from encryption_marker where id = 1`))
}

/** Holds the marker where it is until the end of the transaction. */
export async function holdMarker(transaction: Queryable): Promise<Marker> {
  return only(await transaction.query<Marker>(`select sealed, next from encryption_marker where id = 1 for share`))
}

/** Waits for all transactions that hold the marker. */
export async function lockMarker(transaction: Queryable): Promise<Marker> {
  return only(await transaction.query<Marker>(`select sealed, next from encryption_marker where id = 1 for update`))
}

export async function saveMarker(transaction: Queryable, { sealed, next }: Marker): Promise<void> {
  await transaction.query(`update encryption_marker set sealed = $1::bytea, next = $2::bytea where id = 1`, [
    sealed,
    next,
  ])
}

function only(rows: Marker[]): Marker {
  const [marker] = rows
  if (!marker) throw new Error('the encryption marker is gone')
  return marker
}
