import { idNumber, integerIdNumber } from '../../base/ids.ts'
import type { Caller } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { type JudgedOffer, judgeOffers, type MatchedOffer, sharesOf } from '../../rewards/matching.ts'
import { type MatchedPurchase, type MerchantFacts, matchedPurchase } from '../../rewards/purchases.ts'
import type { PurchaseExplanation } from '../../rewards/records/get-purchase-explanation.ts'
import type { ConsideredOffer, RewardExplanation } from '../../rewards/records/get-reward-explanation.ts'
import { findAuthorization } from '../cards/authorizations.sql.ts'
import { type CandidateOffer, candidateOffers, findSettlement } from '../earning/earning.sql.ts'
import { purchaseMatched } from '../earning/earning.ts'
import type { ConsideredOffers } from '../records/records.ts'
import {
  type ExplainedReward,
  findExplained,
  findRecordedPurchase,
  type RecordedPurchase,
  redeemedBefore,
  titlesOf,
} from './explanation.sql.ts'

type OfferOutcome = ConsideredOffer['outcome']

const MAX_OFFERS = 100

/** The outcomes as they were stored, or the offers of the reward's merchant judged again by the rules that chose the winner. */
export async function getRewardExplanation(
  database: Queryable,
  { organisationId }: Caller,
  rewardId: string,
): Promise<RewardExplanation> {
  const reward = await findExplained(database, organisationId, integerIdNumber(rewardId))
  if (!reward) throw new Problem('reward_not_found')
  const { offerId, purchaseMerchant, purchasedAt, amount } = reward
  const { merchantId, categoryCode, counted, purchaseCategory: category, purchaseLocation: location } = reward
  const merchant = { name: purchaseMerchant, location, category, merchantId, categoryCode }
  const purchase = matchedPurchase(merchant, purchasedAt)
  const decision = reward.considered
    ? await asStored(database, { considered: reward.considered, purchase, amount, winner: offerId })
    : await judgedAgain(database, reward, purchase)
  return {
    rewardId: reward.id,
    offerId,
    merchantName: purchaseMerchant,
    merchantId,
    categoryCode: purchase.categoryCode,
    purchasedAt,
    amount,
    countedAmount: counted,
    attribution: reward.attribution,
    ...decision,
  }
}

/** The outcomes of offers, and whether all of them are listed. */
type Decision = Pick<RewardExplanation, 'offers' | 'complete' | 'catalogueChanged'>

/** The offers that were judged for what is left of a purchase, and the one that won. */
interface StoredDecision {
  considered: ConsideredOffers
  purchase: MatchedPurchase
  amount: number
  winner: string | null
}

/** The decision as it was made, the winner first. A part that earned when a later one completed a minimum was judged before. */
async function asStored(database: Queryable, stored: StoredDecision): Promise<Decision> {
  const { considered, winner } = stored
  const titles = await titlesOf(
    database,
    considered.map(({ offerId }) => offerId),
  )
  const titleOf = new Map(titles.map(({ id, title }) => [id, title]))
  const judged = considered.map((one) => ({
    ...one,
    title: titleOf.get(one.offerId) ?? null,
    outcome: one.offerId === winner ? ('Won' as const) : one.outcome,
  }))
  const sorted = judged.toSorted((a, b) => Number(b.outcome === 'Won') - Number(a.outcome === 'Won'))
  const all = [...sorted, ...(await missesOf(database, stored))]
  return { offers: all.slice(0, MAX_OFFERS), complete: all.length <= MAX_OFFERS, catalogueChanged: false }
}

/** The offers of the catalogue that do not match a purchase, which are not stored with it. */
async function missesOf(
  database: Queryable,
  { considered, purchase, amount }: StoredDecision,
): Promise<ConsideredOffer[]> {
  const stored = new Set(considered.map(({ offerId }) => offerId))
  const candidates = await candidateOffers(database, purchase, { first: '', take: MAX_OFFERS + 1 })
  return candidates.flatMap((offer) => {
    const outcome = mismatchOf(offer)
    const { userAmount } = sharesOf(amount, offer)
    return outcome && !stored.has(offer.id) ? [{ offerId: offer.id, title: offer.title, userAmount, outcome }] : []
  })
}

async function judgedAgain(database: Queryable, reward: ExplainedReward, purchase: MatchedPurchase): Promise<Decision> {
  const found = await candidateOffers(database, purchase, { first: reward.offerId, take: MAX_OFFERS + 1 })
  const shown = found.slice(0, MAX_OFFERS)
  const once = shown.filter(({ redeemableOnce }) => redeemableOnce).map(({ id }) => id)
  const judged = explain(reward, shown, await redeemedBefore(database, reward, once))
  return { ...judged, complete: found.length <= MAX_OFFERS }
}

/** Explains a settlement by its reward, or judges the offers of its merchant if there is none. */
export async function getPurchaseExplanation(
  database: Queryable,
  caller: Caller,
  bankTransactionId: string,
): Promise<PurchaseExplanation> {
  const { organisationId } = caller
  const settlement = await findSettlement(database, organisationId, idNumber(bankTransactionId))
  const authorization = settlement && (await findAuthorization(database, organisationId, settlement.authorizationId))
  if (!authorization) throw new Problem('transaction_not_found')
  const recorded = await findRecordedPurchase(database, organisationId, bankTransactionId)
  if (recorded?.rewardId) {
    const {
      offerId: _won,
      attribution: _did,
      catalogueChanged: _changed,
      ...explained
    } = await getRewardExplanation(database, caller, String(recorded.rewardId))
    return { bankTransactionId, outcome: 'Earned', ...explained }
  }
  const purchase = purchaseMatched(authorization, recorded && factsOf(recorded))
  const { merchantId, categoryCode } = purchase
  return {
    bankTransactionId,
    outcome: recorded ? 'NothingEarned' : 'NotLinked',
    rewardId: null,
    ...{ merchantName: authorization.merchantName, merchantId, categoryCode, purchasedAt: authorization.createdAt },
    amount: settlement.amount,
    countedAmount: recorded?.counted ?? settlement.amount,
    ...(await whyNothing(database, purchase, recorded ?? { left: settlement.amount })),
  }
}

