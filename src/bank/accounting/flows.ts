import { setTimeout as sleep } from 'node:timers/promises'
import type { LedgerFlow, ListLedgerFlowsQuery } from '../../accounting/list-ledger-flows.ts'
import { addMs, clock } from '../../base/clock.ts'
import { concurrencyLimit } from '../../base/concurrency-limit.ts'
import type { Caller } from '../../base/operation.ts'
import { Page } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { retryAfter } from '../../base/retry-after.ts'
import type { Queryable } from '../../database/database.ts'
import { bankTime } from '../time/clock.sql.ts'
import * as sql from './flows.sql.ts'
import { shownKind } from './words.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MAX_DAYS = 366
const DEFAULT_DAYS = 30

interface FlowLimits {
  /** Transfers that one statement sums, about a quarter of a second. */
  chunk: number
  /** Transfers outside of kept hours that one call sums. */
  maxLoose: number
  /** How long a call makes sums of hours. */
  budgetMs: number
  /** How long a call waits for transactions that may still write into past hours. */
  patienceMs: number
}

const plainLimits: FlowLimits = { chunk: 200_000, maxLoose: 1_000_000, budgetMs: 5_000, patienceMs: 1_000 }

interface Flows {
  database: Queryable
  organisationId: number
  limits: FlowLimits
  /** Whether the days are summed apart. */
  byDay: boolean
  totals: Map<string, Total>
}

interface Total {
  date?: string
  debitKind: string
  creditKind: string
  transfers: number
  amount: bigint
}

/** A stretch of time in milliseconds, without its end. */
interface Stretch {
  from: number
  until: number
}

/** One at a time: a sum keeps a core of the database busy. */
export function ledgerFlowsOf({ database }: { database: Queryable }, limits = plainLimits) {
  const limited = concurrencyLimit({ total: 1, perOrganisation: 1, waitMs: 10_000 })
  return ({ organisationId }: Caller, query: ListLedgerFlowsQuery): Promise<Page<LedgerFlow>> =>
    limited(organisationId, () =>
      listLedgerFlows({ database, organisationId, limits, byDay: query.interval === 'day', totals: new Map() }, query),
    )
}

async function listLedgerFlows(flows: Flows, query: ListLedgerFlowsQuery): Promise<Page<LedgerFlow>> {
  const { database, organisationId } = flows
  const now = await bankTime(database, organisationId)
  const asked = stretchOf(query, now)
  const first = await sql.findFirstTransferTime(database, organisationId)
  if (first === undefined) return new Page<LedgerFlow>([], false)
  const from = Math.max(asked.from, Math.floor(msOf(first) / HOUR_MS) * HOUR_MS)
  if (from >= asked.until) return new Page<LedgerFlow>([], false)

  const whole = wholeHours({ from, until: asked.until }, msOf(now))
  const missing = await addKeptHours(flows, whole)
  const final = missing.length > 0 && (await isFinal(flows))
  const edges = [
    { from, until: whole.from },
    { from: whole.until, until: asked.until },
  ]
  await addLoose(flows, final ? edges : [...edges, ...missing])
  if (final) await addMissingHours(flows, missing)
  return new Page(shownFlows(flows), false)
}

function stretchOf({ since, until }: ListLedgerFlowsQuery, now: string): Stretch {
  const end = msOf(until ?? now)
  const from = since === undefined ? end - DEFAULT_DAYS * DAY_MS : msOf(since)
  if (end - from > MAX_DAYS * DAY_MS) {
    throw new Problem('range_too_long', { detail: `A range has at most ${MAX_DAYS} days; ask for shorter ones.` })
  }
  // Now is included: a transfer of this millisecond counts.
  return { from, until: until === undefined ? end + 1 : end }
}

/** An instant in milliseconds; one between two milliseconds counts as the later one, because transfers have whole ones. */
function msOf(instant: string): number {
  return Date.parse(instant) + (instant.length > 24 ? 1 : 0)
}

const instantAt = (ms: number) => addMs('1970-01-01T00:00:00.000Z', ms)

/** The whole hours of a stretch that are over; empty, at the end of the stretch, if there are none. */
function wholeHours({ from, until }: Stretch, nowMs: number): Stretch {
  const first = Math.ceil(from / HOUR_MS) * HOUR_MS
  const end = Math.floor(Math.min(until, nowMs) / HOUR_MS) * HOUR_MS
  return first < end ? { from: first, until: end } : { from: until, until }
}

/** Adds the sums of hours that are kept, and returns the stretches of those that are not. */
async function addKeptHours(all: Flows, whole: Stretch): Promise<Stretch[]> {
  const { database, organisationId } = all
  const kept = await sql.findHours(database, organisationId, instantAt(whole.from), instantAt(whole.until))
  const known = new Set<number>()
  for (const { hour, flows } of kept) {
    known.add(msOf(hour))
    for (const row of flows) add(all, { ...row, hour })
  }
  const missing: Stretch[] = []
  for (let hour = whole.from; hour < whole.until; hour += HOUR_MS) {
    if (known.has(hour)) continue
    const last = missing.at(-1)
    if (last?.until === hour) last.until = hour + HOUR_MS
    else missing.push({ from: hour, until: hour + HOUR_MS })
  }
  return missing
}

