import { constants, createReadStream, createWriteStream } from 'node:fs'
import { copyFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { endClient, newClient } from '../connection.ts'
import { type CopyOptions, copyCluster, copyFiles, settle } from './copy-cluster.ts'

/** Files of a running server, which the next one writes anew. */
const TRANSIENT = /^(postmaster\.(pid|opts)|\.s\.PGSQL\..*|(.*\/)?pgsql_tmp[^/]*(\/.*)?)$/
/** Folders that a server finds empty. The log is copied last. */
const EMPTIED = /^pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\/./
/** A segment of the log. */
const SEGMENT = /^[0-9A-F]{24}$/

/**
 * Copies the cluster of a running server to a new folder, in the way of PostgreSQL's own backups. Its files change while they
 * are copied, and the log of that time, which the next server reads first, makes one state of them: that of the end. Returns
 * the bytes that were copied.
 */
export async function copyRunning(
  server: pg.ClientConfig,
  { from, to, ...given }: CopyOptions & { from: string; to: string },
): Promise<number> {
  const options = { ...given, copy: copyChanging }
  const client = newClient(server, { application_name: 'purser snapshot' })
  await client.connect()
  try {
    // The log is kept until the session ends.
    await client.query(`select pg_create_physical_replication_slot('purser_snapshot_' || pg_backend_pid(), true, true)`)
    const first = await rowOf<{ segment: string }>(
      client,
      `select pg_walfile_name(pg_backup_start('purser snapshot', true)) as segment`,
    )
    const wanted = (path: string) => !TRANSIENT.test(path) && !EMPTIED.test(path)
    const bytes = await copyCluster(from, to, { ...options, wanted })
    const last = await rowOf<{ segment: string; label: string }>(
      client,
      'select pg_walfile_name(lsn) as segment, labelfile as label from pg_backup_stop(false)',
    )
    const log = { from: join(from, 'pg_wal'), to: join(to, 'pg_wal') }
    const isOfCopy = (name: string) => SEGMENT.test(name) && name >= first.segment && name <= last.segment
    const segments = (await readdir(log.from)).filter(isOfCopy)
    const files = segments.map(async (path) => ({ path, bytes: (await stat(join(log.from, path))).size }))
    const logBytes = await copyFiles(await Promise.all(files), { ...options, ...log })
    const label = join(to, 'backup_label')
    await writeFile(label, last.label, { mode: 0o600 })
    for (const path of [label, log.to, to]) await settle(path, options)
    return bytes + logBytes
  } finally {
    await endClient(client)
  }
}

async function rowOf<Row extends pg.QueryResultRow>(client: pg.Client, statement: string): Promise<Row> {
  const { rows } = await client.query<Row>(statement)
  const [row] = rows
  if (!row) throw new Error(`no row: ${statement}`)
  return row
}

/** Copies a file as it is now. A copy by the system would not end on a file that becomes shorter meanwhile. */
async function copyChanging(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch (error) {
    // The file system shares no blocks.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return copyBytes(from, to)
    return false
  }
}

async function copyBytes(from: string, to: string): Promise<boolean> {
  try {
    await pipeline(createReadStream(from), createWriteStream(to, { mode: 0o600 }))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
