import { addMs } from '../../base/clock.ts'
import { emit } from '../../events/event.ts'
import type { Books } from '../../ledger/books.ts'
import type { Reads } from '../../ledger/kinds.ts'
import { judgeOffers, type MatchedOffer, sharesOf } from '../../rewards/matching.ts'
import { type MatchedPurchase, type MerchantFacts, matchedPurchase } from '../../rewards/purchases.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { purchases } from '../records/purchases.ts'
import type { ConsideredOffers, LedgerAuthorization, LedgerPurchase, LedgerReward } from '../records/records.ts'
import { campaignOffers } from './campaign-offers.ts'
import { activationFor, campaignReads, changeBudgets, changeUse, refusalOf } from './campaign-rewards.ts'
import { countUnrewarded, findLiveLink, matchingOffers, nextRewardIds } from './earning.sql.ts'
import { paidBy, payOut } from './payouts.ts'
import { emitReward, type Rewarded, rewardableTransactionOf } from './reward-view.ts'

/** The ids of a purchase, of its reward and of the payout. */
interface RewardIds {
  purchase: number
  reward: number
  rewardPayment: number
  payment: number
  transfer: number
}

/** The link, the offers and the ids of a purchase that may earn: looked up before the lane, decided on inside it. */
export interface Earning {
  linkId: number
  partnerUserId: number
  purchase: MatchedPurchase
  offers: MatchedOffer[]
  ids: RewardIds
  /** Ids for earlier parts of the purchase, which earn if this one completes a minimum. */
  partIds: RewardIds[]
}

/** A settlement of an authorization, and how much of it has been refunded. */
export interface Settled {
  authorization: LedgerAuthorization
  bankTransactionId: string
  amount: number
  refunded: number
}

type EarningSettings = Pick<BankParts, 'payoutDelayMs' | 'routingNumber'>

/** The most earlier parts of a purchase that one settlement rewards. */
const MAX_PARTS = 100

/** Returns undefined for a card that no partner user earns with. */
export async function prepareEarning(
  { database, ids }: Pick<BankParts, 'database' | 'ids'>,
  authorization: LedgerAuthorization,
  { merchant, hasParts = authorization.settled > 0 }: { merchant?: MerchantFacts | undefined; hasParts?: boolean } = {},
): Promise<Earning | undefined> {
  const { organisationId, id } = authorization
  const link = await findLiveLink(database, organisationId, String(authorization.cardId))
  if (!link) return undefined
  const purchase = purchaseMatched(authorization, merchant)
  const { partnerUserId } = link
  const [shared, own] = await Promise.all([
    matchingOffers(database, purchase),
    campaignOffers(database, { ...purchase, organisationId, partnerUserId }),
  ])
  const offers = [...shared, ...own]
  const mayComplete = hasParts && offers.some(({ minimumSpend }) => minimumSpend > 0)
  const parts = mayComplete ? await countUnrewarded(database, id, MAX_PARTS) : 0
  const allIds: RewardIds[] = []
  for (const rewardIds of await nextRewardIds(database, 1 + parts)) {
    allIds.push({ ...rewardIds, payment: await ids.next(), transfer: await ids.nextPair() })
  }
  const [first, ...partIds] = allIds
  if (!first) throw new Error('the sequences answered no row')
  return { linkId: link.id, partnerUserId, purchase, offers, ids: first, partIds }
}

/** The facts of a purchase; a caller may add those that the authorization does not have. */
export function purchaseMatched(authorization: LedgerAuthorization, merchant?: MerchantFacts): MatchedPurchase {
  const { merchantName, merchantCategory, merchantLocation, createdAt } = authorization
  return matchedPurchase(
    {
      name: merchantName,
      location: merchantLocation,
      category: merchantCategory,
      merchantId: authorization.merchantId ?? merchant?.id ?? null,
      categoryCode: authorization.merchantCategoryCode ?? merchant?.categoryCode ?? null,
    },
    createdAt,
  )
}

