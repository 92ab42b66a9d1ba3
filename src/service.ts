import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type KeyAuthenticator, type KeyChanges, openKeyAuthenticator } from './access/authenticate-key.ts'
import { type Denials, openDenials } from './access/denials.ts'
import { findConfigured } from './access/first-key.ts'
import { openKeyManagement } from './access/manage-keys.ts'
import { buildApp } from './app.ts'
import type { Closers } from './base/closers.ts'
import type { Peers } from './base/peers/peers.ts'
import { Problem } from './base/problem.ts'
import { ENDED, repeat } from './base/repeat.ts'
import { retryAfter } from './base/retry-after.ts'
import type { Config } from './config.ts'
import { type Database, type DatabaseOptions, openDatabase, plainTimeouts } from './database/database.ts'
import { openListener } from './database/listen.ts'
import { openReadiness } from './database/readiness.ts'
import { openRecordIds, type RecordIds } from './database/record-ids.ts'
import { openWriteWatch, type WriteWatch } from './database/write-watch.ts'
import { EVENT_CHANNEL, openAnnouncer } from './events/announce.ts'
import { auditLogOf } from './events/audit-log.ts'
import { auditLogHeadOf } from './events/chain/head.ts'
import { type Feed, type FeedOptions, openFeed } from './events/feed.ts'
import { openInbox } from './events/inbound.ts'
import type { RecordEvents } from './events/record.ts'
import type { ReadFirstStates } from './events/stored/complete-events.ts'
import type { ConsoleFiles } from './http/console-files.ts'
import { openRequestLog, type RequestLogOptions } from './http/exchanges/request-log.ts'
import { openFaultInjector } from './http/fault-injector.ts'
import type { Log } from './http/log.ts'
import type { Load, Metrics } from './http/metrics.ts'
import { openRunOnce, type RunOnce, type RunOnceOptions } from './idempotency/run-once.ts'
import { BATCHES, type LaneOptions, openLane } from './ledger/lane.ts'
import { type BuiltinBank, openBuiltinBank } from './providers/builtin/builtin-bank.ts'
import { type LoadedFaults, openActiveFaults } from './providers/builtin/faults/active-faults.ts'
import { faultRulesOf } from './providers/builtin/faults/fault-rules.ts'
import { firstStatesReader } from './providers/builtin/first-states/first-states.ts'
import { moveCopies } from './providers/builtin/first-states/move-copies.ts'
import { endedBy, organisationsOf } from './providers/builtin/organisations/organisations.ts'
import { retireOrganisations, sweepOrganisations } from './providers/builtin/organisations/sweep.ts'
import type { DecisionHook } from './providers/builtin/processor/decision-hook.ts'
import type { Connectors } from './providers/connectors.ts'
import { openRetention } from './retention/retention.ts'
import type { Scenario } from './sandbox/create-scenario.ts'
import { openReseal } from './secrets/reseal.ts'
import { openSeals, type Seals } from './secrets/seals.ts'
import { openLookUp } from './tools/look-up.ts'
import { type GuardOptions, openAddressGuard } from './webhooks/delivery/address-guard.ts'
import { openSender } from './webhooks/delivery/send.ts'
import { openWebhookWorker, type WebhookWorker, type WorkerOptions } from './webhooks/delivery/worker.ts'
import type { Hook } from './webhooks/hook.ts'
import { openWebhooks } from './webhooks/open-webhooks.ts'

type CoreSettings = Pick<
  Config,
  'mode' | 'routingNumber' | 'overdraftCents' | 'reviewFirstPayment' | 'ach' | 'review' | 'rewardPayoutDelayMs'
>

export interface CoreParts {
  settings: CoreSettings
  servers: DatabaseOptions['servers']
  /** The operator's key and, while it is being changed, the next one. */
  encryptionKeys: Buffer[]
  closers: Closers
  /** The app's part in the decision of card authorizations. */
  decision?: DecisionHook | undefined
  /** The service that screens new customers and external accounts. */
  screening?: Pick<Hook, 'ask'> | undefined
  lane?: Partial<LaneOptions>
  runOnce?: Partial<RunOnceOptions>
  timeouts?: DatabaseOptions['timeouts']
  recordEvents?: RecordEvents
  uploadWaitMs?: number
  /** Wraps the database. A test simulates a connection that breaks. */
  around?: (database: Database) => Database
}

