import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { IntegerRecordId } from '../../base/ids.ts'
import { Timestamp, UpdatedAt } from '../../base/text.ts'

const RewardState = Type.Enum(['PENDING', 'CONFIRMED', 'PAID', 'REJECTED', 'REVERSED', 'CLAWED_BACK'])

/** The cash back of a rewardable transaction. */
export const Reward = Type.Object(
  {
    id: IntegerRecordId(),
    partnerUserId: IntegerRecordId(),
    rewardableTransactionId: IntegerRecordId(),
    offerId: Type.String({ examples: ['1000042'] }),
    merchantName: Type.String({ examples: ['Sample Coffee'] }),
    amount: CentsValue,
    userAmount: CentsValue,
    state: RewardState,
    createdAt: Timestamp,
    updatedAt: UpdatedAt,
  },
  { $id: 'Reward' },
)
export type Reward = Static<typeof Reward>
