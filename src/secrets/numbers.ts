import { Recent } from '../base/recent.ts'
import type { Seal } from './seal.ts'

/**
 * Account numbers at other banks are stored as texts: this mark, which no number and no JSON begins with, and the Base64 of the
 * sealed number. A number is bound to its external account and not to a payment, so that a payment copies the text and
 * nothing is encrypted for it. A later correction seals another text; payments from before keep theirs.
 */
export const SEALED = '~'

/** Opened numbers are remembered, because the same ones are shown again and again: 0.2 µs in place of 10. */
const REMEMBERED = 20_000
const opened = new Recent<string, { seal: Seal; externalAccountId: number; number: string }>(REMEMBERED)

/** The seal that opens numbers; `kept` if they are written to a file, sealed as they are. */
export type NumberSeal = Seal | 'kept'

export function sealedNumber(seal: Seal, externalAccountId: number, number: string): string {
  return `${SEALED}${seal.seal(number, placeOf(externalAccountId)).toString('base64')}`
}

/** A stored number as later rows have it. Those that a version before sealing has stored are in clear until they are sealed in the background. */
export function inSealedForm(seal: Seal, externalAccountId: number, stored: string): string {
  return isSealedNumber(stored) ? stored : sealedNumber(seal, externalAccountId, stored)
}

export function isSealedNumber(stored: string): boolean {
  return stored.startsWith(SEALED)
}

/** The number in a stored text. Numbers of this bank are stored in clear, as are those of payments without an external account. */
export function clearNumber(seal: NumberSeal | undefined, externalAccountId: number | null, stored: string): string {
  if (!stored.startsWith(SEALED) || seal === 'kept') return stored
  if (!seal || externalAccountId === null) throw new Error('a sealed account number has no key')
  const known = opened.get(stored)
  if (known && known.seal === seal && known.externalAccountId === externalAccountId) return known.number
  const sealed = Buffer.from(stored.slice(SEALED.length), 'base64')
  const number = seal.unseal(sealed, placeOf(externalAccountId)).toString()
  opened.set(stored, { seal, externalAccountId, number })
  return number
}

/** The digest by which a number is found. */
export function numberDigest(seal: Seal, number: string): Buffer {
  return seal.digest(`account number\n${number}`)
}

/** The last four digits, which are stored in clear; none of a number that has no more. */
export function lastDigits(number: string): string {
  return number.length > 4 ? number.slice(-4) : ''
}

function placeOf(externalAccountId: number) {
  return { table: 'external_account', row: externalAccountId, column: 'account_number' }
}
