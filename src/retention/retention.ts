import { clock } from '../base/clock.ts'
import { messageOf } from '../base/message-of.ts'
import type { Database, Queryable } from '../database/database.ts'
import { giveUpDeliveries } from '../webhooks/expiry/give-up-deliveries.ts'
import type { Keep } from './keep.ts'
import {
  beginStep,
  findExpiredEvents,
  markPositions,
  oldestEvent,
  pruneDenials,
  pruneEvents,
  pruneWebhookSecrets,
  readProgress,
  type Step,
  storeRetention,
  walkBlocks,
  walkedTables,
  writeProgress,
} from './retention.sql.ts'

/** Observes the deletion of old rows, for metrics. */
export interface RetentionObserver {
  pruned(kind: string, rows: number): void
  /** The age of the oldest row that is kept. */
  oldest(kind: string, seconds: number): void
  /** A walk through all rows of a kind is complete. */
  complete(kind: string): void
  failed(kind: string): void
}

export interface RetentionOptions {
  database: Database
  keep: Keep
  /** Reports a failure, which does not keep other kinds from being deleted. */
  failed(error: Error, kind: string): void
  /** A kind was worked on without a failure. */
  succeeded?(kind: string): void
  observe?: RetentionObserver | undefined
  limits?: Partial<RetentionLimits>
}

interface RetentionLimits {
  /** How long one call works on one kind. */
  kindMs: number
  /** Calls do nothing for so many times as long as the last one has worked. */
  pause: number
  /** How long a step may take. After a longer one, which a busy database causes, the next is half as large. */
  stepMs: number
  /** Blocks of a table that one step walks through: 64 hold some thousand rows, which take about 20 ms. */
  blocks: number
  /** Rows that one step deletes if it does not walk. */
  rows: number
  /** Pages of events that one step deletes, each with up to a hundred events. */
  pages: number
  /** Pause between two walks through a table. */
  restMs: number
}

const LIMITS: RetentionLimits = {
  ...{ kindMs: 50, pause: 9, stepMs: 30 },
  ...{ blocks: 64, rows: 500, pages: 50, restMs: 600_000 },
}
/** A database that is busy for good still gets rid of old rows. */
const MAX_PAUSE_MS = 5_000
/** The smallest share of the limits that a step has. */
const MIN_SHARE = 1 / 32

export interface Retention {
  /** Deletes old rows for a short while. Call it again and again. */
  prune(): Promise<void>
}

interface Parts extends Omit<RetentionOptions, 'limits'> {
  limits: RetentionLimits
  /** The share of the limits that the next step of a kind has; all of them if there is none. */
  shares: Map<string, number>
}

/** One step of one kind, in the transaction that it is given. */
type TakeStep = (transaction: Queryable, parts: Parts, block: number) => Promise<Step>

const kinds: { kind: string; take: TakeStep }[] = [
  // The marks come first: without them neither events nor deliveries have an age.
  { kind: 'marks', take: takeMarks },
  ...walkedTables.map((table) => ({
    kind: table.kind,
    take: (transaction: Queryable, { keep, limits }: Parts, from: number) =>
      walkBlocks(transaction, table, keep, { from, blocks: limits.blocks }),
  })),
  { kind: 'denials', take: (transaction, { limits }) => pruneDenials(transaction, limits.rows) },
  { kind: 'webhook_secrets', take: (transaction, { limits }) => pruneWebhookSecrets(transaction, limits.rows) },
  { kind: 'events', take: takeEvents },
]

/**
 * Deletes rows that are past their retention, in short transactions, and leaves the database to others most of the time: the busier
 * it is, the smaller are the steps and the longer the pauses. The progress is stored, so that any process takes the next step; an
 * advisory lock lets one of them at a time. The database reuses the space of deleted rows.
 */
