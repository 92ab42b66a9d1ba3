import { checkDigitOf } from '../../../base/routing-number.ts'
import { easternOf } from '../../../rails/ach/calendar.ts'
import { codeFor, transactionCode } from '../../../rails/ach/codes.ts'
import type { Batch, Entry } from '../../../rails/ach/file.ts'
import { folded, plainText } from '../../../rails/ach/plain-text.ts'
import { answeringAddenda, type ContestedReturn } from './answering-addenda.ts'
import type { KeptEntry } from './kept-entries.ts'
import type { LeavingReturn } from './return-files.sql.ts'

/** A received payment that is returned, and the entry that brought it. */
export interface OriginalEntry {
  received: LeavingReturn
  entry: KeptEntry
  /** Present if a contest goes back. */
  contested?: ContestedReturn | undefined
}

/** The return as it is sent. */
export interface SentReturn {
  received: LeavingReturn
  traceNumber: string
}

/**
 * The batches of returns: one for everything of the same organisation, original company, SEC code, description, side and
 * settlement. The company stays that of the original entry; the bank is the one that returns.
 */
export function returnBatchesOf(originals: OriginalEntry[], bank: string): (Batch & { returns: SentReturn[] })[] {
  const groups = new Map<string, OriginalEntry[]>()
  for (const original of originals.toSorted((a, b) => a.received.sequence - b.received.sequence)) {
    const { batch } = original.entry
    const { organisationId, direction, settlesAt } = original.received
    const own = [batch.companyName, batch.companyId, batch.companyData, batch.secCode, batch.description]
    const key = JSON.stringify([organisationId, direction, settlesAt, ...own])
    const group = groups.get(key)
    if (group) group.push(original)
    else groups.set(key, [original])
  }
  return [...groups.values()].map((group, index) => batchOf(group, bank, index + 1))
}

function batchOf(group: OriginalEntry[], bank: string, number: number): Batch & { returns: SentReturn[] } {
  const [first] = group
  if (!first) throw new Error('a batch without returns')
  const { batch } = first.entry
  const { direction, settlesAt } = first.received
  const traceOf = ({ received }: OriginalEntry) => bank + String(received.sequence).padStart(7, '0')
  return {
    serviceClass: direction === 'Credit' ? 220 : 225,
    companyName: plainText(batch.companyName, 16),
    companyData: folded(batch.companyData, 20),
    companyId: batch.companyId,
    secCode: batch.secCode,
    description: plainText(batch.description, 10),
    descriptiveDate: '',
    effectiveDate: easternOf(settlesAt).day,
    ...{ settlementDay: '', originatorStatus: '1', bank, number, authentication: '' },
    entries: group.map((original) => entryOf(original, traceOf(original))),
    returns: group.map((original) => ({ received: original.received, traceNumber: traceOf(original) })),
  }
}

/** The entry that goes back to the bank that sent it, with its account, amount and name. */
function entryOf({ received, entry, contested }: OriginalEntry, traceNumber: string): Entry {
  const meaning = transactionCode(entry.code)
  const code = meaning && codeFor(meaning.account, meaning.side, 'return')
  if (code === undefined) throw new Error(`transaction code ${entry.code} cannot be returned`)
  const { bank } = entry.batch
  return {
    code,
    routingNumber: bank + checkDigitOf(bank),
    accountNumber: folded(entry.accountNumber, 17),
    amount: entry.amount,
    identification: folded(entry.identification, 15),
    name: plainText(entry.name, 22),
    discretionary: entry.discretionary,
    traceNumber,
    addenda: answeringAddenda(received.returnCode, entry, { settlesOn: received.settlesOn, contested }),
  }
}
