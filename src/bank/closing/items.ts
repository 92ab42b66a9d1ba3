import { type EntryKind, type KindMapping, kindOf } from '../../rails/statements/codes.ts'
import type { StatementEntry } from '../../rails/statements/statement.ts'
import type { MovementRow } from './ledger.sql.ts'

/** A line of the statement or a movement of the ledger, as the matching sees it. */
export interface Item {
  id: number
  side: 'statement' | 'ledger'
  /** The day in Eastern time. */
  day: string
  /** Cents: positive if money came to the settlement account. */
  amount: number
  hasDirection: boolean
  /** Whether a person ended a match of it, so that no rule matches it again. */
  byHand: boolean
  /** The kind of a line, or the kinds of lines that may show a movement. */
  kinds: string[]
  /** References, each with its type in front. */
  keys: string[]
  /** Movements that a bank may show as one line. */
  groups: string[]
  description: string
}

export type NewItem = Omit<Item, 'id'> & { place: number | null; transferId: number | null }

/** The item of a line of a statement. */
export function itemOfEntry(entry: StatementEntry, asOf: string, mapping: KindMapping): NewItem {
  const { place, amount, direction, codes, references, text, bankReference } = entry
  const kind = kindOf(codes, mapping)
  return {
    ...{ side: 'statement', place, transferId: null, day: asOf, amount, hasDirection: direction !== null, groups: [] },
    byHand: false,
    ...{ kinds: [kind], keys: keysIn(references, text, kind) },
    description: [codes[0], bankReference, ...references, text].filter(Boolean).join(' ').slice(0, 500),
  }
}

/** The references to our records in the references and the text of a line. */
function keysIn(references: readonly string[], text: string, kind: EntryKind): string[] {
  const said = [...references, text].join(' ').slice(0, 20_000)
  const found = (type: string, pattern: RegExp) => [...said.matchAll(pattern)].map((match) => `${type}:${match[1]}`)
  const numbers = references
    .filter((each) => kind === 'settlement' && /^\d{7}$/.test(each))
    .map((each) => `batch:${Number(each)}`)
  const keys = [
    ...found('trace', /\b(\d{15})\b/g),
    ...found('id', /\b([1-9]\d{6,15})\b/g),
    ...found('company', /\bCO(?:MPANY)? ?ID[ :#]*(\w{1,10})\b/gi),
    ...found('company', /\b(\w{1,10})-\d{7}\b/g),
    ...found('batch', /\bBATCH[ :#]*0*(\d{1,7})\b/gi),
    ...found('batch', /\b\w{1,10}-0*(\d{1,7})\b/g),
    ...numbers,
  ]
  return [...new Set(keys)].slice(0, 50)
}

/** The item of a movement of the ledger. */
export function itemOfMovement(movement: MovementRow): NewItem {
  const { transferId, day, amount, sourceKind, sourceId, batchNumber, companyId, returnSide, traces, fileId } = movement
  const kinds =
    sourceKind === 'ach_settlement' && returnSide ? ['settlement', 'return'] : (kindsBySource[sourceKind] ?? [])
  const [main = 'other'] = kinds
  const sign = amount < 0 ? 'debit' : 'credit'
  const keys = [
    ...(batchNumber === null ? [] : [`batch:${batchNumber}`]),
    ...(companyId === null ? [] : [`company:${companyId.trim()}`]),
    ...traces.map((trace) => `trace:${trace}`),
    ...(sourceId === null ? [] : [sourceKind === 'statement_booking' ? `item:${sourceId}` : `id:${sourceId}`]),
  ]
  const file = fileId === null ? [] : [`${main} ${sign} file ${fileId}`, `${main} net file ${fileId}`]
  const company = companyId === null ? [] : [`${main} ${sign} company ${companyId.trim()} ${day}`]
  return {
    ...{ side: 'ledger', place: null, transferId, day, amount, hasDirection: true, byHand: false, kinds, keys },
    groups: kinds.length === 0 ? [] : [...company, ...file, `${main} ${sign} ${day}`, `${main} net ${day}`],
    description: movement.description.slice(0, 500),
  }
}

/** The kinds of lines that may show a transfer. One that is booked by hand is found by its item alone. */
const kindsBySource: Record<string, EntryKind[]> = {
  ach_settlement: ['settlement'],
  received_ach: ['received'],
  ach_return: ['return'],
  ach_exception: ['received', 'return'],
}
