import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, plainTimeouts } from '../src/database/database.ts'
import { startEmbedded } from '../src/database/embedded/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { fail } from '../src/startup-errors.ts'
import { schemaPage, schemaSql } from './schema-text.ts'

const root = join(import.meta.dirname, '..')

/** Writes migrations/schema.sql and docs/schema.md from a database that has just been migrated. */
async function writeSchema(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'purser-schema-'))
  const server = await startEmbedded({ dataDir, say: () => undefined, lost: fail })
  try {
    const servers = [{ ...server.connection, ssl: false }]
    const database = openDatabase({ servers, connections: 1, timeouts: plainTimeouts })
    await migrate(database, join(root, 'migrations'))
    writeFileSync(join(root, 'migrations/schema.sql'), await schemaSql(database))
    writeFileSync(join(root, 'docs/schema.md'), await schemaPage(database))
    await database.close()
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

writeSchema().catch(fail)
