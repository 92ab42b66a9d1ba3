import { allows, missingScope } from '../access/api-key.ts'
import { type KeyAuthenticator, type KeyHolder, openKeyAuthenticator } from '../access/authenticate-key.ts'
import { type Denials, openDenials } from '../access/denials.ts'
import { openDisclosures } from '../access/disclosures.ts'
import { findConfigured } from '../access/first-key.ts'
import { openKeyManagement } from '../access/manage-keys.ts'
import type { AppBackend, AppBackends, Ports } from '../app.ts'
import type { OtherDatabase } from '../bank/ach/spread/spread.ts'
import { closingOf } from '../bank/closing/closing.ts'
import { openActiveFaults } from '../bank/faults/active-faults.ts'
import { faultRulesOf } from '../bank/faults/fault-rules.ts'
import { organisationsOf } from '../bank/organisations/organisations.ts'
import { proposalsOf, type SignedOperations } from '../bank/proposals/proposals.ts'
import type { Answer, Operation } from '../base/operation.ts'
import type { Peers } from '../base/peers/peers.ts'
import { openTaskLog } from '../base/tasks/task-log.ts'
import type { Config } from '../config.ts'
import type { Connectors } from '../connectors/connectors.ts'
import { auditLogOf } from '../events/audit/audit-log.ts'
import { auditLogHeadOf } from '../events/chain/head.ts'
import { type Feed, type FeedOptions, openFeed } from '../events/feed.ts'
import type { Readiness } from '../http/documents/documents.ts'
import { openRequestLog, type RequestLogOptions } from '../http/exchanges/request-log.ts'
import { openFaultInjector } from '../http/fault-injector.ts'
import type { Load } from '../http/load.ts'
import type { Log } from '../http/log.ts'
import type { BackendMetrics } from '../http/metrics/backend-metrics.ts'
import { openBackendLimits } from '../http/request/backend.ts'
import { openShareOfBodies } from '../http/request/body-budget.ts'
import type { ServedStandby } from '../http/request/stale-read.ts'
import { operations } from '../operations.ts'
import { openLookUp } from '../tools/look-up.ts'
import type { GuardOptions } from '../webhooks/delivery/address-guard.ts'
import type { WebhookWorker, WorkerOptions } from '../webhooks/delivery/worker.ts'
import { openWebhooks } from '../webhooks/open-webhooks.ts'
import { changesEverywhere } from './changes.ts'
import type { Core } from './core.ts'
import { listenForEvents, openDelivery } from './delivery.ts'
import { startWork } from './work.ts'

/** The settings that every backend has alike. */
export type BackendSettings = Pick<Config, 'mode' | 'keep' | 'webhookTimeoutMs' | 'webhookRetriesMs'> &
  Partial<Pick<Config, 'statements' | 'closingKey' | 'signatures'>>

export interface BackendParts {
  /** The place of the database among those of the service; 0 is the first. */
  place?: number
  /** How many there are, which share the memory for large bodies. */
  databases?: number
  core: Core
  settings: BackendSettings
  version: string
  log: Log
  /** The requests that the backend works on. */
  load: Load
  /** Absent if nothing is measured. */
  metrics?: BackendMetrics | undefined
  /** The hashes of the keys that came from the environment, of all databases: their organisation may move between them. */
  configured?: Buffer[]
  /** In the first database alone. */
  connectors?: Connectors | undefined
  /** The further databases, for the ACH files that the first database takes. */
  otherDatabases?: (() => OtherDatabase[]) | undefined
  feed?: Partial<FeedOptions> | undefined
  requestLog?: Partial<RequestLogOptions> | undefined
  worker?: Partial<WorkerOptions> | undefined
  guard?: Partial<GuardOptions> | undefined
  /** The backend in the other processes behind the same port; absent if there are none. */
  peers?: Peers | undefined
  /** Opens the reads that a standby may answer; absent if there is no standby. */
  openStandby?: OpenStandby | undefined
}

