import { bankingDaysAfter, dayOfNumber, easternInstant } from '../../../rails/ach/calendar.ts'
import { transactionCode } from '../../../rails/ach/codes.ts'
import type { AchFile, Batch, Entry } from '../../../rails/ach/file.ts'
import type { ReceivedEntry } from '../../records/received-records.ts'

/** An entry of an incoming file, with its place and its batch. */
export interface IncomingEntry extends Entry {
  line: number
  batch: Batch
  kind: ReceivedEntry['kind']
  /** Credit if the entry brings money to the bank, Debit if it takes money. */
  direction: 'Credit' | 'Debit'
  settlesOn: string
  /** The time from which its money is booked. */
  dueAt: string
}

/** The time of day on the settlement day at which entries are booked. */
export function bookedAtOf(direction: IncomingEntry['direction']): string {
  return direction === 'Credit' ? '09:00' : '08:30'
}

/** The entries of a file in their order. Lines count from 1, as the reader counts them. */
export function entriesOf({ header, batches }: AchFile): IncomingEntry[] {
  const entries: IncomingEntry[] = []
  let line = 1
  for (const batch of batches) {
    line++
    const settlesOn = settlementOf(batch, header.createdOn)
    // Once a batch: an instant of Eastern time takes as long as the rest of an entry.
    const dueOf = {
      Credit: easternInstant(settlesOn, bookedAtOf('Credit')),
      Debit: easternInstant(settlesOn, bookedAtOf('Debit')),
    }
    for (const entry of batch.entries) {
      line++
      const direction = entry.code % 10 < 5 ? 'Credit' : 'Debit'
      entries.push({ ...entry, line, batch, kind: kindOf(entry), direction, settlesOn, dueAt: dueOf[direction] })
      const { addenda, further = [], refused } = entry
      line += refused?.addendaLines ?? (addenda ? 1 + further.length : 0)
    }
    line++
  }
  return entries
}

/** The settlement day of a batch. If the ACH operator has not filled it in, the effective date stands for it. */
function settlementOf({ settlementDay, effectiveDate }: Batch, createdOn: string): string {
  const near = effectiveDate || createdOn
  const settled = settlementDay === '' ? undefined : dayOfNumber(settlementDay, near)
  return settled ?? bankingDaysAfter(near, 0)
}

function kindOf({ addenda, code, refused }: Entry): ReceivedEntry['kind'] {
  if (refused) return 'other'
  if (addenda && addenda.type !== 'payment' && addenda.type !== 'terminal') return addenda.type
  return transactionCode(code)?.kind === 'live' ? 'payment' : 'prenote'
}

/** The totals of entries, as the control record of a file has them. */
export function totalsOf(entries: readonly IncomingEntry[]): { entryCount: number; debits: number; credits: number } {
  const sum = (direction: IncomingEntry['direction']) =>
    entries.reduce((total, entry) => total + (entry.direction === direction ? entry.amount : 0), 0)
  return { entryCount: entries.length, debits: sum('Debit'), credits: sum('Credit') }
}
