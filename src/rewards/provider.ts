import { type Caller, operationsOver } from '../base/operation.ts'
import type { ListLocalOffersQuery, LocalOffers } from './offers/list-local-offers.ts'
import type { ListNationalOffersQuery, NationalOffers } from './offers/list-national-offers.ts'

/** What can stand behind the offers. All else of the rewards area is always our own. */
export interface RewardsProvider {
  listLocalOffers(caller: Caller, query: ListLocalOffersQuery): Promise<LocalOffers>
  listNationalOffers(caller: Caller, query: ListNationalOffersQuery): Promise<NationalOffers>
}

export interface OfferParts {
  offers: RewardsProvider
}

export const { read: offersRead } = operationsOver<OfferParts>()
