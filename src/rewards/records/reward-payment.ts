import { type Static, Type } from 'typebox'
import { IntegerRecordId } from '../../base/ids.ts'
import { Timestamp, UpdatedAt } from '../../base/text.ts'

/** The payout of a reward; its payment is read by B9. */
export const RewardPayment = Type.Object(
  {
    id: IntegerRecordId(),
    rewardId: IntegerRecordId(),
    paymentId: IntegerRecordId(),
    createdAt: Timestamp,
    updatedAt: UpdatedAt,
  },
  { $id: 'RewardPayment' },
)
export type RewardPayment = Static<typeof RewardPayment>