/** A database with its bank, its ports and its background work: all that belongs to some of the organisations. */
export interface Backend extends AppBackend {
  /** The place of the database among those of the service. */
  place: number
  core: Core
  keys: KeyAuthenticator
  denials: Denials
  feed: Feed
  worker: WebhookWorker
  /** Whether its database cannot be reached. */
  isAway(): boolean
  /** Answers all requests that wait for something to happen. */
  release(): void
  /** Starts the background work: due payments of the bank, webhooks, saving of key uses and denied requests. */
  start(): void
}

/** The parts of a backend that its standby needs. */
export interface StandbyParts {
  core: Core
  /** The ports and the feed of the primary. */
  ports: Ports
  feed: Feed
  feedOptions: Partial<FeedOptions>
  log: Log
  metrics: BackendMetrics | undefined
}

export type OpenStandby = (parts: StandbyParts) => ServedStandby & { ports: Ports }

/** The backends of a service. */
export interface Backends extends AppBackends {
  first: Backend
  all(): Backend[]
  /** The keys of all of them. */
  keys: KeyAuthenticator
  /** Starts the background work of every one, also of those that join later. */
  start(): void
  /** Whether ACH files of one wait for the operator. */
  isHeld(): boolean
  /** The answer of /readyz. Rejects while no database can be asked; `first` checks the first one. */
  ready(first: () => Promise<void>): Promise<Readiness>
}

/** Opens the backends of a service from the parts of the first one. */
export type OpenBackends = (parts: BackendParts) => Promise<Backends>

/** Opens the backend of a service with one database. */
export async function openSoleBackend(parts: BackendParts): Promise<Backends> {
  const backend = await openBackend(parts)
  const { keys, load, start, core } = backend
  return {
    first: backend,
    of: () => backend,
    all: () => [backend],
    loadOf: () => load,
    keys,
    start,
    isHeld: core.builtin.rail.isHeld,
    ready: async (first) => {
      await first()
      return {}
    },
  }
}

/** Opens a backend on a database that is prepared. The closers of its core close it. */
export async function openBackend(parts: BackendParts): Promise<Backend> {
  const { place = 0, databases, core, settings, log, connectors, peers } = parts
  const { database, ids, runOnce, seals, builtin, closers, readFirstStates } = core
  const { mode } = settings
  const tasks = openTaskLog(log)

  const { configured = [] } = parts
  for (const hash of await findConfigured(database))
    if (!configured.some((one) => one.equals(hash))) configured.push(hash)
  const keys = openKeyAuthenticator(database, configured, { mode, sole: connectors?.organisationId, peers, place })
  closers.add(() => keys.saveUses().catch((error: unknown) => tasks.failed('key-uses', error)))
  const denials = openDenials(database)
  closers.add(() => denials.save().catch((error: unknown) => tasks.failed('denied-requests', error)))
  const hasSandbox = mode === 'sandbox' && connectors?.bank === undefined
  const active = hasSandbox ? openActiveFaults(database) : undefined
  await active?.load()
  const everywhere = changesEverywhere(peers, keys, active)
  const { guard, worker } = openDelivery(parts, active, tasks)
  const requestLog =
    mode === 'sandbox'
      ? openRequestLog({ eventIds: (...of) => feed.eventIds(...of), peers, ...parts.requestLog })
      : undefined
  const feed: Feed = openFeed({ database, readFirstStates, remembered: requestLog?.eventsOf, ...parts.feed })
  listenForEvents(core, { feed, worker, keys, active, tasks })

  const events = { ...feed, ...auditLogOf(database), ...auditLogHeadOf(database), ...requestLog }
  const webhooks = openWebhooks({ database, ids, runOnce, seals, guard, readFirstStates, changed: worker.changed })
  const organisations = active && organisationsOf({ database, ids, runOnce, seals, keys: everywhere })
  const faults = active && openFaultInjector(active)
  const sandbox = organisations && {
    ...builtin.sandbox,
    ...organisations,
    ...faultRulesOf({ database, ids, runOnce, active: everywhere }),
  }
  const apiKeys = openKeyManagement({ database, ids, runOnce, keys: everywhere, mode })
  const decided: DecidedPorts = { ...bankPorts(core, connectors), closing: closingPort(parts), apiKeys }
  if (!connectors?.bank) {
    const expiryMs = settings.signatures?.expiryMs ?? 0
    decided.proposals = proposalsOf({ ...core, operations: signedOperations(decided), expiryMs })
  }
  const { proposals } = decided
  const tools = toolsOf(parts, { events, webhooks, proposals })
  const ports = {
    ...decided,
    proposals,
    events,
    webhooks,
    sandbox,
    tools,
  }
  const feedOptions = { remembered: requestLog?.eventsOf, ...parts.feed }
  return {
    place,
    core,
    keys,
    denials,
    disclosures: openDisclosures({ ids, runOnce }),
    feed,
    worker,
    requestLog,
    faults,
    seals,
    ...openBackendLimits({
      load: parts.load,
      bodies: openShareOfBodies({ processes: peers?.count ?? 1, databases }),
    }),
    ports,
    standby: parts.openStandby?.({ core, ports, feed, feedOptions, log, metrics: parts.metrics }),
    isAway: () => database.isDown(),
    release: () => {
      feed.release()
      requestLog?.release()
      faults?.release()
    },
    start: () => startWork(parts, { proposals, denials, keys, worker, retires: organisations !== undefined, tasks }),
  }
}

