import { type Static, Type } from 'typebox'
import { Id, IntegerId, idNumber } from '../../base/ids.ts'
import { operationsOver } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { RewardsProvider } from '../provider.ts'
import type { CampaignRecords } from '../records/records.ts'
import { Activation } from './activation.ts'

const ActivateOfferBody = Type.Object(
  { partnerUserId: IntegerId('partnerUser') },
  { description: 'The user who activates' },
)
export type ActivateOfferInput = Static<typeof ActivateOfferBody> & { offerId: string }

/** A connected bank has no campaigns, and the catalogue no activations. */
interface ActivatingParts {
  records: Partial<CampaignRecords>
  offers: Pick<RewardsProvider, 'activateOffer'>
}

/** Extension. Activates an offer for a partner user. Ids of campaigns' offers are numbers; all others are the provider's. */
export const activateOffer = operationsOver<ActivatingParts>('rewards', 'rewards:write').write({
  id: 'activateOffer',
  resource: 'offerActivations',
  verb: 'create',
  area: 'rewards',
  method: 'POST',
  path: '/v0/rewards/offers/:offerId/activations',
  summary: 'Activate offer',
  description:
    'Activates an offer for a partner user: purchases from now until `expiresAt` earn. While the time of an activation that was not canceled, or was used, is not over, another is refused (`offer_activated`). Emits `offerActivation.created`.\n\nThe activation of an offer that Kard provides is passed on to Kard. It is not listed, and emits no event.',
  status: 201,
  scope: 'rewards:write',
  params: Type.Object({ offerId: Id('campaignOffer') }),
  body: ActivateOfferBody,
  data: Activation,
  problems: [
    'campaign_offer_not_found',
    'partner_user_not_found',
    'offer_not_available',
    'offer_activated',
    'refused_by_provider',
  ],
  run: ({ records, offers, write }, { params, body }) => {
    const ofProvider = offers.activateOffer && (idNumber(params.offerId) === 0 || !records.activateOffer)
    const activate = ofProvider ? offers.activateOffer : records.activateOffer
    if (!activate) throw new Problem('not_supported_by_provider')
    return activate(write, { ...params, ...body })
  },
})
