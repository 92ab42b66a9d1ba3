import { type Answer, type Caller, operationsOver, type WithOmissions, type Write } from '../base/operation.ts'
import type { Page } from '../base/page.ts'
import type { AttributionCount, CreateAttributionsInput } from './attribution/create-attributions.ts'
import type { ListOfferFunnelQuery, OfferFunnel } from './attribution/list-offer-funnel.ts'
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
}

export interface OfferParts {
  offers: Required<RewardsProvider>
}

export const { read: offersRead, write: offersWrite } = operationsOver<OfferParts>(
  'rewards',
  'rewards:read',
  'rewards:write',
)
