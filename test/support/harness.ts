import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import { insertKey } from '../../src/access/api-keys.sql.ts'
import type { KeyAuthenticator } from '../../src/access/authenticate-key.ts'
import type { Denials } from '../../src/access/denials.ts'
import { ensureOrganisation } from '../../src/access/organisations.ts'
import type { BankingProvider } from '../../src/banking/provider.ts'
import { type Closers, openClosers } from '../../src/base/closers.ts'
import type { Scope } from '../../src/base/operation.ts'
import { sha256 } from '../../src/base/sha256.ts'
import { type Core, openCore } from '../../src/cell/core.ts'
import type { DecisionSettings } from '../../src/config/hooks.ts'
import { parseConfig } from '../../src/config.ts'
import { type Database, plainTimeouts } from '../../src/database/database.ts'
import type { Feed, FeedOptions } from '../../src/events/feed.ts'
import type { InboundSource } from '../../src/events/inbound.ts'
import type { RecordEvents } from '../../src/events/record.ts'
import { type ConsoleFiles, openConsoleFiles } from '../../src/http/console-files.ts'
import type { RequestLogOptions } from '../../src/http/exchanges/request-log.ts'
import type { Rates } from '../../src/http/limits.ts'
import type { Log } from '../../src/http/log.ts'
import type { Metrics } from '../../src/http/metrics.ts'
import { cellAt } from '../../src/http/request/cell.ts'
import type { RunOnce } from '../../src/idempotency/run-once.ts'
import type { LaneOptions } from '../../src/ledger/lane.ts'
import type { FileCell } from '../../src/providers/builtin/ach/cells/spread.ts'
import type { FileIntake } from '../../src/providers/builtin/ach/incoming/open-intake.ts'
import { insertZipCodes } from '../../src/providers/builtin/offers/catalogue.sql.ts'
import { changeCatalogue } from '../../src/providers/builtin/offers/catalogue.ts'
import type { MonthTurns } from '../../src/providers/builtin/statements/month-turn.ts'
import type { Connectors } from '../../src/providers/connectors.ts'
import type { AchMode } from '../../src/rails/ach/settings.ts'
import type { CatalogueOffer } from '../../src/rewards/offers/catalogue.ts'
import type { ZipCode } from '../../src/rewards/offers/sample-catalogue.ts'
import type { RewardsProvider } from '../../src/rewards/provider.ts'
import type { RewardRecords } from '../../src/rewards/records/records.ts'
import type { Seals } from '../../src/secrets/seals.ts'
import { openService } from '../../src/service.ts'
import type { Resolve } from '../../src/webhooks/delivery/resolve.ts'
import { retryDelaysMs } from '../../src/webhooks/delivery/retry.ts'
import type { WebhookWorker, WorkerOptions } from '../../src/webhooks/delivery/worker.ts'
import { openHook } from '../../src/webhooks/hook.ts'
import { ENCRYPTION_KEY, isBesideHome, openHomeCell } from './cells/home-cell.ts'
import { undescribedEvents } from './events.ts'
import { administer, databaseNamed } from './server.ts'

export const root = join(import.meta.dirname, '../..')

export interface Reply {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  /** The body as it came, for content that is no text. */
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
  json: any
}

export interface CallOptions {
  key?: string | null
  body?: unknown
  /** The body as it is sent, for content that is no JSON. */
  raw?: string | Buffer
  headers?: Record<string, string>
}

export interface TestBank {
  /** Calls the service through its front door, as the first organisation unless `key` says otherwise. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  key: string
  /** A key of another organisation. */
  otherKey: string
  makeKey(organisation: string, scopes: Scope[] | null): Promise<string>
  /** The keys as the service caches them. */
  keys: KeyAuthenticator
  /** The server itself, for tests that need a real socket. */
  app: FastifyInstance
  feed: Feed
  denials: Denials
  worker: WebhookWorker
  /** The work at the end of a month. */
  monthTurns: MonthTurns
  /** Delivers the ACH files that have been built, and in live mode builds those that are due. */
  moveFiles(): Promise<void>
  takeFile: FileIntake['takeFile']
  resolveException: FileIntake['resolveException']
  /** Takes the files in the incoming folder, and in live mode builds the files of returns that are due. */
  takeFiles(cells?: readonly FileCell[]): Promise<void>
  shares: FileIntake['shares']
  database: Database
  seals: Seals
  /** The database of the organisation that a key belongs to: with two cells, the second organisation has another one. */
  databaseOf(key: string): Database
  server: pg.ClientConfig
  close(): Promise<void>
}

