import { changeCodes, returnCodes } from '../../../rails/ach/codes.ts'

/** How another bank of a sandbox answers an entry. */
export type Behaviour = { type: 'return'; code: string; isLate: boolean } | { type: 'change'; code: string }

const FORM = /^999([012])0000(\d\d)$/

/**
 * The answer that the number of the receiver's account asks for: 99900000NN a return with the code RNN, 99910000NN the
 * same return after 45 days, 99920000NN a notification of change with the code CNN. Other numbers, and codes that do not
 * exist, are not answered.
 */
export function behaviourOf(accountNumber: string): Behaviour | undefined {
  const [, kind, digits = ''] = FORM.exec(accountNumber.trim()) ?? []
  if (kind === undefined) return undefined
  if (kind === '2') return Object.hasOwn(changeCodes, `C${digits}`) ? { type: 'change', code: `C${digits}` } : undefined
  const code = `R${digits}`
  return Object.hasOwn(returnCodes, code) ? { type: 'return', code, isLate: kind === '1' } : undefined
}

/** Whether bytes may have an entry that is answered. Most files have none, and reading one of 100,000 entries takes a while. */
export function mayBeAnswered(bytes: Buffer): boolean {
  return /^6.{11}999[012]0000\d\d /m.test(bytes.toString('latin1'))
}
