import { type Static, Type } from 'typebox'
import { IntegerRecordId } from '../../base/ids.ts'
import { Timestamp, UpdatedAt } from '../../base/text.ts'

/** A settled purchase with a linked card. */
export const RewardableTransaction = Type.Object(
  {
    id: IntegerRecordId(),
    partnerUserCardId: IntegerRecordId(),
    bankTransactionId: Type.String({ examples: ['1000042'] }),
    createdAt: Timestamp,
    updatedAt: UpdatedAt,
  },
  { $id: 'RewardableTransaction' },
)
export type RewardableTransaction = Static<typeof RewardableTransaction>
