import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openApiKeys } from './access/authenticate-key.ts'
import { openDenials } from './access/denials.ts'
import { ensureFirstKey, type FirstKey, findConfigured, hasUsableKey } from './access/first-key.ts'
import { makeKey } from './access/key-text.ts'
import { openApiKeyRecords } from './access/manage-keys.ts'
import { requireOneOrganisation } from './access/organisations.ts'
import { buildApp } from './app.ts'
import { clock } from './base/clock.ts'
import { Problem } from './base/problem.ts'
import { retryAfter } from './base/retry-after.ts'
import { sha256 } from './base/sha256.ts'
import { StartupError } from './base/startup-error.ts'
import { type Config, parseConfig } from './config.ts'
import { kardOffers, openUnit, sourcesOf } from './connectors.ts'
import { type Database, openDatabase, plainTimeouts, serversOf } from './database/database.ts'
import { type EmbeddedServer, startEmbedded } from './database/embedded/embedded.ts'
import { openListener } from './database/listen.ts'
import { migrate } from './database/migrate.ts'
import { openRecordIds } from './database/record-ids.ts'
import { EVENT_CHANNEL, openAnnouncer } from './events/announce.ts'
import { auditLogOf } from './events/audit-log.ts'
import { openFeed } from './events/feed.ts'
import { openInbox } from './events/inbound.ts'
import { type Log, openLog } from './http/log.ts'
import { type Metrics, openMetrics } from './http/metrics.ts'
import { serveMetrics } from './http/metrics-server.ts'
import { openRunOnce } from './idempotency/run-once.ts'
import { BATCHES, openLane } from './ledger/lane.ts'
import { type BuiltinBank, openBuiltinBank } from './providers/builtin/builtin-bank.ts'
import { loadSampleCatalogue, loadZipCodes } from './providers/builtin/offers/catalogue.ts'
import { openConnectedRewards } from './providers/builtin/rewards/connected-rewards.ts'
import type { Scenario } from './sandbox/create-scenario.ts'
import { openSeal, requireKey } from './secrets/seal.ts'
import { secretFile } from './secrets/secret-file.ts'
import { complain, fail } from './startup-errors.ts'
import { openAddressGuard } from './webhooks/delivery/address-guard.ts'
import { openSender } from './webhooks/delivery/send.ts'
import { openWebhookWorker } from './webhooks/delivery/worker.ts'
import { openWebhooks } from './webhooks/endpoints/endpoints.ts'

const root = join(import.meta.dirname, '..')

const SHUTDOWN_MS = 30_000
const SECOND_SIGNAL_MS = 1_000
/** How far back the demo world's story begins. */
const DEMO_DAYS = 75

