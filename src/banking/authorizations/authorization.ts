import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import { Timestamp, Word } from '../../base/text.ts'
import { requireAllowed, type StateRules } from '../state-rules.ts'

const authorizationStatuses = ['Authorized', 'Completed', 'Canceled', 'Declined'] as const
export type AuthorizationStatus = (typeof authorizationStatuses)[number]

const declineReasons = ['CardNotActive', 'AccountNotOpen', 'InsufficientFunds'] as const
export type DeclineReason = (typeof declineReasons)[number]

const AuthorizationMerchant = Type.Object(
  {
    name: Type.String({ examples: ['Sample Coffee'] }),
    category: Type.String({ examples: ['Restaurants'] }),
    location: Type.String({ examples: ['Springfield, IL'] }),
  },
  { $id: 'AuthorizationMerchant' },
)

export const Authorization = Type.Object(
  {
    id: RecordId(),
    status: Word(authorizationStatuses),
    amount: CentsValue,
    description: Type.String({ examples: ['Sample Coffee'] }),
    createdAt: Timestamp,
    cardLast4Digits: Type.String({ examples: ['4242'] }),
    merchant: AuthorizationMerchant,
    reason: Type.Optional(Word(declineReasons)),
  },
  { $id: 'Authorization' },
)
export type Authorization = Static<typeof Authorization>

/**
 * The operations that need an authorization in a certain state. `settleAuthorization` leads to `Completed` only when it is
 * final; a part that settled can be refunded whatever became of the rest.
 */
export const authorizationRules = {
  settleAuthorization: { from: ['Authorized'], otherwise: 'authorization_not_open' },
  reverseAuthorization: { from: ['Authorized'], to: 'Canceled', otherwise: 'authorization_not_open' },
  refundAuthorization: { from: ['Authorized', 'Completed', 'Canceled'], otherwise: 'authorization_not_settled' },
} as const satisfies StateRules<string, AuthorizationStatus>

/** Throws the refusal of an authorization of which nothing can be refunded. */
export function requireRefundable(authorization: {
  status: AuthorizationStatus
  settled: number
  refunded: number
}): void {
  requireAllowed(authorizationRules, 'refundAuthorization', authorization.status)
  if (authorization.settled === 0) throw new Problem('authorization_not_settled')
  if (authorization.refunded === authorization.settled) throw new Problem('refund_exceeds_settlement')
}

/** The amount that an authorization holds on its account: nothing once it is no longer open. */
export function heldBy({
  status,
  amount,
  settled,
}: {
  status: AuthorizationStatus
  amount: number
  settled: number
}): number {
  return status === 'Authorized' ? Math.max(0, amount - settled) : 0
}
