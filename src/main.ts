import './v8.ts'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureFirstKey, type FirstKey, hasUsableKey } from './access/first-key.ts'
import { makeKey } from './access/key-text.ts'
import { requireOneOrganisation } from './access/organisations.ts'
import { clock } from './base/clock.ts'
import { type Closers, openClosers } from './base/closers.ts'
import { StartupError } from './base/startup-error.ts'
import { type Config, parseConfig } from './config.ts'
import { claimHome } from './database/cells/claim.ts'
import { type Database, serversOf } from './database/database.ts'
import { type EmbeddedServer, startEmbedded } from './database/embedded/embedded.ts'
import { migrate } from './database/migrate.ts'
import { reachDatabase } from './database/readiness.ts'
import { requireSessions } from './database/sessions.ts'
import { type ConsoleFiles, openConsoleFiles } from './http/console-files.ts'
import { addressFor, hostWarning } from './http/hosts.ts'
import { type Log, openLog } from './http/log.ts'
import { type Metrics, openMetrics } from './http/metrics.ts'
import { serveMetrics } from './http/metrics-server.ts'
import { DEMO_KEY } from './idempotency/own-keys.ts'
import { openSteps, type Steps } from './operator/progress.ts'
import type { BuiltinBank } from './providers/builtin/builtin-bank.ts'
import { loadCatalogue } from './providers/builtin/offers/catalogue.ts'
import type { DecisionHook } from './providers/builtin/processor/decision-hook.ts'
import { type Connectors, openConnectors } from './providers/connectors.ts'
import type { Scenario } from './sandbox/create-scenario.ts'
import { requireKey } from './secrets/marker.ts'
import { secretFile, storedEncryptionKey } from './secrets/secret-file.ts'
import { type Core, openCore, openService } from './service.ts'
import { complain, fail } from './startup-errors.ts'
import { type Hook, openHook } from './webhooks/hook.ts'

const root = join(import.meta.dirname, '..')

const SHUTDOWN_MS = 30_000
/** A busy machine delivers the second signal of one Ctrl-C late. */
const SAME_CTRL_C_MS = 5_000
/** How far back the demo world's story begins. */
const DEMO_DAYS = 75
/** Database, tables, catalogue, demo world. */
const STEPS = 4

/** Reads the environment, opens and prepares the database, opens the service and listens. */
async function start(closers: Closers): Promise<void> {
  const config = parseConfig(process.env)
  const [cell] = config.cells
  if (cell) throw new StartupError(`${cell.setting} names a further cell, which this version does not serve yet`)
  const log = openLog(config.logLevel, process.stdout.isTTY === true)
  closers.add(() => new Promise((resolve) => log.flush(() => resolve())))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const steps = openSteps(STEPS)
  steps.say(`Purser ${version} starts in ${config.mode} mode`)
  const console = consoleFiles()
  console.catch((error: Error) => closers.closing || complainOfConsole(error))

  if (isFirstStart(config)) await requireFreePort(config)
  const embedded = config.databaseUrl
    ? undefined
    : await steps.run('starting the database', () => embeddedServer(config, closers, steps))
  const servers = embedded ? [{ ...embedded.connection, ssl: false }] : serversOf(config.databaseUrl ?? '')
  const encryptionKeys = await encryptionKeysOf(config)
  const metrics = config.metricsPort === undefined ? undefined : openMetrics()
  const lane = metrics && { observe: metrics.laneBatch }
  const decision = decisionHook(config, { closers, log, metrics, version })
  const screening = screeningHook(config, { closers, log, metrics, version })
  const hooks = { decision, screening }
  const core = openCore({ settings: config, servers, encryptionKeys, closers, ...hooks, ...(lane && { lane }) })

  await reachDatabase(core.database, config.databaseWaitMs, steps.say)
  if (!embedded) await requireSessions(servers)
  await steps.run('preparing the tables', () => migrated(core.database, steps))
  await claimHome(core.database)
  await requireKey(core.database, encryptionKeys)
  const first = await firstKey(config, core.database)
  const withDemo = config.mode === 'sandbox' && config.demo && !config.unit
  const ensured = first && (await ensureFirstKey(core.database, core.ids, first, withDemo ? DEMO_DAYS : 0))
  const organisationId = ensured?.organisationId
  if (ensured?.warning) say(`warning: ${ensured.warning}`)
  const connectors = config.unit || config.kard ? await connect(config, core, log, version) : undefined
  const filled = steps.run('filling the catalogue of offers', () => fillCatalogue(config, core.database, steps))
  const playDemo = (id: number) => steps.run('playing the demo world', () => demoWorld(core.builtin, id, steps))
  const demo = withDemo && organisationId ? await filled.then(() => playDemo(organisationId)) : undefined

  // The service is built while the database writes the catalogue.
  const docs = join(root, 'docs')
  const [service] = await Promise.all([
    openService({ core, settings: config, version, docs, console: () => console, log, metrics, connectors, demo }),
    filled,
  ])
  if (metrics) await measured(config, metrics, core)
  const address = await service.app.listen({ port: config.port, host: config.host })
  service.start()
  announce(address, config, { key: ensured?.warning ? undefined : first?.key, embedded, demo })
}