async function whyNothing(
  database: Queryable,
  purchase: MatchedPurchase,
  recorded: Pick<RecordedPurchase, 'left'> & Partial<RecordedPurchase>,
): Promise<Pick<Decision, 'offers' | 'complete'>> {
  if (recorded.considered) {
    const { offers, complete } = await asStored(database, {
      ...{ considered: recorded.considered, purchase, amount: recorded.left },
      winner: null,
    })
    return { offers, complete }
  }
  const found = await candidateOffers(database, purchase, { first: '', take: MAX_OFFERS + 1 })
  const offers = await unearned(database, found.slice(0, MAX_OFFERS), recorded)
  return { offers, complete: found.length <= MAX_OFFERS }
}

const factsOf = ({ merchantId, categoryCode }: RecordedPurchase): MerchantFacts => ({
  ...(merchantId !== null && { id: merchantId }),
  ...(categoryCode !== null && { categoryCode }),
})

/** Why each offer gave nothing. One that would win now has changed since, unless the card was not linked. */
async function unearned(
  database: Queryable,
  found: CandidateOffer[],
  { left, counted = left, ...recorded }: Pick<RecordedPurchase, 'left'> & Partial<RecordedPurchase>,
): Promise<ConsideredOffer[]> {
  const { partnerUserId, createdAt } = recorded
  const once = found.filter(({ redeemableOnce }) => redeemableOnce).map(({ id }) => id)
  const used =
    partnerUserId === undefined || createdAt === undefined
      ? new Set<string>()
      : await redeemedBefore(database, { id: 0, partnerUserId, createdAt }, once)
  const eligible = found.filter((offer) => mismatchOf(offer) === undefined)
  const judged = new Map(
    judgeOffers(eligible, left, ({ id }) => used.has(id), { counted }).map(({ offer, outcome }) => [offer.id, outcome]),
  )
  const outcomeOf = (offer: CandidateOffer) => mismatchOf(offer) ?? judged.get(offer.id) ?? 'ChangedSince'
  return found.map((offer) => {
    const outcome = outcomeOf(offer)
    const isChanged = outcome === 'Won' && partnerUserId !== undefined
    const { userAmount } = sharesOf(left, offer)
    return { offerId: offer.id, title: offer.title, userAmount, outcome: isChanged ? 'ChangedSince' : outcome }
  })
}

/**
 * The winner first, with the terms that it was rewarded by. An offer that would beat it now has changed since, and is taken
 * out until the winner wins.
 */
function explain(reward: ExplainedReward, found: CandidateOffer[], redeemed: Set<string>) {
  const { offerId, amount, counted } = reward
  const present = found.find(({ id }) => id === offerId)
  const others = found.filter(({ id }) => id !== offerId)
  const asRewarded = { ...reward.terms, id: offerId, minimumSpend: 0, redeemableOnce: false }
  const changed = new Set<string>()
  let judged: JudgedOffer<MatchedOffer>[] = []
  for (let round = 0; round <= others.length; round++) {
    const eligible = others.filter((offer) => mismatchOf(offer) === undefined && !changed.has(offer.id))
    judged = judgeOffers([asRewarded, ...eligible], amount, ({ id }) => redeemed.has(id), { counted })
    const winner = judged.find(({ outcome }) => outcome === 'Won')
    if (!winner || winner.offer.id === offerId) break
    changed.add(winner.offer.id)
  }
  const outcomes = new Map(judged.map(({ offer, outcome }) => [offer.id, outcome]))
  const winner: ConsideredOffer = {
    offerId,
    title: present?.title ?? null,
    userAmount: sharesOf(amount, asRewarded).userAmount,
    outcome: 'Won',
  }
  const rest = others.map((offer) => ({
    offerId: offer.id,
    title: offer.title,
    userAmount: sharesOf(amount, offer).userAmount,
    outcome: mismatchOf(offer) ?? outcomes.get(offer.id) ?? 'ChangedSince',
  }))
  return { offers: [winner, ...rest], catalogueChanged: changed.size > 0 || !hasTerms(present, reward) }
}

/** Why an offer does not match a purchase; undefined if it does. */
function mismatchOf({ isLive, isOfMerchant, isOfCategory, isHere }: CandidateOffer): OfferOutcome | undefined {
  if (!isLive) return 'NotLive'
  if (!isOfMerchant) return 'OtherMerchant'
  if (!isOfCategory) return 'OtherCategory'
  return isHere ? undefined : 'OtherPlace'
}

/** Whether an offer still has the terms that a reward was earned by. */
function hasTerms(offer: CandidateOffer | undefined, { terms, counted }: ExplainedReward): boolean {
  return (
    offer !== undefined &&
    mismatchOf(offer) === undefined &&
    offer.minimumSpend <= counted &&
    offer.commissionBp === terms.commissionBp &&
    offer.totalBp === terms.totalBp &&
    offer.maximumReward === terms.maximumReward
  )
}