/** The database and the built-in bank on it, without HTTP. */
export interface Core {
  servers: DatabaseOptions['servers']
  seals: Seals
  closers: Closers
  database: Database
  ids: RecordIds
  runOnce: RunOnce
  builtin: BuiltinBank
  /** Knows whether writes are committed. */
  writes: WriteWatch
  /** The connections and the lane, as the metrics show them. */
  load(): Load
  readFirstStates: ReadFirstStates
  /** Seals values anew that were sealed before organisations had keys. */
  reseal(): Promise<void>
  /** Notifies every process of the service that events were committed. */
  committed(): void
}

/** Connections beside those of the lane, of the listener and of the watch over writes. */
const CONNECTIONS = 10
/** The most connections of a process: the lane has one for held commands, too, and one looks after a silent server. */
export const CONNECTIONS_OF_PROCESS = CONNECTIONS + BATCHES + 4
/** With the limit of COMMIT, less than the ten seconds within which every request is answered. */
const SETTLE_MS = 4_000

/** Opens the built-in bank. Nothing is read from the database yet, so that it may still be migrated. */
export function openCore(parts: CoreParts): Core {
  const {
    settings,
    servers,
    encryptionKeys,
    closers,
    timeouts = plainTimeouts,
    around = (database) => database,
  } = parts
  const database = around(openDatabase({ servers, connections: CONNECTIONS, timeouts }))
  closers.add(() => database.close())
  const seals = openSeals(database, encryptionKeys)
  const reseal = openReseal({ database, seals, keys: encryptionKeys })
  const ids = openRecordIds(database)
  const committed = openAnnouncer(database)
  const record = parts.recordEvents && { recordEvents: parts.recordEvents }
  const lane = openLane({ servers, ids, committed, batches: BATCHES, ...record, ...parts.lane })
  closers.add(() => lane.close())
  const oldestMs = () => Math.max(lane.load().batchMs, database.oldestMs())
  const writes = openWriteWatch({ servers, oldestMs })
  closers.add(() => writes.close())
  const { lockMs } = plainTimeouts
  const readFirstStates = firstStatesReader(seals)
  const runOnce = openRunOnce({
    database,
    seals,
    readFirstStates,
    waitMs: lockMs,
    settleMs: SETTLE_MS,
    requireWrites: writes.requireWrites,
    committed,
    ...record,
    ...parts.runOnce,
  })
  const {
    mode,
    routingNumber,
    overdraftCents,
    reviewFirstPayment,
    ach,
    review,
    rewardPayoutDelayMs: payoutDelayMs,
  } = settings
  const { decision, screening } = parts
  const own = {
    mode,
    routingNumber,
    overdraftCents,
    reviewFirstPayment,
    ach,
    review,
    payoutDelayMs,
    decision,
    screening,
  }
  const builtin = openBuiltinBank({ database, ids, runOnce, lane, seals, uploadWaitMs: parts.uploadWaitMs, ...own })
  const load = () => ({ requests: database.connections(), lane: lane.load() })
  return { servers, seals, closers, database, ids, runOnce, builtin, writes, load, committed, reseal, readFirstStates }
}

type ServiceSettings = Pick<
  Config,
  | 'mode'
  | 'keep'
  | 'webhookTimeoutMs'
  | 'webhookRetriesMs'
  | 'maxRequests'
  | 'trustedProxies'
  | 'host'
  | 'hosts'
  | 'mcpWrites'
> & {
  /** Applied in live mode only. */
  rates: Config['rates'] | undefined
}

export interface ServiceParts {
  core: Core
  settings: ServiceSettings
  version: string
  /** The folder of the documentation, which agents read. */
  docs: string
  /** The files of the console, which may still be in the making. */
  console(): Promise<ConsoleFiles>
  log: Log
  /** Absent where nothing is measured. */
  metrics?: Metrics | undefined
  connectors?: Connectors | undefined
  /** The ids of the demo world, for the landing page. */
  demo?: Scenario | undefined
  feed?: Partial<FeedOptions>
  requestLog?: Partial<RequestLogOptions>
  worker?: Partial<WorkerOptions>
  guard?: Partial<GuardOptions>
  /** Replaces the readiness check. */
  ready?: () => Promise<void>
  /** The other processes behind the same port; absent where there are none. */
  peers?: Peers | undefined
}

