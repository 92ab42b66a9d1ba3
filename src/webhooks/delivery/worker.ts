import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../../base/clock.ts'
import { type FirstStates, findFirstStates, type ReadFirstStates } from '../../events/stored/complete-events.ts'
import type { Seals } from '../../secrets/seals.ts'
import { type Claimed, claimDeliveries, releaseDeliveries } from './claim.sql.ts'
import { bodyOf, outcomeOf, postOf, sendPost } from './deliver.ts'
import { type DeliveryFaults, HeldBack, sendWithFaults } from './delivery-faults.ts'
import { followEvents } from './follow.ts'
import { type HealthOptions, judgeEndpoints } from './health.ts'
import { InFlight } from './in-flight.ts'
import { type Outcome, writeOutcomes } from './outcomes.sql.ts'
import { retryDelaysMs } from './retry.ts'
import type { Sender } from './send.ts'

/** Turns events into deliveries and sends them, together with the workers of other processes. */
export interface WebhookWorker {
  /** Starts to work, at every notice and at every poll. */
  start(): void
  /** Notices new events. */
  heard(): void
  /** Notices a change of an endpoint or a delivery. */
  changed(): void
  close(): Promise<void>
}

export type WorkerOptions = WorkerParts & Partial<WorkerSettings>

interface WorkerParts extends Omit<HealthOptions, 'patienceMs'> {
  seals: Seals
  readFirstStates: ReadFirstStates
  sender: Sender
  /** The worker itself fails, or works again: its database is away, for example. Without it `failed` hears of it. */
  turns?: { failed(error: Error): void; succeeded(): void } | undefined
  /** Absent if there is no sandbox. */
  faults: DeliveryFaults | undefined
  /** Receives figures for metrics. */
  observe?: {
    /** An attempt was made: it succeeded, will be repeated, or was the last one. */
    delivery(outcome: 'succeeded' | 'failed' | 'abandoned'): void
    /** Age of the oldest event that no delivery had been inserted for. */
    eventLag(seconds: number): void
  }
}

interface WorkerSettings {
  delaysMs: number[]
  /** How long a delivery stays with a process that has died: four times the time-out of a request. */
  leaseMs: number
  /** An endpoint that has failed for so long, in real time, is disabled. */
  patienceMs: number
  /** How long a stop waits for answers; a delivery without one is sent again. */
  partingMs: number
  pollMs: number
  /** Deliveries in flight; half of them at most to failing endpoints, three quarters at most of one organisation. */
  maxAtOnce: number
  maxPerEndpoint: number
}

const DEFAULTS: WorkerSettings = {
  delaysMs: retryDelaysMs,
  leaseMs: 60_000,
  patienceMs: 5 * 24 * 3_600_000,
  partingMs: 5_000,
  pollMs: 1_000,
  maxAtOnce: 200,
  maxPerEndpoint: 20,
}

/** How long to wait before another look at an endpoint that another transaction has locked. */
const LOCKED_MS = 100
const MAX_PARTING_WRITES = 10

interface Finished {
  delivery: Claimed
  outcome: Outcome
}

interface Worker extends WorkerParts, WorkerSettings {
  inFlight: InFlight
  heldBack: HeldBack
  sending: Set<Promise<void>>
  /** Attempts whose outcome is not written yet. */
  finished: Finished[]
  /** Those among them whose endpoint was locked. */
  postponed: Finished[]
  retry: NodeJS.Timeout | undefined
  /** Whether the next turn looks for events, and for due deliveries. */
  events: boolean
  due: boolean
  /** No endpoint is enabled: events are ignored until the next poll. */
  idle: boolean
  closed: boolean
  /** A stop no longer waits for answers. */
  aborted: boolean
  turning: Promise<void> | undefined
}

export function openWebhookWorker(options: WorkerOptions): WebhookWorker {
  const worker: Worker = {
    ...DEFAULTS,
    ...options,
    inFlight: new InFlight(),
    heldBack: new HeldBack(),
    sending: new Set(),
    finished: [],
    postponed: [],
    retry: undefined,
    events: false,
    due: false,
    idle: false,
    closed: true,
    aborted: false,
    turning: undefined,
  }
  let poll: NodeJS.Timeout | undefined
  return {
    start() {
      worker.closed = false
      poll = setInterval(() => wake(worker, { events: true, due: true }), worker.pollMs)
      wake(worker, { events: true, due: true })
    },
    heard() {
      if (!worker.idle) wake(worker, { events: true })
    },
    changed() {
      worker.idle = false
      wake(worker, { events: true, due: true })
    },
    async close() {
      clearInterval(poll)
      await stop(worker)
    },
  }
}

/** Starts a turn, unless one is running, which then goes on. */
function wake(worker: Worker, { events = false, due = false }: { events?: boolean; due?: boolean } = {}): void {
  worker.events ||= events
  worker.due ||= due
  if (worker.closed) return
  worker.turning ??= turn(worker)
    .then(() => worker.turns?.succeeded(), worker.turns?.failed ?? worker.failed)
    .finally(() => {
      worker.turning = undefined
    })
}