/** Environment → config → database → providers → app → listen. */
async function start(opened: Opened): Promise<void> {
  const config = parseConfig(process.env)
  const terminal = process.stdout.isTTY === true
  const log = openLog(config.logLevel, terminal)
  opened.add(() => new Promise((resolve) => log.flush(() => resolve())))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  say(`Purser ${version} starts in ${config.mode} mode`)

  const embedded = config.databaseUrl ? undefined : await embeddedServer(config, opened)
  const servers = embedded ? [{ ...embedded.connection, ssl: false }] : serversOf(config.databaseUrl ?? '')
  const database = openDatabase({ servers, connections: 10, timeouts: plainTimeouts })
  opened.add(() => database.close())
  const ids = openRecordIds(database)
  const committed = openAnnouncer(database)
  const metrics = config.metricsPort === undefined ? undefined : openMetrics()
  const lane = openLane({
    servers,
    ids,
    committed,
    batches: BATCHES,
    ...(metrics && { observe: metrics.laneBatch }),
  })
  opened.add(() => lane.close())

  await migrate(database, join(root, 'migrations'))
  const seal = openSeal(await encryptionKey(config))
  await requireKey(database, seal)
  const first = await firstKey(config, database)
  const builtinBanking = config.unit === undefined
  const withDemo = config.mode === 'sandbox' && config.demo && builtinBanking
  const ensured = first && (await ensureFirstKey(database, ids, first, withDemo ? DEMO_DAYS : 0))
  const organisationId = ensured?.organisationId
  if (ensured?.warning) say(`warning: ${ensured.warning}`)
  const sole = config.unit || config.kard ? await requireOneOrganisation(database) : undefined

  const { lockMs } = plainTimeouts
  const runOnce = openRunOnce({ database, seal, waitMs: lockMs, settleMs: lockMs, committed })
  const { mode, routingNumber, overdraftCents, review, rewardPayoutDelayMs: payoutDelayMs } = config
  const settings = { mode, routingNumber, overdraftCents, review, payoutDelayMs }
  const builtin = openBuiltinBank({ database, ids, runOnce, lane, seal, ...settings })
  await loadCatalogue(config, database)
  const demo = withDemo && organisationId ? await demoWorld(builtin, organisationId) : undefined
  opened.add(repeatedly(() => builtin.catchUp(log), 1_000, log))
  const keys = openApiKeys(database, await findConfigured(database), sole)
  opened.add(() => keys.saveUses())
  opened.add(repeatedly(keys.saveUses, 60_000, log))
  const unit = config.unit && openUnit(config.unit, { config, database, runOnce, seal, log, opened })
  const rewards =
    unit && sole !== undefined
      ? openConnectedRewards({ database, runOnce, organisationId: sole, payoutDelayMs, log, ...unit })
      : undefined
  if (rewards) opened.add(repeatedly(rewards.catchUp, 1_000, log))
  const denials = openDenials(database)
  opened.add(denials.save)
  opened.add(repeatedly(denials.save, 1_000, log))
  const feed = openFeed({ database })
  const { webhookTimeoutMs: timeoutMs, webhookRetriesMs: delaysMs } = config
  const guard = openAddressGuard({ mode, connectTimeoutMs: timeoutMs })
  const worker = openWebhookWorker({
    database,
    seal,
    sender: openSender({ guard, timeoutMs, userAgent: `Purser/${version}` }),
    committed,
    failed: (error) => log.warn({ reason: error.message }, 'webhooks could not be sent'),
    ...(metrics && { observe: metrics }),
    delaysMs,
    leaseMs: 4 * timeoutMs,
  })
  opened.add(() => worker.close())
  const heard = () => {
    feed.look()
    worker.heard()
  }
  const listener = openListener({ servers, channel: EVENT_CHANNEL, heard })
  opened.add(() => listener.close())
  const app = buildApp({
    mode,
    version,
    keys,
    apiKeys: openApiKeyRecords({ database, ids, runOnce, keys, mode }),
    bank: unit?.bank ?? builtin.bank,
    records: rewards?.records ?? builtin.records,
    offers: config.kard ? kardOffers(config.kard, { config, database, log, opened }) : builtin.offers,
    events: { ...feed, ...auditLogOf(database) },
    webhooks: openWebhooks({ database, ids, runOnce, seal, guard, changed: worker.changed }),
    sandbox: mode === 'sandbox' && builtinBanking ? builtin.sandbox : undefined,
    inbound:
      sole === undefined
        ? undefined
        : { sources: sourcesOf(config, unit, rewards), inbox: openInbox(database, sole, committed) },
    demo,
    log,
    denials,
    maxRequests: config.maxRequests,
    rates: mode === 'live' ? config.rates : undefined,
    trustedProxies: config.trustedProxies,
    metrics,
    digest: seal.digest,
    ready: async () => {
      if (opened.closing) throw new Problem('unavailable', { headers: retryAfter(5) })
      await database.query('select 1')
    },
  })
  opened.add(() => closeApp(app))
  // Before the server, which waits for every answer: those who wait for an event get theirs.
  opened.add(async () => feed.release())
  if (metrics) await measured(config, metrics, opened)
  const address = await app.listen({ port: config.port, host: config.host })
  worker.start()
  announce(address, config, { key: ensured?.warning ? undefined : first?.key, embedded, demo })
}

async function measured({ host, metricsPort: port = 0 }: Config, metrics: Metrics, opened: Opened): Promise<void> {
  const { url, close } = await serveMetrics(metrics, { port, host })
  opened.add(close)
  say(`metrics at ${url}`)
}

/**
 * Where ZIP codes lie, and in a sandbox offers to find there: at the first start, before anyone can ask for them. With a
 * connector nobody would see those offers, and none may earn by what it cannot see.
 */
async function loadCatalogue({ mode, kard }: Config, database: Database): Promise<void> {
  await loadZipCodes(database)
  const made = mode === 'sandbox' && !kard ? await loadSampleCatalogue(database) : undefined
  if (made) say(`made a sample catalogue of ${made.offers} offers in ${made.ms} ms`)
}

