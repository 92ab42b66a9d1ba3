import { type Static, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { dollars } from '../../../ground/text.ts'
import { parseInstant } from '../../base/clock.ts'
import { LocalOffer, NationalOffer, type OperationHours } from '../../rewards/offers/offer.ts'

/** A member that may be absent or null. */
export const Maybe = <T extends Type.TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
export const MaybeText = Maybe(Type.String())

/** An offer in the interface's form, with the values that filters and orders need. */
export interface Listed<Offer> {
  offer: Offer
  categories: string[]
  /** Unique within a list: a chain has one offer in many shops. */
  key: string
}

/** A record that a list leaves out, because it cannot be read or has no form in the interface. */
export interface LeftOut {
  type: string
  id: string
  reason: string
}

/** The offers of one page or of a whole list, and the records that could not be read. */
export interface OfferList<Offer> {
  listed: Listed<Offer>[]
  leftOut: LeftOut[]
}

/** An offer that pays the user a percentage, as both of Kard's APIs describe it. Amounts are cents. */
export interface PercentOffer {
  id: string
  terms?: string | null | undefined
  redeemableOnce: boolean
  /** Percent. */
  commission: number
  expirationDate?: string | null | undefined
  minTransactionAmount?: number | null | undefined
  maxTransactionAmount?: number | null | undefined
  maxRewardAmount?: number | null | undefined
  merchant: NationalOffer['merchant']
}

/** A shop, as both APIs describe it. */
export type Shop = Pick<LocalOffer, 'operationHours' | 'address' | 'geoLocation' | 'phone'>

const localOffer = Compile(LocalOffer)
const nationalOffer = Compile(NationalOffer)

/** An online offer in the interface's form, or the reason why it has none. */
export function nationalOfferOf(offer: PercentOffer): NationalOffer | string {
  const { head, conditions } = sharedOf(offer)
  const shown: NationalOffer = { ...head, offerType: 'ONLINE', ...conditions }
  return faultIn(nationalOffer, shown) ?? shown
}

/** An offer of a shop in the interface's form, or the reason why it has none. */
export function localOfferOf(offer: PercentOffer, shop: Shop): LocalOffer | string {
  const { head, conditions } = sharedOf(offer)
  const shown: LocalOffer = { ...head, offerType: 'INSTORE', ...conditions, ...shop }
  return faultIn(localOffer, shown) ?? shown
}

/** The first fault of a value; undefined if it fits. It names members, never their values. */
export function faultIn(schema: Validator, value: unknown): string | undefined {
  if (schema.Check(value)) return undefined
  const [fault] = schema.Errors(value)
  return `${fault?.instancePath || 'the record'} ${fault?.message}`.slice(0, 200)
}

/** The expiry of an offer that has none upstream: the interface always has a time. */
const NEVER = '9999-12-31T23:59:59.999Z'

function sharedOf(offer: PercentOffer) {
  const { id, terms, redeemableOnce, expirationDate, merchant } = offer
  const commission = percent(offer.commission)
  return {
    head: { id, title: titleOf(commission, offer), terms: terms ?? '', redeemableOnce },
    conditions: { commission, expirationDate: instantOf(expirationDate) ?? NEVER, merchant },
  }
}

/** A time in milliseconds; undefined without one, and if it cannot be read. */
export function instantOf(text: string | null | undefined): string | undefined {
  return parseInstant(text ?? '')?.replace(/(\.\d{3})\d+Z$/, '$1Z')
}

/** Rounds down to two decimals, so that no more is shown than was promised. */
function percent(value: number): number {
  return Math.floor(Math.round(value * 1e6) / 1e4) / 100
}

/** The title of an offer. Kard's names are internal, so that the title says what the user gets. */
function titleOf(
  commission: number,
  { minTransactionAmount, maxTransactionAmount, maxRewardAmount }: PercentOffer,
): string {
  const cap = maxRewardAmount ? `, up to ${price(maxRewardAmount)}` : ''
  const [least, greatest] = [minTransactionAmount ?? 0, maxTransactionAmount ?? 0]
  const purchases =
    least > 0 && greatest > 0
      ? `, on purchases of ${price(least)} to ${price(greatest)}`
      : least > 0
        ? `, on purchases of ${price(least)} or more`
        : greatest > 0
          ? `, on purchases of up to ${price(greatest)}`
          : ''
  return `${commission}% cash back${cap}${purchases}`
}

/** A price, without cents if it has none: `$5`, `$5.50`. */
function price(cents: number): string {
  return dollars(cents).replace(/\.00$/, '')
}

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** Opening hours by the name of the day. A day that Kard leaves out is an empty text, because unknown is not closed. */
export function hoursOf(hours: Iterable<readonly [day: string, range: string | null | undefined]>): OperationHours {
  const byDay = new Map([...hours].map(([day, range]) => [day.toLowerCase(), range ?? '']))
  return Object.fromEntries(days.map((day) => [day, byDay.get(day) ?? ''])) as OperationHours
}

const KardAddress = Type.Object({
  street: Type.String(),
  city: Type.String(),
  state: Type.String(),
  zipCode: Type.String(),
})
const Coordinates = Type.Object({ latitude: Type.Number(), longitude: Type.Number() })

/** The members of a place that both APIs have in the same form. */
export const placeMembers = { address: KardAddress, coordinates: Coordinates }

export function placeOf(
  { street, city, state, zipCode }: Static<typeof KardAddress>,
  { latitude, longitude }: Static<typeof Coordinates>,
): Pick<Shop, 'address' | 'geoLocation'> {
  return { address: { street, city, state, zip: zipCode }, geoLocation: { lat: latitude, long: longitude } }
}
