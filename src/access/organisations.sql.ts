import type { Queryable } from '../database/database.ts'

export async function findOrganisation(database: Queryable, name: string): Promise<number | undefined> {
  const [row] = await database.query<{ id: number }>(`select id from organisation where name = $1::text`, [name])
  return row?.id
}

/** The organisation of the first key, as a database knows it. */
export interface FirstOrganisation {
  /** Null if the database does not have it. */
  id: number | null
  /** Whether the database has it, or has had it before it moved. */
  known: boolean
  /** Whether its writes are refused, because it is about to be in another database. */
  leaving: boolean
}

export async function findFirstOrganisation(database: Queryable, name: string): Promise<FirstOrganisation> {
  const [row] = await database.query<FirstOrganisation>(
    `select o.id, exists (select from first_organisation) as known,
       coalesce(m.state in ('switching', 'switched'), false) as leaving
     from (select) always left join organisation o on o.name = $1::text left join organisation_move m on m.id = o.id`,
    [name],
  )
  if (!row) throw new Error('a select without a condition returned no row')
  return row
}

/** Whether an organisation has not ended. Waits for a transaction that ends it, and holds up one that would. */
export async function holdOrganisation(transaction: Queryable, id: number): Promise<boolean> {
  const [row] = await transaction.query<{ present: boolean }>(
    `select ended_at is null as present from organisation where id = $1::bigint for no key update`,
    [id],
  )
  return row?.present === true
}

/** How often an organisation has moved to another database; undefined if this one does not have it. */
export async function findEpoch(database: Queryable, id: number): Promise<number | undefined> {
  const [row] = await database.query<{ epoch: number }>(`select epoch from organisation where id = $1::bigint`, [id])
  return row?.epoch
}

export async function listOrganisations(database: Queryable, limit: number): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select id from organisation where ended_at is null order by id limit $1`,
    [limit],
  )
  return rows.map(({ id }) => id)
}

/** Inserts an organisation, whose bank time may start some days in the past. */
export async function insertOrganisation(
  database: Queryable,
  organisation: { id: number; name: string; daysBack: number },
): Promise<void> {
  const { id, name, daysBack } = organisation
  await database.query(
    `insert into organisation (id, name, created_at, clock_offset)
     values ($1::bigint, $2::text, clock_timestamp() - make_interval(days => $3::int), - make_interval(days => $3::int))
     on conflict (name) do nothing`,
    [id, name, daysBack],
  )
}

/** Lets background work serve an organisation again that was idle, and keeps it from expiring. */
export async function wakeOrganisation(database: Queryable, id: number, keyId: number): Promise<void> {
  await database.query(`update api_key set last_used_at = clock_timestamp() where id = $1::bigint`, [keyId])
  await database.query(`update organisation set idle = false where id = $1::bigint and idle`, [id])
}
