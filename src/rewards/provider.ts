import { type Caller, operationsOver, type WithOmissions } from '../base/operation.ts'
import type { ListLocalOffersQuery, LocalOffers } from './offers/list-local-offers.ts'
import type { ListNationalOffersQuery, NationalOffers } from './offers/list-national-offers.ts'

/** The port of the offers. All other parts of the rewards area are always built in. */
export interface RewardsProvider {
  listLocalOffers(caller: Caller, query: ListLocalOffersQuery): Promise<LocalOffers | WithOmissions<LocalOffers>>
  listNationalOffers(
    caller: Caller,
    query: ListNationalOffersQuery,
  ): Promise<NationalOffers | WithOmissions<NationalOffers>>
}

export interface OfferParts {
  offers: RewardsProvider
}

export const { read: offersRead } = operationsOver<OfferParts>('rewards', 'rewards:read')
