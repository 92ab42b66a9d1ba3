import { emit } from '../../events/event.ts'
import type { Books } from '../../ledger/books.ts'
import type { Reads } from '../../ledger/kinds.ts'
import type { MatchedOffer, OfferOutcome } from '../../rewards/matching.ts'
import { activations, type LedgerActivation } from '../records/campaigns/activations.ts'
import { budgets, type Earner } from '../records/campaigns/budgets.ts'
import { activationOf } from './activation-view.ts'
import type { Rewarded } from './reward-view.ts'

/** The activations and budgets by which a partner user may earn for a purchase at a time. */
export function campaignReads(offers: MatchedOffer[], partnerUserId: number, at: string): Reads[] {
  const partnerUserIds = [partnerUserId]
  const possible = offers.filter(({ campaignId, unfit }) => campaignId && !unfit)
  const offerIds = possible.filter(({ needsActivation }) => needsActivation).map(({ id }) => Number(id))
  const wanted = possible.map(({ id, campaignId }) => ({
    ...{ campaignId: campaignId ?? 0, partnerUserIds },
    offerIds: [Number(id)],
  }))
  return [
    ...(offerIds.length > 0 ? [activations.ids([{ partnerUserIds, offerIds, at, activationIds: [] }])] : []),
    ...(wanted.length > 0 ? [budgets.ids(wanted)] : []),
  ]
}

/** The records of rewards that a refund may change. */
export interface CampaignPlan {
  activationIds: number[]
  campaignIds: number[]
}

export function planReads({ activationIds, campaignIds }: CampaignPlan): Reads[] {
  const wanted = campaignIds.map((campaignId) => ({ campaignId, offerIds: [], partnerUserIds: [] }))
  return [
    ...(activationIds.length > 0
      ? [activations.ids([{ partnerUserIds: [], offerIds: [], at: '', activationIds }])]
      : []),
    ...(wanted.length > 0 ? [budgets.ids(wanted)] : []),
  ]
}

export function coversReward(plan: CampaignPlan, { activationId, campaignId }: Rewarded['reward']): boolean {
  return (
    (activationId === null || plan.activationIds.includes(activationId)) &&
    (campaignId === null || plan.campaignIds.includes(campaignId))
  )
}

/** A purchase of a partner user, authorized at a time. */
export interface JudgedPurchase {
  organisationId: number
  partnerUserId: number
  at: string
}

/** The activation by which a purchase may earn; undefined also if the offer needs none. */
export function activationFor(
  books: Books,
  { id, needsActivation }: MatchedOffer,
  { partnerUserId, at }: JudgedPurchase,
): LedgerActivation | undefined {
  return needsActivation ? books.of(activations).usable(partnerUserId, Number(id), at) : undefined
}

/** Why an offer of a campaign gives a purchase nothing, by the records under lock. */
export function refusalOf(
  books: Books,
  offer: MatchedOffer,
  purchase: JudgedPurchase,
  userAmount: number,
): OfferOutcome | undefined {
  if (offer.needsActivation && !activationFor(books, offer, purchase)) return 'NotActivated'
  const earner = earnerOf(purchase.organisationId, { ...offer, ...purchase, offerId: offer.id })
  return earner && !books.of(budgets).has(earner, userAmount) ? 'BudgetSpent' : undefined
}

interface Earned {
  offerId: string
  campaignId?: number | null
  partnerUserId: number
}

/** Whose budgets a reward uses; undefined for one of the catalogue. */
function earnerOf(organisationId: number, { offerId, campaignId, partnerUserId }: Earned): Earner | undefined {
  return campaignId ? { organisationId, campaignId, offerId: Number(offerId), partnerUserId } : undefined
}

/** A reward uses budgets, or a refund gives them back, in the periods in which it was earned. */
export function changeBudgets(
  books: Books,
  { reward, organisationId }: Rewarded,
  change: { amount: number; count: number },
): void {
  const earner = earnerOf(organisationId, reward)
  if (!earner) return
  for (const { version, data } of books.of(budgets).change(earner, reward.createdAt, change))
    emit(books.events, 'campaign.budgetReached', version, data)
}

/** A purchase uses an activation, or a refund gives the use back. */
export function changeUse(books: Books, activationId: number | null, by: 1 | -1): void {
  const activation = books.of(activations).get(activationId ?? 0)
  if (!activation) return
  const updatedAt = books.now(activation.organisationId)
  const changed = books.of(activations).update({ ...activation, used: activation.used + by, updatedAt })
  emit(books.events, 'offerActivation.updated', changed.version, activationOf(changed))
}
