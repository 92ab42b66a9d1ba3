import { isDeepStrictEqual } from 'node:util'
import { summaryOf, type Transaction } from '../../banking/transactions/transaction.ts'
import { messageOf } from '../../base/message-of.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { completeEvents } from '../../events/stored/complete-events.ts'
import { splitEvents } from '../../events/stored/event-pages.ts'
import { clearNumber, isSealedNumber } from '../../secrets/numbers.ts'
import { openSeals, type Seals } from '../../secrets/seals.ts'
import { firstStatesReader } from '../first-states/first-states.ts'
import { type ProvenKind, provenKinds } from './kinds.sql.ts'
import * as sql from './records.sql.ts'

/** A record that is not as its events show it. */
export interface RecordBreach {
  organisationId: number
  record: string
  /** Number of its latest event; null if it has none. */
  event: number | null
  reason: string
}

export interface ProofOptions {
  /** The operator's key and, while it is being changed, the next one. */
  encryptionKeys: Buffer[]
  /** How long answers are kept at least. */
  keepAnswersMs: number
  /** Whether a connector serves: events of an upstream are about records that are not here. */
  connected?: boolean
  /** Called before each kind of record. */
  checking?: (kind: string, done: number, of: number) => void
}

const ROWS = 500
const PAGES = 200
/** Breaches of one kind that are named. */
const MAX_NAMED = 20
/** A deletion by age may be on its way. */
const MARGIN_MS = 3_600_000

/**
 * Compares records with their events, which the chain of hashes covers: the members that decide who may do what and where money
 * goes. A row that was changed, added or removed beside the service differs from them. Reads in portions, in one snapshot.
 */
export function verifyRecords(database: Database, options: ProofOptions): Promise<RecordBreach[]> {
  return database.transaction(async (transaction) => {
    await sql.beginProof(transaction)
    return proveRecords(transaction, options)
  })
}

/** Compares the records that a transaction sees: also those that it has not committed. */
export async function proveRecords(transaction: Queryable, options: ProofOptions): Promise<RecordBreach[]> {
  const { checking, connected = false } = options
  const seals = openSeals(reading(transaction), options.encryptionKeys)
  const breaches: RecordBreach[] = []
  const of = provenKinds.length + 2
  for (const [done, kind] of provenKinds.entries()) {
    checking?.(kind.entity, done, of)
    breaches.push(...(await breachesOf(transaction, kind, seals)))
    if (kind.stays && !connected) breaches.push(...(await removedOf(transaction, kind)))
  }
  checking?.('transaction', of - 2, of)
  for (const { id } of await sql.listOrganisations(transaction)) {
    breaches.push(...(await transactionBreaches(transaction, id, seals)))
  }
  checking?.('answer', of - 1, of)
  const keepMs = options.keepAnswersMs - MARGIN_MS
  const unanswered = await sql.findUnanswered(transaction, Math.min(keepMs, 100 * 366 * 86_400_000), MAX_NAMED)
  const unindexed = await sql.findUnindexed(transaction, MAX_NAMED)
  return [
    ...breaches,
    ...unanswered.map((each) => ({
      ...each,
      record: 'answer',
      reason: 'the stored answer of the request is missing',
    })),
    ...unindexed.map((each) => ({ ...each, record: 'event', reason: 'the index of events does not name it' })),
  ]
}

/** A database whose keys are read in the snapshot. An organisation without keys has sealed nothing yet. */
function reading(transaction: Queryable): Pick<Database, 'query' | 'transaction'> {
  return {
    query: (...statement) => transaction.query(...statement),
    transaction: () => Promise.reject(new Error('a check makes no keys')),
  }
}

async function breachesOf(transaction: Queryable, kind: ProvenKind, seals: Seals): Promise<RecordBreach[]> {
  const breaches: RecordBreach[] = []
  let after = 0
  for (;;) {
    const rows = await sql.readProvenRows(transaction, kind, after, ROWS)
    const events = await eventsOf(transaction, kind.entity, rows, seals)
    for (const row of rows) {
      await openNumber(row, seals)
      const shown = shownBy(kind, events.get(`${row.organisationId} ${row.id}`) ?? [])
      const reason = differenceOf(kind, row, shown)
      if (reason && breaches.length < MAX_NAMED) breaches.push(breachOf(kind.entity, row, shown.event, reason))
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < ROWS) return breaches
  }
}

/** The number of an external account is compared in clear: a text that was sealed for another account does not open. */
async function openNumber({ id, organisationId, members }: sql.ProvenRow, seals: Seals): Promise<void> {
  const { accountNumber } = members
  if (typeof accountNumber !== 'string' || !isSealedNumber(accountNumber)) return
  const seal = await seals.of(organisationId)
  try {
    members.accountNumber = clearNumber(seal, id, accountNumber)
  } catch (error) {
    members.accountNumber = `it does not open: ${messageOf(error)}`
  }
}

type OpenedEvent = sql.RecordEvent & { data: string }

/** The events of records with their data, by organisation and id. */
async function eventsOf(
  transaction: Queryable,
  entity: string,
  records: { organisationId: number; id: number | string }[],
  seals: Seals,
): Promise<Map<string, OpenedEvent[]>> {
  const stored = await sql.readEventsOf(transaction, entity, records)
  const events = await completeEvents(transaction, firstStatesReader(seals), stored)
  const byRecord = new Map<string, OpenedEvent[]>()
  for (const event of events) {
    const name = `${event.organisationId} ${event.entityId}`
    byRecord.set(name, [...(byRecord.get(name) ?? []), event])
  }
  return byRecord
}

