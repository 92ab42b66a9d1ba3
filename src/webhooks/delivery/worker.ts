import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../../base/clock.ts'
import type { Database } from '../../database/database.ts'
import { emit } from '../../events/event.ts'
import { bankOrigin, type NewEvent, recordEvents } from '../../events/record.ts'
import type { Seal } from '../../secrets/seal.ts'
import { disableEndpoint, noteHealth } from '../endpoints/endpoints.sql.ts'
import { endpointOf } from '../endpoints/endpoints.ts'
import { outcomeOf, postOf } from './deliver.ts'
import { type Claimed, claimDeliveries, type Outcome, releaseDeliveries, writeOutcomes } from './deliveries.sql.ts'
import { followEvents } from './follow.ts'
import { retryDelaysMs } from './retry.ts'
import type { Sender } from './send.ts'

/** Turns events into deliveries and makes them, together with the workers of other processes. */
export interface WebhookWorker {
  /** From now on it looks for what there is to do, at every hint and every second. */
  start(): void
  /** There are new events. */
  heard(): void
  /** An endpoint or a delivery has changed. */
  changed(): void
  close(): Promise<void>
}

export interface WorkerOptions {
  database: Database
  seal: Seal
  sender: Sender
  /** Called when events have been committed. */
  committed(): void
  /** Told of what went wrong; it is tried again. */
  failed(error: Error): void
  /** For whoever measures. */
  observe?: {
    /** An attempt was made: it succeeded, will be repeated, or was the last one. */
    delivery(outcome: 'succeeded' | 'failed' | 'abandoned'): void
    /** The age of the oldest event that was not turned into its deliveries yet. */
    eventLag(seconds: number): void
  }
  delaysMs?: number[]
  /** How long a worker that does not come back keeps others from its deliveries: four times a request's time-out. */
  leaseMs?: number
  /** An endpoint that has failed for so long, in real time, is disabled. */
  patienceMs?: number
  /** How long a stop waits for answers; what is given up then is sent again. */
  partingMs?: number
  pollMs?: number
  /** Half of them to endpoints that fail: whoever does not answer must not keep others waiting. */
  maxAtOnce?: number
  maxPerEndpoint?: number
}

const FIVE_DAYS_MS = 5 * 24 * 3_600_000
const GONE = 410
const observed = { Succeeded: 'succeeded', Pending: 'failed', Failed: 'abandoned' } as const