export interface Catalogue {
  zipCodes: ZipCode[]
  offers: CatalogueOffer[]
}

export interface TestBankOptions {
  mode?: 'sandbox' | 'live'
  /** A database that there is already, and that the bank leaves behind. */
  on?: TestDatabase
  /** A standby of its database, which may answer reads. */
  readServers?: pg.ClientConfig[]
  waitMs?: number
  settleMs?: number
  lockTimeoutMs?: number
  ready?: () => Promise<void>
  overdraftCents?: number
  reviewFirstPayment?: boolean
  ach?: AchMode
  payoutDelayMs?: number
  review?: 'automatic' | 'manual'
  /** The hook that takes part in the decision of card authorizations. */
  decision?: Partial<DecisionSettings> & { url: string; maxAtOnce?: number }
  /** The URL of the service that screens new customers and external accounts. */
  screening?: string
  /** The deadline of its answers. */
  screeningMs?: number
  uploadWaitMs?: number
  rates?: Rates
  maxRequests?: number
  trustedProxies?: string[]
  host?: string
  hosts?: string[]
  mcpWrites?: boolean
  metrics?: Metrics
  /** The test stores events of its own making, which need not have the form of real ones. */
  inventedEvents?: true
  /** The offers and the ZIP codes that there are; none unless said, because the sample catalogue takes a while. */
  catalogue?: Catalogue
  lane?: Partial<LaneOptions>
  recordEvents?: RecordEvents
  feed?: Partial<FeedOptions>
  requestLog?: Partial<RequestLogOptions>
  /** Whether webhooks are sent, and how. */
  webhooks?: Partial<WorkerOptions> & { resolve?: Resolve; timeoutMs?: number }
  /** Replaces the built-in catalogue. */
  offers?: (database: Database) => RewardsProvider
  /** Replaces the records of rewards of the built-in bank. */
  records?: (parts: {
    database: Database
    runOnce: RunOnce
    seals: Seals
    bank: BankingProvider
    organisationId: number
  }) => RewardRecords
  /** Providers that report changes to the first organisation. */
  inbound?: InboundSource[]
  /** Replaces the built-in bank; then there is no sandbox. */
  banking?: (parts: { database: Database; runOnce: RunOnce; seals: Seals }) => BankingProvider
  log?: Log
  /** Wraps the database, for example to break a connection. */
  around?: (database: Database) => Database
}

let made = 0

export interface TestDatabase {
  name: string
  server: pg.ClientConfig
  drop(): Promise<void>
}

/** A database of its own on the server of this run: an empty one, or a copy of one that nobody is connected to. */
export async function createDatabase(original = inject('template')): Promise<TestDatabase> {
  const server = inject('server')
  const name = `purser_test_${process.pid}_${made++}`
  await administer(server, `create database ${name} template ${original} strategy file_copy`)
  return {
    name,
    server: databaseNamed(server, name),
    drop: () => administer(server, `drop database ${name} with (force)`),
  }
}

/** A database on which a service starts faster: a ZIP code and an offer keep it from filling the whole catalogue. */
export async function createServiceDatabase(): Promise<TestDatabase> {
  const database = await createDatabase()
  await administer(
    database.server,
    `insert into zip_code (zip, lat, long, city, state) values ('62701', 39.8, -89.65, 'Springfield', 'IL');
     insert into merchant (id, external_key, name, normalised_name, description, website_url, img_url)
     values (1, 'none', 'None', 'NONE', '', 'https://example.com', 'https://example.com/none.png');
     insert into offer (id, external_key, merchant_id, offer_type, title, terms, category, redeemable_once, commission_bp,
       total_bp, valid_from, expires_at, minimum_spend)
     values (2, 'none', 1, 'ONLINE', 'None', '', 'None', false, 1, 1, '2001-01-01', '2001-01-02', 0)`,
  )
  return database
}

/** The settings of every test bank, where its options do not say otherwise. */
const settings = {
  mode: 'sandbox',
  routingNumber: '812345678',
  overdraftCents: 0,
  reviewFirstPayment: false,
  ach: 'instant',
  review: 'automatic',
  webhookTimeoutMs: 2_000,
  webhookRetriesMs: retryDelaysMs,
  keep: parseConfig({}).keep,
  maxRequests: 100_000,
  rates: undefined,
  trustedProxies: [] as string[],
  host: '127.0.0.1',
  hosts: [] as string[],
  mcpWrites: true,
} as const