/**
 * Whether no transfer can be added to the hours that are over. A batch takes its number when it locks accounts and reads
 * the time after that: once all transactions have ended that had a number when the hours were over, every transfer of
 * those hours is there. Rarely a transaction lasts longer; then nothing is kept.
 */
async function isFinal({ database, limits }: Flows): Promise<boolean> {
  const number = await sql.takeTransactionNumber(database)
  const endMs = clock.elapsedMs() + limits.patienceMs
  for (;;) {
    if (await sql.haveEnded(database, number)) return true
    if (clock.elapsedMs() > endMs) return false
    await sleep(20)
  }
}

/** Adds the transfers of stretches whose sums are not kept, up to a number of transfers. */
async function addLoose(flows: Flows, stretches: Stretch[]): Promise<void> {
  const { chunk, maxLoose } = flows.limits
  let left = maxLoose
  for (const stretch of stretches) {
    await eachChunk(flows, stretch, async (rows, further) => {
      left -= further ? chunk : rows.reduce((count, { transfers }) => count + transfers, 0)
      if (left < 0) {
        const detail = `More than ${maxLoose} transfers are outside of whole past hours; ask for shorter ranges or whole hours.`
        throw new Problem('range_too_long', { detail })
      }
      for (const row of rows) add(flows, row)
    })
  }
}

/** Makes, adds and keeps the sums of hours. When its time is over it ends after an hour; the next call continues there. */
async function addMissingHours(flows: Flows, missing: Stretch[]): Promise<void> {
  const { database, organisationId, limits } = flows
  const endMs = clock.elapsedMs() + limits.budgetMs
  for (const stretch of missing) {
    const open = new Map<number, sql.FlowRow[]>()
    let next = stretch.from
    await eachChunk(flows, stretch, async (rows, further) => {
      for (const { hour, ...row } of rows) {
        add(flows, { ...row, hour })
        open.set(msOf(hour), [...(open.get(msOf(hour)) ?? []), row])
      }
      const complete = further ? Math.floor(msOf(further.at) / HOUR_MS) * HOUR_MS : stretch.until
      if (complete === next) return
      const hours: sql.HourOfFlows[] = []
      for (; next < complete; next += HOUR_MS) hours.push({ hour: instantAt(next), flows: open.get(next) ?? [] })
      await sql.saveHours(database, organisationId, hours)
      if (clock.elapsedMs() > endMs && (further || stretch !== missing.at(-1))) {
        throw new Problem('unavailable', {
          detail: 'The sums of past hours are being made; retry to continue.',
          headers: retryAfter(1),
        })
      }
    })
  }
}

/** Sums a stretch in chunks of so many transfers. `further` is the place of the next chunk, if there is one. */
async function eachChunk(
  { database, organisationId, limits }: Flows,
  { from, until }: Stretch,
  work: (rows: (sql.FlowRow & { hour: string })[], further: sql.FlowPlace | undefined) => Promise<void>,
): Promise<void> {
  if (from >= until) return
  const end = { at: instantAt(until), id: 0 }
  let place: sql.FlowPlace | undefined = { at: instantAt(from), id: 0 }
  while (place) {
    const range: { from: sql.FlowPlace; until: string; count: number } = {
      from: place,
      until: end.at,
      count: limits.chunk,
    }
    const further: sql.FlowPlace | undefined = await sql.findPlaceFurther(database, organisationId, range)
    await work(await sql.sumFlows(database, organisationId, place, further ?? end), further)
    place = further
  }
}

function add({ totals, byDay }: Flows, row: sql.FlowRow & { hour: string }): void {
  const { transfers, amount } = row
  const [debitKind, creditKind] = [shownKind(row.debitKind), shownKind(row.creditKind)]
  const day = byDay ? { date: row.hour.slice(0, 10) } : {}
  const name = `${day.date ?? ''} ${debitKind} ${creditKind}`
  const total = totals.get(name) ?? { ...day, debitKind, creditKind, transfers: 0, amount: 0n }
  total.transfers += transfers
  total.amount += BigInt(amount)
  totals.set(name, total)
}

function shownFlows({ totals }: Flows): LedgerFlow[] {
  const names = [...totals.keys()].sort()
  return names.flatMap((name) => {
    const total = totals.get(name)
    if (!total) return []
    if (!Number.isSafeInteger(Number(total.amount))) {
      throw new Problem('balance_limit', { detail: 'A sum of this range passes 9,007,199,254,740,991 cents.' })
    }
    return [{ ...total, amount: Number(total.amount) }]
  })
}
