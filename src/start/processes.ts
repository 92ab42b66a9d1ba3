import { CONNECTIONS_OF_PROCESS, type CoreParts, openCore } from '../backend/core.ts'
import type { Closers } from '../base/closers.ts'
import { openClosers } from '../base/closers.ts'
import type { Steps } from '../base/progress.ts'
import { presentCells } from '../cells/retirement.ts'
import { standbyReads } from '../cells/standby/reads.ts'
import type { Config } from '../config.ts'
import type { EmbeddedServer } from '../database/embedded/embedded.ts'
import { endLeftServer } from '../database/embedded/left-server.ts'
import { reachDatabase } from '../database/readiness.ts'
import { openLog } from '../http/log.ts'
import { joinedMetrics } from '../http/metrics/metrics.ts'
import { serveMetrics } from '../http/metrics/metrics-server.ts'
import { connectionsFor } from '../processes/connections.ts'
import { countTogether } from '../processes/limits.ts'
import { openOutput } from '../processes/output.ts'
import { openParent } from '../processes/parent.ts'
import { openPeers } from '../processes/peers.ts'
import { supervise } from '../processes/supervise.ts'
import type { Scenario } from '../sandbox/create-scenario.ts'
import { encryptionKeysOf } from '../secrets/secret-file.ts'
import { openService } from '../service.ts'
import { complain, fail } from '../startup-errors.ts'
import { announce } from './announce.ts'
import { requireCellConnections } from './connections.ts'
import { furtherCells } from './further-cells.ts'
import { connect, consoleFiles, openBank } from './parts.ts'
import { prepareRecords, prepareTables } from './prepare.ts'

/** The task of one of several processes, which the parent process gives it in the variable PURSER_TASK. */
export interface Task {
  number: number
  of: number
  port: number
  /** The embedded server; absent if the process reads DATABASE_URL itself. */
  servers?: CoreParts['servers'] | undefined
  demo?: Scenario | undefined
  /** Whether people read the log. */
  terminal: boolean
}

export interface ProcessesParts {
  config: Config
  closers: Closers
  servers: CoreParts['servers']
  encryptionKeys: Buffer[]
  steps: Steps
  port: number
  embedded: EmbeddedServer | undefined
  /** The folder of the package, and the program that runs. */
  root: string
  program: string
  console: Promise<unknown>
}

/** The connections that the embedded server has to allow. */
export function embeddedConnections(processes: number): number {
  // PostgreSQL keeps three of them for its superuser.
  return connectionsFor(processes, CONNECTIONS_OF_PROCESS) + 3
}

/** Prepares the database, starts the processes that serve requests, and looks after them. Returns their address. */
export async function startProcesses(parts: ProcessesParts): Promise<string> {
  const { config, closers, servers, encryptionKeys, steps, port, embedded, root } = parts
  const { processes: count, metricsPort } = config
  const preparing = openClosers()
  closers.add(() => preparing.close())
  const core = openCore({ settings: config, servers, encryptionKeys, closers: preparing })
  const preparation = { config, core, encryptionKeys, root, steps }
  const prepared = await prepareTables(preparation)
  const cells = await presentCells(config.cells, core.database, steps.say)
  await requireCellConnections({ ...config, cells }, core.database)
  const { filled, demo } = await prepareRecords(preparation, prepared)
  await filled
  // The processes need the connections, and find the console built.
  await preparing.close()
  await parts.console.catch(() => undefined)

  const output = openOutput()
  closers.add(output.close)
  const terminal = process.stdout.isTTY === true
  const say = (line: string) => output.write(`${line}\n`)
  const parent = openParent()
  if (config.mode === 'live') countTogether(parent, config.rates)
  // Before the processes: a port that is taken ends the start while there is nothing else to end.
  if (metricsPort !== undefined) {
    const metrics = joinedMetrics(() => parent.askAll('metrics', null))
    const { url, close } = await serveMetrics(metrics, { port: metricsPort, host: config.host })
    closers.add(close)
    say(`metrics at ${url}`)
  }
  const task = { of: count, port, servers: embedded && servers, demo, terminal }
  const processes = supervise({
    count,
    program: parts.program,
    environment: (number) => ({ PURSER_TASK: JSON.stringify({ number, ...task } satisfies Task) }),
    parent,
    log: openLog(config.logLevel, { terminal, write: output.write }),
    stdout: output.pass,
    stderr: (lines) => process.stderr.write(lines),
    lost: (error) => {
      complain(error)
      closers.close().then(() => process.exit(1), fail)
    },
  })
  closers.add(processes.stop)
  const address = await processes.started
  announce(address, config, { say, key: prepared.key, embedded, demo })
  return address
}

interface ServingParts {
  config: Config
  closers: Closers
  version: string
  root: string
  built: string
  servers: CoreParts['servers']
}

/** Serves requests as one of several processes. The parent process has prepared the database. */
export async function serveBehindPort(task: Task, parts: ServingParts): Promise<void> {
  const { closers, version, root, built, servers } = parts
  const config = shareOf(parts.config, task.of)
  const peers = openPeers(task.number, task.of)
  // The parent process ends the embedded server, unless it was killed.
  const [embedded] = task.servers ?? []
  if (embedded) {
    closers.add(async () => {
      if (!process.connected) await endLeftServer(config.dataDir, embedded)
    })
  }
  const log = openLog(config.logLevel, { terminal: task.terminal, process: task.number })
  closers.add(() => new Promise((resolve) => log.flush(() => resolve())))
  const encryptionKeys = await encryptionKeysOf(config)
  const own = { config, closers, log, version, servers, encryptionKeys, number: task.number }
  const { core, metrics, hooks } = openBank(own)
  // The database may be away when this process takes the place of another one.
  await reachDatabase(core.database, config.databaseWaitMs, (line) => log.warn(line))
  const connectors = await connect(own, core)
  const steps = { say: () => undefined }
  const cells = await presentCells(config.cells, core.database)
  const openBackends = furtherCells({ ...own, config: { ...config, cells }, hooks, metrics, home: core, root, steps })
  const console = consoleFiles(root, built)
  // The parent process has said why it could not be built.
  console.catch(() => undefined)
  const service = await openService({
    core,
    settings: config,
    version,
    docs: `${root}/docs`,
    console: () => console,
    log,
    metrics,
    connectors,
    openBackends,
    openStandby: standbyReads(config.readUrl),
    demo: task.demo,
    peers,
  })
  if (metrics) {
    metrics.watch(core.load)
    peers.answer('metrics', metrics.values)
  }
  const address = await service.app.listen({ port: task.port, host: config.host })
  service.backends.start()
  peers.ready(address)
}

/** The part of the limits that one process has, so that all of them together keep the whole. */
function shareOf(config: Config, processes: number): Config {
  return { ...config, maxRequests: Math.floor(config.maxRequests / processes) }
}
