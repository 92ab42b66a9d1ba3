import { dateOf } from '../../base/clock.ts'
import type { Queryable } from '../../database/database.ts'
import { type OfferTerms, weekdays } from '../../rewards/campaigns/campaign.ts'
import { meets } from '../../rewards/campaigns/condition.ts'
import type { MatchedOffer } from '../../rewards/matching.ts'
import { findCampaignOffers } from './campaign-offers.sql.ts'

/** A purchase of a partner user at a merchant. */
export interface UsersPurchase {
  organisationId: number
  partnerUserId: number
  normalisedName: string
  at: string
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
  return found.map(({ tags, ...offer }) => matched(offer, unfitOf(offer, tags, purchase.at)))
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
): MatchedOffer['unfit'] {
  const { validFrom, expirationDate, days, condition } = terms
  if (!isActive || at < validFrom || (expirationDate !== null && at >= expirationDate)) return 'NotLive'
  const day = weekdays[dateOf(at).getUTCDay()]
  if (days && day && !days.includes(day)) return 'OtherDay'
  return meets(tags, condition) ? undefined : 'NotEligible'
}
