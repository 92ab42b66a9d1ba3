import { addMs } from '../../base/clock.ts'
import { emit } from '../../events/event.ts'
import type { Books } from '../../ledger/books.ts'
import type { Reads } from '../../ledger/kinds.ts'
import { bestOffer, type MatchedOffer, sharesOf } from '../../rewards/matching.ts'
import { normalisedMerchantName } from '../../rewards/merchant-name.ts'
import { cityAndState } from '../../rewards/purchases.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { purchases } from '../records/purchases.ts'
import type { LedgerAuthorization, LedgerPurchase, LedgerReward } from '../records/records.ts'
import { findLiveLink, matchingOffers, nextRewardIds } from './earning.sql.ts'
import { paidBy, payOut } from './payouts.ts'
import { emitReward, rewardableTransactionOf } from './reward-view.ts'

/** The link, the offers and the ids of a purchase that may earn: looked up before the lane, decided on inside it. */
export interface Earning {
  linkId: number
  partnerUserId: number
  offers: MatchedOffer[]
  ids: { purchase: number; reward: number; rewardPayment: number; payment: number; transfer: number }
}

/** A settlement of an authorization, and how much of it has been refunded. */
export interface Settled {
  authorization: LedgerAuthorization
  bankTransactionId: string
  amount: number
  refunded: number
}

type EarningSettings = Pick<BankParts, 'payoutDelayMs' | 'routingNumber'>

/** Returns undefined for a card that no partner user earns with. */
export async function prepareEarning(
  { database, ids }: Pick<BankParts, 'database' | 'ids'>,
  organisationId: number,
  authorization: LedgerAuthorization,
): Promise<Earning | undefined> {
  const link = await findLiveLink(database, organisationId, String(authorization.cardId))
  if (!link) return undefined
  const offers = await matchingOffers(database, {
    normalisedName: normalisedMerchantName(authorization.merchantName),
    at: authorization.createdAt,
    ...cityAndState(authorization.merchantLocation),
  })
  const rewardIds = await nextRewardIds(database)
  return {
    linkId: link.id,
    partnerUserId: link.partnerUserId,
    offers,
    ids: { ...rewardIds, payment: await ids.next(), transfer: await ids.nextPair() },
  }
}

/** The records that a command which may earn locks and reads beside its accounts. */
export function earningReads({ linkId, partnerUserId, offers }: Earning, authorizationId: number): Reads {
  const offerIds = offers.filter(({ redeemableOnce }) => redeemableOnce).map(({ id }) => id)
  return purchases.ids([{ authorizationId, partnerUserIds: [partnerUserId], linkId, offerIds }])
}

/**
 * Records a settlement as a purchase and rewards it by the best offer; without a payout delay it is paid at once. Returns
 * undefined if the card was unlinked meanwhile.
 */
export function earn(
  books: Books,
  earning: Earning,
  settled: Settled,
  { payoutDelayMs, routingNumber }: EarningSettings,
): LedgerPurchase | undefined {
  const link = books.of(purchases).link(earning.linkId)
  if (!link?.isLive) return undefined
  const { authorization, amount, refunded } = settled
  const now = books.now(authorization.organisationId)
  const purchase = purchaseOf(earning, settled, now)
  emit(books.events, 'rewardableTransaction.created', 1, rewardableTransactionOf(purchase))
  const offer = bestOffer(earning.offers, amount - refunded, ({ id }) =>
    books.of(purchases).hasEarned(link.partnerUserId, id),
  )
  if (!offer) {
    books.of(purchases).insert(purchase)
    return purchase
  }
  const pending = pendingReward(earning, offer, amount - refunded, { now, payoutDelayMs })
  const { ids } = earning
  const payout = { paymentId: ids.payment, transferId: ids.transfer, rewardPaymentId: ids.rewardPayment }
  const isPaid = payoutDelayMs === 0
  const rewarded = { ...purchase, reward: isPaid ? paidBy(pending, payout, now) : pending }
  books.of(purchases).insert(rewarded)
  emitReward(books, 'reward.created', rewarded)
  if (isPaid) payOut(books, rewarded, authorization, payout, routingNumber)
  return rewarded
}

function purchaseOf({ ids, linkId }: Earning, settled: Settled, now: string): LedgerPurchase {
  const { authorization, bankTransactionId, amount, refunded } = settled
  return {
    id: ids.purchase,
    organisationId: authorization.organisationId,
    linkId,
    authorizationId: authorization.id,
    bankTransactionId,
    amount,
    refunded,
    createdAt: now,
    updatedAt: null,
    version: 1,
    reward: null,
  }
}

function pendingReward(
  { partnerUserId, ids }: Earning,
  offer: MatchedOffer,
  amount: number,
  { now, payoutDelayMs }: { now: string; payoutDelayMs: number },
): LedgerReward {
  return {
    id: ids.reward,
    partnerUserId,
    offerId: offer.id,
    merchantName: offer.merchantName,
    commissionBp: offer.commissionBp,
    totalBp: offer.totalBp,
    maximumReward: offer.maximumReward,
    ...sharesOf(amount, offer),
    state: 'PENDING',
    payoutDueAt: addMs(now, payoutDelayMs),
    paymentId: null,
    paidAt: null,
    rewardPaymentId: ids.rewardPayment,
    updatedAt: null,
    version: 1,
  }
}
