import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import { insertKey } from '../../src/access/api-keys.sql.ts'
import { type ApiKeys, openApiKeys } from '../../src/access/authenticate-key.ts'
import { type Denials, openDenials } from '../../src/access/denials.ts'
import { findConfigured } from '../../src/access/first-key.ts'
import { openApiKeyRecords } from '../../src/access/manage-keys.ts'
import { ensureOrganisation } from '../../src/access/organisations.ts'
import { buildApp } from '../../src/app.ts'
import type { BankingProvider } from '../../src/banking/provider.ts'
import type { Scope } from '../../src/base/operation.ts'
import { sha256 } from '../../src/base/sha256.ts'
import { type Database, openDatabase, plainTimeouts } from '../../src/database/database.ts'
import { openListener } from '../../src/database/listen.ts'
import { openRecordIds } from '../../src/database/record-ids.ts'
import { EVENT_CHANNEL, openAnnouncer } from '../../src/events/announce.ts'
import { auditLogOf } from '../../src/events/audit-log.ts'
import { type Feed, type FeedOptions, openFeed } from '../../src/events/feed.ts'
import { type InboundSource, openInbox } from '../../src/events/inbound.ts'
import type { Rates } from '../../src/http/limits.ts'
import type { Log } from '../../src/http/log.ts'
import type { Metrics } from '../../src/http/metrics.ts'
import { openRunOnce, type RunOnce } from '../../src/idempotency/run-once.ts'
import { type LaneOptions, openLane } from '../../src/ledger/lane.ts'
import { openBuiltinBank } from '../../src/providers/builtin/builtin-bank.ts'
import { insertZipCodes } from '../../src/providers/builtin/offers/catalogue.sql.ts'
import { changeCatalogue } from '../../src/providers/builtin/offers/catalogue.ts'
import type { MonthTurns } from '../../src/providers/builtin/statements/month-turn.ts'
import type { CatalogueOffer } from '../../src/rewards/offers/catalogue.ts'
import type { ZipCode } from '../../src/rewards/offers/sample-catalogue.ts'
import type { RewardsProvider } from '../../src/rewards/provider.ts'
import type { RewardRecords } from '../../src/rewards/records/records.ts'
import { openSeal, type Seal } from '../../src/secrets/seal.ts'
import { openAddressGuard, type Resolve } from '../../src/webhooks/delivery/address-guard.ts'
import { openSender } from '../../src/webhooks/delivery/send.ts'
import { openWebhookWorker, type WebhookWorker, type WorkerOptions } from '../../src/webhooks/delivery/worker.ts'
import { openWebhooks } from '../../src/webhooks/endpoints/endpoints.ts'
import { administer, databaseNamed } from './server.ts'

export const root = join(import.meta.dirname, '../..')

export interface Reply {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  /** The body as it came, for what is no text. */
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
  json: any
}

export interface CallOptions {
  key?: string | null
  body?: unknown
  /** The body as it is sent, for what no JSON can say. */
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
  /** What the service knows of its keys. */
  keys: ApiKeys
  /** The server itself, for what only a real socket can show. */
  app: FastifyInstance
  feed: Feed
  denials: Denials
  worker: WebhookWorker
  /** What the clock calls when a month is over. */
  monthTurns: MonthTurns
  database: Database
  server: pg.ClientConfig
  close(): Promise<void>
}

export interface Catalogue {
  zipCodes: ZipCode[]
  offers: CatalogueOffer[]
}

export interface TestBankOptions {
  mode?: 'sandbox' | 'live'
  waitMs?: number
  lockTimeoutMs?: number
  ready?: () => Promise<void>
  overdraftCents?: number
  payoutDelayMs?: number
  review?: 'automatic' | 'manual'
  rates?: Rates
  maxRequests?: number
  trustedProxies?: string[]
  metrics?: Metrics
  /** The offers and the ZIP codes that there are; none unless said, because the sample catalogue takes a while. */
  catalogue?: Catalogue
  lane?: Partial<LaneOptions>
  feed?: Partial<FeedOptions>
  /** Whether webhooks are sent, and how. */
  webhooks?: Partial<WorkerOptions> & { resolve?: Resolve; timeoutMs?: number }
  /** Whose offers are listed, where it is not the built-in catalogue. */
  offers?: (database: Database) => RewardsProvider
  /** What keeps the records of rewards, where it is not the built-in bank. */
  records?: (parts: {
    database: Database
    runOnce: RunOnce
    seal: Seal
    bank: BankingProvider
    organisationId: number
  }) => RewardRecords
  /** Providers that tell the first organisation of changes. */
  inbound?: InboundSource[]
  /** What serves banking, where it is not the built-in bank; then there is no sandbox. */
  banking?: (parts: { database: Database; runOnce: RunOnce; seal: Seal }) => BankingProvider
  log?: Log
  /** Puts something between the service and its database, such as a connection that breaks. */
  around?: (database: Database) => Database
}

let made = 0