export interface Service {
  app: FastifyInstance
  keys: KeyAuthenticator
  denials: Denials
  feed: Feed
  worker: WebhookWorker
  /** Starts the background work: due payments of the bank, webhooks, saving of key uses and denied requests. */
  start(): void
}

/** Opens the whole service except for listening, which is left to the caller. The closers of the core close it. */
export async function openService(parts: ServiceParts): Promise<Service> {
  const { core, settings, version, log, metrics, connectors, demo, peers } = parts
  const { database, ids, runOnce, seals, builtin, closers } = core
  const { mode, maxRequests, trustedProxies } = settings
  const failed = (error: Error) => log.warn({ reason: error.message }, 'background task failed')

  const sole = connectors?.organisationId
  const keys = openKeyAuthenticator(database, await findConfigured(database), { sole, peers })
  closers.add(() => keys.saveUses().catch(failed))
  const denials = openDenials(database)
  closers.add(() => denials.save().catch(failed))
  const { bank = builtin.bank, records = builtin.records } = connectors ?? {}
  const connected = connectors?.bank !== undefined
  const hasSandbox = mode === 'sandbox' && !connected
  const active = hasSandbox ? openActiveFaults(database) : undefined
  await active?.load()
  const everywhere = changesEverywhere(peers, keys, active)
  const { guard, worker } = openDelivery(parts, active)
  const requestLog =
    mode === 'sandbox'
      ? openRequestLog({ eventIds: (...of) => feed.eventIds(...of), peers, ...parts.requestLog })
      : undefined
  const { readFirstStates } = core
  const feed: Feed = openFeed({ database, readFirstStates, remembered: requestLog?.eventsOf, ...parts.feed })
  listenForEvents(core, { feed, worker, keys, active, failed })

  const events = { ...feed, ...auditLogOf(database), ...auditLogHeadOf(database) }
  const webhooks = openWebhooks({ database, ids, runOnce, seals, guard, readFirstStates, changed: worker.changed })
  const { directory } = builtin
  const organisations = active && organisationsOf({ database, ids, runOnce, seals, keys: everywhere })
  const faults = active && openFaultInjector(active)
  const app = buildApp({
    mode,
    version,
    keys,
    apiKeys: openKeyManagement({ database, ids, runOnce, keys: everywhere, mode }),
    bank,
    accounting: connected ? undefined : builtin.accounting,
    processor: connected ? undefined : builtin.processor,
    review: connected ? undefined : builtin.review,
    records,
    offers: connectors?.offers ?? builtin.offers,
    events,
    requestLog,
    webhooks,
    tools: openLookUp({ bank, records, events: { ...events, ...requestLog }, webhooks, directory, connected }),
    sandbox: organisations && {
      ...builtin.sandbox,
      ...organisations,
      ...faultRulesOf({ database, ids, runOnce, active: everywhere }),
    },
    faults,
    inbound: connectors && inboundOf(parts, connectors),
    providers: { banking: connected ? 'unit' : 'builtin', rewards: connectors?.offers ? 'kard' : 'builtin' },
    demo,
    log,
    denials,
    maxRequests,
    rates: mode === 'live' ? settings.rates : undefined,
    trustedProxies,
    ...toolsOf(parts),
    metrics,
    seals,
    peers,
    ready: parts.ready ?? readinessOf(core),
  })
  closers.add(closerOf(app))
  // Before the server, which waits for every answer: a long poll is answered with the events there are.
  closers.add(async () => {
    feed.release()
    requestLog?.release()
    faults?.release()
  })

  const start = () => startWork(parts, { denials, keys, worker, retires: organisations !== undefined, failed })
  return { app, keys, denials, feed, worker, start }
}

interface Work extends Pick<Service, 'denials' | 'keys' | 'worker'> {
  /** Whether requests make organisations, which end when they are not used. */
  retires: boolean
  failed(error: Error): void
}

