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

/** The offer with the highest cash back for a purchase; between equal ones the newer, which has the higher id. */
export function bestOffer<Offer extends MatchedOffer>(
  offers: Offer[],
  amount: number,
  isUsedUp: (offer: Offer) => boolean,
): Offer | undefined {
  let best: { offer: Offer; userAmount: number } | undefined
  for (const offer of offers) {
    const { userAmount } = sharesOf(amount, offer)
    if (userAmount === 0 || amount < offer.minimumSpend || (offer.redeemableOnce && isUsedUp(offer))) continue
    const better = !best || userAmount > best.userAmount
    const newer = best?.userAmount === userAmount && Number(offer.id) > Number(best.offer.id)
    if (better || newer) best = { offer, userAmount }
  }
  return best?.offer
}
