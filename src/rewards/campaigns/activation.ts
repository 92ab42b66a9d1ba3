import { type Static, Type } from 'typebox'
import { IntegerRecordId, RecordId } from '../../base/ids.ts'
import { CreatedAt, described, Timestamp, UpdatedAt } from '../../base/text.ts'

const ActivationStatus = Type.Enum(['Active', 'Canceled'], { description: 'Whether it was canceled' })

export const Activation = Type.Object(
  {
    id: RecordId(),
    offerId: RecordId('Id of the offer'),
    partnerUserId: IntegerRecordId('Id of the partner user'),
    status: ActivationStatus,
    expiresAt: described(Timestamp, 'Purchases from then on do not earn'),
    uses: Type.Union([Type.Integer(), Type.Null()], { description: 'Purchases that may earn; null for any number' }),
    used: Type.Integer({ description: 'Purchases that earned', examples: [1] }),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  { $id: 'OfferActivation', description: 'The activation of an offer by a partner user' },
)
export type Activation = Static<typeof Activation>
