import { type Static, Type } from 'typebox'
import { IntegerRecordId } from '../../base/ids.ts'
import { CreatedAt, UpdatedAt } from '../../base/text.ts'

/** The payout of a reward; its payment is read by B9. */
export const RewardPayment = Type.Object(
  {
    id: IntegerRecordId(),
    rewardId: IntegerRecordId('The reward that was paid'),
    paymentId: IntegerRecordId('The payment that carried the money, here as a number'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  { $id: 'RewardPayment', description: 'The payout of a reward' },
)
export type RewardPayment = Static<typeof RewardPayment>
