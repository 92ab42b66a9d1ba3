import type { Queryable } from '../database/database.ts'

export interface PasskeyRow {
  id: string
  personId: number
  publicKey: Buffer
  counter: number
}

/** Inserts a passkey; false if there is one with this id, which the browser chooses. */
export async function insertPasskey(database: Queryable, passkey: PasskeyRow): Promise<boolean> {
  const rows = await database.query(
    `insert into people_passkey (id, person_id, public_key, counter, transports, created_at)
     values ($1::text, $2::bigint, $3::bytea, $4::bigint, '{}', clock_timestamp()) on conflict (id) do nothing returning id`,
    [passkey.id, passkey.personId, passkey.publicKey, passkey.counter],
  )
  return rows.length > 0
}

/** Finds a passkey of a person who was not removed. */
export async function findPasskey(database: Queryable, id: string): Promise<PasskeyRow | undefined> {
  const [row] = await database.query<PasskeyRow>(
    `select k.id, k.person_id as "personId", k.public_key as "publicKey", k.counter
     from people_passkey k join people p on p.id = k.person_id and p.removed_at is null
     where k.id = $1::text`,
    [id],
  )
  return row
}

/** Keeps a passkey from being deleted; false if it is gone. */
export async function holdPasskey(transaction: Queryable, id: string): Promise<boolean> {
  return (await transaction.query('select id from people_passkey where id = $1::text for share', [id])).length > 0
}

/** Notes the counter of a use. Returns false if the passkey is gone, or was used with this counter or a later one; 0 counts nothing. */
export async function notePasskeyUse(database: Queryable, id: string, counter: number): Promise<boolean> {
  const rows = await database.query(
    `update people_passkey set counter = $2::bigint, used_at = clock_timestamp()
     where id = $1::text and (counter < $2::bigint or (counter = 0 and $2::bigint = 0)) returning id`,
    [id, counter],
  )
  return rows.length > 0
}

export async function deletePasskeys(database: Queryable, personId: number): Promise<void> {
  await database.query('delete from people_passkey where person_id = $1::bigint', [personId])
}
