import { clock } from '../../base/clock.ts'
import { idNumber } from '../../base/ids.ts'
import { type Database, OrganisationEnded, type Queryable } from '../../database/database.ts'
import { type FirstStates, findFirstStates, firstStateIn, noneWanted } from '../../events/stored/complete-events.ts'
import { joinEvents, type PagedEvent, splitEvents, withData } from '../../events/stored/event-pages.ts'
import { sealedData } from '../../events/stored/sealed-data.ts'
import { clearNumber, lastDigits, numberDigest, SEALED, sealedNumber } from '../../secrets/numbers.ts'
import type { Seal } from '../../secrets/seal.ts'
import type { Seals } from '../../secrets/seals.ts'
import { firstStatesReader } from './first-states.ts'
import * as sql from './move-copies.sql.ts'

export interface MoveLimits {
  /** How long one call may take. A shutdown waits for it. */
  callMs: number
  /** Rows of event_page, and of answer, in one transaction: each takes some 20 ms. */
  pages: number
  answers: number
  /** Rows of external_account and payment. */
  numbers: number
}

const LIMITS: MoveLimits = { callMs: 500, pages: 20, answers: 200, numbers: 200 }

/**
 * Removes the copies of payments that former versions stored in events and answers. A copy goes only if the record
 * renders the same text to the byte; any other text with an account number at another bank is sealed, as are the
 * numbers of external accounts and payments. Each step commits by itself with its position, so that a
 * process that is killed loses nothing, and one process at a time works on a table. Returns whether all is done.
 */
export async function moveCopies(database: Database, seals: Seals, limits: Partial<MoveLimits> = {}): Promise<boolean> {
  const { callMs, ...takes } = { ...LIMITS, ...limits }
  const endsMs = clock.elapsedMs() + callMs
  const left = await sql.movesLeft(database)
  for (const source of left) {
    const { step, take } = steps[source]
    while (await moveStep(database, source, (each, move) => step({ transaction: each, seals }, move, takes[take])))
      if (clock.elapsedMs() >= endsMs) return false
  }
  return left.length === 0
}

/** The position after a step; undefined if the table has been read to its end. */
type Position = Promise<sql.CopyMove | undefined>
type Step = (transaction: Queryable, move: sql.CopyMove) => Position

/** Returns false if nothing is left to do here: at the end, and if another process works on the table. */
function moveStep(database: Database, source: sql.CopyMove['source'], step: Step): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const move = await sql.lockMove(transaction, source)
    if (!move) return false
    const next = await step(transaction, move)
    await (next ? sql.saveMove(transaction, next) : sql.endMove(transaction, source))
    return next !== undefined
  })
}

interface Mover {
  transaction: Queryable
  seals: Seals
}

const steps: Record<
  sql.CopyMove['source'],
  { step(mover: Mover, move: sql.CopyMove, take: number): Position; take: 'pages' | 'answers' | 'numbers' }
> = {
  event_page: { step: movePages, take: 'pages' },
  answer: { step: moveAnswers, take: 'answers' },
  external_account: { step: moveExternalAccounts, take: 'numbers' },
  payment: { step: movePayments, take: 'numbers' },
}

/** The seals of the organisations of some rows. Those of one that has ended are left as they are: they are about to go. */
async function sealsOf({ seals }: Mover, rows: { organisationId: number }[]): Promise<Map<number, Seal>> {
  const found = new Map<number, Seal>()
  for (const organisationId of new Set(rows.map((row) => row.organisationId))) {
    try {
      found.set(organisationId, await seals.of(organisationId))
    } catch (error) {
      if (!(error instanceof OrganisationEnded)) throw error
    }
  }
  return found
}

async function movePages(mover: Mover, move: sql.CopyMove, take: number) {
  const { transaction, seals } = mover
  const pages = await sql.readPages(transaction, move, take)
  const known = await sealsOf(mover, pages)
  const stored = pages.flatMap((page) => {
    const seal = known.get(page.organisationId)
    return seal ? [{ page, seal, events: splitEvents(page.events) }] : []
  })
  const wanted = stored.flatMap(({ page, events }) =>
    events.map((event) => ({ ...event, organisationId: page.organisationId, data: null })),
  )
  const found = await findFirstStates(transaction, firstStatesReader(seals), wanted)
  const numbers = stored.flatMap(({ events }) => events.flatMap((event) => counterpartyNumber(event) ?? []))
  const own = numbers.length > 0 ? await sql.ownNumbers(transaction, numbers) : new Set<string>()
  const changed = stored.flatMap(({ page, seal, events }) => {
    const texts = events.map((event) => movedEvent(event, { seal, found, own }))
    return texts.some((text, place) => text !== events[place]?.text) ? [{ ...page, events: joinEvents(texts) }] : []
  })
  if (changed.length > 0) await sql.updatePages(transaction, changed)
  const last = pages.length === take ? pages.at(-1) : undefined
  return last && { ...move, afterOrganisation: last.organisationId, afterLast: last.last }
}

