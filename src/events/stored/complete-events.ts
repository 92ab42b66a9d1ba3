import { idNumber } from '../../base/ids.ts'
import type { Queryable } from '../../database/database.ts'
import type { StoredEvent } from '../event.ts'
import { erasedData, isSealedData, type SealedData } from './sealed-data.ts'

/** Records by their ids, and the same with the JSON of each that was found. */
type RecordLists<Records> = Record<(typeof listOf)[keyof typeof listOf], Records>
export interface WantedRecords extends RecordLists<number[]> {
  sealed: SealedData[]
}
export interface FirstStates extends RecordLists<Map<number, string>> {
  /** Payments that were stopped since, as they were in the versions in which they were Pending, by `formerKey`. */
  formerPending: Map<string, string>
  /** Data that was sealed, by its stored text; null if its customer was erased. */
  opened: Map<string, string | null>
}

/**
 * Reads the first states of payments and transactions, as the interface showed them, in one look-up. The
 * columns behind them never change, so that an event is the same to the byte whenever it is read.
 */
export type ReadFirstStates = (database: Queryable, wanted: WantedRecords) => Promise<FirstStates>

/** The events that can be stored without data, and the list of records that each needs: payments as they were then. */
const listOf = {
  'payment.created': 'payments',
  'payment.pending': 'pending',
  'payment.pendingReview': 'pendingReview',
  'payment.clearing': 'clearing',
  'payment.sent': 'sent',
  'payment.rejected': 'rejected',
  'payment.canceled': 'canceled',
  'payment.returned': 'returned',
  'transaction.created': 'transactions',
} as const

/** Lists of records, each with a value of its own. */
function recordLists<Records>(make: () => Records): RecordLists<Records> {
  const lists = Object.values(listOf).map((list) => [list, make()])
  return Object.fromEntries(lists) as RecordLists<Records>
}

/** A look-up of nothing, to which records are added. */
export function noneWanted(): WantedRecords {
  return { ...recordLists<number[]>(() => []), sealed: [] }
}

/** The result of a look-up that found nothing. */
export function noneFound(): FirstStates {
  return { ...recordLists(() => new Map<number, string>()), formerPending: new Map(), opened: new Map() }
}

export function formerKey(id: number | string, version: number | string): string {
  return `${id}/${version}`
}

type Incomplete = Pick<StoredEvent, 'organisationId' | 'type' | 'entityId' | 'entityVersion' | 'data'>

/** Renders the data of those events that are stored without it, in at most one look-up for all of them. */
export async function completeEvents<Row extends Incomplete>(
  database: Queryable,
  readFirstStates: ReadFirstStates,
  rows: Row[],
): Promise<(Row & { data: string })[]> {
  const found = await findFirstStates(database, readFirstStates, rows)
  return rows.map((row) => ({ ...row, data: dataOf(row, found) }))
}

/** The first states of the records of events without data; undefined if all have theirs. */
export async function findFirstStates(
  database: Queryable,
  readFirstStates: ReadFirstStates,
  rows: Incomplete[],
): Promise<FirstStates | undefined> {
  const wanted = noneWanted()
  let any = false
  for (const row of rows) {
    const { type, entityId, data } = row
    if (isSealedData(data)) {
      any = true
      wanted.sealed.push({ ...row, data })
    }
    const list = data === null ? listNamed(type) : undefined
    if (!list) continue
    any = true
    wanted[list].push(idNumber(entityId))
  }
  return any ? readFirstStates(database, wanted) : undefined
}

/** The data of an event: as it is stored, or of its record in the first state. */
export function dataOf(row: Incomplete, found: FirstStates | undefined): string {
  const { type, entityId, data } = row
  const stored = isSealedData(data) ? found?.opened.get(data) : data
  if (stored === null && data !== null) return erasedData(entityId)
  const shown = stored ?? (found && firstStateIn(found, row))
  if (shown === undefined) throw new Error(`${type} of ${entityId} has neither data nor a record`)
  return shown
}

/** The record of an event in its first state; undefined if it was not found. */
export function firstStateIn(
  found: FirstStates,
  { type, entityId, entityVersion }: Pick<StoredEvent, 'type' | 'entityId' | 'entityVersion'>,
): string | undefined {
  const list = listNamed(type)
  const former = list === 'pending' ? found.formerPending.get(formerKey(entityId, entityVersion)) : undefined
  return former ?? (list && found[list].get(idNumber(entityId)))
}

function listNamed(type: string): keyof RecordLists<never> | undefined {
  return listOf[type as keyof typeof listOf]
}
