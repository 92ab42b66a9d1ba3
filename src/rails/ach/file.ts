import type {
  batchControl,
  batchHeader,
  changeAddenda,
  contestAddenda,
  dishonourAddenda,
  entryDetail,
  fileHeader,
  paymentAddenda,
  refusedChangeAddenda,
  returnAddenda,
  terminalAddenda,
} from './layouts.ts'
import type { Layout, Values } from './record.ts'

/** An ACH file without the fields that follow from others: counts, totals, hashes, indicators. */
export interface AchFile {
  header: Values<typeof fileHeader>
  batches: Batch[]
}

export interface Batch extends Values<typeof batchHeader> {
  /** Message authentication code of the batch control, usually blank. */
  authentication: Values<typeof batchControl>['authentication']
  entries: Entry[]
}

export interface Entry extends Omit<Values<typeof entryDetail>, 'addendaIndicator'> {
  addenda: Addenda | null
  /** The addenda of a CTX entry after the first; absent if there are none. */
  further?: Addenda[]
  /** Present if an entry of a received file can be neither booked nor returned. */
  refused?: RefusedEntry
}

/** The reason why an entry cannot be applied. Members of the entry that could not be read are blank. */
interface RefusedEntry {
  kind: 'unsupported' | 'invalid'
  reason: string
  addendaLines: number
}

type Content<L extends Layout> = Omit<Values<L>, 'number' | 'entrySequence' | 'entryTrace'>

export type Addenda =
  | ({ type: 'payment' } & Content<typeof paymentAddenda>)
  | ({ type: 'terminal' } & Content<typeof terminalAddenda>)
  | ({ type: 'change' } & Content<typeof changeAddenda>)
  | ({ type: 'refusedChange' } & Content<typeof refusedChangeAddenda>)
  | ({ type: 'return' } & Content<typeof returnAddenda>)
  | ({ type: 'dishonour' } & Content<typeof dishonourAddenda>)
  | ({ type: 'contest' } & Content<typeof contestAddenda>)

/** Sums of a batch or a file. */
export interface Totals {
  /** Entries and addenda. */
  entryCount: number
  /** The sum of the receiving banks' first eight digits, its right ten digits. */
  entryHash: number
  debits: number
  credits: number
}

export function noTotals(): Totals {
  return { entryCount: 0, entryHash: 0, debits: 0, credits: 0 }
}

const HASH_END = 10_000_000_000

export function addTotals(to: Totals, from: Totals): void {
  to.entryCount += from.entryCount
  to.entryHash = (to.entryHash + from.entryHash) % HASH_END
  to.debits += from.debits
  to.credits += from.credits
}

/** Adds an entry without its addenda. The last digit of its code says the side: 1 to 4 is a credit. */
export function addEntry(
  to: Totals,
  { code, routingNumber, amount }: Pick<Entry, 'code' | 'routingNumber' | 'amount'>,
  isCredit = code % 10 < 5,
): void {
  addTotals(to, {
    entryCount: 1,
    entryHash: Number(routingNumber.slice(0, 8)),
    debits: isCredit ? 0 : amount,
    credits: isCredit ? amount : 0,
  })
}

/** Whether a batch reverses others, by the word that the rules demand. */
export function isReversal(description: string): boolean {
  return description.trim().toUpperCase() === 'REVERSAL'
}

/** The blocks of ten lines that a number of lines fills. */
export function blocksOf(lines: number): number {
  return Math.ceil(lines / 10)
}