/** An event without a copy that its record renders, and with data that is sealed if it shows a number of another bank. */
function movedEvent(
  event: PagedEvent,
  { seal, found, own }: { seal: Seal; found: FirstStates | undefined; own: Set<string> },
): string {
  if (!event.data.startsWith('{')) return event.text
  if (found && firstStateIn(found, event) === event.data) return withData(event, '')
  const number = counterpartyNumber(event)
  const shows = /^(payment|externalAccount)\./.test(event.type) || (number !== undefined && !own.has(number))
  return shows ? withData(event, sealedData(seal, event, event.data)) : event.text
}

/** The number that the data of a transaction shows. */
function counterpartyNumber({ type, data }: PagedEvent): string | undefined {
  if (!type.startsWith('transaction.') || !data.startsWith('{')) return undefined
  const number: unknown = JSON.parse(data)?.attributes?.counterparty?.accountNumber
  return typeof number === 'string' && number !== '' ? number : undefined
}

async function moveAnswers(mover: Mover, move: sql.CopyMove, take: number) {
  const { transaction, seals } = mover
  const answers = await sql.readBodies(transaction, move, take)
  const bodies = answers.flatMap(({ body, ...answer }) => (body === null ? [] : [{ ...answer, body }]))
  const known = await sealsOf(mover, bodies)
  const open = bodies.filter(({ organisationId }) => known.has(organisationId))
  const payments = open.flatMap(({ body }) => paymentIdIn(body) ?? [])
  const wanted = { ...noneWanted(), payments, returned: payments }
  const found = payments.length > 0 ? await firstStatesReader(seals)(transaction, wanted) : undefined
  for (const answer of open) {
    const seal = known.get(answer.organisationId)
    if (seal) await moveAnswer(transaction, answer, found, seal)
  }
  const last = answers.length === take ? answers.at(-1) : undefined
  return last && { ...move, afterOrganisation: last.organisationId, afterKey: last.keyHash }
}

async function moveAnswer(
  transaction: Queryable,
  answer: sql.AnswerBody & { body: string },
  found: FirstStates | undefined,
  seal: Seal,
): Promise<void> {
  const { organisationId, keyHash, body } = answer
  const paymentId = paymentIdIn(body)
  const isState = (states: Map<number, string> | undefined) =>
    paymentId !== undefined && body === `{"data":${states?.get(paymentId)}}`
  if (isState(found?.payments)) return sql.updateAnswer(transaction, answer, { body: '', paymentId, status: null })
  if (isState(found?.returned))
    return sql.updateAnswer(transaction, answer, { body: '', paymentId, status: 'Returned' })
  const place = { table: 'answer', row: `${organisationId}/${keyHash.toString('hex')}`, column: 'sealed' }
  const id: unknown = JSON.parse(body)?.data?.id
  await sql.updateAnswer(transaction, answer, {
    body: JSON.stringify({ data: { id } }),
    sealed: seal.seal(body, place),
  })
}

function paymentIdIn(body: string): number | undefined {
  const [, id] = /^\{"data":\{"id":"(\d+)","type":"achPayment"/.exec(body) ?? []
  return id === undefined ? undefined : idNumber(id)
}

async function moveExternalAccounts(mover: Mover, move: sql.CopyMove, take: number) {
  const rows = await sql.readExternalAccounts(mover.transaction, move, take)
  const known = await sealsOf(mover, rows)
  for (const { organisationId, id, accountNumber } of rows) {
    const seal = known.get(organisationId)
    if (!seal || accountNumber.startsWith(SEALED)) continue
    await sql.updateExternalAccount(mover.transaction, {
      id,
      before: accountNumber,
      accountNumber: sealedNumber(seal, id, accountNumber),
      numberDigest: numberDigest(seal, accountNumber),
      lastDigits: lastDigits(accountNumber),
    })
  }
  const last = rows.length === take ? rows.at(-1) : undefined
  return last && { ...move, afterOrganisation: last.organisationId, afterLast: last.id }
}

/** A payment gets the sealed number of its external account, or one of its own if the external account has changed. */
async function movePayments(mover: Mover, move: sql.CopyMove, take: number) {
  const rows = await sql.readPaymentNumbers(mover.transaction, move, take)
  const known = await sealsOf(mover, rows)
  const changed = rows.flatMap(({ organisationId, id, externalAccountId, number, copied }) => {
    const seal = known.get(organisationId)
    if (!seal || externalAccountId === null || number === null) return []
    const isSealed = copied !== null && copied !== number && clearNumber(seal, externalAccountId, copied) === number
    return [{ id, number: isSealed ? copied : sealedNumber(seal, externalAccountId, number) }]
  })
  if (changed.length > 0) await sql.updatePaymentNumbers(mover.transaction, changed)
  const last = rows.length === take ? rows.at(-1) : undefined
  return last && { ...move, afterLast: last.id }
}
