import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { NamedFolder, WaitingWork } from '../../bank/ach/watch/rail-state.ts'
import type { ClosingState } from '../../bank/closing/lists.ts'
import type { HighestRate } from '../../bank/payments/return-rates.ts'
import type { TaskState } from '../../base/tasks/task-log.ts'
import type { ConnectionCounts } from '../../database/database.ts'
import type { LaneLoad } from '../../ledger/lane.ts'
import type { RetentionObserver } from '../../retention/retention.ts'
import { openRailMetrics } from './rail-metrics.ts'

/** The outcome of an attempt to deliver an event to a webhook endpoint. */
type DeliveryOutcome = 'succeeded' | 'failed' | 'abandoned'

/** The numbers that are read when the metrics are, so that they cost requests nothing. */
export interface Load {
  /** The connections that requests share. */
  requests: ConnectionCounts
  lane: LaneLoad
}

/** The metrics of a cell. Those of a further cell have its name as the label `cell`, those of the home cell none. */
export interface BackendMetrics {
  /** A batch of the lane: the number of its commands, and how long the first of them waited. */
  laneBatch(commands: number, waitMs: number): void
  /** The age of the oldest event that has no deliveries yet. */
  eventLag(seconds: number): void
  delivery(outcome: DeliveryOutcome): void
  /** Shows the numbers of `load` from now on. */
  watch(load: () => Load): void
  /** A read that a standby might answer: whether it did, or why the primary had to. */
  standbyRead(outcome: 'answered' | 'away' | 'behind' | 'failed'): void
  /** Shows from now on how old the state of the standby is; undefined while it is not used. */
  watchStandby(ageMs: () => number | undefined): void
  /** Shows from now on whether the database can be reached. */
  watchState(isReady: () => boolean): void
  /** Shows from now on how the tasks of the database are doing. */
  watchTasks(states: () => TaskState[]): void
  /** The latest state of the rail, and of its folders if the database has them. */
  rail(state: WaitingWork, folders: NamedFolder[]): void
  /** By how many cents files and ledger differ. */
  railDifference(cents: number): void
  /** The highest return rates of debits. */
  returnRates(rates: HighestRate[]): void
  /** The days that are open, and the items that keep them so. */
  closing(state: ClosingState): void
  /** Shows from now on whether ACH files are held until the operator has decided. */
  watchRail(isHeld: () => boolean): void
  /** The deletion of old rows. */
  retention: RetentionObserver
}

export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type Label = { cell?: string }
/** The functions that read the numbers of each database. */
type Watched<T> = Map<string | undefined, () => T>

const labelOf = (name: string | undefined): Label => (name === undefined ? {} : { cell: name })

/** Makes the metrics that every cell has, and returns those of one by its name; undefined is the home cell. */
export function openBackendMetrics(registry: Registry): (name: string | undefined) => BackendMetrics {
  const lane = laneMetrics([registry])
  const webhooks = webhookMetrics([registry])
  const retention = retentionMetrics([registry])
  const loads: Watched<Load> = new Map()
  const states: Watched<boolean> = new Map()
  const held: Watched<boolean> = new Map()
  const standbys: Watched<number | undefined> = new Map()
  const standbyReads = watchStandbys(registry, standbys)
  const rails = openRailMetrics([registry])
  const tasks: Watched<TaskState[]> = new Map()
  watchTasks(registry, tasks)
  watchStates(registry, states)
  watchRails(registry, held)
  watchLoads(registry, loads)
  return (name) => {
    const label = labelOf(name)
    return {
      laneBatch: (commands, waitMs) => lane(label, commands, waitMs),
      ...webhooks(label),
      ...rails(label),
      watchTasks: (states) => void tasks.set(name, states),
      retention: retention(label),
      watch: (load) => void loads.set(name, load),
      standbyRead: (outcome) => standbyReads.inc({ outcome, ...label }),
      watchStandby: (ageMs) => void standbys.set(name, ageMs),
      watchState: (isReady) => void states.set(name, isReady),
      watchRail: (isHeld) => void held.set(name, isHeld),
    }
  }
}

function laneMetrics(registers: Registry[]) {
  const common = { labelNames: ['cell'] as const, registers }
  const batches = new Histogram({
    name: 'purser_lane_batch_commands',
    help: 'Number of commands in a batch of the lane',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    ...common,
  })
  const waits = new Histogram({
    name: 'purser_lane_wait_seconds',
    help: 'Time that the first command of a batch waited for the previous batch',
    buckets: SECONDS,
    ...common,
  })
  batches.zero({})
  waits.zero({})
  return (label: Label, commands: number, waitMs: number) => {
    batches.observe(label, commands)
    waits.observe(label, waitMs / 1_000)
  }
}

function webhookMetrics(registers: Registry[]) {
  const lag = new Gauge({
    name: 'purser_event_lag_seconds',
    help: 'Age of the oldest event that has no webhook deliveries yet',
    labelNames: ['cell'],
    registers,
  })
  lag.set({}, 0)
  const deliveries = new Counter({
    name: 'purser_webhook_deliveries_total',
    help: 'Attempts to deliver an event to a webhook endpoint, by outcome',
    labelNames: ['outcome', 'cell'],
    registers,
  })
  return (label: Label): Pick<BackendMetrics, 'eventLag' | 'delivery'> => ({
    eventLag: (seconds) => lag.set(label, seconds),
    delivery: (outcome) => deliveries.inc({ outcome, ...label }),
  })
}

