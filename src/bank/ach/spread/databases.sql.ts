import type { Queryable } from '../../../database/database.ts'

/** The number of a database that has others beside it; undefined for the only one. */
export async function numberAmongDatabases(database: Queryable): Promise<number | undefined> {
  const [row] = await database.query<{ number: number }>(
    'select number from cell where number > 0 or exists (select from cell_range)',
  )
  return row?.number
}

/** The further databases that have joined the bank and are not retired, as the first database knows them. */
export async function joinedDatabases(home: Queryable): Promise<string[]> {
  const rows = await home.query<{ name: string }>(
    'select name from cell_range where mark is not null and retired_at is null order by number',
  )
  return rows.map(({ name }) => name)
}
