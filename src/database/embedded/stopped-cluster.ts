import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Closers } from '../../base/closers.ts'
import { StartupError } from '../../base/startup-error.ts'
import { finishSwap, holdCluster, holderOf } from './cluster-hold.ts'
import { type ClusterLocation, findLocation } from './cluster-location.ts'
import { endServer, heldBy, startEmbedded } from './embedded.ts'

/**
 * Runs `work` on the files of a data folder's cluster while no server runs on them and none can be started. Refuses where
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

/** The state of a cluster that is stopped, from its control file. */
export interface ClusterState {
  /** The control file as it was read. Any server that ran afterwards has changed it. */
  control: Buffer
  /** Whether the last server wrote everything and ended in order. */
  clean: boolean
  /** The segments of the log that the next server reads. */
  segments: string[]
}

const CONTROL_BYTES = 512
/** The version of the control file that PostgreSQL 18 writes. */
const CONTROL_VERSION = 1800
const SHUT_DOWN = 1
const SEGMENT_BYTES = 16n * 1024n * 1024n
const RECORD_BYTES = 8192n

/** Reads the control file: version at byte 8, state at 16, beginning of the last checkpoint at 40, its time line at 48. */
export function readState({ cluster }: ClusterLocation): ClusterState {
  const control = Buffer.alloc(CONTROL_BYTES)
  const file = openSync(join(cluster, 'global', 'pg_control'), 'r')
  readSync(file, control, 0, CONTROL_BYTES, 0)
  closeSync(file)
  const little = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1
  const word = (at: number) => (little ? control.readUInt32LE(at) : control.readUInt32BE(at))
  if (word(8) !== CONTROL_VERSION)
    throw new StartupError(`${cluster} is not a database of PostgreSQL 18: its control file has version ${word(8)}`)
  const redo = little ? control.readBigUInt64LE(40) : control.readBigUInt64BE(40)
  return {
    control,
    clean: word(16) === SHUT_DOWN && !existsSync(join(cluster, 'postmaster.pid')),
    // The last record of the log may continue in the next segment.
    segments: [redo, redo + RECORD_BYTES].map((position) => segmentName(word(48), position)),
  }
}

function segmentName(timeLine: number, position: bigint): string {
  const segment = position / SEGMENT_BYTES
  const segmentsOfName = 0x1_0000_0000n / SEGMENT_BYTES
  return [timeLine, segment / segmentsOfName, segment % segmentsOfName]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('')
}

/** The state of a stopped cluster after a clean end. After a crash a server is started once, which recovers and ends. */
export async function settledState(location: ClusterLocation, closers: Closers): Promise<ClusterState> {
  const state = readState(location)
  if (state.clean) return state
  const lost = (error: StartupError) => {
    throw error
  }
  const starting = startEmbedded({ dataDir: location.dataDir, say: () => undefined, lost })
  const stop = () =>
    starting.then(
      (server) => server.stop(),
      () => undefined,
    )
  closers.add(stop)
  await starting
  await stop()
  const settled = readState(location)
  if (!settled.clean)
    throw new StartupError(`the database in ${location.cluster} did not end in order: repeat the command`)
  return settled
}
