import { type Answer, type Caller, operationsOver, type WithOmissions, type Write } from '../base/operation.ts'
import type { Page } from '../base/page.ts'
import type { AttributionCount, AttributionType, CreateAttributionsInput } from './attribution/create-attributions.ts'
import type { ListOfferFunnelQuery, OfferFunnel } from './attribution/list-offer-funnel.ts'
import type { ActivateOfferInput } from './campaigns/activate-offer.ts'
import type { Activation } from './campaigns/activation.ts'
import type { ListLocalOffersQuery, LocalOffers } from './offers/list-local-offers.ts'
import type { ListNationalOffersQuery, NationalOffers } from './offers/list-national-offers.ts'

/** The port of the offers. All other parts of the rewards area are always built in. A connector need not count attributions. */
export interface RewardsProvider {
  listLocalOffers(caller: Caller, query: ListLocalOffersQuery): Promise<LocalOffers | WithOmissions<LocalOffers>>
  listNationalOffers(
    caller: Caller,
    query: ListNationalOffersQuery,
  ): Promise<NationalOffers | WithOmissions<NationalOffers>>
  createAttributions?(write: Write<AttributionCount>, input: CreateAttributionsInput): Promise<Answer>
  listOfferFunnel?(caller: Caller, query: ListOfferFunnelQuery): Promise<Page<OfferFunnel>>
  /** Activates an offer of the provider; absent if its offers need no activation. */
  activateOffer?(write: Write<Activation>, input: ActivateOfferInput): Promise<Answer>
}

/** A provider of offers that takes what users did with them. Users have the numbers that the app gave them. */
export interface AttributionReceiver {
  /** Sends up to 100 attributions of a user. Clicks are not sent if the provider has no word for them. */
  attribute(userId: number, attributions: { type: AttributionType; offerId: string; at: string }[]): Promise<void>
  /** Returns the provider's id of the activation, and its time. */
  activate(userId: number, offerId: string): Promise<{ id: string; at: string }>
}

export interface OfferParts {
  offers: Required<RewardsProvider>
}

export const { read: offersRead, write: offersWrite } = operationsOver<OfferParts>(
  'rewards',
  'rewards:read',
  'rewards:write',
)
