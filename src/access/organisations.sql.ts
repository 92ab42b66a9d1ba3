import type { Queryable } from '../database/database.ts'

export async function findOrganisation(database: Queryable, name: string): Promise<number | undefined> {
  const [row] = await database.query<{ id: number }>(`select id from organisation where name = $1::text`, [name])
  return row?.id
}

export async function insertOrganisation(database: Queryable, id: number, name: string): Promise<void> {
  await database.query(
    `insert into organisation (id, name, created_at)
     values ($1::bigint, $2::text, clock_timestamp()) on conflict (name) do nothing`,
    [id, name],
  )
}
