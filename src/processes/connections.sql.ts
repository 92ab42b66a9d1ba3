import type { Queryable } from '../database/database.ts'

/** The connections that this role may have: the lowest of the limits of the server, the role and the database. */
export async function connectionsAllowed(database: Queryable): Promise<number> {
  const rows = await database.query<{ allowed: number }>(
    `select least(
       current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true), '0')::int,
       (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
       (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
     ) as allowed`,
    [],
    'once',
  )
  return rows[0]?.allowed ?? 0
}
