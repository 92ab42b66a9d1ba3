import './v8.ts'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Core } from './backend/core.ts'
import { clock } from './base/clock.ts'
import { type Closers, openClosers } from './base/closers.ts'
import { openSteps, type Steps } from './base/progress.ts'
import { presentCells } from './cells/retirement.ts'
import { standbyReads } from './cells/standby/reads.ts'
import { type Config, parseConfig, unknownSettings, unpaidWarning } from './config.ts'
import { serversOf } from './database/database.ts'
import { type EmbeddedServer, startEmbedded } from './database/embedded/embedded.ts'
import { openLog } from './http/log.ts'
import type { Metrics } from './http/metrics/metrics.ts'
import { serveMetrics } from './http/metrics/metrics-server.ts'
import { encryptionKeysOf } from './secrets/secret-file.ts'
import { openService } from './service.ts'
import { announce } from './start/announce.ts'
import { furtherCells } from './start/further-cells.ts'
import { complainOfConsole, connect, consoleFiles, freePort, openBank } from './start/parts.ts'
import { prepareRecords, prepareTables } from './start/prepare.ts'
import { embeddedConnections, serveBehindPort, startProcesses, type Task } from './start/processes.ts'
import { complain, fail } from './startup-errors.ts'

const built = import.meta.dirname
const root = join(built, '..')
/** Present in one of several processes. */
const task: Task | undefined = process.env.PURSER_TASK && process.send ? JSON.parse(process.env.PURSER_TASK) : undefined

const SHUTDOWN_MS = 30_000
/** A busy machine delivers the second signal of one Ctrl-C late. */
const SAME_CTRL_C_MS = 5_000
/** Database, tables, catalogue, demo world. */
const STEPS = 4

/**
 * Reads the environment, opens and prepares the database, opens the service and listens: on `formerPort` if it is
 * started again, because PORT=0 would give it another address. Returns the address, which a process behind another's port lacks.
 */
async function start(closers: Closers, formerPort?: number): Promise<string | undefined> {
  const settings = parseConfig(process.env)
  const config = { ...settings, port: formerPort ?? settings.port }
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  if (task) {
    const servers = task.servers ?? serversOf(config.databaseUrl ?? '')
    await serveBehindPort(task, { config, closers, version, root, built, servers })
    return undefined
  }
  const log = openLog(config.logLevel, { terminal: process.stdout.isTTY === true })
  closers.add(() => new Promise((resolve) => log.flush(() => resolve())))
  const steps = openSteps(STEPS)
  steps.say(`Purser ${version} starts in ${config.mode} mode`)
  for (const { name } of unknownSettings(process.env)) steps.say(`warning: ${name} is not a setting and has no effect`)
  const warning = unpaidWarning(config)
  if (warning) {
    steps.say(`warning: ${warning}`)
    log.warn(warning)
  }
  const console = consoleFiles(root, built)
  console.catch((error: Error) => closers.closing || complainOfConsole(error))

  const several = config.processes > 1
  const port = isFirstStart(config) || several ? await freePort(config) : config.port
  const embedded = config.databaseUrl
    ? undefined
    : await steps.run('starting the database', () => embeddedServer(config, closers, steps))
  const servers = embedded ? [{ ...embedded.connection, ssl: false }] : serversOf(config.databaseUrl ?? '')
  const encryptionKeys = await encryptionKeysOf(config)
  if (several) {
    const program = import.meta.filename
    return startProcesses({ config, closers, servers, encryptionKeys, steps, port, embedded, root, program, console })
  }
  const own = { config, closers, log, version, servers, encryptionKeys }
  const { core, metrics, hooks } = openBank(own)
  const preparation = { config, core, encryptionKeys, root, steps }
  const prepared = await prepareTables(preparation)
  const connectors = await connect(own, core)
  const { filled, demo } = await prepareRecords(preparation, prepared)

  // The service is built while the database writes the catalogue.
  const about = { version, docs: join(root, 'docs'), console: () => console, demo }
  const cells = await presentCells(config.cells, core.database, steps.say)
  const openBackends = furtherCells({ ...own, config: { ...config, cells }, hooks, metrics, home: core, root, steps })
  const openStandby = standbyReads(config.readUrl)
  const [service] = await Promise.all([
    openService({ core, settings: config, log, metrics, connectors, openBackends, openStandby, ...about }),
    filled,
  ])
  if (metrics) await measured(config, metrics, core)
  const address = await service.app.listen({ port: config.port, host: config.host })
  service.backends.start()
  announce(address, config, { say, key: prepared.key, embedded, demo })
  return address
}