function isFirstStart({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl === undefined && !existsSync(join(dataDir, 'pg18'))
}

/** A first start takes seconds, and would leave a new database behind where it could not listen in the end. */
async function requireFreePort({ port, host }: Config): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen({ port, host }, resolve))
  await new Promise((resolve) => probe.close(resolve))
}

/** The files of the console. A checkout builds them while the database starts; a package has them beside this file. */
async function consoleFiles(): Promise<ConsoleFiles> {
  const folder = join(import.meta.dirname, 'console')
  const builder = join(root, 'bin/bundle-console.js')
  if (!existsSync(builder)) return openConsoleFiles(folder)
  const { bundleConsole } = await import(pathToFileURL(builder).href)
  return openConsoleFiles(folder, await bundleConsole(folder))
}

/** The bank works without its console. */
function complainOfConsole({ message }: Error): void {
  process.stderr.write(`purser: /console is not served, because it could not be built: ${message}\n`)
}

interface HookParts {
  closers: Closers
  log: Log
  metrics: Metrics | undefined
  version: string
}

/** The app's part in the decision of card authorizations. It is closed after the requests that wait for it. */
function decisionHook({ decision }: Config, { closers, log, metrics, version }: HookParts): DecisionHook | undefined {
  if (!decision) return undefined
  const userAgent = `Purser/${version}`
  const hook = openHook(decision, { name: 'decision', userAgent, log, observe: metrics?.hook })
  closers.add(() => hook.close())
  return { hook, onSilence: decision.onSilence }
}

/** The service that screens new customers and external accounts. */
function screeningHook({ screening }: Config, { closers, log, metrics, version }: HookParts): Hook | undefined {
  if (!screening) return undefined
  const hook = openHook(screening, { name: 'screening', userAgent: `Purser/${version}`, log, observe: metrics?.hook })
  closers.add(() => hook.close())
  return hook
}

async function connect(config: Config, core: Core, log: Log, version: string): Promise<Connectors> {
  return openConnectors(config, { ...core, log, version, organisationId: await requireOneOrganisation(core.database) })
}

async function measured({ host, metricsPort: port = 0 }: Config, metrics: Metrics, core: Core): Promise<void> {
  metrics.watch(core.load)
  const { url, close } = await serveMetrics(metrics, { port, host })
  core.closers.add(close)
  say(`metrics at ${url}`)
}

/**
 * Where ZIP codes lie, and in a sandbox offers to find there: at the first start, before anyone can ask for them. With a
 * connector nobody would see those offers, and none may earn by what it cannot see.
 */
async function fillCatalogue({ mode, kard }: Config, database: Database, { say }: Steps): Promise<void> {
  const samples = mode === 'sandbox' && !kard
  const made = await loadCatalogue(database, join(root, 'assets/zip-codes.tsv'), { samples })
  if (made) say(`made a sample catalogue of ${made.offers} offers in ${made.ms} ms`)
}

/** Plays the demo world at the first start; later the same key answers the same ids. */
async function demoWorld({ createDemo }: BuiltinBank, organisationId: number, { say }: Steps): Promise<Scenario> {
  const started = clock.elapsedMs()
  const answer = await createDemo({
    caller: { organisationId, keyId: 0 },
    requestId: 'demo',
    key: { text: null, hash: DEMO_KEY, fingerprint: Buffer.alloc(32), fromCaller: true },
    render: (data) => ({ status: 201, body: JSON.stringify({ data }), replayed: false }),
  })
  if (!answer.replayed) say(`made a demo world in ${Math.round(clock.elapsedMs() - started)} ms`)
  return JSON.parse(answer.body).data
}

async function migrated(database: Database, { say }: Steps): Promise<void> {
  const startedMs = clock.elapsedMs()
  const applied = await migrate(database, join(root, 'migrations'))
  if (applied > 0) say(`applied ${applied} migrations in ${Math.round(clock.elapsedMs() - startedMs)} ms`)
}

/** A server that is still starting is one to stop, too. */
function embeddedServer({ dataDir }: Config, closers: Closers, { say }: Steps): Promise<EmbeddedServer> {
  const starting = startEmbedded({ dataDir, say, lost: fail })
  closers.add(() =>
    starting.then(
      (server) => server.stop(),
      () => undefined,
    ),
  )
  return starting
}

