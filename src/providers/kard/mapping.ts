import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { parseInstant } from '../../base/clock.ts'
import { veiled } from '../../base/text.ts'
import type { LocalOffer, NationalOffer, OperationHours } from '../../rewards/offers/offer.ts'

const Maybe = <T extends Type.TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const MaybeText = Maybe(Type.String())
const MaybeNumber = Maybe(Type.Number())

const KardMerchant = Type.Object({
  _id: Type.String(),
  name: Type.String(),
  description: MaybeText,
  websiteURL: MaybeText,
  imgUrl: MaybeText,
})

/** The members of an offer that are used here; all others are ignored. Amounts are cents. */
const KardOffer = Type.Object({
  _id: Type.String(),
  terms: MaybeText,
  redeemableOnce: Maybe(Type.Boolean()),
  offerType: MaybeText,
  commissionType: MaybeText,
  usersCommission: MaybeNumber,
  expirationDate: MaybeText,
  minTransactionAmount: MaybeNumber,
  maxTransactionAmount: MaybeNumber,
  maxRewardAmount: MaybeNumber,
  imgUrl: MaybeText,
})
type KardOffer = Static<typeof KardOffer>
type KardMerchant = Static<typeof KardMerchant>

const KardNationalOffer = Type.Object({ ...KardOffer.properties, category: MaybeText, merchant: KardMerchant })

const KardLocation = Type.Object({
  _id: Type.String(),
  category: MaybeText,
  address: Type.Object({ street: Type.String(), city: Type.String(), state: Type.String(), zipCode: Type.String() }),
  geoLocation: Type.Object({ latitude: Type.Number(), longitude: Type.Number() }),
  phone: MaybeText,
  operationHours: Maybe(Type.Record(Type.String(), MaybeText)),
  offers: Type.Array(KardOffer),
  merchant: KardMerchant,
})

const nationalOffers = Compile(Type.Array(KardNationalOffer))
const locations = Compile(Type.Array(KardLocation))

/** An offer in the interface's form, with the values that filters and orders need. */
export interface Listed<Offer> {
  offer: Offer
  category: string
  /** Unique within a list: a chain has one offer in many shops. */
  key: string
}

/** Reads a page of online offers; undefined where the body is something else. */
export function nationalOffersOf(body: unknown): Listed<NationalOffer>[] | undefined {
  if (!nationalOffers.Check(body)) return undefined
  return body.flatMap((offer) => {
    const shared = sharedOf(offer, offer.merchant)
    if (!shared || (offer.offerType ?? 'ONLINE') !== 'ONLINE') return []
    const { head, conditions } = shared
    const listed: NationalOffer = { ...head, offerType: 'ONLINE', ...conditions }
    return { offer: listed, category: offer.category ?? '', key: offer._id }
  })
}

/** Reads a page of shops into one entry for each shop and offer; undefined where the body is something else. */
export function localOffersOf(body: unknown): Listed<LocalOffer>[] | undefined {
  if (!locations.Check(body)) return undefined
  return body.flatMap((location) =>
    location.offers.flatMap((offer) => {
      const shared = sharedOf(offer, location.merchant)
      if (!shared || (offer.offerType ?? 'INSTORE') !== 'INSTORE') return []
      const { street, city, state, zipCode } = location.address
      const { head, conditions } = shared
      const listed: LocalOffer = {
        ...head,
        offerType: 'INSTORE',
        ...conditions,
        operationHours: hoursOf(location.operationHours ?? {}),
        address: { street, city, state, zip: zipCode },
        geoLocation: { lat: location.geoLocation.latitude, long: location.geoLocation.longitude },
        phone: location.phone ?? '',
      }
      return { offer: listed, category: location.category ?? '', key: `${offer._id} ${location._id}` }
    }),
  )
}

/** The expiry of an offer that has none upstream: the interface always has a time. */
const NEVER = '9999-12-31T23:59:59.999Z'

