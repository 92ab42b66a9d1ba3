import type { ListLocalOffersQuery } from '../../rewards/offers/list-local-offers.ts'
import type { LocalOffer, NationalOffer } from '../../rewards/offers/offer.ts'
import { milesBetween, type Place } from '../../rewards/offers/place.ts'
import type { Listed } from './offer.ts'

/** The filters and the order of a list. The upstream filters by its own categories only and has no order. */
export interface Arrangement {
  page: number
  pageSize?: number
  category?: string
  search?: string
  sort: NonNullable<ListLocalOffersQuery['sort']>
  /** The point that distances are measured from. */
  centre?: Place
}

const DEFAULT_PAGE_SIZE = 20

/** One page of the matching offers in order, and the number of the next page. */
export function arrangedPage<Offer extends LocalOffer | NationalOffer>(
  listed: Listed<Offer>[],
  arrangement: Arrangement,
): { items: Offer[]; nextPage: number | null } {
  const { page, pageSize = DEFAULT_PAGE_SIZE } = arrangement
  const matching = listed.filter((one) => matches(one, arrangement))
  const end = (page + 1) * pageSize
  const ordered = inOrder(matching, arrangement).slice(page * pageSize, end)
  return { items: ordered.map(({ offer }) => offer), nextPage: matching.length > end ? page + 1 : null }
}

function matches<Offer extends LocalOffer | NationalOffer>(
  { offer, categories }: Listed<Offer>,
  wanted: Arrangement,
): boolean {
  const holds = (text: string) => text.toLowerCase().includes(wanted.search?.trim().toLowerCase() ?? '')
  const asked = wanted.category?.trim().toLowerCase()
  return (
    (asked === undefined || categories.some((category) => category.toLowerCase() === asked)) &&
    (holds(offer.merchant.name) || holds(offer.title))
  )
}

/** Offers that are equal are ordered by id, so that no page repeats or skips one. */
function inOrder<Offer extends LocalOffer | NationalOffer>(
  listed: Listed<Offer>[],
  { sort, centre }: Arrangement,
): Listed<Offer>[] {
  const sign = sort.startsWith('-') ? -1 : 1
  return listed
    .map((one) => ({ one, seen: seenBy(sort, one.offer, centre) }))
    .sort((a, b) => sign * compare(a.seen, b.seen) || compare(a.one.key, b.one.key))
    .map(({ one }) => one)
}

function seenBy(sort: Arrangement['sort'], offer: LocalOffer | NationalOffer, centre?: Place): string | number {
  if (sort.endsWith('commission')) return offer.commission
  if (sort.endsWith('expirationDate')) return offer.expirationDate
  if (sort.endsWith('merchantName')) return offer.merchant.name.toLowerCase()
  return centre && 'geoLocation' in offer ? milesBetween(centre, offer.geoLocation) : 0
}

function compare<T extends string | number>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0
}
