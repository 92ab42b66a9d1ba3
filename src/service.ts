import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { KeyAuthenticator } from './access/authenticate-key.ts'
import type { Denials } from './access/denials.ts'
import { type AppParts, buildApp } from './app.ts'
import { type Cell, type CellParts, type CellSettings, openCell } from './backend/backend.ts'
import type { Core } from './backend/core.ts'
import type { ShareIntake } from './bank/ach/cells/spread.ts'
import type { Peers } from './base/peers/peers.ts'
import { Problem } from './base/problem.ts'
import { retryAfter } from './base/retry-after.ts'
import { type FurtherCell, joinCell } from './cells/join.ts'
import { openCellKeys } from './cells/keys.ts'
import { cellPeers } from './cells/peers.ts'
import { HOME } from './cells/settings.ts'
import { type Config, unpaidWarning } from './config.ts'
import type { Connectors } from './connectors/connectors.ts'
import { DatabaseUnavailable } from './database/database.ts'
import { openReadiness } from './database/readiness.ts'
import type { Feed } from './events/feed.ts'
import { openInbox } from './events/inbound/inbound.ts'
import type { ConsoleFiles } from './http/console/console-files.ts'
import type { Load } from './http/load.ts'
import type { Log } from './http/log.ts'
import type { Metrics } from './http/metrics/metrics.ts'
import type { Scenario } from './sandbox/create-scenario.ts'
import type { WebhookWorker } from './webhooks/delivery/worker.ts'

type ServiceSettings = CellSettings &
  Pick<Config, 'ach' | 'maxRequests' | 'trustedProxies' | 'host' | 'hosts' | 'mcpWrites'> & {
    /** Applied in live mode only. */
    rates: Config['rates'] | undefined
  }

export interface ServiceParts extends Pick<CellParts, 'feed' | 'requestLog' | 'worker' | 'guard'> {
  /** The home cell. */
  core: Core
  settings: ServiceSettings
  version: string
  /** The folder of the documentation, which agents read. */
  docs: string
  /** The files of the console, which may still be in the making. */
  console(): Promise<ConsoleFiles>
  log: Log
  /** Absent if nothing is measured. */
  metrics?: Metrics | undefined
  connectors?: Connectors | undefined
  /** The cells beside the home cell. */
  further?: FurtherCore[] | undefined
  /** The ids of the demo world, for the landing page. */
  demo?: Scenario | undefined
  /** Replaces the readiness check. */
  ready?: () => Promise<void>
  /** The other processes behind the same port; absent if there are none. */
  peers?: Peers | undefined
}

/** A cell beside the home cell, before it has joined. */
export interface FurtherCore {
  name: string
  /** With closers of its own: it may join after the server was opened, and is closed after it. */
  core: Core
  /** Reaches and prepares its database: migrations, claim, catalogue. */
  prepare(): Promise<void>
}

export interface Service {
  app: FastifyInstance
  /** The keys of all cells. */
  keys: KeyAuthenticator
  /** The cells, the home cell first. One that has not joined yet is absent. */
  cells: readonly (Cell | undefined)[]
  /** Those of the home cell. */
  denials: Denials
  feed: Feed
  worker: WebhookWorker
  /** Starts the background work of every cell, also of those that join later. */
  start(): void
}

/** Opens the whole service except for listening, which is left to the caller. The closers of the home cell's core close it. */
export async function openService(parts: ServiceParts): Promise<Service> {
  const { core, settings, version, log, metrics, connectors, further = [], demo } = parts
  const { closers } = core
  const load = openLoad(settings)
  // One of several cells has a bound of its own: requests that wait for it take no place of another's.
  const homeLoad = further.length === 0 ? load : openLoad(settings)
  const configured: Buffer[] = []
  const fileCells = () => further.map(({ name }, place) => ({ name, shares: sharesOf(cells[place + 1]) }))
  const own = { ...common(parts, HOME), configured, name: HOME, place: 0, core, load: homeLoad }
  const home = await openCell({ ...own, metrics, connectors, fileCells })
  const cells: [Cell, ...(Cell | undefined)[]] = [home, ...further.map(() => undefined)]
  const keys = further.length === 0 ? home.keys : openCellKeys(cells)
  const started = await joinAll(parts, cells, configured)

  const { mode, trustedProxies, host, hosts, mcpWrites } = settings
  const app = buildApp({
    mode,
    version,
    keys,
    cells,
    load,
    inbound: connectors && inboundOf(parts, connectors),
    warning: unpaidWarning({ ...settings, unit: connectors?.bank }),
    providers: { banking: connectors?.bank ? 'unit' : 'builtin', rewards: connectors?.offers ? 'kard' : 'builtin' },
    demo,
    log,
    rates: mode === 'live' ? settings.rates : undefined,
    trustedProxies,
    hosts: { boundTo: host, names: hosts },
    agents: { writes: mcpWrites },
    docs: parts.docs,
    console: parts.console,
    metrics,
    peers: parts.peers,
    ready: readinessOf(parts, cells),
  })
  closers.add(closerOf(app))
  // Before the server, which waits for every answer: a long poll is answered with the events there are.
  closers.add(async () => {
    for (const cell of cells) cell?.release()
  })
  const { denials, feed, worker } = home
  return { app, keys, cells, denials, feed, worker, start: started }
}

