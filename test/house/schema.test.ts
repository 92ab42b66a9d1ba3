import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaPage, schemaSql } from '../../scripts/schema-text.ts'
import { type Database, openDatabase, plainTimeouts } from '../../src/database/database.ts'
import { createDatabase, root } from '../support/harness.ts'

describe('The written schema', () => {
  let migrated: Awaited<ReturnType<typeof createDatabase>>
  let database: Database
  let version: number

  beforeAll(async () => {
    migrated = await createDatabase()
    database = openDatabase({ servers: [migrated.server], connections: 1, timeouts: plainTimeouts })
    const [row] = await database.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    version = row?.version ?? 0
  })
  afterAll(async () => {
    await database.close()
    await migrated.drop()
  })

  // Other versions of PostgreSQL write the same expressions in other words.
  test('in migrations/schema.sql is that of the migrations', async ({ skip }) => {
    if (version < 180_000) skip()
    expect(await schemaSql(database), 'run npm run schema').toBe(
      readFileSync(join(root, 'migrations/schema.sql'), 'utf8'),
    )
  })

  test('in docs/schema.md is that of the migrations', async () => {
    expect(await schemaPage(database), 'run npm run schema').toBe(readFileSync(join(root, 'docs/schema.md'), 'utf8'))
  })

  test('describes every table, view and function', async () => {
    const undescribed = await database.query(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
         and relname <> 'migration' and obj_description(oid, 'pg_class') is null
       union all
       select proname from pg_proc where pronamespace = 'public'::regnamespace and obj_description(oid, 'pg_proc') is null`,
    )
    expect(undescribed).toEqual([])
  })
})
