import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The server's system identifier and timeline: a restored copy has another timeline, a loaded dump another identifier. */
const PLACE = `(select system_identifier::text from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`

/** There is no such table, function or right: a database before its migrations, or a service that is like PostgreSQL. */
const UNKNOWN = ['42P01', '42883', '42501', '0A000']

/**
 * Notes in the database if its history begins anew: at the first connection to a server that was restored, or promoted.
 * Every connection does so before its first statement, so that no event is written under the mark of another history. The
 * note need not wait for a standby: the events that follow do, and the standby has the note with them.
 */
export async function noteHistory(client: pg.Client): Promise<void> {
  try {
    const { rows } = await client.query<{ place: string; known: string | null }>(
      `select ${PLACE} as place, (select place from database_history order by number desc limit 1) as known`,
    )
    const [found] = rows
    if (!found || found.place === found.known) return
    // Connections that find it at once insert one row: they take the same number, or see the row of the first.
    await client.query('begin')
    await client.query('set local synchronous_commit = local')
    await client.query(
      `insert into database_history (number, place, mark, found_at)
       select coalesce(max(number), 0) + 1, $1::text, case when count(*) > 0 then $2::text end, clock_timestamp()
       from database_history
       having (select place from database_history order by number desc limit 1) is distinct from $1::text
       on conflict (number) do nothing`,
      [found.place, randomBytes(4).toString('hex')],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    if (!(error instanceof pg.DatabaseError && UNKNOWN.includes(error.code ?? ''))) throw error
  }
}
