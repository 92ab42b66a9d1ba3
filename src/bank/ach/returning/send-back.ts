import { StartupError } from '../../../base/startup-error.ts'
import type { Books } from '../../../ledger/books.ts'
import { easternOf, returnDeadline, type Window } from '../../../rails/ach/calendar.ts'
import { contestCodes, dishonourCodes } from '../../../rails/ach/codes.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { receivedPayments } from '../../records/received.ts'
import type { AchException } from '../../records/received-records.ts'
import type { IncomingEntry } from '../incoming/entries.ts'
import { markedForReturn, newReceived } from '../incoming/received.ts'
import { receivedIn } from './kept-entries.ts'
import { filesOf } from './return-files.sql.ts'

/** An entry that goes back with a code: a return that is dishonored, or a dishonor that is contested. */
export interface SentEntry {
  /** The id of the received payment that takes it back. */
  id: number
  code: string
  entry: IncomingEntry
  windows: readonly Window[]
}

const kinds = {
  dishonor: { answers: 'return', codes: dishonourCodes, text: 'a return' },
  contest: { answers: 'dishonour', codes: contestCodes, text: 'the dishonor of a return' },
} as const

/** The entry of an exception that goes back. Throws if it cannot. */
export async function sentEntry(
  { database, seals, ids, ach }: BankParts,
  { id, fileId, line }: Pick<AchException, 'id' | 'fileId' | 'line'>,
  { to, code }: { to: keyof typeof kinds; code: string },
): Promise<SentEntry> {
  const { answers, codes, text } = kinds[to]
  if (ach === 'instant') throw new StartupError('entries are sent back with PURSER_ACH=windows only')
  if (!Object.hasOwn(codes, code)) throw new StartupError(`--${to} takes a code: ${Object.keys(codes).join(', ')}`)
  const [file] = await filesOf(database, [fileId])
  const entries = file ? receivedIn(await seals.of(file.keyOrganisationId), file) : undefined
  if (!entries)
    throw new StartupError(`ACH file ${fileId} of exception ${id} is not in this database: its organisation has moved`)
  const entry = line === null ? undefined : entries.get(line)
  if (entry?.addenda?.type !== answers || entry.amount === 0)
    throw new StartupError(`ACH exception ${id} is not ${text} with money`)
  return { id: await ids.next(), code, entry, windows: ach.windows }
}

/** Marks the entry of an exception as a received payment without an account, whose money is in suspense and that leaves as a return does. */
export function sendBack(
  books: Books,
  { organisationId, fileId }: Pick<AchException, 'organisationId' | 'fileId'>,
  { id, code, entry, windows }: SentEntry,
): void {
  const createdAt = books.now(organisationId)
  const received = newReceived({ fileId }, entry, undefined, { id, organisationId, createdAt })
  const marked = markedForReturn({ ...received, bookedAt: createdAt }, code, createdAt, windows)
  const limit = (dishonourCodes[code] ?? contestCodes[code])?.limit
  const deadline = limit ? returnDeadline(entry.settlesOn, limit) : null
  if (deadline !== null && easternOf(marked.returnSettlesAt ?? '').day > deadline)
    throw new StartupError(`it is too late for ${code}: it would have to settle by ${deadline}`)
  books.of(receivedPayments).insert(marked)
}
