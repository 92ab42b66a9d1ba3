import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import {
  type BackendParts,
  type BackendSettings,
  type Backends,
  type OpenBackends,
  openSoleBackend,
} from './backend/backend.ts'
import { Problem } from './base/problem.ts'
import { retryAfter } from './base/retry-after.ts'
import { repeat } from './base/tasks/repeat.ts'
import { openTaskLog } from './base/tasks/task-log.ts'
import { type Config, unpaidWarning } from './config.ts'
import type { Connectors } from './connectors/connectors.ts'
import { openReadiness } from './database/readiness.ts'
import { openInbox } from './events/inbound/inbound.ts'
import type { ConsoleFiles } from './http/console/console-files.ts'
import type { Readiness } from './http/documents/documents.ts'
import type { Metrics } from './http/metrics/metrics.ts'
import { ENTRIES_TASK, openEntries } from './people/entries.ts'
import { rolesWith } from './people/roles.ts'
import { openSessions, type Sessions } from './people/sessions.ts'
import type { Scenario } from './sandbox/create-scenario.ts'

type ServiceSettings = BackendSettings &
  Pick<Config, 'ach' | 'maxRequests' | 'trustedProxies' | 'host' | 'hosts' | 'mcpWrites' | 'people'> & {
    /** Applied in live mode only. */
    rates: Config['rates'] | undefined
  }

export interface ServiceParts extends Omit<BackendParts, 'settings' | 'load' | 'metrics' | 'place' | 'databases'> {
  settings: ServiceSettings
  /** The folder of the documentation, which agents read. */
  docs: string
  /** The files of the console, which may still be in the making. */
  console(): Promise<ConsoleFiles>
  /** Absent if nothing is measured. */
  metrics?: Metrics | undefined
  /** Opens the backends if there are several; by default there is one, on the database of `core`. */
  openBackends?: OpenBackends | undefined
  /** The ids of the demo world, for the landing page. */
  demo?: Scenario | undefined
  /** Replaces the readiness check. */
  ready?: () => Promise<void>
}

export interface Service {
  app: FastifyInstance
  backends: Backends
}

/** Opens the whole service except for listening, which is left to the caller. The closers of the core close it. */
export async function openService(parts: ServiceParts): Promise<Service> {
  const { core, settings, version, log, metrics, connectors, demo, openBackends = openSoleBackend } = parts
  const { closers } = core
  const load = { running: 0, max: settings.maxRequests }
  const backends = await openBackends({ ...parts, load })
  const { mode, trustedProxies, host, hosts, mcpWrites } = settings
  const { entries, start } = entriesOf(parts, backends)
  const app = buildApp({
    mode,
    version,
    keys: backends.keys,
    people: {
      database: core.database,
      ids: core.ids,
      sessions: sessionsOf(parts, backends),
      entries,
      settings: settings.people,
    },
    backends,
    load,
    inbound: connectors && inboundOf(parts, connectors),
    warning: unpaidWarning({ ...settings, unit: connectors?.bank }),
    providers: { banking: connectors?.bank ? 'unit' : 'builtin', rewards: connectors?.offers ? 'kard' : 'builtin' },
    demo,
    log,
    signatures: settings.signatures,
    rates: mode === 'live' ? settings.rates : undefined,
    trustedProxies,
    hosts: { boundTo: host, names: hosts },
    agents: { writes: mcpWrites },
    docs: parts.docs,
    console: parts.console,
    metrics,
    peers: parts.peers,
    ready: readinessOf(parts, backends),
  })
  closers.add(closerOf(app))
  // Before the server, which waits for every answer: a long poll is answered with the events there are.
  closers.add(async () => {
    for (const backend of backends.all()) backend.release()
  })
  return {
    app,
    backends: {
      ...backends,
      start: () => {
        backends.start()
        start()
      },
    },
  }
}

/** The entries about persons, and the work that writes them if no request has, such as those of the command line. */
function entriesOf({ core, log }: ServiceParts, backends: Backends) {
  const tasks = openTaskLog(log)
  const cells = () =>
    backends.all().map(({ core: { database, ids, runOnce }, isAway }) => ({ database, ids, runOnce, isAway }))
  const entries = openEntries({ database: core.database, cells, tasks })
  const run = async () => {
    await entries.write()
    tasks.succeeded(ENTRIES_TASK)
  }
  const start = () => core.closers.add(repeat(run, 1_000, (error) => tasks.failed(ENTRIES_TASK, error)))
  return { entries, start }
}

/** The sessions of persons, whom the home cell has. */
function sessionsOf({ core, settings, connectors, peers }: ServiceParts, backends: Backends): Sessions {
  const { database, ids } = core
  const cells = () =>
    backends.all().map(({ place, core: own, isAway }) => ({ place, database: own.database, ids: own.ids, isAway }))
  return openSessions({
    database,
    ids,
    cells,
    roles: rolesWith(settings.people.roles),
    mode: settings.mode,
    sole: connectors?.organisationId,
    peers,
  })
}

function inboundOf({ core, log, metrics }: ServiceParts, { sources, organisationId }: Connectors) {
  const { database, seals, committed } = core
  return {
    sources,
    inbox: openInbox({ database, seals, organisationId, log, committed, observe: metrics?.upstreamEventFailed }),
  }
}

/** The check behind /readyz, which rejects while the service cannot answer requests. */
function readinessOf({ core, ready }: ServiceParts, backends: Backends): () => Promise<Readiness> {
  const { database, writes, closers } = core
  const first = ready ?? openReadiness(database, writes)
  return async () => {
    if (closers.closing) throw new Problem('unavailable', { headers: retryAfter(5) })
    return { ...(await backends.ready(first)), ...(backends.isHeld() && { ach: 'held' }) }
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
