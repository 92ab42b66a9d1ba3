import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../base/startup-error.ts'
import type { Database, Queryable } from './database.ts'
import { foldedOf, hasUnfolded, unfoldedNumbers } from './folded.ts'
import { waitForLock } from './patient-lock.ts'

interface Migration {
  number: number
  name: string
  sql: string
  checksum: string
}

interface Applied {
  number: number
  name: string
  checksum: string
  contract: boolean
}

/** Advisory lock that processes take in turn when they start together. Any fixed number serves. */
const MIGRATION_LOCK = 7_275_737

/** Applies the pending migrations and returns their number. Refuses a schema that this version does not know. */
export async function migrate(database: Database, folder: string): Promise<number> {
  const migrations = await readMigrations(folder)
  const apply = async (transaction: Queryable) => {
    await waitForLock(transaction, MIGRATION_LOCK)
    // A migration may rewrite a whole table.
    await transaction.query('set local statement_timeout = 0')
    await requireVersion(transaction)
    if (hasUnfolded(await findApplied(transaction))) await noteFolded(transaction, foldedOf(migrations))
    const missing = pending(migrations, await findApplied(transaction))
    if (missing.length === 0) return 0
    await requireOwner(transaction, missing.length)
    await transaction.query(`create table if not exists migration (
      number integer primary key, name text not null, checksum text not null, contract boolean not null,
      applied_at timestamptz not null default now())`)
    for (const migration of missing) {
      await transaction.query(`do $migration$ begin execute $sql$${migration.sql}$sql$; end $migration$`)
      await note(transaction, migration)
    }
    return missing.length
  }
  const applied = await database.transaction(apply, { unlimited: true })
  await validateChecks(database)
  return applied
}

async function note(transaction: Queryable, { number, name, checksum, sql }: Migration): Promise<void> {
  await transaction.query('insert into migration (number, name, checksum, contract) values ($1, $2, $3, $4)', [
    number,
    name,
    checksum,
    sql.startsWith('-- contract'),
  ])
}

/** Names the folded migrations in place of the steps that a database has. The tables stay as they are. */
async function noteFolded(transaction: Queryable, folded: Migration[]): Promise<void> {
  await requireOwner(transaction, folded.length)
  await transaction.query('delete from migration where number between $1 and $2', unfoldedNumbers)
  for (const migration of folded) await note(transaction, migration)
}

/**
 * Validates the checks that a migration has added as `not valid`. In the transaction of the migrations, nobody could write to the table
 * until all of its rows were read.
 */
async function validateChecks(database: Database): Promise<void> {
  const checks = await database.query<{ statement: string }>(
    `select format('alter table %s validate constraint %I', c.conrelid::regclass, c.conname) as statement
     from pg_constraint c join pg_class t on t.oid = c.conrelid
     where c.contype = 'c' and not c.convalidated and t.relnamespace = current_schema()::regnamespace
       and pg_has_role(t.relowner, 'usage')`,
  )
  for (const { statement } of checks) {
    const validate = async (transaction: Queryable) => {
      await waitForLock(transaction, MIGRATION_LOCK)
      await transaction.query('set local statement_timeout = 0')
      await transaction.query(statement, [], 'once')
    }
    await database.transaction(validate, { unlimited: true })
  }
}

/**
 * The migrations that are not applied yet. Older code runs on a schema with expand steps of a newer version, but not past
 * a contract step.
 */
export function pending(migrations: Migration[], applied: Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const { number, name, checksum, contract } of applied) {
    const migration = known.get(number)
    if (!migration && contract) {
      throw new StartupError(`the database is newer than this version of Purser (migration ${name}): update Purser`)
    }
    if (migration && migration.name !== name) {
      throw new StartupError(
        `the database was created by a version of Purser that was never released (migration ${name}), which cannot be \
upgraded: purser reset deletes an embedded database; with DATABASE_URL, name an empty one`,
      )
    }
    if (migration && migration.checksum !== checksum) {
      throw new StartupError(`migration ${name} differs from the one applied to this database: use the released file`)
    }
  }
  const done = new Set(applied.map(({ number }) => number))
  return migrations.filter(({ number }) => !done.has(number))
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(join(folder, file), 'utf8')
      if (!/^-- (expand|contract)\b/.test(sql))
        throw new StartupError(`${file} must begin with -- expand or -- contract`)
      return {
        number: Number(file.slice(0, 4)),
        name: file.slice(0, -4),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      }
    }),
  )
}

async function findApplied(transaction: Queryable): Promise<Applied[]> {
  const [row] = await transaction.query<{ found: boolean }>(`select to_regclass('migration') is not null as found`)
  return row?.found ? transaction.query<Applied>('select number, name, checksum, contract from migration') : []
}

/** A service whose role does not own the tables cannot change them. */
async function requireOwner(transaction: Queryable, missing: number): Promise<void> {
  const [row] = await transaction.query<{ owns: boolean }>(
    `select has_schema_privilege(current_schema(), 'create') and coalesce((
       select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('migration')), true) as owns`,
  )
  if (!row?.owns) {
    throw new StartupError(
      `the tables are older than this version of Purser (migrations to apply: ${missing}), and the role of DATABASE_URL \
does not own them: run purser migrate with the URL of their owner`,
    )
  }
}

async function requireVersion(transaction: Queryable): Promise<void> {
  const [row] = await transaction.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  if (Number(row?.version) < 160_000)
    throw new StartupError('PostgreSQL 16 or newer is needed: point DATABASE_URL at one')
}
