import { atOnce, type Steps } from '../../base/pace.ts'
import { codeFor, type SecCode, type Side } from './codes.ts'
import { addEntry, addTotals, type Batch, type Entry, noTotals, type Totals } from './file.ts'
import { folded, plainText } from './plain-text.ts'

/** A payment that is to leave with a file. Names and texts may have any character. */
export interface OutgoingPayment {
  /** At most 15 characters, so that a return can be matched. */
  id: string
  amount: number
  side: Side
  companyName: string
  companyId: string
  description: string
  addenda?: string
  /** By default PPD for persons and CCD for businesses. */
  secCode?: Exclude<SecCode, 'COR'>
  effectiveDate: string
  /** The same-day window that is asked for, such as SD1300; empty for other entries. */
  descriptiveDate: string
  receiver: {
    name: string
    type: 'Person' | 'Business' | 'Unknown'
    accountType: 'Checking' | 'Savings' | 'Loan'
    routingNumber: string
    accountNumber: string
  }
  /** The last seven digits of the trace number. */
  sequence: number
}

/** Limits of the fields of batches and files. */
const MAX_ENTRIES = 999_999
const MAX_TOTAL = 999_999_999_999
const MAX_BATCHES = 9_999
/** Lines of a file, by the six digits of the block count, less some for headers and controls. */
const MAX_FILE_ENTRIES = 9_900_000

/**
 * The batches of payments, for each file that they need: one for everything of the same company, SEC code, description,
 * dates and side, and more if counts or totals would not fit their fields.
 */
export function batchesOf(payments: readonly OutgoingPayment[], bank: string): Batch[][] {
  return atOnce(batchingOf(payments, bank))
}

/** Payments of a step. */
const STEP = 100

/** The same in steps. */
export function* batchingOf(payments: readonly OutgoingPayment[], bank: string): Steps<Batch[][]> {
  const batches: Batch[] = []
  for (const group of (yield* groupsOf(payments)).values()) {
    const entries: Entry[] = []
    for (const payment of group) {
      entries.push(entryOf(payment, bank))
      if (entries.length % STEP === 0) yield
    }
    for (const part of splitEntries(entries)) batches.push(batchOf(group, bank, part))
  }
  return splitBatches(batches).map((file) => file.map((batch, index) => ({ ...batch, number: index + 1 })))
}

type Group = [OutgoingPayment, ...OutgoingPayment[]]

/** Payments of one batch, by rising trace numbers. */
function* groupsOf(payments: readonly OutgoingPayment[]): Steps<Map<string, Group>> {
  const groups = new Map<string, Group>()
  for (const [at, payment] of payments.toSorted((a, b) => a.sequence - b.sequence).entries()) {
    if (at % STEP === 0) yield
    const { companyName, companyId, effectiveDate, descriptiveDate, side } = payment
    const key = JSON.stringify([
      ...[plainText(companyName, 16), companyId, secCodeOf(payment), plainText(payment.description, 10)],
      ...[effectiveDate, descriptiveDate, side],
    ])
    const group = groups.get(key)
    if (group) group.push(payment)
    else groups.set(key, [payment])
  }
  return groups
}

function secCodeOf({ secCode, receiver }: OutgoingPayment): SecCode {
  return secCode ?? (receiver.type === 'Business' ? 'CCD' : 'PPD')
}

function batchOf([first]: Group, bank: string, entries: Entry[]): Batch {
  return {
    serviceClass: first.side === 'credit' ? 220 : 225,
    companyName: plainText(first.companyName, 16),
    companyData: '',
    companyId: first.companyId,
    secCode: secCodeOf(first),
    description: plainText(first.description, 10),
    descriptiveDate: first.descriptiveDate,
    effectiveDate: first.effectiveDate,
    ...{ settlementDay: '', originatorStatus: '1', bank, number: 0, authentication: '' },
    entries,
  }
}

function entryOf(payment: OutgoingPayment, bank: string): Entry {
  const { id, amount, side, receiver, sequence } = payment
  const secCode = secCodeOf(payment)
  const text = secCode === 'TEL' ? '' : folded(payment.addenda ?? '', 80)
  const code = codeFor(receiver.accountType, side, 'live')
  if (code === undefined) throw new RangeError(`no transaction code for a ${side} of ${receiver.accountType}`)
  return {
    code,
    routingNumber: receiver.routingNumber,
    accountNumber: receiver.accountNumber,
    amount,
    identification: id,
    name: plainText(receiver.name, 22),
    discretionary: secCode === 'WEB' || secCode === 'TEL' ? 'S' : '',
    traceNumber: bank + String(sequence).padStart(7, '0'),
    addenda: text === '' ? null : { type: 'payment', text },
  }
}

function splitEntries(entries: Entry[]): Entry[][] {
  return split(entries, MAX_ENTRIES, MAX_ENTRIES, (entry) => {
    const totals = noTotals()
    addEntry(totals, entry)
    if (entry.addenda) totals.entryCount++
    return totals
  })
}

function splitBatches(batches: Batch[]): Batch[][] {
  return split(batches, MAX_BATCHES, MAX_FILE_ENTRIES, ({ entries }) => {
    const totals = noTotals()
    for (const entry of entries) addEntry(totals, entry)
    totals.entryCount += entries.filter(({ addenda }) => addenda).length
    return totals
  })
}

/** Cuts a list into parts whose totals fit the fields of a control record. */
function split<T>(items: T[], maxItems: number, maxEntries: number, totalsOf: (item: T) => Totals): T[][] {
  const parts: T[][] = []
  let sum = noTotals()
  for (const item of items) {
    const totals = totalsOf(item)
    const last = parts.at(-1)
    const fits =
      last &&
      last.length < maxItems &&
      sum.entryCount + totals.entryCount <= maxEntries &&
      Math.max(sum.debits + totals.debits, sum.credits + totals.credits) <= MAX_TOTAL
    if (fits) last.push(item)
    else {
      parts.push([item])
      sum = noTotals()
    }
    addTotals(sum, totals)
  }
  return parts
}
