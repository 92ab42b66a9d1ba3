import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, LockTimeout, type Queryable } from '../../../database/database.ts'
import { movedTables, replicatedTables } from './tables.ts'

/** New statements queue behind a wait for a table, so that each wait is short. */
const LOCK_MS = 200
const PAUSE_MS = 100
const ATTEMPTS = 300

/** Runs a change of a table's definition, again and again until it gets its lock. */
async function changeTable(database: Database, change: (transaction: Queryable) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction(async (transaction) => {
        await transaction.query(`set local lock_timeout = ${LOCK_MS}`)
        await change(transaction)
      })
    } catch (error) {
      if (!(error instanceof LockTimeout) || attempt === ATTEMPTS) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** The tables that have an organisation's rows, with that of the organisations. */
const guarded = [{ name: 'organisation', named: true }, ...movedTables]

/** Sets the triggers that refuse changes of the organisation. */
export async function guardTables(database: Database, id: number): Promise<void> {
  for (const { name, named } of guarded) {
    const column = name === 'organisation' ? 'id' : 'organisation_id'
    const when = (row: string) => (named ? `when (${row}.${column} = ${id})` : '')
    await changeTable(database, async (transaction) => {
      await transaction.query(
        `create or replace trigger purser_move_write before insert or update on ${name}
         for each row ${when('new')} execute function guard_move(${id})`,
        [],
        'once',
      )
      await transaction.query(
        `create or replace trigger purser_move_delete before delete on ${name}
         for each row ${when('old')} execute function guard_move(${id})`,
        [],
        'once',
      )
    })
  }
}

export async function unguardTables(database: Database): Promise<void> {
  const rows = await database.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, tgname as name from pg_trigger
     where tgname in ('purser_move_write', 'purser_move_delete') order by tgrelid`,
  )
  for (const { table, name } of rows) {
    await changeTable(database, async (transaction) => {
      await transaction.query(`drop trigger if exists ${name} on ${table}`, [], 'once')
    })
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
    [replicatedTables],
  )
  for (const { name } of rows) {
    await changeTable(database, async (transaction) => {
      await transaction.query(
        'update organisation_move set identities = array_append(identities, $2::text) where id = $1::bigint',
        [id, name],
      )
      await transaction.query(`alter table ${name} replica identity full`, [], 'once')
    })
  }
}

export async function narrowIdentities(database: Database, id: number): Promise<void> {
  const rows = await database.query<{ name: string }>(
    `select t.name from organisation_move m cross join unnest(m.identities) t (name) where m.id = $1::bigint`,
    [id],
  )
  for (const { name } of rows.filter((row) => replicatedTables.includes(row.name))) {
    await changeTable(database, async (transaction) => {
      await transaction.query(`alter table ${name} replica identity default`, [], 'once')
      await transaction.query(
        'update organisation_move set identities = array_remove(identities, $2::text) where id = $1::bigint',
        [id, name],
      )
    })
  }
}
