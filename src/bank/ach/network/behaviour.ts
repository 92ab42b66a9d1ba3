import { changeCodes, contestCodes, dishonourCodes, returnCodes } from '../../../rails/ach/codes.ts'
import type { IncomingEntry } from '../incoming/entries.ts'

/** How another bank of a sandbox answers an entry. */
export type Behaviour =
  | { type: 'return'; code: string; isLate: boolean }
  | { type: 'change'; code: string }
  /** The dishonor of our return, or the contest of our dishonor. */
  | { type: 'refusal'; code: string }

const FORM = /^999([012])0000(\d\d)$/
const CONTESTED = /^9993(\d\d)00(\d\d)$/
const DISHONORED = /^dishonor (R\d\d)$/i

/**
 * The answer that the number of the receiver's account asks for: 99900000NN a return with the code RNN, 99910000NN the
 * same return after 45 days, 99920000NN a notification of change with the code CNN, 9993NN00CC the return NN after 45 days too, and the
 * contest RCC of its dishonor. Other numbers, and codes that do not
 * exist, are not answered.
 */
export function behaviourOf(accountNumber: string): Behaviour | undefined {
  const [, late] = CONTESTED.exec(accountNumber.trim()) ?? []
  const [, kind, digits = ''] = late === undefined ? (FORM.exec(accountNumber.trim()) ?? []) : ['', '1', late]
  if (kind === undefined) return undefined
  if (kind === '2') return Object.hasOwn(changeCodes, `C${digits}`) ? { type: 'change', code: `C${digits}` } : undefined
  const code = `R${digits}`
  return Object.hasOwn(returnCodes, code) ? { type: 'return', code, isLate: kind === '1' } : undefined
}

/** The answer to a return of ours, by the company name of the original entry, or to a dishonor of ours, by the account number. */
export function refusalOf({ addenda, accountNumber, batch }: IncomingEntry): Behaviour | undefined {
  const [, dishonor = ''] = addenda?.type === 'return' ? (DISHONORED.exec(batch.companyName.trim()) ?? []) : []
  const [, , contest = ''] = addenda?.type === 'dishonour' ? (CONTESTED.exec(accountNumber.trim()) ?? []) : []
  const code = dishonor ? dishonor.toUpperCase() : `R${contest}`
  return Object.hasOwn(dishonor ? dishonourCodes : contestCodes, code) ? { type: 'refusal', code } : undefined
}

/** Whether bytes may have an entry that is answered. Most files have none, and reading one of 100,000 entries takes a while. */
export function mayBeAnswered(bytes: Buffer): boolean {
  return /^(6.{11}999([012]00|3\d\d)00\d\d |5\d{3}dishonor R\d\d )/im.test(bytes.toString('latin1'))
}