/** One statement after the other, so that this process never waits for a lock of its own. */
async function turn(worker: Worker): Promise<void> {
  while (!worker.closed && (worker.events || worker.due || worker.finished.length > 0)) {
    if (worker.finished.length > 0) await writeFinished(worker)
    if (worker.events) await follow(worker)
    if (worker.due) await takeDue(worker)
  }
}

async function follow(worker: Worker): Promise<void> {
  worker.events = false
  const { anyEnabled, behind, moved, locked, lagSeconds } = await followEvents(worker.database, worker.failed)
  worker.observe?.eventLag(lagSeconds)
  worker.idle = !anyEnabled
  // One call may not reach the latest event.
  worker.events ||= moved
  worker.due ||= behind
  if (locked && !moved) retryLater(worker)
}

async function takeDue(worker: Worker): Promise<void> {
  worker.due = false
  const { inFlight, leaseMs, maxAtOnce, maxPerEndpoint } = worker
  const max = maxAtOnce - inFlight.all
  if (worker.idle || max <= 0) return
  const maxFailing = Math.ceil(maxAtOnce / 2)
  const startedMs = clock.elapsedMs()
  const claimed = await claimDeliveries(worker.database, {
    lease: randomUUID(),
    leaseMs,
    max,
    maxFailing: Math.max(0, maxFailing - inFlight.failing),
    maxPerEndpoint,
    maxPerOrganisation: Math.ceil(maxAtOnce * 0.75),
    maxFailingPerOrganisation: Math.ceil(maxFailing * 0.75),
    inFlight,
  })
  const found = await findStates(worker, claimed)
  for (const delivery of claimed) {
    inFlight.add(delivery)
    const sending: Promise<void> = deliver(worker, delivery, found, startedMs)
      .catch(worker.failed)
      .finally(() => {
        inFlight.remove(delivery)
        worker.sending.delete(sending)
      })
    worker.sending.add(sending)
  }
}

/** Reads the records of the events that are stored without data. Deliveries are returned if that fails. */
async function findStates({ database, readFirstStates, failed }: Worker, claimed: Claimed[]) {
  try {
    return await findFirstStates(database, readFirstStates, claimed)
  } catch (error) {
    await releaseDeliveries(database, claimed).catch(failed)
    throw error
  }
}

const observed = { Succeeded: 'succeeded', Pending: 'failed', Failed: 'abandoned' } as const

async function deliver(
  worker: Worker,
  delivery: Claimed,
  found: FirstStates | undefined,
  startedMs: number,
): Promise<void> {
  const { database, seals, sender, leaseMs, delaysMs, observe } = worker
  // A process that was held up does not send a delivery that another may have taken over by now.
  const late = clock.elapsedMs() - startedMs > leaseMs / 2
  const body = bodyOf(delivery, found)
  const send = async () => sendPost(sender, postOf(delivery, body, await seals.of(delivery.organisationId)))
  const sent = late ? undefined : await sendWithFaults(worker, delivery, send)
  if (!sent || (sent.responseStatus === null && worker.aborted)) return releaseDeliveries(database, [delivery])
  const outcome = outcomeOf(delivery, sent, delaysMs)
  observe?.delivery(observed[outcome.status])
  worker.finished.push({ delivery, outcome })
  wake(worker)
}

/** Writes the outcomes that there are, together. A delivery whose outcome cannot be written is sent again. */
async function writeFinished(worker: Worker): Promise<void> {
  const results = worker.finished.splice(0)
  worker.due = true
  try {
    const outcomes = results.map(({ outcome }) => outcome)
    const written = await worker.database.transaction((transaction) => writeOutcomes(transaction, outcomes))
    const locked = results.filter(({ outcome }) => !written.has(outcome.endpointId))
    if (locked.length > 0) {
      worker.postponed.push(...locked)
      retryLater(worker)
    }
    await judgeEndpoints(
      worker,
      results.filter(({ outcome }) => written.has(outcome.endpointId)),
    )
  } catch (error) {
    worker.failed(error as Error)
  }
}

/** Looks again soon for events and outcomes of endpoints that another transaction has locked. */
function retryLater(worker: Worker): void {
  worker.retry ??= setTimeout(() => {
    worker.retry = undefined
    worker.finished.push(...worker.postponed.splice(0))
    wake(worker, { events: true })
  }, LOCKED_MS).unref()
}

async function stop(worker: Worker): Promise<void> {
  worker.closed = true
  await worker.turning
  worker.heldBack.close()
  const answered = new AbortController()
  await Promise.race([
    Promise.all(worker.sending),
    sleep(worker.partingMs, undefined, { signal: answered.signal }).catch(() => undefined),
  ])
  answered.abort()
  worker.aborted = true
  worker.sender.abort()
  await Promise.all(worker.sending)
  for (let write = 0; write < MAX_PARTING_WRITES; write++) {
    worker.finished.push(...worker.postponed.splice(0))
    if (worker.finished.length === 0) break
    if (write > 0) await sleep(LOCKED_MS)
    await writeFinished(worker)
  }
  clearTimeout(worker.retry)
  await worker.sender.close()
}