function watchLoads(registry: Registry, loads: Watched<Load>): void {
  const common = { labelNames: ['cell'] as const, registers: [registry] }
  const gauge = (name: string, help: string, numberOf: (lane: LaneLoad) => number) => {
    const collect = function (this: Gauge<'cell'>) {
      for (const [cell, load] of loads) this.set(labelOf(cell), numberOf(load().lane))
    }
    new Gauge({ name, help, ...common, collect })
  }
  gauge(
    'purser_lane_waiting_commands',
    'Commands that wait for a batch of the lane or for an account that another transaction holds',
    ({ waiting }) => waiting,
  )
  gauge(
    'purser_lane_batch_age_seconds',
    'Age of the oldest batch of the lane that is with the database, 0 while there is none',
    ({ batchMs }) => batchMs / 1_000,
  )
  watchConnections(registry, loads)
}

function watchRails(registry: Registry, rails: Watched<boolean>): void {
  new Gauge({
    name: 'purser_ach_rail_held',
    help: '1 while no ACH file leaves or is taken until the operator has decided, else 0',
    labelNames: ['cell'],
    registers: [registry],
    collect() {
      for (const [cell, isHeld] of rails) this.set(labelOf(cell), isHeld() ? 1 : 0)
    },
  })
}

function watchStates(registry: Registry, states: Watched<boolean>): void {
  new Gauge({
    name: 'purser_cell_ready',
    help: '1 while the database of a further cell can be reached, else 0',
    labelNames: ['cell'],
    registers: [registry],
    collect() {
      for (const [cell, isReady] of states) this.set(labelOf(cell), isReady() ? 1 : 0)
    },
  })
}

function watchTasks(registry: Registry, tasks: Watched<TaskState[]>): void {
  const gauge = (name: string, help: string, secondsOf: (state: TaskState) => number) => {
    const collect = function (this: Gauge<'task' | 'cell'>) {
      // A task that has ended is shown no more.
      this.reset()
      for (const [cell, states] of tasks) {
        for (const state of states()) this.set({ task: state.task, ...labelOf(cell) }, secondsOf(state))
      }
    }
    new Gauge({ name, help, labelNames: ['task', 'cell'], registers: [registry], collect })
  }
  gauge(
    'purser_task_idle_seconds',
    'Time since a background task last came to its end without a failure, by task',
    ({ idleSeconds }) => idleSeconds,
  )
  gauge(
    'purser_task_failing_seconds',
    'Time for which a background task, or a part of its work, has failed without success in between, by task',
    ({ failingSeconds }) => failingSeconds,
  )
}

/** Returns the counter of reads. */
function watchStandbys(registry: Registry, standbys: Watched<number | undefined>): Counter<'outcome' | 'cell'> {
  const registers = [registry]
  new Gauge({
    name: 'purser_standby_ready',
    help: '1 while a standby answers reads, 0 while the primary answers them',
    labelNames: ['cell'],
    registers,
    collect() {
      for (const [cell, ageMs] of standbys) this.set(labelOf(cell), ageMs() === undefined ? 0 : 1)
    },
  })
  new Gauge({
    name: 'purser_standby_lag_seconds',
    help: 'Age of the state of the standby, absent while it is not used',
    labelNames: ['cell'],
    registers,
    collect() {
      for (const [cell, age] of standbys) {
        const ageMs = age()
        if (ageMs === undefined) this.remove(labelOf(cell))
        else this.set(labelOf(cell), ageMs / 1_000)
      }
    },
  })
  return new Counter({
    name: 'purser_standby_reads_total',
    help: 'Reads that callers allowed a standby to answer, by outcome: answered, or the reason why the primary answered',
    labelNames: ['outcome', 'cell'],
    registers,
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

function watchConnections(registry: Registry, loads: Watched<Load>): void {
  const common = { labelNames: ['pool', 'cell'] as const, registers: [registry] }
  const each = (kind: keyof ConnectionCounts, show: (labels: Label & { pool: string }, number: number) => void) => {
    for (const [cell, load] of loads) {
      const { requests, lane } = load()
      show({ pool: 'requests', ...labelOf(cell) }, requests[kind])
      show(
        { pool: 'lane', ...labelOf(cell) },
        lane.connections.reduce((sum, one) => sum + one[kind], 0),
      )
    }
  }
  for (const [kind, name, help] of connectionGauges) {
    const collect = function (this: Gauge<'pool' | 'cell'>) {
      each(kind, (labels, number) => this.set(labels, number))
    }
    new Gauge({ name, help, ...common, collect })
  }
  for (const [kind, name, help] of connectionCounters) {
    const collect = function (this: Counter<'pool' | 'cell'>) {
      this.reset()
      each(kind, (labels, number) => this.inc(labels, number))
    }
    new Counter({ name, help, ...common, collect })
  }
}

function retentionMetrics(registers: Registry[]) {
  const labelNames = ['kind', 'cell'] as const
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
  return (label: Label): RetentionObserver => ({
    pruned: (kind, rows) => pruned.inc({ kind, ...label }, rows),
    oldest: (kind, seconds) => oldest.set({ kind, ...label }, seconds),
    complete: (kind) => complete.setToCurrentTime({ kind, ...label }),
    failed: (kind) => failures.inc({ kind, ...label }),
  })
}