/** The console that the run has built; read once, and only for tests that ask for it. */
let consoleFiles: Promise<ConsoleFiles> | undefined

/** A whole service on a database of its own, in this process. Its background work does not run, except webhooks. */
export async function openTestBank(options: TestBankOptions = {}): Promise<TestBank> {
  const { server, drop } = options.on ? { ...options.on, drop: async () => undefined } : await createDatabase()
  const closers = openClosers()
  const { resolve, timeoutMs = settings.webhookTimeoutMs, ...worker } = options.webhooks ?? {}
  const own = {
    ...settings,
    ...pick(options, ['mode', 'ach', 'overdraftCents', 'review', 'rates', 'maxRequests', 'trustedProxies']),
    ...pick(options, ['host', 'hosts', 'mcpWrites', 'reviewFirstPayment']),
    webhookTimeoutMs: timeoutMs,
    rewardPayoutDelayMs: options.payoutDelayMs ?? 0,
  }
  const { log = pino({ level: 'silent' }) } = options
  const decision = options.decision && openDecision(options.decision, { log, metrics: options.metrics, closers })
  const home = isBesideHome(options) ? openHomeCell(await createDatabase(), own, closers) : undefined
  const opened = openCore({
    settings: own,
    servers: [server],
    encryptionKeys: [ENCRYPTION_KEY],
    closers: home ? openClosers() : closers,
    decision,
    screening: openScreening(options, log, closers),
    timeouts: { ...plainTimeouts, lockMs: options.lockTimeoutMs ?? plainTimeouts.lockMs },
    ...pick(options, ['lane', 'around', 'recordEvents', 'uploadWaitMs', 'readServers']),
    runOnce: pick(options, ['waitMs', 'settleMs']),
  })
  const { database, seals, ids, builtin } = opened
  await home?.admit(database)
  options.metrics?.watch(opened.load)
  if (options.catalogue) await loadCatalogue(database, options.catalogue)
  if (options.catalogue && home) await loadCatalogue(home.core.database, options.catalogue)
  const service = await openService({
    core: home?.core ?? opened,
    further: home && [{ name: 'east', core: opened, prepare: async () => undefined }],
    settings: own,
    version: '0.0.0-test',
    docs: join(root, 'docs'),
    console: () => (consoleFiles ??= openConsoleFiles(join(root, 'dist/console'))),
    log,
    connectors: connectorsOf(options, opened, await ensureOrganisation(database, ids, 'first')),
    worker: { failed: (error) => process.stderr.write(`${error.stack}\n`), pollMs: 50, ...worker },
    ...(resolve && { guard: { resolve } }),
    ...pick(options, ['metrics', 'feed', 'requestLog', 'ready']),
  })
  const { app } = service
  const cell = home ? cellAt(service.cells, 1) : service
  if (options.webhooks) cell.worker.start()

  const { key, otherKey, makeKey, keyFor } = await makeKeys(opened, home?.core ?? opened)
  return {
    call: callOf(app, key, keyFor),
    key,
    otherKey,
    makeKey,
    app,
    keys: service.keys,
    feed: cell.feed,
    denials: cell.denials,
    worker: cell.worker,
    monthTurns: builtin.monthTurns,
    moveFiles: () => builtin.moveFiles(log),
    takeFile: builtin.takeFile,
    resolveException: builtin.resolveException,
    takeFiles: async (cells) => {
      await builtin.takeFiles(log, cells)
      await builtin.sendReturns()
    },
    shares: builtin.shares,
    ...{ database, seals },
    databaseOf: (sent) => (home && sent === otherKey ? home.core.database : database),
    server,
    close: async () => {
      await closeBank(options, server, closers, drop)
      await home?.drop()
    },
  }
}

