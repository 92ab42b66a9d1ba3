import { dateOf } from '../../base/clock.ts'
import type { Queryable } from '../../database/database.ts'
import { type OfferTerms, weekdays } from '../../rewards/campaigns/campaign.ts'
import { meets } from '../../rewards/campaigns/condition.ts'
import type { MatchedOffer } from '../../rewards/matching.ts'
import type { MatchedPurchase } from '../../rewards/purchases.ts'
import { type FoundOffer, findCampaignOffers } from './campaign-offers.sql.ts'

/** A purchase of a partner user at a merchant. */
export interface UsersPurchase extends MatchedPurchase {
  organisationId: number
  partnerUserId: number
}

/** An offer of a campaign, with all that decides who earns by it. */
export interface CampaignOfferTerms {
  id: number
  campaignId: number
  merchantName: string
  /** Whether it and its campaign are Active. */
  isActive: boolean
  terms: OfferTerms
}

const DAY_MS = 86_400_000

/** The offers of campaigns for a purchase, also those that it does not fit: an explanation names them. */
export async function campaignOffers(database: Queryable, purchase: UsersPurchase): Promise<MatchedOffer[]> {
  const found = await findCampaignOffers(database, purchase)
  return found.map((offer) => matched(offer, mismatchOf(offer, purchase) ?? unfitOf(offer, offer.tags, purchase.at)))
}

/** Why a purchase is not of the merchant or the category of an offer. */
function mismatchOf({ isOfMerchant, terms }: FoundOffer, { categoryCode }: MatchedPurchase): MatchedOffer['unfit'] {
  if (!isOfMerchant) return 'OtherMerchant'
  const isOfCategory = categoryCode === null || (terms.categoryCodes ?? [categoryCode]).includes(categoryCode)
  return isOfCategory ? undefined : 'OtherCategory'
}

function matched(
  { id, campaignId, merchantName, terms }: CampaignOfferTerms,
  unfit: MatchedOffer['unfit'],
): MatchedOffer {
  const basisPoints = Math.round((terms.commission ?? 0) * 100)
  return {
    id: String(id),
    merchantName,
    commissionBp: basisPoints,
    totalBp: basisPoints,
    minimumSpend: terms.minimumSpend,
    maximumReward: terms.maximumReward,
    redeemableOnce: false,
    campaignId,
    flatAmount: terms.amount,
    needsActivation: Boolean(terms.activation),
    delayMs: terms.settlementDelayDays === null ? undefined : terms.settlementDelayDays * DAY_MS,
    unfit,
  }
}

/** Why a purchase at a time by a user with these tags does not fit an offer. */
export function unfitOf(
  { isActive, terms }: Pick<CampaignOfferTerms, 'isActive' | 'terms'>,
  tags: Record<string, string>,
  at: string,
): 'NotLive' | 'OtherDay' | 'NotEligible' | undefined {
  const { validFrom, expirationDate, days, condition } = terms
  if (!isActive || at < validFrom || (expirationDate !== null && at >= expirationDate)) return 'NotLive'
  const day = weekdays[dateOf(at).getUTCDay()]
  if (days && day && !days.includes(day)) return 'OtherDay'
  return meets(tags, condition) ? undefined : 'NotEligible'
}
