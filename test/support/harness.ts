import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { inject } from 'vitest'
import type { KeyAuthenticator } from '../../src/access/authenticate-key.ts'
import type { Denials } from '../../src/access/denials.ts'
import { ensureOrganisation } from '../../src/access/organisations.ts'
import { type Core, openCore } from '../../src/backend/core.ts'
import type { FileIntake } from '../../src/bank/ach/incoming/open-intake.ts'
import type { OtherDatabase } from '../../src/bank/ach/spread/spread.ts'
import type { BuiltinBank } from '../../src/bank/bank.ts'
import type { MonthTurns } from '../../src/bank/statements/month-turn.ts'
import { openClosers } from '../../src/base/closers.ts'
import type { Scope } from '../../src/base/operation.ts'
import { parseConfig } from '../../src/config.ts'
import type { Connectors } from '../../src/connectors/connectors.ts'
import { type Database, openDatabase, plainTimeouts, type Timeouts } from '../../src/database/database.ts'
import type { Feed } from '../../src/events/feed.ts'
import { type ConsoleFiles, openConsoleFiles } from '../../src/http/console/console-files.ts'
import type { Log } from '../../src/http/log.ts'
import type { Seals } from '../../src/secrets/seals.ts'
import { openService } from '../../src/service.ts'
// The first attempt of a test would load it within its time-out.
import '../../src/webhooks/delivery/agent.ts'
import { retryDelaysMs } from '../../src/webhooks/delivery/retry.ts'
import type { WebhookWorker } from '../../src/webhooks/delivery/worker.ts'
import { callOf, ownLog } from './bank/call.ts'
import { loadCatalogue } from './bank/catalogue.ts'
import { openDecision, openScreening } from './bank/hooks.ts'
import type { TestBankOptions } from './bank/options.ts'
import { makeKeys } from './bank/organisation-keys.ts'
import { databasesOf, ENCRYPTION_KEY, isBesideHome, openHomeCell } from './cells/home-cell.ts'
import { undescribedEvents } from './events.ts'
import { testAccount } from './rails/statements.ts'
import { administer, databaseNamed, openAdministrator } from './server.ts'

export const root = join(import.meta.dirname, '../..')
/** The version of this checkout. */
export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

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
  /** Does the work of all organisations that has become due. */
  catchUp(): Promise<void>
  /** Delivers the ACH files that have been built, and in live mode builds those that are due. */
  moveFiles(): Promise<void>
  rail: BuiltinBank['rail']
  takeFile: FileIntake['takeFile']
  resolveException: FileIntake['resolveException']
  /** Takes the files in the incoming folder, and in live mode builds the files of returns that are due. */
  takeFiles(cells?: readonly OtherDatabase[]): Promise<void>
  shares: FileIntake['shares']
  /** Finishes approved proposals that a crash has interrupted. */
  resumeProposals(): Promise<void>
  database: Database
  seals: Seals
  /** The database of the organisation that a key belongs to: with two cells, the second organisation has another one. */
  databaseOf(key: string): Database
  server: pg.ClientConfig
  close(): Promise<void>
}

let databases = 0
/** One for the process: every bank needs it twice, and a new connection takes 9 ms of processor time. */
const administrator = openAdministrator(() => inject('server'))

export interface TestDatabase {
  name: string
  server: pg.ClientConfig
  drop(): Promise<void>
}

/** A database of its own on the server of this run: an empty one, or a copy of one that nobody is connected to. */
export async function createDatabase(original = inject('template')): Promise<TestDatabase> {
  const name = `purser_test_${process.pid}_${databases++}`
  await administrator(`create database ${name} template ${original} strategy file_copy`)
  return {
    name,
    server: databaseNamed(inject('server'), name),
    drop: () => administrator(`drop database ${name} with (force)`),
  }
}

/** A database on which a service starts faster: an offer keeps it from filling the whole catalogue. */
export async function createServiceDatabase(): Promise<TestDatabase> {
  const database = await createDatabase()
  await administer(
    database.server,
    `insert into merchant (id, external_key, name, normalised_name, description, website_url, img_url)
     values (1, 'none', 'None', 'NONE', '', 'https://example.com', 'https://example.com/none.png');
     insert into offer (id, external_key, merchant_id, offer_type, title, terms, category, redeemable_once, commission_bp,
       total_bp, valid_from, expires_at, minimum_spend)
     values (2, 'none', 1, 'ONLINE', 'None', '', 'None', false, 1, 1, '2001-01-01', '2001-01-02', 0)`,
  )
  return database
}

/** The settings of every test bank, if its options do not say otherwise. */
const settings = {
  mode: 'sandbox',
  routingNumber: '812345678',
  overdraftCents: 0,
  reviewFirstPayment: false,
  debits: { clearingDays: 3, earlyAvailability: 0, blockOnReturn: false },
  verificationDays: 10,
  recurringOverdue: 'all',
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
  people: { mode: 'sandbox', origin: undefined, keys: true, roles: {} },
  statements: { account: testAccount, kinds: new Map(), incoming: '', windowDays: 2 },
  closingKey: generateKeyPairSync('ed25519').privateKey,
} as const