function openLoad({ maxRequests }: ServiceSettings): Load {
  return { running: 0, max: maxRequests }
}

/** A cell's part in incoming ACH files; undefined while the cell is away. */
function sharesOf(cell: Cell | undefined): ShareIntake | undefined {
  return cell?.isAway() === false ? cell.core.builtin.shares : undefined
}

function common({ settings, version, log, feed, requestLog, worker, guard, peers }: ServiceParts, cell: string) {
  return { settings, version, log, feed, requestLog, worker, guard, peers: peers && cellPeers(peers, cell) }
}

/**
 * Lets the further cells join, each in its place of the list, now or when its database is there. Returns the function that
 * starts the background work of those that are there, and of later ones when they join.
 */
async function joinAll(
  parts: ServiceParts,
  cells: [Cell, ...(Cell | undefined)[]],
  configured: Buffer[],
): Promise<() => void> {
  const { core: home, settings, further = [], metrics, log } = parts
  let running = false
  const join = ({ name, core, prepare }: FurtherCore, index: number) => {
    const place = index + 1
    home.closers.add(() => core.closers.close())
    metrics?.cell(name).watch(core.load)
    metrics?.cell(name).watchState(() => cells[place]?.isAway() === false)
    const open = async () => {
      await prepare()
      const bound = openLoad(settings)
      const own = { ...common(parts, name), configured, log: log.child({ cell: name }), name, place, core, load: bound }
      return openCell({ ...own, metrics: metrics?.cell(name) })
    }
    const joined = (cell: Cell) => {
      cells[place] = cell
      if (running) cell.start()
    }
    return joinCell({ name, open, closers: core.closers } satisfies FurtherCell, { log, joined })
  }
  await Promise.all(further.map(join))
  return () => {
    running = true
    for (const cell of cells) cell?.start()
  }
}

function inboundOf({ core, log, metrics }: ServiceParts, { sources, organisationId }: Connectors) {
  const { database, seals, committed } = core
  return {
    sources,
    inbox: openInbox({ database, seals, organisationId, log, committed, observe: metrics?.upstreamEventFailed }),
  }
}

/**
 * The check behind /readyz, which rejects while the service can answer requests of no cell. One of several that is away is
 * named: a process that were taken out of service for it would be missed by the organisations of all others.
 */
function readinessOf({ core, further = [], ready }: ServiceParts, cells: (Cell | undefined)[]): AppParts['ready'] {
  const { database, writes, closers } = core
  const requireDatabase = openReadiness(database, writes)
  return async () => {
    if (closers.closing) throw new Problem('unavailable', { headers: retryAfter(5) })
    const home = (ready ?? requireDatabase)()
    const isHeld = [core, ...further.map((cell) => cell.core)].some(({ builtin }) => builtin.rail.isHeld())
    const ach = isHeld ? { ach: 'held' as const } : {}
    if (further.length === 0) return home.then(() => ach)
    const isReady = (place: number) => cells[place]?.isAway() === false
    const states = further.map(({ name }, index) => [name, isReady(index + 1) ? 'ready' : 'away'] as const)
    const homeState = await home.then(
      () => 'ready' as const,
      (error: unknown) => {
        if (!(error instanceof DatabaseUnavailable) || !states.some(([, state]) => state === 'ready')) throw error
        return 'away' as const
      },
    )
    return { cells: Object.fromEntries([[HOME, homeState], ...states]), ...ach }
  }
}

/** The connections of a server that are open. */
function connectionsOf({ server }: FastifyInstance): Set<Socket> {
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return connections
}

function closerOf(app: FastifyInstance): () => Promise<void> {
  const connections = connectionsOf(app)
  return () => closeApp(app, connections)
}

/**
 * Closes the server when it has answered its requests. Connections without a request would hold it open for minutes: those
 * that are kept alive, and those that a browser opens ahead of use, which Node counts as busy.
 */
async function closeApp(app: FastifyInstance, connections: Set<Socket>): Promise<void> {
  const closeUnused = () => {
    app.server.closeIdleConnections()
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  const unused = setInterval(closeUnused, 50)
  await app.close().finally(() => clearInterval(unused))
}
