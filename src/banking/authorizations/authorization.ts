import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import { CreatedAt, described, Word } from '../../base/text.ts'
import { requireAllowed, type StateRules } from '../state-rules.ts'

export const authorizationStatuses = ['Authorized', 'Completed', 'Canceled', 'Declined'] as const
export type AuthorizationStatus = (typeof authorizationStatuses)[number]

/** The reasons of the bank. An app that takes part in decisions may give others. */
const declineReasons = [
  'CardNotActive',
  'AccountNotOpen',
  'InsufficientFunds',
  'PurchaseLimitExceeded',
  'DailyLimitExceeded',
  'MonthlyLimitExceeded',
  'MerchantCategoryNotAllowed',
  'DeclinedByApp',
  'DecisionUnavailable',
] as const
export type DeclineReason = (typeof declineReasons)[number]

const REASON = 'Why it was declined: one of these words, or one that your decision hook answered; absent otherwise'

const AuthorizationMerchant = Type.Object(
  {
    name: Type.String({ description: 'Name of the merchant', examples: ['Sample Coffee'] }),
    category: Type.String({
      description: 'Trade of the merchant; empty if it is unknown',
      examples: ['Restaurants'],
    }),
    location: Type.String({
      description: 'Place of the purchase; empty if it is unknown',
      examples: ['Springfield, IL'],
    }),
    id: Type.Optional(Type.String({ description: 'Id of the merchant at the card network; absent if it is unknown' })),
    categoryCode: Type.Optional(Type.String({ description: 'Merchant category code; absent if it is unknown' })),
  },
  { $id: 'AuthorizationMerchant', description: 'The merchant that charges the card' },
)

export const Authorization = Type.Object(
  {
    id: RecordId(),
    status: Word(authorizationStatuses, {
      description:
        '`Authorized` while the amount is held; then `Completed` by a settlement, or `Canceled` by a reversal or after seven days. `Declined` held nothing',
    }),
    amount: described(CentsValue, 'Amount that the merchant asked for, with later changes, in cents'),
    description: Type.String({ description: 'Name of the merchant', examples: ['Sample Coffee'] }),
    createdAt: CreatedAt,
    cardLast4Digits: Type.String({ description: 'Last four digits of the card number', examples: ['4242'] }),
    merchant: AuthorizationMerchant,
    reason: Type.Optional(Word(declineReasons, { description: REASON })),
  },
  { $id: 'Authorization', description: 'A purchase by card that is approved or declined, before money moves' },
)
export type Authorization = Static<typeof Authorization>

/** The answer to a request for more on the hold of an authorization. */
export const AuthorizationIncrement = Type.Object(
  {
    id: RecordId('Id of the authorization'),
    amount: described(CentsValue, 'Amount that the merchant asked for in addition, in cents'),
    approved: Type.Boolean({ description: 'Whether the amount is held; false leaves the hold as it was' }),
    reason: Type.Optional(Word(declineReasons, { description: REASON })),
    authorization: Authorization,
  },
  { $id: 'AuthorizationIncrement', description: 'A further amount that a merchant asked for on an open authorization' },
)
export type AuthorizationIncrement = Static<typeof AuthorizationIncrement>

/**
 * The operations that need an authorization in a certain state. `settleAuthorization` leads to `Completed` only when it is
 * final; a part that settled can be refunded whatever became of the rest.
 */
export const authorizationRules = {
  settleAuthorization: { from: ['Authorized'], otherwise: 'authorization_not_open' },
  reverseAuthorization: { from: ['Authorized'], to: 'Canceled', otherwise: 'authorization_not_open' },
  incrementAuthorization: { from: ['Authorized'], otherwise: 'authorization_not_open' },
  adviseAuthorization: { from: ['Authorized'], otherwise: 'authorization_not_open' },
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

/** The amount of an authorization that counts towards the limits of its card: what it holds and what has settled. */
export function spentBy(authorization: { status: AuthorizationStatus; amount: number; settled: number }): number {
  return authorization.settled + heldBy(authorization)
}
