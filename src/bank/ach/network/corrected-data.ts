import { codeFor, transactionCode } from '../../../rails/ach/codes.ts'
import type { Entry } from '../../../rails/ach/file.ts'

/** Two banks. A corrected routing number is that of the other one. */
const BANKS = ['011401533', '021000021'] as const

/** The corrected data of a notification of change, in the columns of its code. */
export function correctedData(entry: Pick<Entry, 'accountNumber' | 'routingNumber' | 'code'>, code: string): string {
  // A number that begins with 1 is not answered, so that the next payment arrives.
  const account = `1${entry.accountNumber.trim().slice(1)}`
  const routing = entry.routingNumber === BANKS[0] ? BANKS[1] : BANKS[0]
  const data: Record<string, string> = {
    C01: account,
    C02: routing,
    C03: routing.padEnd(12) + account,
    C04: 'CORRECTED RECEIVER',
    C05: otherCode(entry),
    C06: account.padEnd(20) + otherCode(entry),
    C07: routing + account.padEnd(17) + otherCode(entry),
    C09: entry.accountNumber.trim(),
    C13: 'ADDENDA FORMAT',
  }
  const found = data[code]
  if (found === undefined) throw new Error(`there are no corrected data for ${code}`)
  return found
}

/** The transaction code for the other type of account: savings for checking, checking for the others. */
function otherCode({ code }: Pick<Entry, 'code'>): string {
  const meaning = transactionCode(code)
  const other = meaning && codeFor(meaning.account === 'Checking' ? 'Savings' : 'Checking', meaning.side, 'live')
  if (other === undefined) throw new Error(`transaction code ${code} does not exist`)
  return String(other)
}