/** Plays the demo world at the first start; later the same key answers the same ids. */
async function demoWorld({ createDemo }: BuiltinBank, organisationId: number): Promise<Scenario> {
  const started = clock.elapsedMs()
  const answer = await createDemo({
    caller: { organisationId, keyId: 0 },
    requestId: 'demo',
    key: { text: null, hash: sha256('demo world'), fingerprint: Buffer.alloc(32), fromCaller: true },
    render: (data) => ({ status: 201, body: JSON.stringify({ data }), replayed: false }),
  })
  if (!answer.replayed)
    say(`made a demo world with ${DEMO_DAYS} days of history in ${Math.round(clock.elapsedMs() - started)} ms`)
  return JSON.parse(answer.body).data
}

/** Runs a task again so long after it ended; what fails is tried again the next time. */
function repeatedly(task: () => Promise<void>, ms: number, log: Log): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout
  let running = Promise.resolve()
  const turn = () => {
    running = task()
      .catch((error: Error) => log.warn({ reason: error.message }, 'what was due could not be done'))
      .then(() => {
        if (!stopped) timer = setTimeout(turn, ms)
      })
  }
  timer = setTimeout(turn, ms)
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}

/** A server that is still starting is one to stop, too. */
function embeddedServer({ dataDir }: Config, opened: Opened): Promise<EmbeddedServer> {
  const starting = startEmbedded({ dataDir, say, lost: fail })
  opened.add(() =>
    starting.then(
      (server) => server.stop(),
      () => undefined,
    ),
  )
  return starting
}

/** A connection that is kept alive goes idle only after its last answer, and would hold the server open for minutes. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 50)
  await app.close().finally(() => clearInterval(idle))
}

/** Encrypts what must not lie in the database in clear text; made once where none is set. */
async function encryptionKey({ encryptionKey: key, dataDir }: Config): Promise<Buffer> {
  return (
    key ?? Buffer.from(await secretFile(dataDir, 'encryption-key', () => randomBytes(32).toString('base64')), 'base64')
  )
}

/** The key of the environment; in sandbox mode, where none is set, one that is made once and kept. */
async function firstKey({ apiKey, mode, dataDir }: Config, database: Database): Promise<FirstKey | undefined> {
  if (apiKey !== undefined) return { source: 'configured', key: apiKey }
  if (mode === 'sandbox') {
    return { source: 'generated', key: await secretFile(dataDir, 'api-key', () => makeKey('sandbox', 'sk')) }
  }
  if (await hasUsableKey(database)) return undefined
  throw new StartupError(
    'there is no API key yet: set PURSER_API_KEY to 20 or more visible ASCII characters, or npm run keys -- create',
  )
}

interface Announced {
  key: string | undefined
  embedded: EmbeddedServer | undefined
  demo: Scenario | undefined
}

function announce(address: string, { mode }: Config, { key, embedded, demo }: Announced): void {
  say(`listening on ${address}`)
  if (mode !== 'sandbox') return
  const path = demo ? `banking/accounts/${demo.accountId}` : 'banking/customers'
  say(`
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

/** What has been opened so far. It is closed in reverse order, at a signal or when the start fails. */
interface Opened {
  closing: boolean
  add(close: () => Promise<void>): void
  close(): Promise<void>
}

function openNothing(): Opened {
  const closers: (() => Promise<void>)[] = []
  return {
    closing: false,
    add: (close) => void closers.unshift(close),
    async close() {
      this.closing = true
      for (const close of closers) await close()
    },
  }
}

/** One shutdown for the first signal; a later one, or a shutdown that hangs, ends the process at once. */
function closeAtSignal(opened: Opened): void {
  let firstMs: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Ctrl-C under `npm start` arrives twice, from the terminal and from npm.
      if (firstMs !== undefined && clock.elapsedMs() - firstMs > SECOND_SIGNAL_MS) process.exit(1)
      if (firstMs !== undefined) return
      firstMs = clock.elapsedMs()
      setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
      say(`${signal}: finishing what was accepted`)
      opened.close().then(() => {
        say('stopped')
        process.exit(0)
      }, fail)
    })
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const opened = openNothing()
closeAtSignal(opened)
start(opened).catch((error: unknown) => {
  // A start that fails because a signal took its database away has nothing to add.
  if (opened.closing) return
  complain(error)
  opened.close().then(() => process.exit(1), fail)
})
