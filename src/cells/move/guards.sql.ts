import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, LockTimeout } from '../../database/database.ts'
import { movedTables, replicatedTables } from './tables.ts'

/** New statements queue behind a wait for a table, so that each wait is short. */
const LOCK_MS = 200
const PAUSE_MS = 100
const ATTEMPTS = 300

/** Runs a change of a table's definition in one statement, again and again until it gets its lock. */
async function changeTable(database: Database, change: string): Promise<void> {
  const text = `do $change$ begin set local lock_timeout = ${LOCK_MS}; ${change}; end $change$`
  for (let attempt = 1; ; attempt++) {
    try {
      await database.query(text, [], 'once')
      return
    } catch (error) {
      if (!(error instanceof LockTimeout) || attempt === ATTEMPTS) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** The tables that have an organisation's rows, with that of the organisations. */
const guarded = [{ name: 'organisation', named: true }, ...movedTables]

const replicatedNames = replicatedTables.map(({ name }) => name)

/** Sets the triggers that refuse changes of the organisation. */
export async function guardTables(database: Database, id: number): Promise<void> {
  for (const { name, named } of guarded) {
    const column = name === 'organisation' ? 'id' : 'organisation_id'
    const when = (row: string) => (named ? `when (${row}.${column} = ${id})` : '')
    const trigger = (kind: string, changes: string, row: string) =>
      `create or replace trigger purser_move_${kind} before ${changes} on ${name}
       for each row ${when(row)} execute function guard_move(${id})`
    await changeTable(database, `${trigger('write', 'insert or update', 'new')}; ${trigger('delete', 'delete', 'old')}`)
  }
}

export async function unguardTables(database: Database): Promise<void> {
  const rows = await database.query<{ table: string; names: string[] }>(
    `select tgrelid::regclass::text as table, array_agg(tgname::text) as names from pg_trigger
     where tgname in ('purser_move_write', 'purser_move_delete') group by tgrelid order by tgrelid`,
  )
  for (const { table, names } of rows) {
    await changeTable(database, names.map((name) => `drop trigger if exists ${name} on ${table}`).join('; '))
  }
}

/**
 * Logs the former rows of changes whole, for tables whose key lacks the organisation: the rows are filtered by it. Each table
 * is noted before, so that a move that was killed can undo it.
 */
export async function widenIdentities(database: Database, id: number): Promise<void> {
  const rows = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1::text[]) and c.relreplident = 'd' and not exists (
       select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
       where i.indrelid = c.oid and i.indisprimary and a.attname = 'organisation_id')
     order by c.relname`,
    [replicatedNames],
  )
  for (const { name } of rows) {
    const noted = `update organisation_move set identities = array_append(identities, '${name}') where id = ${id}`
    await changeTable(database, `${noted}; alter table ${name} replica identity full`)
  }
}

export async function narrowIdentities(database: Database, id: number): Promise<void> {
  const rows = await database.query<{ name: string }>(
    `select t.name from organisation_move m cross join unnest(m.identities) t (name) where m.id = $1::bigint`,
    [id],
  )
  for (const { name } of rows.filter((row) => replicatedNames.includes(row.name))) {
    const noted = `update organisation_move set identities = array_remove(identities, '${name}') where id = ${id}`
    await changeTable(database, `alter table ${name} replica identity default; ${noted}`)
  }
}
