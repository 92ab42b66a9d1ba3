import { invalidRequest, type Problem } from '../../base/problem.ts'
import type { LocalOffer, NationalOffer } from '../../rewards/offers/offer.ts'
import type { Place } from '../../rewards/offers/place.ts'
import { type KardClient, NAME } from './client.ts'
import type { LeftOut, Listed, OfferList } from './offer.ts'

/** One of Kard's two APIs: how its lists are requested and read. */
export interface KardApi {
  localOffers(search: OfferSearch, centre: Place, radius: number): ListRequest<LocalOffer>
  nationalOffers(search: OfferSearch): ListRequest<NationalOffer>
  /** Fetches all pages of a list: an order that Kard does not know needs all of them. */
  gather<Offer>(client: KardClient, list: ListRequest<Offer>, deadlineMs: number): Promise<GatheredList<Offer>>
}

interface OfferSearch {
  userId: string
  /** A category of Kard's, to filter by. */
  category: string | undefined
}

export interface ListRequest<Offer> {
  path: string
  query: Record<string, string>
  /** Reads a page; undefined if the body is no page of this list. */
  read(body: unknown): OfferList<Offer> | undefined
  /** The parameters by which a caller can ask for fewer. */
  narrowBy: readonly [string, ...string[]]
}

/** A whole list. */
export interface GatheredList<Offer> {
  listed: Listed<Offer>[]
  /** Number of records that could not be read. */
  omitted: number
  /** Some of them, for the log. */
  examples: LeftOut[]
}

/** The largest page of either API. */
export const PAGE = 200
/** More records than this are not put in order. */
export const MAX_RECORDS = 5_000
/** A chain has many offers in many shops, so that a list may hold more offers than records. */
const MAX_OFFERS = 50_000
const MAX_EXAMPLES = 10

/** Collects the pages of a list. */
export class Gathering<Offer> {
  readonly #list: ListRequest<Offer>
  readonly #offers = new Map<string, Listed<Offer>>()
  readonly #examples: LeftOut[] = []
  #omitted = 0

  constructor(list: ListRequest<Offer>) {
    this.#list = list
  }

  add({ listed, leftOut }: OfferList<Offer>): void {
    // A list that changes while it is read may hold an offer twice.
    for (const one of listed) this.#offers.set(one.key, one)
    this.#omitted += leftOut.length
    this.#examples.push(...leftOut.slice(0, MAX_EXAMPLES - this.#examples.length))
    if (this.#offers.size > MAX_OFFERS) throw this.tooMany()
  }

  tooMany(): Problem {
    const { narrowBy } = this.#list
    const message = `${NAME} has too many offers here to put in order: ask for less by ${narrowBy.join(' or ')}`
    return invalidRequest([{ parameter: narrowBy[0], code: 'too_many', message }])
  }

  all(): GatheredList<Offer> {
    return { listed: [...this.#offers.values()], omitted: this.#omitted, examples: this.#examples }
  }
}
