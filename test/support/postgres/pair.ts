import { cpSync, lchownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { type ClusterLocation, findLocation, user } from '../../../src/database/embedded/cluster-location.ts'
import { draftSuffix } from '../../../src/database/embedded/drafts.ts'
import { findBinaries } from '../../../src/database/embedded/embedded-binaries.ts'
import { isRunning, launchServer, port, type Server } from '../../../src/database/embedded/embedded-server.ts'
import { type DatabaseProxy, openProxy } from '../proxy.ts'
import { ask, connect, until } from '../service.ts'

/** One of two PostgreSQL servers, and the way by which services reach it. */
export interface Node {
  name: string
  location: ClusterLocation
  /** Its state as `launchServer` keeps it. */
  state: Server
  server: pg.ClientConfig
  proxy: DatabaseProxy
  /** Settings that differ from those of every pair. */
  own: Record<string, string>
  frozen: number[]
}

/**
 * A primary and a standby with synchronous streaming replication. The primary is strict: without its standby no COMMIT is
 * answered. A failover is the test's: it promotes the standby and makes the other server its standby.
 */
export interface Pair {
  nodes: [Node, Node]
  primary: Node
  standby: Node
}

/** Starts them with the database of a data folder that no service uses. `own` settings replace those of every pair. */
export async function startPair(dataDir: string, own: Record<string, string> = {}): Promise<Pair> {
  const [one, two] = [await openNode('one', own, dataDir), await openNode('two', own)]
  const pair: Pair = { nodes: [one, two], primary: one, standby: two }
  await launch(one, two)
  await follow(pair)
  return pair
}

async function openNode(
  name: string,
  own: Node['own'],
  folder = mkdtempSync(join(tmpdir(), `purser-${name}-`)),
): Promise<Node> {
  const location = findLocation(folder, () => undefined)
  const binaries = findBinaries(location, draftSuffix(), () => undefined)
  // Nothing outlives the machine here, but everything a process that is killed.
  const state: Server = { location, binaries, settings: {}, stopping: false, socketDir: location.cluster }
  const server = { host: location.cluster, port, user, database: 'postgres' }
  return { name, location, state, server, proxy: await openProxy(server), own, frozen: [] }
}

const replication = {
  fsync: 'off',
  max_connections: '100',
  wal_level: 'replica',
  max_wal_senders: '5',
  wal_keep_size: '256MB',
  // A standby that was killed must not be waited for longer than its successor takes.
  wal_sender_timeout: '2s',
  wal_receiver_timeout: '2s',
  wal_retrieve_retry_interval: '100ms',
  synchronous_standby_names: '*',
}

/** Starts a server, which is a standby of `other` if its folder says so, and waits until it answers. */
export async function launch(node: Node, other: Node): Promise<void> {
  const { host } = other.server
  node.state.settings = { ...replication, ...node.own, primary_conninfo: `host=${host} port=${port} user=${user}` }
  await until(`server ${node.name}`, async () => {
    // The shared memory of a server that was killed is taken until its last process has ended.
    if (!node.state.child || !isRunning(node.state.child)) launchServer(node.state)
    return (await ask(node.server, 'select 1')).length === 1
  })
}

/** Makes the other server a new standby of the primary, from a copy of the primary's files. */
export async function follow(pair: Pair): Promise<void> {
  const { primary, standby } = pair
  const { cluster, uid, gid } = standby.location
  rmSync(cluster, { recursive: true, force: true })
  const client = await connect(primary.server)
  await client.query(`select pg_backup_start('standby', true)`)
  const transient = /\/(postmaster\.(pid|opts)|\.s\.PGSQL\.[^/]*|standby\.signal|pgsql_tmp[^/]*)$/
  cpSync(primary.location.cluster, cluster, { recursive: true, filter: (path) => !transient.test(path) })
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  writeFileSync(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '')
  writeFileSync(join(cluster, 'standby.signal'), '')
  for (const path of ['', ...readdirSync(cluster, { recursive: true, encoding: 'utf8' })]) {
    lchownSync(join(cluster, path), uid, gid)
  }
  await launch(standby, primary)
  await synchronous(pair)
}

/** Waits until the primary answers a COMMIT, which needs the standby: the database has recovered. */
export async function synchronous({ primary }: Pair): Promise<void> {
  await until('a COMMIT that the standby has', async () => {
    await ask(primary.server, `select pg_logical_emit_message(true, 'test', '')`)
    return true
  })
}

/** Makes the standby the primary. The other server must be dead. */
export async function promote(pair: Pair): Promise<void> {
  await ask(pair.standby.server, 'select pg_promote()')
  ;[pair.primary, pair.standby] = [pair.standby, pair.primary]
}

async function processesOf(node: Node): Promise<number[]> {
  const children = await ask<{ pid: number }>(node.server, 'select pid from pg_stat_activity')
  // The postmaster first, so that it starts no further process meanwhile.
  return [node.state.child?.pid ?? 0, ...children.map(({ pid }) => pid)]
}

/** Stops every process of a server: its sockets stay open and nothing is answered, as on a frozen machine. */
export async function freeze(node: Node): Promise<void> {
  node.frozen = (await processesOf(node)).filter((pid) => signal(pid, 'SIGSTOP'))
}

export function thaw(node: Node): void {
  for (const pid of node.frozen.splice(0)) signal(pid, 'SIGCONT')
}

/** Ends every process of a server at once, also of a frozen one. */
export async function kill(node: Node): Promise<void> {
  const pids = node.frozen.length > 0 ? node.frozen.splice(0) : await processesOf(node)
  for (const pid of pids) signal(pid, 'SIGKILL')
  await until(`server ${node.name} to end`, () => !node.state.child || !isRunning(node.state.child))
}

export async function stopPair({ nodes }: Pair): Promise<void> {
  for (const node of nodes) {
    thaw(node)
    if (node.state.child && isRunning(node.state.child)) {
      signal(node.state.child.pid ?? 0, 'SIGQUIT')
      await until(`server ${node.name} to end`, () => !node.state.child || !isRunning(node.state.child))
    }
    await node.proxy.close()
    rmSync(node.location.dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  if (pid <= 0) return false
  try {
    return process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}