/**
 * A machine that is busy with other tests reaches the limits of the service, which then refuses with 503. A test that is about
 * such a limit says it, or is `impatient`; all others have limits that they do not reach.
 */
const PATIENCE_MS = 60_000
export const patientTimeouts: Timeouts = {
  lockMs: plainTimeouts.lockMs,
  statementMs: PATIENCE_MS,
  idleMs: PATIENCE_MS,
  waitMs: PATIENCE_MS,
  connectMs: PATIENCE_MS,
  endMs: PATIENCE_MS,
  suspectMs: PATIENCE_MS,
}
const patient = {
  timeouts: patientTimeouts,
  heldUpMs: PATIENCE_MS,
  lane: {
    timeouts: { ...patientTimeouts, lockMs: 100 },
    heldMs: PATIENCE_MS,
    queueMs: PATIENCE_MS,
    queueWhileDownMs: PATIENCE_MS,
  },
}

function limitsOf({ impatient, lockTimeoutMs: lockMs, lane, ...options }: TestBankOptions) {
  const runOnce = pick(options, ['waitMs', 'settleMs'])
  if (impatient) return { ...(lane && { lane }), runOnce }
  return {
    ...patient,
    ...(lockMs && { timeouts: { ...patient.timeouts, lockMs } }),
    lane: { ...patient.lane, ...lane },
    runOnce: { settleMs: PATIENCE_MS, ...runOnce },
  }
}

/** The console that the run has built; read once, and only for tests that ask for it. */
let consoleFiles: Promise<ConsoleFiles> | undefined

/** Settings with which tests may share a bank. */
const shareable = new Set<string>([
  'mode',
  'review',
  'overdraftCents',
  'reviewFirstPayment',
  'debits',
  'recurringOverdue',
])
/** The banks of this worker that no test uses at the moment, the latest last. Each keeps its connections. */
const idle: { name: string; running: RunningBank }[] = []
const MAX_IDLE = 2

/**
 * A whole service in this process, with two new organisations. Its background work does not run, except webhooks. Tests
 * share the banks of their worker, which saves each of them a database and a service. A bank with other settings than the
 * shareable ones, or on a database that no other test has used (`own`), is opened for its test alone.
 */
export async function openTestBank(options: TestBankOptions = {}): Promise<TestBank> {
  if (!isShared(options)) {
    const running = await runBank(options)
    return { ...(await running.join()), close: () => running.close() }
  }
  const name = JSON.stringify(options)
  const found = idle.findLast((each) => each.name === name)
  if (found) idle.splice(idle.indexOf(found), 1)
  const running = found?.running ?? (await runBank(options))
  return {
    ...(await running.join()),
    close: async () => {
      await running.leave()
      idle.push({ name, running })
      if (idle.length > MAX_IDLE) await idle.shift()?.running.close()
    },
  }
}

function isShared(options: TestBankOptions): boolean {
  return Object.keys(options).every((name) => shareable.has(name)) && !isBesideHome(options)
}

interface RunningBank {
  /** Makes the organisations of a test. */
  join(): Promise<Omit<TestBank, 'close'>>
  /** Checks the events of the test, and deletes its rows. */
  leave(): Promise<void>
  close(): Promise<void>
}

