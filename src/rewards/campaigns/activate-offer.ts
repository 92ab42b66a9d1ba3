import { type Static, Type } from 'typebox'
import { Id, IntegerId } from '../../base/ids.ts'
import { recordsWrite } from '../records/records.ts'
import { Activation } from './activation.ts'

const ActivateOfferBody = Type.Object(
  { partnerUserId: IntegerId('partnerUser') },
  { description: 'The user who activates' },
)
export type ActivateOfferInput = Static<typeof ActivateOfferBody> & { offerId: string }

/** Extension. Activates an offer for a partner user. */
export const activateOffer = recordsWrite({
  id: 'activateOffer',
  resource: 'offerActivations',
  verb: 'create',
  area: 'rewards',
  method: 'POST',
  path: '/v0/rewards/offers/:offerId/activations',
  summary: 'Activate offer',
  description:
    'Activates an offer for a partner user: purchases from now until `expiresAt` earn. While the time of an activation that was not canceled, or was used, is not over, another is refused (`offer_activated`). Emits `offerActivation.created`.',
  status: 201,
  scope: 'rewards:write',
  params: Type.Object({ offerId: Id('campaignOffer') }),
  body: ActivateOfferBody,
  data: Activation,
  problems: ['campaign_offer_not_found', 'partner_user_not_found', 'offer_not_available', 'offer_activated'],
  run: ({ records, write }, { params, body }) => records.activateOffer(write, { ...params, ...body }),
})