/** The keys of the two organisations of a bank, each in its cell, and how to make others. */
async function makeKeys(first: Core, second: Core) {
  async function makeKey(organisation: string, scopes: Scope[] | null): Promise<string> {
    const { database, ids } = organisation === 'second' ? second : first
    const key = `key-of-${organisation}-${made++}`
    const organisationId = await ensureOrganisation(database, ids, organisation)
    const id = await ids.next()
    await insertKey(database, { id, organisationId, name: key, hash: sha256(key), scopes, expiresAt: null })
    return key
  }
  const key = await makeKey('first', null)
  const otherKey = await makeKey('second', null)
  const namedKeys = new Map<string, Promise<string>>()

  /** Processors and reviewers have their scopes only by name: the keys of the bank do their work by keys beside them. */
  async function keyFor(path: string, sent: string): Promise<string> {
    const [, scope] = /^\/v0\/(processor|review)\//.exec(path) ?? []
    if (scope === undefined || (sent !== key && sent !== otherKey)) return sent
    const name = `${scope} ${sent}`
    const beside = namedKeys.get(name) ?? makeKey(sent === key ? 'first' : 'second', [`${scope}:write` as Scope])
    namedKeys.set(name, beside)
    return beside
  }
  return { key, otherKey, makeKey, keyFor }
}

/** The secret that signs questions to the hooks of a test bank. */
export const DECISION_SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

function openScreening(
  { screening: url, screeningMs: timeoutMs = 500 }: Pick<TestBankOptions, 'screening' | 'screeningMs'>,
  log: Log,
  closers: ReturnType<typeof openClosers>,
) {
  if (url === undefined) return undefined
  const settings = { url, secret: DECISION_SECRET, timeoutMs }
  const hook = openHook(settings, { name: 'screening', userAgent: 'Purser/test', log })
  closers.add(() => hook.close())
  return hook
}

function openDecision(
  {
    maxAtOnce,
    onSilence = 'decline',
    timeoutMs = 1_500,
    secret = DECISION_SECRET,
    url,
  }: NonNullable<TestBankOptions['decision']>,
  { log, metrics, closers }: { log: Log; metrics: Metrics | undefined; closers: Closers },
) {
  const parts = { name: 'decision', userAgent: 'Purser/test', log, observe: metrics?.hook }
  const hook = openHook({ url, secret, timeoutMs }, { ...parts, ...(maxAtOnce && { maxAtOnce }) })
  closers.add(() => hook.close())
  return { hook, onSilence }
}

/** Sends requests to the service, with a key unless they name another one. */
function callOf(
  app: FastifyInstance,
  key: string,
  keyFor: (path: string, sent: string) => Promise<string>,
): TestBank['call'] {
  return async (method, path, { key: sent = key, body, raw, headers = {} } = {}) => {
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(sent !== null && { 'x-service-api-key': await keyFor(path, sent) }),
        ...headers,
      },
      ...(raw !== undefined ? { payload: raw } : body !== undefined && { payload: JSON.stringify(body) }),
    })
    const isJson = String(response.headers['content-type']).includes('json') && response.body !== ''
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      bytes: response.rawPayload,
      json: isJson ? JSON.parse(response.body) : undefined,
    }
  }
}

/** Closes a bank, and throws where an event of its tests is not as the catalogue describes it. */
async function closeBank(
  { inventedEvents }: TestBankOptions,
  server: pg.ClientConfig,
  closers: ReturnType<typeof openClosers>,
  drop: () => Promise<void>,
): Promise<void> {
  const odd = inventedEvents ? [] : await undescribedEvents(server)
  await closers.close()
  await drop()
  if (odd.length > 0) throw new Error(`events that the catalogue does not describe:\n${odd.join('\n')}`)
}

/** The members of an object that are there. */
function pick<From extends object, Name extends keyof From>(from: From, names: Name[]): Pick<From, Name> {
  return Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]])) as Pick<From, Name>
}

function connectorsOf(
  { banking, records, offers, inbound }: TestBankOptions,
  { database, runOnce, seals, builtin }: Core,
  organisationId: number,
): Connectors | undefined {
  if (!banking && !records && !offers && !inbound) return undefined
  const bank = banking?.({ database, runOnce, seals })
  return {
    organisationId,
    ...(bank && { bank }),
    ...(records && { records: records({ database, runOnce, seals, bank: bank ?? builtin.bank, organisationId }) }),
    ...(offers && { offers: offers(database) }),
    sources: inbound ?? [],
  }
}

export async function loadCatalogue(database: Database, { zipCodes, offers }: Catalogue): Promise<void> {
  await insertZipCodes(database, zipCodes)
  await changeCatalogue(database, async (write) => {
    for (let first = 0; first < offers.length; first += 2_000) await write(offers.slice(first, first + 2_000))
  })
}
