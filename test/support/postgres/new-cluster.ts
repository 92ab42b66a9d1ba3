import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { root } from '../harness.ts'
import { administer, databaseNamed } from '../server.ts'
import { madeOnce } from '../service.ts'

/** A database with all tables, without the rows of former versions that a start converts. */
export const migrated = 'template_bank'

/**
 * The data folder of a new server with an empty database and a migrated one. It is the copy of one that the run makes
 * once: to make it takes two seconds of processor time.
 */
export async function newDataDir(): Promise<string> {
  const original = await madeOnce(join(dirname(inject('prepared')), 'new'), makeCluster)
  const folder = mkdtempSync(join(tmpdir(), 'purser-new-'))
  // The user of the server must be able to enter it.
  chmodSync(folder, 0o755)
  execFileSync('cp', ['-a', `${original}/.`, folder])
  return folder
}

async function makeCluster(dataDir: string): Promise<void> {
  const { connection, stop } = await startEmbedded({
    dataDir,
    say: () => undefined,
    lost: (error) => {
      throw error
    },
    settings: { fsync: 'off' },
  })
  await administer(connection, `create database ${migrated}`)
  const servers = [databaseNamed(connection, migrated)]
  const database = openDatabase({ servers, connections: 1, timeouts: plainTimeouts })
  await migrate(database, join(root, 'migrations'))
  await database.query('update reseal set done = true')
  await database.close()
  await stop()
}
