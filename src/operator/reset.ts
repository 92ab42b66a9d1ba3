import { existsSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../base/startup-error.ts'
import { findEmbedded } from '../database/embedded/embedded.ts'
import { withStoppedCluster } from '../database/embedded/stopped-cluster.ts'
import { agreed } from './ask.ts'
import type { OperatorCommand } from './command.ts'

/** Deletes the embedded database, after asking; the next start begins with a new one. Keys and snapshots stay. */
export const reset: OperatorCommand = async (call) => {
  const { config, out, closers } = call
  const { dataDir, databaseUrl } = config()
  if (databaseUrl) throw new StartupError('DATABASE_URL is set: reset only deletes the embedded database')
  await findEmbedded(dataDir)
  const cluster = join(dataDir, 'pg18')
  if (!existsSync(cluster)) return out.result({ deleted: false }, `there is no bank in ${dataDir}: nothing to reset`)
  // A bank that is in use is refused before the question.
  await withStoppedCluster(dataDir, closers, async () => undefined)
  if (!(await agreed(call, `Delete all accounts and money in ${cluster}?`)))
    return out.result({ deleted: false }, 'nothing was deleted')
  await withStoppedCluster(dataDir, closers, async () => {
    // If the data folder could not hold the cluster, there is a link to it.
    rmSync(realpathSync(cluster), { recursive: true, maxRetries: 5 })
    rmSync(cluster, { recursive: true, force: true })
  })
  out.result({ deleted: true }, 'deleted: purser start begins with a new bank')
}
