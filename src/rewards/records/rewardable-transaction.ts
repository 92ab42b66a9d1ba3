import { type Static, Type } from 'typebox'
import { IntegerRecordId } from '../../base/ids.ts'
import { CreatedAt, UpdatedAt } from '../../base/text.ts'

/** A settled purchase with a linked card. */
export const RewardableTransaction = Type.Object(
  {
    id: IntegerRecordId(),
    partnerUserCardId: IntegerRecordId('The link of the card that paid'),
    bankTransactionId: Type.String({ description: 'Id of the transaction of the settlement', examples: ['1000042'] }),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  { $id: 'RewardableTransaction', description: 'A settled purchase with a linked card' },
)
export type RewardableTransaction = Static<typeof RewardableTransaction>