/** Starts a whole service on a database of its own, unless the options name one. */
async function runBank(options: TestBankOptions): Promise<RunningBank> {
  const { server, drop } = options.on ? { ...options.on, drop: async () => undefined } : await createDatabase()
  const closers = openClosers()
  const { resolve, timeoutMs: _, ...worker } = options.webhooks ?? {}
  const own = settingsOf(options)
  const { log = ownLog() } = options
  const decision = options.decision && openDecision(options.decision, { log, metrics: options.metrics, closers })
  const home = isBesideHome(options) ? openHomeCell(await createDatabase(), own, closers) : undefined
  const opened = openCore({
    settings: own,
    servers: [server],
    encryptionKeys: [ENCRYPTION_KEY],
    closers: home ? openClosers() : closers,
    decision,
    screening: openScreening(options, log, closers),
    overSettled: options.metrics?.overSettled,
    ...limitsOf(options),
    ...pick(options, ['around', 'recordEvents', 'uploadWaitMs']),
  })
  const { database, seals, builtin } = opened
  await home?.admit(database)
  options.metrics?.watch(opened.load)
  if (options.catalogue) await loadCatalogue(database, options.catalogue)
  if (options.catalogue && home) await loadCatalogue(home.core.database, options.catalogue)
  const service = await openService({
    ...databasesOf(opened, home, options),
    settings: own,
    version: '0.0.0-test',
    docs: join(root, 'docs'),
    console: () => (consoleFiles ??= openConsoleFiles(join(root, 'dist/console'))),
    log,
    connectors: await connectorsOf(options, opened),
    worker: { failed: (error) => process.stderr.write(`${error.stack}\n`), pollMs: 50, ...worker },
    ...(resolve && { guard: { resolve } }),
    ...pick(options, ['metrics', 'feed', 'requestLog', 'ready']),
  })
  const { app, backends } = service
  const { feed, denials, worker: webhooks } = backends.all()[home ? 1 : 0] ?? backends.first
  if (options.webhooks) webhooks.start()

  const deletions = isShared(options) ? await deletionsOf(database) : ''
  const parts = {
    ...{ app, keys: backends.keys, feed, denials, worker: webhooks },
    ...{ database, seals, server, ...workOf(builtin, log) },
    resumeProposals: async () => backends.first.ports.proposals?.resume(),
  }
  return {
    join: async () => {
      const { key, otherKey, makeKey, keyFor } = await makeKeys(opened, home?.core ?? opened)
      return {
        ...parts,
        ...{ key, otherKey, makeKey, call: callOf(app, key, keyFor) },
        databaseOf: (sent) => (home && sent === otherKey ? home.core.database : database),
      }
    },
    leave: async () => {
      const odd = await undescribedEvents(database)
      await database.query(`do $$ begin set local session_replication_role = replica; ${deletions} end $$`, [])
      const marks = await database.query('select mark from database_history where number > 1')
      if (marks.length > 0)
        throw new Error('a test that gives the database another history needs a database of its own')
      throwIfAny(odd)
    },
    close: async () => {
      const odd = options.inventedEvents ? [] : await oddEventsOf(options, opened)
      await closers.close()
      await drop()
      await home?.drop()
      throwIfAny(odd)
    },
  }
}

/** The work of the bank beside requests, which tests do when they need it. */
function workOf(builtin: Core['builtin'], log: Log) {
  return {
    monthTurns: builtin.monthTurns,
    catchUp: () => builtin.catchUp(log),
    moveFiles: () => builtin.moveFiles(log),
    rail: builtin.rail,
    takeFile: builtin.takeFile,
    resolveException: builtin.resolveException,
    takeFiles: async (cells?: readonly OtherDatabase[]) => {
      await builtin.takeFiles(log, cells)
      await builtin.sendReturns()
    },
    shares: builtin.shares,
  }
}

function settingsOf(options: TestBankOptions) {
  return {
    ...settings,
    ...pick(options, ['mode', 'ach', 'overdraftCents', 'review', 'rates', 'maxRequests', 'trustedProxies']),
    ...pick(options, ['signatures', 'host', 'hosts', 'mcpWrites', 'reviewFirstPayment', 'debits', 'recurringOverdue']),
    people: { ...settings.people, mode: options.mode ?? 'sandbox', ...options.people },
    webhookTimeoutMs: options.webhooks?.timeoutMs ?? settings.webhookTimeoutMs,
    rewardPayoutDelayMs: options.payoutDelayMs ?? 0,
  }
}

/** Statements that empty the tables of a new bank again, all that have no row yet. */
async function deletionsOf(database: Database): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
     and not (xpath('/row/any/text()', query_to_xml(format('select exists (select from %I) as any', relname), false, true, '')))[1]::text::boolean`,
    [],
  )
  return tables.map(({ name }) => `delete from ${name};`).join(' ')
}

/** Connections of a bank may break if a test wraps its database: then its events are read by another one. */
async function oddEventsOf({ around }: TestBankOptions, { servers, database }: Core): Promise<string[]> {
  if (!around) return undescribedEvents(database)
  const reader = openDatabase({ servers, connections: 1, timeouts: plainTimeouts })
  const odd = await undescribedEvents(reader)
  await reader.close()
  return odd
}

function throwIfAny(oddEvents: string[]): void {
  if (oddEvents.length > 0) throw new Error(`events that the catalogue does not describe:\n${oddEvents.join('\n')}`)
}

/** The members of an object that are there. */
function pick<From extends object, Name extends keyof From>(from: From, names: Name[]): Pick<From, Name> {
  return Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]])) as Pick<From, Name>
}

async function connectorsOf(
  { banking, records, offers, inbound }: TestBankOptions,
  { database, ids, runOnce, seals, builtin }: Core,
): Promise<Connectors | undefined> {
  if (!banking && !records && !offers && !inbound) return undefined
  const organisationId = await ensureOrganisation(database, ids, 'first')
  const bank = banking?.({ database, runOnce, seals })
  return {
    organisationId,
    ...(bank && { bank }),
    ...(records && { records: records({ database, runOnce, seals, bank: bank ?? builtin.bank, organisationId }) }),
    ...(offers && { offers: offers({ database, runOnce, seals }) }),
    sources: inbound ?? [],
  }
}
