import type { Queryable } from '../database/database.ts'

export interface ServerSettings {
  version: string
  fsync: string
  full_page_writes: string
  synchronous_commit: string
  max_connections: string
}

/** The settings of the server that durability and capacity depend on. */
export async function serverSettings(database: Queryable): Promise<ServerSettings> {
  const [row] = await database.query<ServerSettings>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
       current_setting('full_page_writes') as full_page_writes,
       current_setting('synchronous_commit') as synchronous_commit,
       current_setting('max_connections') as max_connections`,
    [],
    'once',
  )
  if (!row) throw new Error('the server returned no settings')
  return row
}
