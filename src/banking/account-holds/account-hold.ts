import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import { CreatedAt, described, Timestamp, Word } from '../../base/text.ts'
import { requireAllowed, type StateRules } from '../state-rules.ts'

const accountHoldStatuses = ['Active', 'Released', 'Expired'] as const
export const AccountHoldStatus = Type.Enum([...accountHoldStatuses])
export type AccountHoldStatus = Static<typeof AccountHoldStatus>

const accountHoldReasons = ['LegalOrder', 'Dispute', 'Fraud', 'Other'] as const
export const AccountHoldReason = Type.Enum([...accountHoldReasons], {
  description:
    'Why the money is held: `LegalOrder` for a levy or a court order, which may exceed what is available; `Dispute`, `Fraud` or `Other`',
})
export type AccountHoldReason = Static<typeof AccountHoldReason>

const nullableTime = (description: string) => Type.Union([Timestamp, Type.Null()], { description })

export const AccountHold = Type.Object(
  {
    id: RecordId(),
    status: Word(accountHoldStatuses, {
      description: '`Active` while the amount is held; then `Released` by a request, or `Expired` at `expiresAt`',
    }),
    accountId: RecordId('The account on which the amount is held'),
    customerId: RecordId('The customer who owns the account'),
    amount: described(CentsValue, 'Amount that is held while the hold is `Active`, in cents'),
    reason: Word(accountHoldReasons, { description: 'Why the money is held' }),
    description: Type.Union([Type.String({ examples: ['Levy 2026-0042'] }), Type.Null()], {
      description: 'Note of the app; null without one',
    }),
    createdAt: CreatedAt,
    expiresAt: nullableTime('Bank time at which the hold ends by itself; null for a hold without an end'),
    endedAt: nullableTime('Bank time of the release or of the expiry; null while the hold is `Active`'),
  },
  { $id: 'AccountHold', description: 'An amount that is reserved on an account and cannot be spent' },
)
export type AccountHold = Static<typeof AccountHold>

/** The operation that needs a hold in a certain state. An expiry needs the same state. */
export const accountHoldRules = {
  releaseAccountHold: { from: ['Active'], to: 'Released', otherwise: 'account_hold_not_active' },
} as const satisfies StateRules<string, AccountHoldStatus>

/** The amount that a hold reserves on its account: nothing once it has ended. */
export function reservedBy({ status, amount }: { status: AccountHoldStatus; amount: number }): number {
  return status === 'Active' ? amount : 0
}

/** A hold that is to be released, and who asks. */
export interface HoldRelease {
  status: AccountHoldStatus
  reason: AccountHoldReason
  /** Whether a key with `risk:write` made the hold. */
  byBank: boolean
  /** Whether the caller has `risk:write`. */
  decidesRisk: boolean
}

/** Throws the refusal of a hold that cannot be released, or not by an app: one of the bank, or for a legal order. */
export function requireReleasable({ status, reason, byBank, decidesRisk }: HoldRelease): void {
  requireAllowed(accountHoldRules, 'releaseAccountHold', status)
  if ((byBank || reason === 'LegalOrder') && !decidesRisk) throw new Problem('risk_key_required', { detail: HELD })
}

const HELD = 'The bank holds this amount, or a legal order: only an API key with the scope risk:write releases it.'
