import { type Static, type TSchema, Type } from 'typebox'
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

const maybe = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A reward that a provider of offers reported. A value is null where the provider did not send it. */
export const UpstreamReward = Type.Object(
  {
    id: Type.String({ description: "The provider's id of the purchase, after `kard_`", examples: ['kard_12345'] }),
    partnerUserId: maybe(IntegerRecordId()),
    rewardableTransactionId: maybe(IntegerRecordId()),
    offerId: maybe(Type.String()),
    merchantName: Type.String(),
    amount: maybe(CentsValue),
    userAmount: maybe(CentsValue),
    state: RewardState,
    createdAt: maybe(Timestamp),
    updatedAt: UpdatedAt,
  },
  { $id: 'UpstreamReward' },
)
