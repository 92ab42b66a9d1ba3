import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObject,
  Registry,
} from 'prom-client'
import type { ConnectionCounts } from '../database/database.ts'
import type { LaneLoad } from '../ledger/lane.ts'
import type { RetentionObserver } from '../retention/retention.ts'

/** The outcome of an attempt to deliver an event to a webhook endpoint. */
type DeliveryOutcome = 'succeeded' | 'failed' | 'abandoned'

/** The numbers that are read when the metrics are, so that they cost requests nothing. */
export interface Load {
  /** The connections that requests share. */
  requests: ConnectionCounts
  lane: LaneLoad
}

/** The metrics of the service. Each room gets the one function that it calls, and knows no registry. */
export interface Metrics {
  request(operation: string, status: number, seconds: number): void
  /** A batch of the lane: the number of its commands, and how long the first of them waited. */
  laneBatch(commands: number, waitMs: number): void
  /** The age of the oldest event that has no deliveries yet. */
  eventLag(seconds: number): void
  delivery(outcome: DeliveryOutcome): void
  /** A question to a hook of the operator: the hook, whether it answered, and the time that it took. */
  hook(name: string, outcome: string, seconds: number): void
  /** An event of a provider that could not be applied: the kind of its record is one of ours, or `other`. */
  upstreamEventFailed(provider: string, kind: string): void
  /** Shows the numbers of `load` from now on. */
  watch(load: () => Load): void
  /** The deletion of old rows. */
  retention: RetentionObserver
  contentType: string
  text(): Promise<string>
  /** All metrics with their values, for `joinedMetrics` in the parent process. */
  values(): Promise<MetricObject[]>
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * The metrics of several processes, each with its label `process`. The sum over all of them would fall when a process is
 * replaced, and Prometheus would take the rest for an increase.
 */
export function joinedMetrics(read: () => Promise<MetricObject[][]>): Pick<Metrics, 'contentType' | 'text'> {
  return {
    contentType: new Registry().contentType,
    text: async () => AggregatorRegistry.aggregate(await read()).metrics(),
  }
}

/** Opens the metrics of a process; `number` is its number where there are several. */
export function openMetrics(number?: number): Metrics {
  const registry = new Registry()
  if (number !== undefined) registry.setDefaultLabels({ process: String(number) })
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'purser_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers,
  })
  const laneBatches = new Histogram({
    name: 'purser_lane_batch_commands',
    help: 'Number of commands in a batch of the lane',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    registers,
  })
  const laneWaits = new Histogram({
    name: 'purser_lane_wait_seconds',
    help: 'Time that the first command of a batch waited for the previous batch',
    buckets: SECONDS,
    registers,
  })
  const eventLag = new Gauge({
    name: 'purser_event_lag_seconds',
    help: 'Age of the oldest event that has no webhook deliveries yet',
    registers,
  })
  const deliveries = new Counter({
    name: 'purser_webhook_deliveries_total',
    help: 'Attempts to deliver an event to a webhook endpoint, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const failedEvents = new Counter({
    name: 'purser_upstream_events_failed_total',
    help: 'Events of a provider that were stored with a fault and had no effect, by provider and kind of record',
    labelNames: ['provider', 'kind'],
    registers,
  })
  const hooks = new Histogram({
    name: 'purser_hook_duration_seconds',
    help: 'Time that a hook of the operator took, by hook and outcome',
    labelNames: ['hook', 'outcome'],
    buckets: SECONDS,
    registers,
  })
  return {
    retention: retentionMetrics(registers),
    request: (operation, status, seconds) => requests.observe({ operation, status }, seconds),
    laneBatch(commands, waitMs) {
      laneBatches.observe(commands)
      laneWaits.observe(waitMs / 1_000)
    },
    eventLag: (seconds) => eventLag.set(seconds),
    delivery: (outcome) => deliveries.inc({ outcome }),
    hook: (hook, outcome, seconds) => hooks.observe({ hook, outcome }, seconds),
    upstreamEventFailed: (provider, kind) => failedEvents.inc({ provider, kind }),
    watch(load) {
      watchLane(registry, load)
      watchConnections(registry, load)
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
    values: () => registry.getMetricsAsJSON() as Promise<MetricObject[]>,
  }
}

function watchLane(registry: Registry, load: () => Load): void {
  const registers = [registry]
  new Gauge({
    name: 'purser_lane_waiting_commands',
    help: 'Commands that wait for a batch of the lane or for an account that another transaction holds',
    registers,
    collect() {
      this.set(load().lane.waiting)
    },
  })
  new Gauge({
    name: 'purser_lane_batch_age_seconds',
    help: 'Age of the oldest batch of the lane that is with the database, 0 while there is none',
    registers,
    collect() {
      this.set(load().lane.batchMs / 1_000)
    },
  })
}

/** The numbers of a pool, with the name and the help of each. */
const connectionGauges: [keyof ConnectionCounts, name: string, help: string][] = [
  ['most', 'purser_database_connections_max', 'Most connections to the database that are opened, by pool'],
  ['open', 'purser_database_connections_open', 'Connections to the database that are open, by pool'],
  ['inUse', 'purser_database_connections_in_use', 'Connections to the database that work for a caller, by pool'],
  ['waiting', 'purser_database_waiting_callers', 'Callers that wait for a connection to the database, by pool'],
]
const connectionCounters: typeof connectionGauges = [
  ['failed', 'purser_database_connects_failed_total', 'Failed attempts to connect to a database server, by pool'],
  ['lost', 'purser_database_connections_lost_total', 'Connections to the database that were lost, by pool'],
]

function watchConnections(registry: Registry, load: () => Load): void {
  const common = { labelNames: ['pool'] as const, registers: [registry] }
  const numbers = (kind: keyof ConnectionCounts) => {
    const { requests, lane } = load()
    return { requests: requests[kind], lane: lane.connections.reduce((sum, each) => sum + each[kind], 0) }
  }
  for (const [kind, name, help] of connectionGauges) {
    const collect = function (this: Gauge<'pool'>) {
      for (const [pool, number] of Object.entries(numbers(kind))) this.set({ pool }, number)
    }
    new Gauge({ name, help, ...common, collect })
  }
  for (const [kind, name, help] of connectionCounters) {
    const collect = function (this: Counter<'pool'>) {
      this.reset()
      for (const [pool, number] of Object.entries(numbers(kind))) this.inc({ pool }, number)
    }
    new Counter({ name, help, ...common, collect })
  }
}

function retentionMetrics(registers: Registry[]): RetentionObserver {
  const labelNames = ['kind'] as const
  const pruned = new Counter({
    name: 'purser_retention_rows_total',
    help: 'Rows that were deleted because their time of retention was over, by kind',
    labelNames,
    registers,
  })
  const oldest = new Gauge({
    name: 'purser_retention_oldest_seconds',
    help: 'Age of the oldest row that is kept, as the latest complete walk through the rows of its kind found it',
    labelNames,
    registers,
  })
  const complete = new Gauge({
    name: 'purser_retention_last_success_timestamp_seconds',
    help: 'Time at which this process last completed a walk through the rows of a kind',
    labelNames,
    registers,
  })
  const failures = new Counter({
    name: 'purser_retention_failures_total',
    help: 'Failed attempts to delete old rows, by kind',
    labelNames,
    registers,
  })
  return {
    pruned: (kind, rows) => pruned.inc({ kind }, rows),
    oldest: (kind, seconds) => oldest.set({ kind }, seconds),
    complete: (kind) => complete.setToCurrentTime({ kind }),
    failed: (kind) => failures.inc({ kind }),
  }
}