/** Starts what runs beside requests, in every process. */
function startWork(parts: ServiceParts, { denials, keys, worker, retires, failed }: Work): void {
  const { core, settings, log, metrics, connectors } = parts
  const { database, builtin, closers } = core
  closers.add(repeat(() => builtin.catchUp(log), 1_000, failed))
  closers.add(repeat(() => builtin.moveFiles(log), 1_000, failed))
  closers.add(repeat(() => builtin.takeFiles(log), 1_000, failed))
  if (connectors?.catchUp) closers.add(repeat(connectors.catchUp, 1_000, failed))
  for (const task of [denials.save, core.reseal]) closers.add(repeat(task, 1_000, failed))
  closers.add(repeat(async () => (await moveCopies(database, core.seals)) && ENDED, 1_000, failed))
  closers.add(repeat(() => sweepOrganisations(database), 1_000, failed))
  if (retires) closers.add(repeat(() => retireOrganisations(database), 60_000, failed))
  closers.add(repeat(keys.saveUses, 60_000, failed))
  const { prune } = openRetention({ database, keep: settings.keep, failed, observe: metrics?.retention })
  closers.add(repeat(prune, 1_000, failed))
  if (connectors?.stop) closers.add(connectors.stop)
  worker.start()
}

/** Outgoing webhooks: the check of their addresses and the worker that sends them. */
function openDelivery(
  { core, settings, version, log, metrics, ...parts }: ServiceParts,
  faults: LoadedFaults | undefined,
) {
  const { database, seals, committed, closers } = core
  const { mode, webhookTimeoutMs: timeoutMs, webhookRetriesMs: delaysMs } = settings
  const guard = openAddressGuard({ mode, connectTimeoutMs: timeoutMs, ...parts.guard })
  const worker = openWebhookWorker({
    database,
    seals,
    readFirstStates: core.readFirstStates,
    sender: openSender({ guard, timeoutMs, userAgent: `Purser/${version}` }),
    committed,
    failed: (error) => log.warn({ reason: error.message }, 'webhook delivery failed'),
    ...(metrics && { observe: metrics }),
    faults,
    delaysMs,
    leaseMs: 4 * timeoutMs,
    ...parts.worker,
  })
  closers.add(() => worker.close())
  return { guard, worker }
}

/** Changes that all processes behind the port know of before the request that made them is answered. */
function changesEverywhere(
  peers: Peers | undefined,
  keys: KeyAuthenticator,
  active: LoadedFaults | undefined,
): KeyChanges & Pick<LoadedFaults, 'load'> {
  peers?.answer('keys.forget', keys.forget)
  peers?.answer('keys.forgetOrganisation', keys.forgetOrganisation)
  peers?.answer('faults.load', (organisationId: number) => active?.load(organisationId))
  return {
    forget: async (keyId) => {
      keys.forget(keyId)
      await peers?.ask('keys.forget', keyId)
    },
    forgetOrganisation: async (organisationId) => {
      keys.forgetOrganisation(organisationId)
      await peers?.ask('keys.forgetOrganisation', organisationId)
    },
    load: async (organisationId) => {
      await Promise.all([active?.load(organisationId), peers?.ask('faults.load', organisationId)])
    },
  }
}

interface Listening extends Pick<Service, 'feed' | 'worker' | 'keys'> {
  active: LoadedFaults | undefined
  failed(error: Error): void
}

/**
 * Wakes long polls and the webhook worker when any process of the service has committed events or changed fault rules, and
 * forgets the keys of an organisation that any process has ended.
 */
function listenForEvents({ servers, closers }: Core, { feed, worker, keys, active, failed }: Listening): void {
  const heard = (payload?: string) => {
    const ended = endedBy(payload)
    if (ended !== undefined) keys.forgetOrganisation(ended)
    feed.look()
    worker.heard()
    active?.heard(payload).catch(failed)
  }
  const listener = openListener({ servers, channel: EVENT_CHANNEL, heard })
  closers.add(() => listener.close())
}

/** The parts for the console and for agents. */
function toolsOf({ settings: { host, hosts, mcpWrites }, docs, console }: ServiceParts) {
  return { hosts: { boundTo: host, names: hosts }, agents: { writes: mcpWrites }, docs, console }
}

function inboundOf({ core, log, metrics }: ServiceParts, { sources, organisationId }: Connectors) {
  const { database, seals, committed } = core
  return {
    sources,
    inbox: openInbox({ database, seals, organisationId, log, committed, observe: metrics?.upstreamEventFailed }),
  }
}

/** The check behind /readyz, which rejects while the service cannot answer requests. */
function readinessOf({ database, writes, closers }: Core): () => Promise<void> {
  const requireDatabase = openReadiness(database, writes)
  return async () => {
    if (closers.closing) throw new Problem('unavailable', { headers: retryAfter(5) })
    await requireDatabase()
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