/** An empty database of its own on the server of this run. */
export async function createDatabase(): Promise<{ server: pg.ClientConfig; drop(): Promise<void> }> {
  const server = inject('server')
  const name = `purser_test_${process.pid}_${made++}`
  await administer(server, `create database ${name} template ${inject('template')}`)
  return {
    server: databaseNamed(server, name),
    drop: () => administer(server, `drop database ${name} with (force)`),
  }
}

/** A whole service on a database of its own, in this process. */
export async function openTestBank(options: TestBankOptions = {}): Promise<TestBank> {
  const { server, drop } = await createDatabase()
  const timeouts = { ...plainTimeouts, lockMs: options.lockTimeoutMs ?? plainTimeouts.lockMs }
  const direct = openDatabase({ servers: [server], connections: 10, timeouts })
  const database = options.around?.(direct) ?? direct
  const ids = openRecordIds(database)
  const seal = openSeal(Buffer.alloc(32, 7))
  const committed = openAnnouncer(database)
  const runOnce = openRunOnce({ database, seal, waitMs: options.waitMs ?? 10_000, settleMs: 10_000, committed })
  const mode = options.mode ?? 'sandbox'
  const lane = openLane({ servers: [server], ids, committed, batches: 2, ...options.lane })
  const {
    bank: builtin,
    offers,
    records,
    sandbox,
    monthTurns,
  } = openBuiltinBank({
    database,
    ids,
    runOnce,
    lane,
    seal,
    mode,
    routingNumber: '812345678',
    overdraftCents: options.overdraftCents ?? 0,
    payoutDelayMs: options.payoutDelayMs ?? 0,
    review: options.review ?? 'automatic',
  })
  if (options.catalogue) await loadCatalogue(database, options.catalogue)
  const organisationId = await ensureOrganisation(database, ids, 'first')
  const bank = options.banking?.({ database, runOnce, seal }) ?? builtin
  const keys = openApiKeys(database, await findConfigured(database))
  const denials = openDenials(database)
  const feed = openFeed({ database, ...options.feed })
  const { resolve, timeoutMs = 2_000, ...workerOptions } = options.webhooks ?? {}
  const guard = openAddressGuard({ mode, connectTimeoutMs: timeoutMs, ...(resolve && { resolve }) })
  const worker = openWebhookWorker({
    database,
    seal,
    sender: openSender({ guard, timeoutMs, userAgent: 'Purser/test' }),
    committed,
    failed: (error) => process.stderr.write(`${error.stack}\n`),
    pollMs: 50,
    leaseMs: 4 * timeoutMs,
    ...workerOptions,
  })
  if (options.webhooks) worker.start()
  const heard = () => {
    feed.look()
    worker.heard()
  }
  const listener = openListener({ servers: [server], channel: EVENT_CHANNEL, heard })
  const app = buildApp({
    mode,
    version: '0.0.0-test',
    keys,
    apiKeys: openApiKeyRecords({ database, ids, runOnce, keys, mode }),
    bank,
    records: options.records?.({ database, runOnce, seal, bank, organisationId }) ?? records,
    offers: options.offers?.(database) ?? offers,
    events: { ...feed, ...auditLogOf(database) },
    webhooks: openWebhooks({ database, ids, runOnce, seal, guard, changed: worker.changed }),
    inbound: options.inbound && { sources: options.inbound, inbox: openInbox(database, organisationId, committed) },
    sandbox: mode === 'sandbox' && !options.banking ? sandbox : undefined,
    demo: undefined,
    log: options.log ?? pino({ level: 'silent' }),
    denials,
    maxRequests: options.maxRequests ?? 100_000,
    rates: options.rates,
    trustedProxies: options.trustedProxies ?? [],
    metrics: options.metrics,
    digest: seal.digest,
    ready: options.ready ?? (async () => void (await database.query('select 1'))),
  })

  async function makeKey(organisation: string, scopes: Scope[] | null): Promise<string> {
    const key = `key-of-${organisation}-${made++}`
    const organisationId = await ensureOrganisation(database, ids, organisation)
    const id = await ids.next()
    await insertKey(database, { id, organisationId, name: key, hash: sha256(key), scopes, expiresAt: null })
    return key
  }
  const key = await makeKey('first', null)
  const otherKey = await makeKey('second', null)

  return {
    call: async (method, path, { key: sent = key, body, raw, headers = {} } = {}) => {
      const response = await app.inject({
        method: method as 'GET',
        url: path,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...(sent !== null && { 'x-service-api-key': sent }),
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
    },
    key,
    otherKey,
    makeKey,
    keys,
    app,
    feed,
    denials,
    worker,
    monthTurns,
    database,
    server,
    close: async () => {
      feed.release()
      await app.close()
      await listener.close()
      await worker.close()
      await lane.close()
      await database.close()
      await drop()
    },
  }
}

export async function loadCatalogue(database: Database, { zipCodes, offers }: Catalogue): Promise<void> {
  await insertZipCodes(database, JSON.stringify(zipCodes))
  await changeCatalogue(database, async (write) => {
    for (let first = 0; first < offers.length; first += 2_000) await write(offers.slice(first, first + 2_000))
  })
}