/** The records that a command which may earn locks and reads beside its accounts. */
export function earningReads(
  { linkId, partnerUserId, offers }: Earning,
  { id: authorizationId, createdAt }: Pick<LedgerAuthorization, 'id' | 'createdAt'>,
): Reads[] {
  const offerIds = offers.filter(({ redeemableOnce }) => redeemableOnce).map(({ id }) => id)
  return [
    purchases.ids([{ authorizationId, partnerUserIds: [partnerUserId], linkId, offerIds }]),
    ...campaignReads(offers, partnerUserId, createdAt),
  ]
}

/** Whether a part of the purchase that now earns has no ids, because it settled after they were taken. */
export function lacksParts(books: Books, earning: Earning, authorizationId: number, amount: number): boolean {
  return completed(books, earning, authorizationId, amount).parts.length > earning.partIds.length
}

/**
 * The earlier parts of a purchase that have earned nothing, and the offers whose minimum they reach together with a further
 * amount and did not reach without it. `counted` is the amount of all parts.
 */
function completed(books: Books, { linkId, offers }: Earning, authorizationId: number, amount: number) {
  const earlier = books
    .of(purchases)
    .of(authorizationId)
    .filter((part) => part.linkId === linkId)
  const before = earlier.reduce((sum, part) => sum + part.amount - part.refunded, 0)
  const counted = before + amount
  const reached = offers.filter(({ minimumSpend }) => before < minimumSpend && minimumSpend <= counted)
  const unrewarded = earlier.filter(({ reward, ...part }) => !reward && part.amount > part.refunded)
  return { counted, reached, parts: reached.length > 0 ? unrewarded.slice(0, MAX_PARTS) : [] }
}

/**
 * Records a settlement as a purchase and rewards it by the best offer; without a payout delay it is paid at once. Earlier parts
 * of the purchase earn, too, by offers whose minimum it completes. Returns undefined if the card was unlinked meanwhile.
 */
export function earn(
  books: Books,
  earning: Earning,
  settled: Settled,
  settings: EarningSettings,
): LedgerPurchase | undefined {
  const link = books.of(purchases).link(earning.linkId)
  if (!link?.isLive) return undefined
  const { authorization, amount, refunded } = settled
  const now = books.now(authorization.organisationId)
  const purchase = purchaseOf(earning, settled, now)
  const { counted, reached, parts } = completed(books, earning, authorization.id, amount - refunded)
  emit(books.events, 'rewardableTransaction.created', 1, rewardableTransactionOf(purchase))
  const rewardOf = (part: LedgerPurchase, offers: MatchedOffer[], ids: RewardIds) =>
    rewarded(books, { ...earning, offers, ids }, part, { at: authorization.createdAt, counted, now, ...settings })
  const own = rewardOf(purchase, earning.offers, earning.ids)
  books.of(purchases).insert(own)
  if (isRewarded(own)) announce(books, own, authorization, earning.ids, settings)
  for (const [at, part] of parts.entries()) {
    const ids = earning.partIds[at]
    const late = ids && rewardOf(part, reached, ids)
    if (!late || !isRewarded(late)) continue
    books.of(purchases).update(late)
    announce(books, late, authorization, ids, settings)
  }
  return own
}

const isRewarded = (purchase: LedgerPurchase): purchase is Rewarded => purchase.reward !== null

/** When a purchase was authorized and is judged, and the amount of all its parts. */
interface Judgement {
  at: string
  now: string
  counted: number
  payoutDelayMs: number
}

