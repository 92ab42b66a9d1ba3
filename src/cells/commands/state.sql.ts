import type { Queryable } from '../../database/database.ts'

/** A cell as its own database describes it. */
export interface CellState {
  /** Null if the database is no cell yet. */
  name: string | null
  number: number | null
  isRetired: boolean
  organisations: number
  isReadOnly: boolean
  version: string
}

export async function cellState(database: Queryable): Promise<CellState> {
  const [row] = await database.query<CellState>(
    `select c.name, c.number, c.retired_at is not null as "isRetired",
       (select count(*)::int from organisation where ended_at is null) as organisations,
       pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
       current_setting('server_version') as version
     from (select) one left join cell c on true`,
    [],
    'once',
  )
  if (!row) throw new Error('the server returned no state')
  return row
}

/** A file of all organisations that keeps a cell from being retired. */
export interface OpenFile {
  id: number
  name: string
  state: 'building' | 'built' | 'delivering' | 'unknown' | 'taken'
}

/** A file of the cell that has not reached the other bank, or has not been applied in all cells. */
export async function findOpenFile(database: Queryable): Promise<OpenFile | undefined> {
  const [row] = await database.query<OpenFile>(
    `select id, name, state from ach_file
     where organisation_id is null and not arrived and state in ('building', 'built', 'delivering', 'unknown', 'taken')
     order by id limit 1`,
  )
  return row
}

/** Organisations that have ended in a cell and whose rows are there. */
export interface LeftOrganisation {
  id: number
  /** Seconds since it ended. */
  seconds: number
}

export function leftOrganisations(database: Queryable): Promise<LeftOrganisation[]> {
  return database.query(
    `select id, extract(epoch from clock_timestamp() - ended_at)::float8 as seconds from organisation
     where ended_at is not null order by ended_at, id`,
  )
}
