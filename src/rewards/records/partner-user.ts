import { type Static, Type } from 'typebox'
import { IntegerRecordId } from '../../base/ids.ts'
import { Timestamp, UpdatedAt } from '../../base/text.ts'

/** A user of the issuer's who takes part in the rewards. */
export const PartnerUser = Type.Object(
  {
    id: IntegerRecordId(),
    userId: Type.Integer({ description: "The issuer's number of the user", examples: [111] }),
    isRemoved: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: UpdatedAt,
  },
  { $id: 'PartnerUser' },
)
export type PartnerUser = Static<typeof PartnerUser>