/**
 * The members that both kinds of offer have. Undefined for an offer without a percentage for the user, such as a flat
 * amount: the interface has no other kind, and an amount in dollars would be read as percent.
 */
function sharedOf(offer: KardOffer, merchant: KardMerchant) {
  const { usersCommission, commissionType } = offer
  if (typeof usersCommission !== 'number' || (commissionType ?? 'PERCENT') !== 'PERCENT') return undefined
  const commission = percent(usersCommission)
  return {
    head: {
      id: offer._id,
      title: titleOf(commission, offer),
      terms: offer.terms ?? '',
      redeemableOnce: offer.redeemableOnce ?? false,
    },
    conditions: {
      commission,
      expirationDate: instantOf(offer.expirationDate) ?? NEVER,
      merchant: {
        id: merchant._id,
        name: merchant.name,
        description: merchant.description ?? '',
        websiteURL: merchant.websiteURL ?? '',
        // The upstream counts views by the offer's own image.
        imgUrl: offer.imgUrl ?? merchant.imgUrl ?? '',
      },
    },
  }
}

/** A time in milliseconds; undefined without one, and where it cannot be read. */
export function instantOf(text: string | null | undefined): string | undefined {
  return parseInstant(text ?? '')?.replace(/(\.\d{3})\d+Z$/, '$1Z')
}

/** Rounds down to two decimals, so that no more is shown than was promised. */
function percent(value: number): number {
  return Math.floor(Math.round(value * 1e6) / 1e4) / 100
}

/** The title of an offer. The upstream's names are internal, so that the title says what the user gets. */
function titleOf(
  commission: number,
  { minTransactionAmount, maxTransactionAmount, maxRewardAmount }: KardOffer,
): string {
  const cap = maxRewardAmount ? `, up to ${dollars(maxRewardAmount)}` : ''
  const [least, greatest] = [minTransactionAmount ?? 0, maxTransactionAmount ?? 0]
  const purchases =
    least > 0 && greatest > 0
      ? `, on purchases of ${dollars(least)} to ${dollars(greatest)}`
      : least > 0
        ? `, on purchases of ${dollars(least)} or more`
        : greatest > 0
          ? `, on purchases of up to ${dollars(greatest)}`
          : ''
  return `${commission}% cash back${cap}${purchases}`
}

function dollars(cents: number): string {
  return cents % 100 === 0 ? `$${cents / 100}` : `$${(cents / 100).toFixed(2)}`
}

/** Opening hours. A day that the upstream leaves out is an empty text, because unknown is not closed. */
function hoursOf(hours: Record<string, string | null | undefined>): OperationHours {
  const byDay = new Map(Object.entries(hours).map(([day, range]) => [day.toLowerCase(), range ?? '']))
  const on = (day: string) => byDay.get(day) ?? ''
  return {
    monday: on('monday'),
    tuesday: on('tuesday'),
    wednesday: on('wednesday'),
    thursday: on('thursday'),
    friday: on('friday'),
    saturday: on('saturday'),
    sunday: on('sunday'),
  }
}

const MAX_MESSAGES = 20
const LONGEST_MESSAGE = 300

/** The messages of an error in any of its forms: `{errors: [text]}`, `{message}`, a text in JSON or a bare one. */
export function messagesOf(body: string, secrets: string[]): string[] {
  const said = errorMessages(parsed(body))
  return said
    .map((message) =>
      veiled(message, secrets)
        .toWellFormed()
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, LONGEST_MESSAGE),
    )
    .filter((message) => message !== '')
    .slice(0, MAX_MESSAGES)
}

function errorMessages(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (typeof content !== 'object' || content === null) return []
  const { errors, message } = content as { errors?: unknown; message?: unknown }
  if (Array.isArray(errors)) return errors.filter((error) => typeof error === 'string')
  return typeof message === 'string' ? [message] : []
}

/** Whether a text is HTML, such as a proxy's error page, which a caller does not need. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body.trimStart().startsWith('<') ? undefined : body
  }
}
