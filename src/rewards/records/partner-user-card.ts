import { type Static, Type } from 'typebox'
import { IntegerRecordId } from '../../base/ids.ts'
import { CreatedAt, UpdatedAt } from '../../base/text.ts'

/** The link between a card and the partner user who earns with it. */
export const PartnerUserCard = Type.Object(
  {
    id: IntegerRecordId(),
    partnerUserId: IntegerRecordId('The partner user who earns with the card'),
    bankCardId: Type.String({ description: 'Id of the card', examples: ['1000042'] }),
    isRemoved: Type.Boolean({ description: 'Whether the link was removed: purchases earn nothing' }),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  { $id: 'PartnerUserCard', description: 'The link between a card and the partner user who earns with it' },
)
export type PartnerUserCard = Static<typeof PartnerUserCard>
