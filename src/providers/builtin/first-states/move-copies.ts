import { clock } from '../../../base/clock.ts'
import { idNumber } from '../../../base/ids.ts'
import type { Database, Queryable } from '../../../database/database.ts'
import { findFirstStates, firstStateIn, type ReadFirstStates } from '../../../events/stored/complete-events.ts'
import { joinEvents, splitEvents, withoutData } from '../../../events/stored/event-pages.ts'
import * as sql from './move-copies.sql.ts'

export interface MoveLimits {
  /** How long one call may take. A shutdown waits for it. */
  callMs: number
  /** Rows of event_page, and of answer, in one transaction: each takes some 20 ms. */
  pages: number
  answers: number
}

const LIMITS: MoveLimits = { callMs: 500, pages: 20, answers: 200 }

/**
 * Removes the copies of payments that former versions stored in events and answers. A copy goes only where the record
 * renders the same text to the byte; any other text stays. Each step commits by itself with its position, so that a
 * process that is killed loses nothing, and one process at a time works on a table. Returns whether all is done.
 */
export async function moveCopies(
  database: Database,
  read: ReadFirstStates,
  limits: Partial<MoveLimits> = {},
): Promise<boolean> {
  const { callMs, pages, answers } = { ...LIMITS, ...limits }
  const endsMs = clock.elapsedMs() + callMs
  const left = await sql.movesLeft(database)
  for (const source of left) {
    const step = (transaction: Queryable, move: sql.CopyMove) =>
      source === 'answer' ? moveAnswers(transaction, read, move, answers) : movePages(transaction, read, move, pages)
    while (await moveStep(database, source, step)) if (clock.elapsedMs() >= endsMs) return false
  }
  return left.length === 0
}

/** The position after a step; undefined where the table has been read to its end. */
type Step = (transaction: Queryable, move: sql.CopyMove) => Promise<sql.CopyMove | undefined>

/** Returns false where nothing is left to do here: at the end, and where another process works on the table. */
function moveStep(database: Database, source: sql.CopyMove['source'], step: Step): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const move = await sql.lockMove(transaction, source)
    if (!move) return false
    const next = await step(transaction, move)
    await (next ? sql.saveMove(transaction, next) : sql.endMove(transaction, source))
    return next !== undefined
  })
}

async function movePages(transaction: Queryable, read: ReadFirstStates, move: sql.CopyMove, take: number) {
  const pages = await sql.readPages(transaction, move, take)
  const stored = pages.map((page) => ({ page, events: splitEvents(page.events) }))
  const wanted = stored.flatMap(({ events }) => events.map((event) => ({ ...event, data: null })))
  const found = await findFirstStates(transaction, read, wanted)
  const changed = stored.flatMap(({ page, events }) => {
    const shorter = events.map((event) =>
      found && event.data !== '' && firstStateIn(found, event) === event.data ? withoutData(event) : event.text,
    )
    return shorter.some((text, place) => text !== events[place]?.text) ? [{ ...page, events: joinEvents(shorter) }] : []
  })
  if (changed.length > 0) await sql.updatePages(transaction, changed)
  const last = pages.length === take ? pages.at(-1) : undefined
  return last && { ...move, afterOrganisation: last.organisationId, afterLast: last.last }
}

async function moveAnswers(transaction: Queryable, read: ReadFirstStates, move: sql.CopyMove, take: number) {
  const answers = await sql.readBodies(transaction, move, take)
  const payments = answers.flatMap(({ body }) => (body === null ? [] : paymentIdIn(body)))
  const found = payments.length > 0 ? (await read(transaction, { payments, transactions: [] })).payments : undefined
  const changed = answers.flatMap(({ organisationId, keyHash, body }) => {
    const paymentId = body === null ? 0 : paymentIdIn(body)
    return body !== null && body === `{"data":${found?.get(paymentId)}}` ? [{ organisationId, keyHash, paymentId }] : []
  })
  if (changed.length > 0) await sql.updateAnswers(transaction, changed)
  const last = answers.length === take ? answers.at(-1) : undefined
  return last && { ...move, afterOrganisation: last.organisationId, afterKey: last.keyHash }
}

function paymentIdIn(body: string): number {
  return idNumber(/^\{"data":\{"id":"(\d+)"/.exec(body)?.[1] ?? '')
}