/** A purchase with the reward that it earns, if any, and with the offers that were considered if one of a campaign is among them. */
function rewarded(
  books: Books,
  earning: Earning,
  purchase: LedgerPurchase,
  { at, now, counted, payoutDelayMs }: Judgement,
): LedgerPurchase {
  const { offers, partnerUserId, ids } = earning
  const { organisationId, amount } = purchase
  const user = { organisationId, partnerUserId, at }
  const judged = judgeOffers(
    offers.map((offer) => ofWholePurchase(books, offer, purchase)),
    amount - purchase.refunded,
    ({ id }) => books.of(purchases).hasEarned(partnerUserId, id),
    { counted, purchase: amount, refusalOf: (offer, userAmount) => refusalOf(books, offer, user, userAmount) },
  )
  const offer = judged.find(({ outcome }) => outcome === 'Won')?.offer
  const considered: ConsideredOffers | null = offers.some(({ campaignId }) => campaignId)
    ? judged.map((one) => ({ offerId: one.offer.id, userAmount: one.userAmount, outcome: one.outcome }))
    : purchase.considered
  if (!offer) return { ...purchase, considered }
  const delayMs = offer.delayMs ?? payoutDelayMs
  const activationId = activationFor(books, offer, user)?.id ?? null
  const pending = { ...pendingReward(earning, offer, purchase, { now, delayMs }), activationId }
  return { ...purchase, considered, reward: delayMs === 0 ? paidBy(pending, payoutOf(ids), now) : pending }
}

/** An offer of a campaign gives its amount, and its maximum, once for all parts of a purchase. */
function ofWholePurchase(books: Books, offer: MatchedOffer, { authorizationId }: LedgerPurchase): MatchedOffer {
  const { id, campaignId, flatAmount, maximumReward } = offer
  if (!campaignId) return offer
  const given = books
    .of(purchases)
    .of(authorizationId)
    .reduce((sum, { reward }) => sum + (reward?.offerId === id ? reward.userAmount : 0), 0)
  return {
    ...offer,
    ...(flatAmount && { flatAmount: Math.max(0, flatAmount - given) }),
    ...(maximumReward && { maximumReward: Math.max(0, maximumReward - given) }),
  }
}

/** Emits the event of a new reward, takes it from its activation and budgets, and pays it if it is marked as paid. */
function announce(
  books: Books,
  purchase: Rewarded,
  authorization: LedgerAuthorization,
  ids: RewardIds,
  { routingNumber }: EarningSettings,
): void {
  const { activationId, userAmount } = purchase.reward
  emitReward(books, 'reward.created', purchase)
  changeUse(books, activationId, 1)
  changeBudgets(books, purchase, { amount: userAmount, count: 1 })
  if (purchase.reward.state === 'PAID') payOut(books, purchase, authorization, payoutOf(ids), routingNumber)
}

function payoutOf({ payment, transfer, rewardPayment }: RewardIds) {
  return { paymentId: payment, transferId: transfer, rewardPaymentId: rewardPayment }
}

function purchaseOf(
  { ids, linkId, purchase: { merchantId, categoryCode } }: Earning,
  settled: Settled,
  now: string,
): LedgerPurchase {
  const { authorization, bankTransactionId, amount, refunded } = settled
  return {
    id: ids.purchase,
    organisationId: authorization.organisationId,
    linkId,
    authorizationId: authorization.id,
    bankTransactionId,
    merchantId,
    categoryCode,
    amount,
    refunded,
    createdAt: now,
    updatedAt: null,
    version: 1,
    considered: null,
    reward: null,
  }
}

function pendingReward(
  { partnerUserId, ids }: Earning,
  offer: MatchedOffer,
  { amount, refunded }: LedgerPurchase,
  { now, delayMs }: { now: string; delayMs: number },
): LedgerReward {
  return {
    id: ids.reward,
    partnerUserId,
    offerId: offer.id,
    merchantName: offer.merchantName,
    commissionBp: offer.commissionBp,
    totalBp: offer.totalBp,
    maximumReward: offer.maximumReward,
    campaignId: offer.campaignId ?? null,
    activationId: null,
    flatAmount: offer.flatAmount ? Math.min(offer.flatAmount, amount) : null,
    ...sharesOf(amount - refunded, offer, amount),
    state: 'PENDING',
    payoutDueAt: addMs(now, delayMs),
    paymentId: null,
    paidAt: null,
    rewardPaymentId: ids.rewardPayment,
    createdAt: now,
    updatedAt: null,
    version: 1,
  }
}
