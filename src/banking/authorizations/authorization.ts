import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { Timestamp, Word } from '../../base/text.ts'

const authorizationStatuses = ['Authorized', 'Completed', 'Canceled', 'Declined'] as const
export type AuthorizationStatus = (typeof authorizationStatuses)[number]

const declineReasons = ['CardNotActive', 'AccountNotOpen', 'InsufficientFunds'] as const
export type DeclineReason = (typeof declineReasons)[number]

export const Authorization = Type.Object(
  {
    id: RecordId(),
    status: Word(authorizationStatuses),
    amount: CentsValue,
    description: Type.String({ examples: ['Sample Coffee'] }),
    createdAt: Timestamp,
    cardLast4Digits: Type.String({ examples: ['4242'] }),
    merchant: Type.Object({
      name: Type.String({ examples: ['Sample Coffee'] }),
      category: Type.String({ examples: ['Restaurants'] }),
      location: Type.String({ examples: ['Springfield, IL'] }),
    }),
    reason: Type.Optional(Word(declineReasons)),
  },
  { $id: 'Authorization' },
)
export type Authorization = Static<typeof Authorization>

/** What an authorization keeps of the account's money: nothing once it is no longer open. */
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
