import { type Static, Type } from 'typebox'
import { IntegerRecordId } from '../../base/ids.ts'
import { CreatedAt, Timestamp, UpdatedAt } from '../../base/text.ts'

const ActivationStatus = Type.Enum(['Active', 'Canceled'], { description: 'Whether it was canceled' })

export const Activation = Type.Object(
  {
    id: Type.String({
      description: 'Id of this record; that of the provider for its own offers',
      examples: ['1000042'],
    }),
    offerId: Type.String({ description: 'Id of the offer', examples: ['1000042'] }),
    partnerUserId: IntegerRecordId('Id of the partner user'),
    status: ActivationStatus,
    expiresAt: Type.Union([Timestamp, Type.Null()], {
      description: 'Purchases from then on do not earn; null if the provider of the offer does not say',
    }),
    uses: Type.Union([Type.Integer(), Type.Null()], { description: 'Purchases that may earn; null for any number' }),
    used: Type.Integer({ description: 'Purchases that earned', examples: [1] }),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  { $id: 'OfferActivation', description: 'The activation of an offer by a partner user' },
)
export type Activation = Static<typeof Activation>
