import { type Static, type TSchema, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { IntegerRecordId } from '../../base/ids.ts'
import { CreatedAt, described, Timestamp, UpdatedAt } from '../../base/text.ts'

const RewardState = Type.Enum(['PENDING', 'CONFIRMED', 'PAID', 'REJECTED', 'REVERSED', 'CLAWED_BACK'], {
  description:
    '`PENDING` until the payout; `CONFIRMED` by a provider or before a payout at another bank; `PAID`; `REJECTED` by a provider; `REVERSED` by a refund before the payout, `CLAWED_BACK` by one after it',
})

/** The cash back of a rewardable transaction. */
export const Reward = Type.Object(
  {
    id: IntegerRecordId(),
    partnerUserId: IntegerRecordId('The partner user who earned it'),
    rewardableTransactionId: IntegerRecordId('The purchase that earned it'),
    offerId: Type.String({ description: 'Id of the offer that matched', examples: ['1000042'] }),
    merchantName: Type.String({ description: 'Name of the merchant of the offer', examples: ['Sample Coffee'] }),
    amount: described(CentsValue, 'Amount of the purchase, in cents'),
    userAmount: described(CentsValue, 'Cash back of the user, in cents; less after a refund'),
    state: RewardState,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  { $id: 'Reward', description: 'The cash back of a purchase' },
)
export type Reward = Static<typeof Reward>

const maybe = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description: `${description}; null if the provider did not send it` })

/** A reward that a provider of offers reported. A value is null if the provider did not send it. */
export const UpstreamReward = Type.Object(
  {
    id: Type.String({ description: "The provider's id of the purchase, after `kard_`", examples: ['kard_12345'] }),
    partnerUserId: maybe(IntegerRecordId(), 'The partner user who earned it'),
    rewardableTransactionId: maybe(IntegerRecordId(), 'The purchase that earned it'),
    offerId: maybe(Type.String(), 'Id of the offer at the provider'),
    merchantName: Type.String({ description: 'Name of the merchant' }),
    amount: maybe(CentsValue, 'Amount of the purchase, in cents'),
    userAmount: maybe(CentsValue, 'Cash back of the user, in cents'),
    state: RewardState,
    createdAt: maybe(Timestamp, 'Time of the purchase'),
    updatedAt: UpdatedAt,
  },
  { $id: 'UpstreamReward', description: 'The cash back of a purchase, as a provider of offers reports it' },
)
