/** The terms by which the cash back of a purchase is computed. */
export interface RewardTerms {
  /** The user's share and the whole commission, in basis points. */
  commissionBp: number
  totalBp: number
  maximumReward: number | null
  /** The campaign that has the offer, of which the issuer gets nothing; null for an offer of the catalogue. */
  campaignId?: number | null
  /** The cash back of a whole purchase in cents, in place of a share. */
  flatAmount?: number | null
}

/** The terms of an offer that matching uses. */
export interface MatchedOffer extends RewardTerms {
  id: string
  merchantName: string
  minimumSpend: number
  redeemableOnce: boolean
  /** Why the offer is not for this purchase, if that is known before its amount is looked at. */
  unfit?: Unfit | undefined
  /** Whether the user has to activate it. */
  needsActivation?: boolean
  /** The delay of the payout, if it is the offer's own. */
  delayMs?: number | undefined
}

export interface Shares {
  userAmount: number
  issuerAmount: number
}

/**
 * The shares of what is left of a purchase after refunds: the user's, up to the maximum, and the issuer's, which is the rest of the
 * commission.
 */
export function sharesOf(left: number, terms: RewardTerms, purchase = left): Shares {
  const { commissionBp, totalBp, maximumReward, campaignId, flatAmount } = terms
  if (flatAmount) return { userAmount: portion(Math.min(flatAmount, purchase), left, purchase), issuerAmount: 0 }
  const userAmount = Math.min(portion(left, commissionBp, 10_000), maximumReward ?? Number.POSITIVE_INFINITY)
  return { userAmount, issuerAmount: campaignId ? 0 : portion(left, totalBp, 10_000) - userAmount }
}

/** floor(amount × part / whole), computed without exceeding the safe integers. */
function portion(amount: number, part: number, whole: number): number {
  const product = amount * part
  if (Number.isSafeInteger(product)) return (product - (product % whole)) / whole
  return Number((BigInt(amount) * BigInt(part)) / BigInt(whole))
}

/** Why an offer of a campaign is not for a purchase, whatever its amount. */
type Unfit = 'NotLive' | 'OtherMerchant' | 'OtherCategory' | 'OtherDay' | 'NotEligible'

/** The outcome of an offer for a purchase: it won, or the first reason why not. */
export type OfferOutcome =
  | 'Won'
  | Unfit
  | 'BelowMinimumSpend'
  | 'AlreadyRedeemed'
  | 'NotActivated'
  | 'BudgetSpent'
  | 'NoCashBack'
  | 'LowerCashBack'
  | 'OlderOffer'

export interface JudgedOffer<Offer> {
  offer: Offer
  userAmount: number
  outcome: OfferOutcome
}

/** The amounts of a purchase beside what is left of it, and the rules of campaigns. */
interface PurchaseRules<Offer> {
  /** The amount of all parts of the purchase so far, which counts for the minimum. */
  counted?: number | undefined
  /** The amount before refunds. */
  purchase?: number
  /** Why an offer gives nothing, by the records that are read under lock. */
  refusalOf?: (offer: Offer, userAmount: number) => OfferOutcome | undefined
}

/** Judges the offers for what is left of a purchase. The highest cash back wins; between equal ones the newer, which has the higher id. */
export function judgeOffers<Offer extends MatchedOffer>(
  offers: Offer[],
  amount: number,
  isUsedUp: (offer: Offer) => boolean,
  { counted = amount, purchase = amount, refusalOf }: PurchaseRules<Offer> = {},
): JudgedOffer<Offer>[] {
  const judged = offers.map((offer): JudgedOffer<Offer> => {
    const { userAmount } = sharesOf(amount, offer, purchase)
    if (offer.unfit) return { offer, userAmount, outcome: offer.unfit }
    if (counted < offer.minimumSpend) return { offer, userAmount, outcome: 'BelowMinimumSpend' }
    if (offer.redeemableOnce && isUsedUp(offer)) return { offer, userAmount, outcome: 'AlreadyRedeemed' }
    const refusal = offer.campaignId ? refusalOf?.(offer, userAmount) : undefined
    return { offer, userAmount, outcome: refusal ?? (userAmount === 0 ? 'NoCashBack' : 'Won') }
  })
  let best: JudgedOffer<Offer> | undefined
  for (const one of judged) {
    if (one.outcome !== 'Won') continue
    const [loser, winner] = best && isBetter(best, one) ? [one, best] : [best, one]
    best = winner
    if (loser) loser.outcome = loser.userAmount === winner.userAmount ? 'OlderOffer' : 'LowerCashBack'
  }
  // An offer that was overtaken is compared with the winner, and not with the one that overtook it.
  for (const one of judged) {
    if (best && one.outcome === 'OlderOffer' && one.userAmount < best.userAmount) one.outcome = 'LowerCashBack'
  }
  return judged
}

function isBetter(one: JudgedOffer<MatchedOffer>, other: JudgedOffer<MatchedOffer>): boolean {
  if (one.userAmount !== other.userAmount) return one.userAmount > other.userAmount
  return Number(one.offer.id) > Number(other.offer.id)
}

/** The offer that wins a purchase, if any. */
export function bestOffer<Offer extends MatchedOffer>(
  offers: Offer[],
  amount: number,
  isUsedUp: (offer: Offer) => boolean,
): Offer | undefined {
  return judgeOffers(offers, amount, isUsedUp).find(({ outcome }) => outcome === 'Won')?.offer
}
