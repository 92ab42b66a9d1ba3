/** The terms of an offer that matching uses. */
export interface MatchedOffer {
  id: string
  merchantName: string
  /** The user's share and the whole commission, in basis points. */
  commissionBp: number
  totalBp: number
  minimumSpend: number
  maximumReward: number | null
  redeemableOnce: boolean
}

export interface Shares {
  userAmount: number
  issuerAmount: number
}

/** The shares of a purchase: the user's, up to the maximum, and the issuer's, which is the rest of the commission. */
export function sharesOf(
  amount: number,
  { commissionBp, totalBp, maximumReward }: Pick<MatchedOffer, 'commissionBp' | 'totalBp' | 'maximumReward'>,
): Shares {
  const userAmount = Math.min(partOf(amount, commissionBp), maximumReward ?? Number.POSITIVE_INFINITY)
  return { userAmount, issuerAmount: partOf(amount, totalBp) - userAmount }
}

/** floor(amount × basis points / 10,000), computed without exceeding the safe integers. */
function partOf(amount: number, basisPoints: number): number {
  const rest = amount % 10_000
  return ((amount - rest) / 10_000) * basisPoints + Math.floor((rest * basisPoints) / 10_000)
}

/** The outcome of an offer for a purchase: it won, or the first reason why not. */
type OfferOutcome = 'Won' | 'BelowMinimumSpend' | 'AlreadyRedeemed' | 'NoCashBack' | 'LowerCashBack' | 'OlderOffer'

export interface JudgedOffer<Offer> {
  offer: Offer
  userAmount: number
  outcome: OfferOutcome
}

/**
 * Judges the offers for a purchase. The highest cash back wins; between equal ones the newer, which has the higher id. For a part
 * of a purchase, `counted` is the amount of all parts so far, which counts for the minimum.
 */
export function judgeOffers<Offer extends MatchedOffer>(
  offers: Offer[],
  amount: number,
  isUsedUp: (offer: Offer) => boolean,
  counted = amount,
): JudgedOffer<Offer>[] {
  const judged = offers.map((offer): JudgedOffer<Offer> => {
    const { userAmount } = sharesOf(amount, offer)
    if (counted < offer.minimumSpend) return { offer, userAmount, outcome: 'BelowMinimumSpend' }
    if (offer.redeemableOnce && isUsedUp(offer)) return { offer, userAmount, outcome: 'AlreadyRedeemed' }
    return { offer, userAmount, outcome: userAmount === 0 ? 'NoCashBack' : 'Won' }
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
  counted?: number,
): Offer | undefined {
  return judgeOffers(offers, amount, isUsedUp, counted).find(({ outcome }) => outcome === 'Won')?.offer
}
