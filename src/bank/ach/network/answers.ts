import { bankingDaysAfter, dayNumberOf, daysAfter, easternInstant } from '../../../rails/ach/calendar.ts'
import { codeFor, type TransactionCode, transactionCode } from '../../../rails/ach/codes.ts'
import type { AchFile, Addenda, Batch, Entry } from '../../../rails/ach/file.ts'
import { writeAchFile } from '../../../rails/ach/write-file.ts'
import { entriesOf, type IncomingEntry } from '../incoming/entries.ts'
import { answeringAddenda } from '../returning/answering-addenda.ts'
import { type Behaviour, behaviourOf, refusalOf } from './behaviour.ts'
import { correctedData } from './corrected-data.ts'

/** The time of day at which answers arrive and settle. */
const ANSWERS_AT = '08:30'
/** Days from the settlement of an entry to the settlement of its answer. */
const ANSWER_BANKING_DAYS = 2
const LATE_DAYS = 45

/** A file with which other banks answer one of ours. */
export interface Answer {
  at: string
  name: string
  bytes: Buffer
}

export interface Answered {
  /** The id of the file that is answered. */
  fileId: number
  /** The routing number of this bank. */
  routingNumber: string
  /** Numbers of batches that were rejected, and so did not reach the other banks. */
  rejected: ReadonlySet<number>
}

/** The files with which the other banks answer a file, the earliest first. They depend on nothing but the arguments. */
export function answersOf(file: AchFile, answered: Answered): Answer[] {
  const byDay = new Map<string, [IncomingEntry, Behaviour][]>()
  for (const entry of entriesOf(file)) {
    const isForward = entry.kind === 'payment' || entry.kind === 'prenote'
    const behaviour = isForward ? behaviourOf(entry.accountNumber) : refusalOf(entry)
    if (!behaviour || answered.rejected.has(entry.batch.number)) continue
    const day = dayOf(entry, behaviour)
    const ofDay = byDay.get(day)
    if (ofDay) ofDay.push([entry, behaviour])
    else byDay.set(day, [[entry, behaviour]])
  }
  return [...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([day, entries]) => answerOf(day, entries, answered))
}

/** The day on which an answer settles. */
function dayOf({ settlesOn }: IncomingEntry, behaviour: Behaviour): string {
  const isLate = behaviour.type === 'return' && behaviour.isLate
  return isLate
    ? bankingDaysAfter(daysAfter(settlesOn, LATE_DAYS), 0)
    : bankingDaysAfter(settlesOn, ANSWER_BANKING_DAYS)
}

function answerOf(day: string, entries: [IncomingEntry, Behaviour][], answered: Answered): Answer {
  const { fileId } = answered
  const bytes = writtenBytes({
    header: incomingHeader(answered.routingNumber, { fileId, day, time: ANSWERS_AT }),
    batches: batchesOf(day, entries, answered),
  })
  const at = easternInstant(day, ANSWERS_AT)
  return { at, name: `${day.replaceAll('-', '')}-${ANSWERS_AT.replace(':', '')}-answer-${fileId}.ach`, bytes }
}

/**
 * The header of a file to this bank. The origin is made of the id of a file, because no two files share origin, time and
 * modifier.
 */
export function incomingHeader(
  routingNumber: string,
  { fileId, day, time }: { fileId: number; day: string; time: string },
): AchFile['header'] {
  return {
    destination: routingNumber,
    origin: fileId.toString(36).toUpperCase().padStart(10, '0'),
    ...{
      createdOn: day,
      createdAt: time,
      modifier: 'A',
      destinationName: '',
      originName: 'OTHER BANKS',
      reference: '',
    },
  }
}

export function writtenBytes(file: AchFile): Buffer {
  const writing = writeAchFile(file, { limits: { sameDayLimit: Number.MAX_SAFE_INTEGER } })
  if (writing.bytes !== null) return Buffer.from(writing.bytes)
  const [first] = writing.findings
  throw new Error(`a file of other banks cannot be written: ${first?.line}:${first?.column} ${first?.code}`)
}

/** The batches of answers: one for each bank, original batch, side and kind of answer. */
function batchesOf(day: string, entries: [IncomingEntry, Behaviour][], answered: Answered): Batch[] {
  const groups = new Map<string, Batch>()
  for (const [entry, behaviour] of entries) {
    const bank = entry.routingNumber.slice(0, 8)
    const isChange = behaviour.type === 'change'
    const key = [entry.batch.number, bank, entry.direction, isChange].join(' ')
    const group = groups.get(key) ?? {
      ...entry.batch,
      serviceClass: entry.direction === 'Credit' ? 220 : 225,
      ...(isChange && { secCode: 'COR' }),
      ...{ descriptiveDate: '', effectiveDate: day, settlementDay: dayNumberOf(day), bank, number: groups.size + 1 },
      entries: [],
    }
    group.entries.push(answeringEntry(entry, behaviour, answered))
    groups.set(key, group)
  }
  return [...groups.values()]
}

function answeringEntry(entry: IncomingEntry, behaviour: Behaviour, { routingNumber }: Answered): Entry {
  const meaning = transactionCode(entry.code)
  if (!meaning) throw new Error(`transaction code ${entry.code} does not exist`)
  const amount = behaviour.type === 'change' ? 0 : entry.amount
  return returnEntry(entry, meaning, { routingNumber, amount, sequence: entry.traceNumber.slice(-7) }, (original) => {
    const { type, code } = behaviour
    if (type === 'refusal') return answeringAddenda(code, entry, { settlesOn: entry.settlesOn })
    return type === 'change'
      ? { type, code, ...original, correctedData: correctedData(entry, code) }
      : { type, code, ...original, dateOfDeath: '', information: '' }
  })
}

/** The entry with which the receiving bank answers one of ours. Its trace number is of that bank. */
export function returnEntry(
  entry: Omit<Entry, 'addenda'>,
  { account, side }: Pick<TransactionCode, 'account' | 'side'>,
  { routingNumber, amount, sequence }: { routingNumber: string; amount: number; sequence: string },
  addendaOf: (original: { originalTrace: string; originalBank: string }) => Addenda,
): Entry {
  const code = codeFor(account, side, 'return')
  if (code === undefined) throw new Error(`transaction code ${entry.code} cannot be answered`)
  const originalBank = entry.routingNumber.slice(0, 8)
  const { accountNumber, identification, name, discretionary } = entry
  return {
    ...{ code, routingNumber, accountNumber, amount, identification, name, discretionary },
    traceNumber: originalBank + sequence,
    addenda: addendaOf({ originalTrace: entry.traceNumber, originalBank }),
  }
}