function isFirstStart({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl === undefined && !existsSync(join(dataDir, 'pg18'))
}

async function measured({ host, metricsPort: port = 0 }: Config, metrics: Metrics, core: Core): Promise<void> {
  metrics.watch(core.load)
  const { url, close } = await serveMetrics(metrics, { port, host })
  core.closers.add(close)
  say(`metrics at ${url}`)
}

/** A server that is still starting is one to stop, too. */
function embeddedServer({ dataDir, processes }: Config, closers: Closers, { say }: Steps): Promise<EmbeddedServer> {
  const connections = processes > 1 ? embeddedConnections(processes) : undefined
  const asked = () => void startAgain().catch(fail)
  const starting = startEmbedded({ dataDir, say, lost: fail, asked, connections }).then((server) => {
    // An end that waits for nothing leaves no server behind either.
    process.once('exit', () => server.leave())
    return server
  })
  closers.add(() =>
    starting.then(
      (server) => server.stop(),
      () => undefined,
    ),
  )
  return starting
}

/**
 * The first signal starts the shutdown, and so does the end of a parent process that holds a channel to this one. A
 * shutdown that hangs, or a second Ctrl-C, ends the process at once, and so does the end of the parent process during it.
 */
function closeAtSignal(): void {
  let firstMs: number | undefined
  const handle = (signal: 'SIGINT' | 'SIGTERM' | 'disconnect') => {
    // A Ctrl-C reaches the parent process, too, which ends this one with SIGTERM.
    if (task && signal === 'SIGINT') return
    if (firstMs !== undefined) {
      // A Ctrl-C under `npm start` arrives twice, from the terminal and from npm. A supervisor that repeats SIGTERM has
      // SIGKILL to end the process at once.
      const isSecondCtrlC = signal === 'SIGINT' && clock.elapsedMs() - firstMs > SAME_CTRL_C_MS
      if (isSecondCtrlC || signal === 'disconnect') process.exit(1)
      return
    }
    firstMs = clock.elapsedMs()
    // With the parent process, the reader of the output may be gone, too.
    if (signal === 'disconnect') process.stdout.on('error', () => undefined)
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
    if (!task) say(`${signal}: finishing the requests in progress`)
    closers.close().then(() => {
      if (!task) say('stopped')
      process.exit(0)
    }, fail)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => handle(signal))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Starts the service. The promise never rejects. */
async function begin(own: Closers, port?: number): Promise<string | undefined> {
  try {
    return await start(own, port)
  } catch (error) {
    // A start that fails because a signal took its database away has nothing to add.
    if (own.closing) return undefined
    complain(error)
    await own.close().then(() => process.exit(1), fail)
  }
}

/** Ends the service in order and starts it again at its address, for a command that replaces the bank. */
async function startAgain(): Promise<void> {
  const former = closers
  if (former.closing) return
  say('a snapshot is restored: finishing the requests in progress')
  const hanging = setTimeout(() => process.exit(1), SHUTDOWN_MS)
  const ending = async () => {
    await former.close()
    const address = await begun
    // A start that was interrupted may have opened something since.
    await former.close()
    return address
  }
  const ended = ending()
  const own = openClosers()
  // A signal waits for it.
  own.add(async () => void (await ended))
  closers = own
  const address = await ended
  clearTimeout(hanging)
  if (!own.closing) begun = begin(own, address === undefined ? undefined : Number(new URL(address).port))
}

/** The resources of the running service, and its address. */
let closers = openClosers()
closeAtSignal()
let begun = begin(closers)
