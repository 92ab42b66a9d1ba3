import type { Queryable } from '../database/database.ts'

/** Connections that are allowed: by the server and the role over all its databases, and by this database. */
export interface Allowed {
  server: number
  database: number
}

export async function connectionsAllowed(database: Queryable): Promise<Allowed> {
  const rows = await database.query<Allowed>(
    `select least(
       current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true), '0')::int,
       (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
     ) as server, coalesce(
       (select nullif(datconnlimit, -1) from pg_database where datname = current_database()), 2147483647) as database`,
    [],
    'once',
  )
  return rows[0] ?? { server: 0, database: 0 }
}
