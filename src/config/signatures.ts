import { type SignatureRules, type SignedDecision, signedDecisions } from '../base/operation.ts'
import { duration, within } from './kinds.ts'
import type { Kind, Reader } from './reader.ts'

/** Undefined if no decision needs a second person. */
export function signatureConfig({ optional, read }: Reader): SignatureRules | undefined {
  const from = optional('PURSER_TWO_SIGNATURES', decisions)
  const expiryMs = read('PURSER_PROPOSALS_EXPIRE', expiry, 7 * 86_400_000)
  return from && { from, expiryMs }
}

/** Decisions that have an amount. */
const withAmount: readonly SignedDecision[] = ['paymentApproval', 'holdRelease', 'writeOff']

const decisions: Kind<SignatureRules['from']> = {
  parse(given) {
    const from: SignatureRules['from'] = {}
    for (const part of given.split(',')) {
      const [, word, cents] = /^\s*(\w+)(?::(\d{1,15}))?\s*$/.exec(part) ?? []
      const decision = signedDecisions.find((each) => each === word)
      if (!decision || from[decision] !== undefined) return undefined
      if (cents !== undefined && !withAmount.includes(decision)) return undefined
      from[decision] = Number(cents ?? 0)
    }
    return from
  },
  expected: `decisions with a least amount in cents, such as paymentApproval:500000; decisions are ${signedDecisions.join(', ')}`,
}

const expiry: Kind<number> = {
  parse: (given) => within(duration.parse(given), 3_600_000, 366 * 86_400_000),
  expected: 'an ISO 8601 duration from PT1H to P366D',
}