export function openWebhookWorker(options: WorkerOptions): WebhookWorker {
  const { database, seal, sender, committed, failed, observe, delaysMs = retryDelaysMs } = options
  const {
    leaseMs = 60_000,
    patienceMs = FIVE_DAYS_MS,
    partingMs = 5_000,
    pollMs = 1_000,
    maxAtOnce = 200,
    maxPerEndpoint = 20,
  } = options
  const busy = new Map<number, number>()
  /** How many of those under way go to endpoints that fail. */
  let troubled = 0
  const running = new Set<Promise<void>>()
  const finished: { delivery: Claimed; outcome: Outcome }[] = []
  /** What the next turn is to look at. */
  let events = false
  let due = false
  /** No endpoint is enabled: until the next poll there is nothing that an event could mean. */
  let idle = false
  let closed = true
  let parting = false
  let turning: Promise<void> | undefined
  let writing: Promise<void> | undefined

  function look(): void {
    if (closed) return
    turning ??= turn()
      .catch(failed)
      .finally(() => {
        turning = undefined
      })
  }

  async function turn(): Promise<void> {
    while ((events || due) && !closed) {
      if (events) {
        events = false
        const { any, behind, moved, lagSeconds } = await followEvents(database)
        observe?.eventLag(lagSeconds)
        idle = !any
        // Not all may have fitted into one go. What another worker is at, it goes on with by itself.
        events ||= moved
        due ||= behind
      }
      if (due) {
        due = false
        if (!idle) await takeDue()
      }
    }
  }

  async function takeDue(): Promise<void> {
    const most = maxAtOnce - running.size
    if (most <= 0) return
    const startedMs = clock.elapsedMs()
    for (const delivery of await claimDeliveries(database, {
      lease: randomUUID(),
      leaseMs,
      most,
      maxFailing: Math.max(0, Math.ceil(maxAtOnce / 2) - troubled),
      maxPerEndpoint,
      busy,
    })) {
      count(delivery, 1)
      const work: Promise<void> = deliver(delivery, startedMs)
        .catch(failed)
        .finally(() => {
          count(delivery, -1)
          running.delete(work)
        })
      running.add(work)
    }
  }

  async function deliver(delivery: Claimed, startedMs: number): Promise<void> {
    // A process that was held up must not send what another may have taken over by now.
    const late = clock.elapsedMs() - startedMs > leaseMs / 2
    const sent = late ? undefined : await sender.send(postOf(delivery, seal))
    if (!sent || (sent.responseStatus === null && parting)) {
      return releaseDeliveries(database, [delivery])
    }
    const outcome = outcomeOf(delivery, sent, delaysMs)
    observe?.delivery(observed[outcome.status])
    finished.push({ delivery, outcome })
    writing ??= writeFinished().finally(() => {
      writing = undefined
    })
  }

  /** Outcomes that come while some are written are written together. What cannot be written is sent again. */
  async function writeFinished(): Promise<void> {
    while (finished.length > 0) {
      const batch = finished.splice(0)
      try {
        await writeOutcomes(
          database,
          batch.map(({ outcome }) => outcome),
        )
        await judge(batch)
      } catch (error) {
        failed(error as Error)
      }
      due = true
      look()
    }
  }

  /** Disables the endpoints that want no more or have failed for too long. A test tells nothing about either. */
  async function judge(batch: { delivery: Claimed; outcome: Outcome }[]): Promise<void> {
    const events = batch.filter(({ delivery }) => delivery.sequence !== null)
    const idsOf = (some: typeof events) => [...new Set(some.map(({ outcome }) => outcome.endpointId))]
    const well = idsOf(events.filter(({ outcome }) => outcome.status === 'Succeeded'))
    const failing = idsOf(events).filter((id) => !well.includes(id))
    const gone = events.filter(({ outcome }) => outcome.attempt.responseStatus === GONE)
    for (const { delivery } of gone) await disable({ id: delivery.endpointId, url: delivery.url, reason: 'Gone' })
    for (const id of await noteHealth(database, { well, failing, patienceMs })) {
      await disable({ id, url: null, reason: 'Failing' })
    }
  }

  async function disable(whom: Parameters<typeof disableEndpoint>[1]): Promise<void> {
    await database.transaction(async (transaction) => {
      const row = await disableEndpoint(transaction, whom)
      if (!row) return
      const origin = bankOrigin(row.organisationId)
      const events: NewEvent[] = []
      emit(
        { push: (event) => events.push({ event, origin }) },
        'webhookEndpoint.disabled',
        row.version,
        endpointOf(row),
      )
      await recordEvents(transaction, events)
    })
    committed()
  }

  function count({ endpointId, failing }: Claimed, change: number): void {
    if (failing) troubled += change
    const number = (busy.get(endpointId) ?? 0) + change
    if (number > 0) busy.set(endpointId, number)
    else busy.delete(endpointId)
  }

  function lookForAll(): void {
    events = true
    due = true
    look()
  }
  let poll: NodeJS.Timeout | undefined

  return {
    start() {
      closed = false
      poll = setInterval(lookForAll, pollMs)
      lookForAll()
    },

    heard() {
      if (idle) return
      events = true
      look()
    },

    changed() {
      idle = false
      lookForAll()
    },

    async close() {
      closed = true
      clearInterval(poll)
      await turning
      const answered = new AbortController()
      await Promise.race([
        Promise.all(running),
        sleep(partingMs, undefined, { signal: answered.signal }).catch(() => undefined),
      ])
      answered.abort()
      parting = true
      sender.abort()
      await Promise.all(running)
      await writing
      await sender.close()
    },
  }
}
