import type { Closers } from '../../base/closers.ts'
import { StartupError } from '../../base/startup-error.ts'
import { finishSwap, holdCluster, holderOf } from './cluster-hold.ts'
import { type ClusterLocation, findLocation } from './cluster-location.ts'
import { endServer, heldBy } from './embedded.ts'

/**
 * Runs `work` on the files of a data folder's cluster while no server runs on them and none can be started. Refuses if
 * a service owns the cluster.
 */
export async function withStoppedCluster<T>(
  dataDir: string,
  closers: Closers,
  work: (location: ClusterLocation) => Promise<T>,
): Promise<T> {
  return withHeldCluster(dataDir, closers, async (location) => {
    await endServer(location).catch((error: unknown) => {
      throw error instanceof StartupError ? new StartupError(error.message.replace(OTHER_FOLDER, AND_REPEAT)) : error
    })
    return work(location)
  })
}

/** A command on the files of a bank has no use for those of another one, which a start is advised to take. */
const OTHER_FOLDER = /: stop it, or set PURSER_DATA_DIR to another folder$/
const AND_REPEAT = ': stop it, such as with Ctrl-C in its terminal, and repeat the command'

/** Runs `work` alone among the commands that hold the cluster. A service may be running. */
export async function withHeldCluster<T>(
  dataDir: string,
  closers: Closers,
  work: (location: ClusterLocation) => Promise<T>,
): Promise<T> {
  const { cluster } = findLocation(dataDir, () => undefined)
  const release = holdCluster(cluster)
  const hold = async () => {
    const holder = holderOf(cluster)
    if (holder !== undefined) throw new StartupError(`${heldBy(dataDir, holder)}: repeat when it has ended`)
    finishSwap(cluster)
    return work(findLocation(dataDir, () => undefined))
  }
  const held = hold().finally(release)
  // A signal waits until the work has given up.
  closers.add(() =>
    held.then(
      () => undefined,
      () => undefined,
    ),
  )
  return held
}
