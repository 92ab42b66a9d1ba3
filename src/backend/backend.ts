import { type KeyAuthenticator, openKeyAuthenticator } from '../access/authenticate-key.ts'
import { type Denials, openDenials } from '../access/denials.ts'
import { findConfigured } from '../access/first-key.ts'
import { openKeyManagement } from '../access/manage-keys.ts'
import type { AppCell, Ports } from '../app.ts'
import type { FileCell } from '../bank/ach/cells/spread.ts'
import { openActiveFaults } from '../bank/faults/active-faults.ts'
import { faultRulesOf } from '../bank/faults/fault-rules.ts'
import { organisationsOf } from '../bank/organisations/organisations.ts'
import type { Peers } from '../base/peers/peers.ts'
import { openTaskLog } from '../base/tasks/task-log.ts'
import type { Config } from '../config.ts'
import type { Connectors } from '../connectors/connectors.ts'
import { auditLogOf } from '../events/audit/audit-log.ts'
import { auditLogHeadOf } from '../events/chain/head.ts'
import { type Feed, type FeedOptions, openFeed } from '../events/feed.ts'
import { openRequestLog, type RequestLogOptions } from '../http/exchanges/request-log.ts'
import { openFaultInjector } from '../http/fault-injector.ts'
import type { Load } from '../http/load.ts'
import type { Log } from '../http/log.ts'
import type { CellMetrics } from '../http/metrics/cell-metrics.ts'
import { openCellLimits } from '../http/request/cell.ts'
import { openLookUp } from '../tools/look-up.ts'
import type { GuardOptions } from '../webhooks/delivery/address-guard.ts'
import type { WebhookWorker, WorkerOptions } from '../webhooks/delivery/worker.ts'
import { openWebhooks } from '../webhooks/open-webhooks.ts'
import { changesEverywhere } from './changes.ts'
import type { Core } from './core.ts'
import { listenForEvents, openDelivery } from './delivery.ts'
import { openStandbyReads } from './standby-reads.ts'
import { startWork } from './work.ts'

/** The settings that every cell has alike. */
export type CellSettings = Pick<Config, 'mode' | 'keep' | 'webhookTimeoutMs' | 'webhookRetriesMs'>

export interface CellParts {
  name: string
  /** Its place in the list of cells; 0 is the home cell. */
  place: number
  core: Core
  settings: CellSettings
  version: string
  log: Log
  /** The requests that the cell works on. */
  load: Load
  /** Absent if nothing is measured. */
  metrics?: CellMetrics | undefined
  /** The hashes of the keys that came from the environment, of all cells: their organisation may move between them. */
  configured?: Buffer[]
  /** In the home cell alone. */
  connectors?: Connectors | undefined
  /** The further cells, for the ACH files that the home cell takes. */
  fileCells?: (() => FileCell[]) | undefined
  feed?: Partial<FeedOptions> | undefined
  requestLog?: Partial<RequestLogOptions> | undefined
  worker?: Partial<WorkerOptions> | undefined
  guard?: Partial<GuardOptions> | undefined
  /** The cell in the other processes behind the same port; absent if there are none. */
  peers?: Peers | undefined
}

/** A database with its bank, its ports and its background work: all that belongs to some of the organisations. */
export interface Cell extends AppCell {
  name: string
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

/** Opens a cell on a database that is prepared. The closers of its core close it. */
export async function openCell(parts: CellParts): Promise<Cell> {
  const { name, place, core, settings, log, connectors, peers } = parts
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
  const tools = toolsOf(parts, events, webhooks)
  const ports = { ...bankPorts(core, connectors), apiKeys, events, webhooks, sandbox, tools }
  const feedOptions = { remembered: requestLog?.eventsOf, ...parts.feed }
  return {
    name,
    core,
    keys,
    denials,
    feed,
    worker,
    requestLog,
    faults,
    seals,
    ...openCellLimits(parts.load),
    ports,
    standby: openStandbyReads({ core, ports, feed, feedOptions, log, metrics: parts.metrics }),
    isAway: () => database.isDown(),
    release: () => {
      feed.release()
      requestLog?.release()
      faults?.release()
    },
    start: () => startWork(parts, { denials, keys, worker, retires: organisations !== undefined, tasks }),
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

function toolsOf({ core, connectors }: CellParts, events: Ports['events'], webhooks: Ports['webhooks']) {
  const { bank, records, accounting } = bankPorts(core, connectors)
  const { directory } = core.builtin
  return openLookUp({
    bank,
    records,
    accounting,
    events,
    webhooks,
    directory,
    connected: connectors?.bank !== undefined,
  })
}
