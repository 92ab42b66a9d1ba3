import { dayNumberOf, daysAfter, isBankingDay } from '../../../src/rails/ach/calendar.ts'
import type { Addenda, Batch, Entry } from '../../../src/rails/ach/file.ts'
import { writeAchFile } from '../../../src/rails/ach/write-file.ts'
import type { TestBank } from '../harness.ts'
import { batchOf, entryOf, fileOf, otherBank } from './ach-files.ts'

/** An entry that another bank sends. Its trace number follows from `sequence`. */
export interface SentEntry extends Partial<Omit<Entry, 'addenda'>> {
  sequence: number
  addenda?: Addenda | null
}

export interface Sent {
  entries: SentEntry[]
  /** The day on which the entries settle. */
  settlesOn: string
  modifier?: string
  batch?: Partial<Batch>
  header?: Parameters<typeof fileOf>[1]
  /** The routing number of the bank, if it is not that of a sandbox. */
  to?: string
}

/** The last banking day before a time, in UTC. Entries that settle on it are booked when they come, at every hour. */
export function lastBankingDay(before = new Date().toISOString()): string {
  let day = daysAfter(before.slice(0, 10), -1)
  while (!isBankingDay(day)) day = daysAfter(day, -1)
  return day
}

/** The bytes of a file that the ACH operator sends to the bank of the tests. */
export function incomingFile({ entries, settlesOn, modifier = 'A', batch, header, to = '812345678' }: Sent): Buffer {
  const made = entries.map(({ sequence, ...entry }) =>
    entryOf({ ...entry, routingNumber: to, traceNumber: otherBank + String(sequence).padStart(7, '0') }),
  )
  const own = { bank: otherBank, serviceClass: 200, effectiveDate: settlesOn, settlementDay: dayNumberOf(settlesOn) }
  const { bytes, findings } = writeAchFile(
    fileOf([batchOf(made, { ...own, ...batch })], {
      ...{ destination: to, origin: ' 061000146', createdOn: settlesOn, modifier, ...header },
    }),
  )
  if (bytes === null) throw new Error(`the test's file is not valid: ${JSON.stringify(findings)}`)
  return Buffer.from(bytes)
}

/** The return of an entry of the bank of the tests. */
export function returnOf(
  payment: { traceNumber: string; amount: number },
  { sequence, code = 'R03' }: { sequence: number; code?: string },
): SentEntry {
  return {
    ...{ sequence, code: 21, amount: payment.amount },
    addenda: {
      ...{ type: 'return', code, originalTrace: payment.traceNumber, dateOfDeath: '' },
      ...{ originalBank: otherBank, information: '' },
    },
  }
}

/** A notification of change of an entry of the bank of the tests. Its batch has the SEC code COR. */
export function changeOf(
  payment: { traceNumber: string },
  { sequence, code, data }: { sequence: number; code: string; data: string },
): SentEntry {
  return {
    ...{ sequence, code: 21, amount: 0 },
    addenda: { type: 'change', code, originalTrace: payment.traceNumber, originalBank: otherBank, correctedData: data },
  }
}

let sequence = 0

/** Receives one entry for an account, and returns its received payment. */
export async function receiveEntry(
  bank: TestBank,
  accountId: string,
  { settlesOn, ...entry }: Partial<SentEntry> & { settlesOn: string },
) {
  const account = (await bank.call('GET', `/v0/banking/accounts/${accountId}`)).json.data
  const modifier = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'[++sequence % 36] as string
  const own = { sequence, code: 22, amount: 7_00, accountNumber: account.accountNumber, ...entry }
  const { state } = await bank.takeFile({
    name: 'in.ach',
    bytes: incomingFile({ entries: [own], settlesOn, modifier }),
  })
  if (state !== 'applied') throw new Error(`the file is ${state}`)
  return (await bank.call('GET', `/v0/banking/received-payments?accountId=${accountId}&limit=1`)).json.data[0]
}
