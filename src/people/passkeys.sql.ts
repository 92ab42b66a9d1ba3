import type { Queryable } from '../database/database.ts'

export interface PasskeyRow {
  id: string
  personId: number
  publicKey: Buffer
  counter: number
  transports: string[]
}

export async function insertPasskey(database: Queryable, passkey: PasskeyRow): Promise<void> {
  await database.query(
    `insert into people_passkey (id, person_id, public_key, counter, transports, created_at)
     values ($1::text, $2::bigint, $3::bytea, $4::bigint, $5::text[], clock_timestamp())`,
    [passkey.id, passkey.personId, passkey.publicKey, passkey.counter, passkey.transports],
  )
}

/** Locks a passkey of a person who was not removed. */
export async function lockPasskey(transaction: Queryable, id: string): Promise<PasskeyRow | undefined> {
  const [row] = await transaction.query<PasskeyRow>(
    `select k.id, k.person_id as "personId", k.public_key as "publicKey", k.counter, k.transports
     from people_passkey k join people p on p.id = k.person_id and p.removed_at is null
     where k.id = $1::text for no key update of k`,
    [id],
  )
  return row
}

export async function notePasskeyUse(transaction: Queryable, id: string, counter: number): Promise<void> {
  await transaction.query(
    `update people_passkey set counter = $2::bigint, used_at = clock_timestamp() where id = $1::text`,
    [id, counter],
  )
}

export async function deletePasskeys(database: Queryable, personId: number): Promise<void> {
  await database.query('delete from people_passkey where person_id = $1::bigint', [personId])
}
