import { type Static, Type } from 'typebox'
import { IntegerRecordId } from '../../base/ids.ts'
import { Timestamp, UpdatedAt } from '../../base/text.ts'

/** The link between a card and the partner user who earns with it. */
export const PartnerUserCard = Type.Object(
  {
    id: IntegerRecordId(),
    partnerUserId: IntegerRecordId(),
    bankCardId: Type.String({ examples: ['1000042'] }),
    isRemoved: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: UpdatedAt,
  },
  { $id: 'PartnerUserCard' },
)
export type PartnerUserCard = Static<typeof PartnerUserCard>