/** The ports of the built-in bank, or of a connector in its place. */
function bankPorts({ builtin }: Core, connectors: Connectors | undefined) {
  const connected = connectors?.bank !== undefined
  return {
    bank: connectors?.bank ?? builtin.bank,
    accounting: connected ? undefined : builtin.accounting,
    processor: connected ? undefined : builtin.processor,
    review: connected ? undefined : builtin.review,
    records: connectors?.records ?? builtin.records,
    offers: connectors?.offers ?? builtin.offers,
  }
}

/** The ports of operations that can be proposed. */
type DecidedPorts = ReturnType<typeof bankPorts> &
  Pick<Ports, 'closing' | 'apiKeys'> &
  Partial<Pick<Ports, 'proposals'>>

/** The operations that can be proposed, which an approval runs on the ports of this database. */
function signedOperations(ports: DecidedPorts): SignedOperations {
  const signed = new Map(operations.filter(({ signature }) => signature).map((each) => [each.id, each]))
  const named = (id: string) => {
    const operation = signed.get(id)
    if (!operation) throw new Error(`the operation ${id} cannot be proposed`)
    return operation
  }
  const missing = (holder: KeyHolder, operation: Operation) => {
    const scope = operation.signature?.scope
    return missingScope(holder, operation) ?? (scope && !allows(holder, scope) ? scope : undefined)
  }
  return {
    missing: (holder, id) => missing(holder, named(id)),
    callable: (holder) => [...signed.values()].filter((each) => !missing(holder, each)).map(({ id }) => id),
    run: (write, { operationId, params, body }) => {
      const run = named(operationId).run as (context: object, input: object) => Promise<Answer>
      return run({ ...ports, write, caller: write.caller, requestId: write.requestId }, { params, query: {}, body })
    },
  }
}

/** Absent with a connector, whose upstream has the money. */
function closingPort({ core, settings, connectors, databases = 1 }: BackendParts): Ports['closing'] {
  if (connectors?.bank) return undefined
  const { database, runOnce, builtin, routingNumber } = core
  const { statements: form, closingKey: key } = settings
  return closingOf({ database, runOnce, bookItem: builtin.bookItem, form, key, routingNumber, databases })
}

function toolsOf({ core, connectors }: BackendParts, ports: Pick<Ports, 'events' | 'webhooks' | 'proposals'>) {
  const { bank, records, accounting } = bankPorts(core, connectors)
  const { directory } = core.builtin
  return openLookUp({
    bank,
    records,
    accounting,
    ...ports,
    directory,
    connected: connectors?.bank !== undefined,
  })
}