/** The members that the events of a record show together: each member as the latest event that shows it, or would show it. */
interface Shown {
  members: Record<string, unknown>
  event: number | null
  /** Whether the data of some was destroyed by an erasure. */
  erased: boolean
}

function shownBy(kind: ProvenKind, events: OpenedEvent[]): Shown {
  const shown: Shown = { members: {}, event: events.at(-1)?.sequence ?? null, erased: false }
  for (const { type, data } of events) {
    const seen = JSON.parse(data) as Record<string, unknown>
    const part = kind.parts?.[type as keyof typeof kind.parts]
    if (seen.erased === true) shown.erased = true
    else if (part) shown.members[part] = seen
    else if (kind.whole) shown.members = seen
    else Object.assign(shown.members, seen)
    if (part === 'review') shown.members.overSettlement = seen.status
    shown.members.ended = /\.(revoked|deleted)$|^externalAccount\.rejected$/.test(type)
  }
  return shown
}

function differenceOf(kind: ProvenKind, row: sql.ProvenRow, { members, event, erased }: Shown): string | undefined {
  if (event === null) return row.whole ? 'no event shows it' : undefined
  if (erased)
    return kind.entity === 'customer' && row.members.status !== 'Erased' ? 'its events cannot be read' : undefined
  const names = Object.keys(kind.members).filter((name) => {
    const [own, shown] = [row.members[name], members[name]]
    // A record can end without an event, but it cannot come back.
    if (name === 'ended') return shown === true && own === false
    if (shown === undefined && !kind.optional?.includes(name)) return false
    return !isDeepStrictEqual(plain(own), plain(shown))
  })
  return names.length > 0 ? `its events show another ${names.join(', ')}` : undefined
}

/** Members that limits have besides those that were set. */
const counts = new Set(['id', 'used', 'usedAmount', 'usedCount', 'since', 'enforced'])

/** A value without members that are null or counted, so that one that was never set is the same as one that is empty. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return value ?? null
  const members = Object.entries(value).flatMap(([name, member]) => {
    const shown = counts.has(name) ? null : plain(member)
    return shown === null ? [] : [[name, shown] as const]
  })
  return members.length === 0 ? null : Object.fromEntries(members)
}

async function removedOf(transaction: Queryable, kind: ProvenKind): Promise<RecordBreach[]> {
  const removed = await sql.findRemoved(transaction, kind, MAX_NAMED)
  return removed.map(({ event, ...record }) => breachOf(kind.entity, record, event, 'its row is gone'))
}

/** Compares transfers with the transactions that their events show, if an event keeps the text. */
async function transactionBreaches(
  transaction: Queryable,
  organisationId: number,
  seals: Seals,
): Promise<RecordBreach[]> {
  const breaches: RecordBreach[] = []
  let after = 0
  for (;;) {
    const pages = await sql.readEventPages(transaction, organisationId, after, PAGES)
    const stored = pages.flatMap(({ last, count, events }) =>
      splitEvents(events).flatMap(({ type, entityId, entityVersion, data }, place) => {
        const event = { organisationId, type, entityId, entityVersion, data, sequence: last - count + place + 1 }
        return type === 'transaction.created' && data !== '' ? [event] : []
      }),
    )
    const events = await completeEvents(transaction, firstStatesReader(seals), stored)
    const numbers = stored.map(({ entityId }) => transferOf(entityId))
    const transfers = new Map((await sql.readTransfers(transaction, numbers)).map((row) => [row.id, row]))
    for (const event of events) {
      const reason = transactionDifference(event, transfers)
      const record = { organisationId, id: event.entityId }
      if (reason && breaches.length < MAX_NAMED) breaches.push(breachOf('transaction', record, event.sequence, reason))
    }
    after = pages.at(-1)?.last ?? after
    if (pages.length < PAGES) return breaches
  }
}

/** The id of a transfer: of its two sides the even one. */
function transferOf(entityId: string): number {
  return Number(entityId) - (Number(entityId) % 2)
}

function transactionDifference(
  { data, entityId }: Pick<OpenedEvent, 'data' | 'entityId'>,
  transfers: Map<number, sql.TransferRow>,
): string | undefined {
  const shown = JSON.parse(data) as Transaction & { erased?: true }
  const isDebit = Number(entityId) % 2 === 0
  const transfer = transfers.get(transferOf(entityId))
  if (shown.erased || !('attributes' in shown)) return undefined
  // With a connector the transactions of the upstream are not here.
  if (!transfer) return undefined
  const { createdAt, amount, direction, balance, summary, counterparty } = shown.attributes
  const { party, description, debitAccountId, debitBalance, creditAccountId, creditBalance } = transfer
  const same =
    createdAt === transfer.createdAt &&
    amount === transfer.amount &&
    direction === (isDebit ? 'Debit' : 'Credit') &&
    balance === (isDebit ? debitBalance : creditBalance) &&
    shown.relationships.account.data.id === String(isDebit ? debitAccountId : creditAccountId) &&
    (party === null || shown.relationships.payment !== undefined || counterparty.name === party) &&
    (description === null || summary === summaryOf(counterparty.name, description))
  return same ? undefined : 'its event shows another transfer'
}

function breachOf(
  entity: string,
  { organisationId, id }: { organisationId: number; id: number | string },
  event: number | null,
  reason: string,
): RecordBreach {
  return { organisationId, record: `${entity} ${id}`, event, reason }
}