export function openRetention({ limits, ...options }: RetentionOptions): Retention {
  const parts: Parts = { ...options, limits: { ...LIMITS, ...limits }, shares: new Map() }
  const dueMs = new Map<string, number>()
  let stored = false
  let pausesUntilMs = 0
  return {
    async prune() {
      const startedMs = clock.elapsedMs()
      if (startedMs < pausesUntilMs) return
      if (!stored) await storeRetention(parts.database, parts.keep)
      stored = true
      for (const { kind, take } of kinds) {
        if (clock.elapsedMs() < (dueMs.get(kind) ?? 0)) continue
        try {
          dueMs.set(kind, await pruneKind(parts, kind, take))
          parts.succeeded?.(kind)
        } catch (error) {
          parts.observe?.failed(kind)
          parts.failed(new Error(`old rows were not deleted (${kind}): ${messageOf(error)}`, { cause: error }), kind)
        }
      }
      const endedMs = clock.elapsedMs()
      pausesUntilMs = endedMs + Math.min(MAX_PAUSE_MS, parts.limits.pause * (endedMs - startedMs))
    },
  }
}

/** Takes steps until the walk is complete or the time is over. Returns when the next one is due. */
async function pruneKind(parts: Parts, kind: string, take: TakeStep): Promise<number> {
  const endsMs = clock.elapsedMs() + parts.limits.kindMs
  for (;;) {
    const waitMs = await takeStep(parts, kind, take)
    if (waitMs > 0 || clock.elapsedMs() >= endsMs) return clock.elapsedMs() + waitMs
  }
}

interface Taken {
  /** Absent if it was not the time for one. */
  step?: Step
  age?: number | null
  waitMs: number
}

/** Takes one step, and returns the time until the next one. */
async function takeStep(parts: Parts, kind: string, take: TakeStep): Promise<number> {
  const { database, observe, limits, shares } = parts
  const share = shares.get(kind) ?? 1
  const startedMs = clock.elapsedMs()
  const taken = await database.transaction<Taken>(async (transaction) => {
    // Another process takes a step: it is as well that this one does not.
    if (!(await beginStep(transaction))) return { waitMs: limits.kindMs }
    const { restsMs, block } = await readProgress(transaction, kind, limits.restMs)
    if (restsMs > 0) return { waitMs: restsMs }
    const step = await take(transaction, { ...parts, limits: partOf(limits, share) }, block)
    return { step, age: await writeProgress(transaction, kind, step), waitMs: step.done ? limits.restMs : 0 }
  })
  const isLong = clock.elapsedMs() - startedMs > limits.stepMs
  shares.set(kind, isLong ? Math.max(MIN_SHARE, share / 2) : Math.min(1, share * 2))
  const { step, age = null, waitMs } = taken
  if (step) observe?.pruned(kind, step.rows)
  if (age !== null) {
    observe?.oldest(kind, age)
    observe?.complete(kind)
  }
  return waitMs
}

/** The limits of a smaller step. */
function partOf(limits: RetentionLimits, share: number): RetentionLimits {
  const { blocks, rows, pages } = limits
  const part = (most: number) => Math.ceil(most * share)
  return { ...limits, blocks: part(blocks), rows: part(rows), pages: part(pages) }
}

async function takeMarks(transaction: Queryable): Promise<Step> {
  await markPositions(transaction)
  return { rows: 0, done: true, block: 0, oldest: null }
}

/** Deletes some events of the next organisation that has any to delete. The block is the id of the last organisation. */
async function takeEvents(transaction: Queryable, { keep, limits }: Parts, afterId: number): Promise<Step> {
  const expired =
    keep.eventsMs === Number.POSITIVE_INFINITY ? undefined : await findExpiredEvents(transaction, afterId, limits.pages)
  if (!expired) return { rows: 0, done: true, block: 0, oldest: await oldestEvent(transaction) }
  const { organisationId } = expired
  const { rows, all } = await giveUpDeliveries(transaction, { ...expired, most: limits.rows })
  // An organisation whose endpoints are in use has its turn in the next walk.
  if (!all) return { rows, done: false, block: rows > 0 ? organisationId - 1 : organisationId, oldest: null }
  const pages = await pruneEvents(transaction, expired)
  return { rows: rows + pages, done: false, block: pages > 0 ? organisationId - 1 : organisationId, oldest: null }
}