/** The key that seals the keys of organisations, made once where none is set, and during a change of it the next one. */
async function encryptionKeysOf({ encryptionKey: key, newEncryptionKey: next, dataDir }: Config): Promise<Buffer[]> {
  return [key ?? (await storedEncryptionKey(dataDir)), ...(next ? [next] : [])]
}

/** The key of the environment; in sandbox mode, where none is set, one that is made once and kept. */
async function firstKey({ apiKey, mode, dataDir }: Config, database: Database): Promise<FirstKey | undefined> {
  if (apiKey !== undefined) return { source: 'configured', key: apiKey }
  if (mode === 'sandbox') {
    const make = () => makeKey('sandbox', 'sk')
    const key = await secretFile(dataDir, { name: 'api-key', make, form: /^[\x21-\x7e]{8,512}$/ })
    return { source: 'generated', key }
  }
  if (await hasUsableKey(database)) return undefined
  throw new StartupError(
    'there is no API key yet: set PURSER_API_KEY to 20 or more visible ASCII characters, or purser keys create',
  )
}

interface Announced {
  key: string | undefined
  embedded: EmbeddedServer | undefined
  demo: Scenario | undefined
}

function announce(address: string, config: Config, { key, embedded, demo }: Announced): void {
  const { mode, unit, kard } = config
  if (unit) announceUpstream('banking', 'Unit', unit)
  if (kard) announceUpstream('offers', 'Kard', kard)
  say(`listening on ${address}`)
  const unanswered = hostWarning({ boundTo: config.host, names: config.hosts })
  if (unanswered) say(`warning: ${unanswered}`)
  if (mode !== 'sandbox') {
    say(`console at ${consoleAddress(address, config)}`)
    return
  }
  const path = demo ? `banking/accounts/${demo.accountId}` : 'banking/customers'
  say(`
  Console    ${consoleAddress(address, config, key)}
  Base URL   ${address}
  Docs       ${address}/docs
  Data       ${embedded ? embedded.dataDir : 'the PostgreSQL server of DATABASE_URL'}
  API key    ${key ?? 'none of this start: see the warning above'}
${
  demo
    ? `\n  Demo world\n${Object.entries(demo)
        .map(([name, id]) => `    ${name.padEnd(18)} ${id}`)
        .join('\n')}\n`
    : ''
}
  curl -s ${address}/v0/${path} -H 'X-Service-API-Key: ${key ?? '...'}'
`)
}

/** A fragment with a key reaches no server and no log. */
function consoleAddress(listening: string, { host, hosts }: Config, key?: string): string {
  const url = addressFor('/console', listening, { boundTo: host, names: hosts })
  if (!url) return 'no host name yet: PURSER_HOSTS lists those that it answers for'
  if (key !== undefined) url.hash = `key=${encodeURIComponent(key)}`
  return url.href
}

/** Says which upstream serves an area. A webhook without a route would otherwise be noticed late. */
function announceUpstream(
  area: string,
  name: string,
  upstream: { url: string; webhookSecret: string | undefined },
): void {
  const { url, webhookSecret } = upstream
  const webhooks = webhookSecret
    ? `webhooks to /v0/inbound/${name.toLowerCase()}`
    : `no webhooks without PURSER_${name.toUpperCase()}_WEBHOOK_SECRET`
  say(`${area}: ${name} at ${url}, ${webhooks}`)
}

/**
 * The first signal starts the shutdown, and so does the end of a parent process that holds a channel to this one. A
 * shutdown that hangs, or a second Ctrl-C, ends the process at once.
 */
function closeAtSignal(closers: Closers): void {
  let firstMs: number | undefined
  const handle = (signal: 'SIGINT' | 'SIGTERM' | 'disconnect') => {
    if (firstMs !== undefined) {
      // A Ctrl-C under `npm start` arrives twice, from the terminal and from npm. A supervisor that repeats SIGTERM has
      // SIGKILL to end the process at once.
      if (signal === 'SIGINT' && clock.elapsedMs() - firstMs > SAME_CTRL_C_MS) process.exit(1)
      return
    }
    firstMs = clock.elapsedMs()
    // With the parent process, the reader of the output may be gone, too.
    if (signal === 'disconnect') process.stdout.on('error', () => undefined)
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
    say(`${signal}: finishing the requests in progress`)
    closers.close().then(() => {
      say('stopped')
      process.exit(0)
    }, fail)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => handle(signal))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const closers = openClosers()
closeAtSignal(closers)
start(closers).catch((error: unknown) => {
  // A start that fails because a signal took its database away has nothing to add.
  if (closers.closing) return
  complain(error)
  closers.close().then(() => process.exit(1), fail)
})
