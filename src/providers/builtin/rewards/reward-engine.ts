import { addDays, addMs } from '../../../base/clock.ts'
import { idNumber } from '../../../base/ids.ts'
import { Problem } from '../../../base/problem.ts'
import { type EventType, emit } from '../../../events/event.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import type { LedgerPurchase, LedgerReward, TransferOrder } from '../../../ledger/records.ts'
import { bestOffer, type MatchedOffer, sharesOf } from '../../../rewards/matching.ts'
import { normalisedMerchantName } from '../../../rewards/merchant-name.ts'
import { cityAndState } from '../../../rewards/purchases.ts'
import type { RewardRecords } from '../../../rewards/records/records.ts'
import type { RewardableTransaction } from '../../../rewards/records/rewardable-transaction.ts'
import { type AuthorizationRow, findAuthorization } from '../bank/authorizations.sql.ts'
import { findCard } from '../bank/cards.sql.ts'
import { post } from '../bank/posting.ts'
import type { BankParts } from '../bank-parts.ts'
import {
  dailyTotals,
  findLiveLink,
  findSettlement,
  matchingOffers,
  nextRewardIds,
  partnerUsersOf,
} from './reward-engine.sql.ts'
import { paidBy, payOut } from './reward-payouts.ts'
import { nextVersion, rewardableTransactionOf, tellOfReward } from './reward-view.ts'

/** What a settlement of a linked card can earn, looked up before the lane: the decision is made inside it. */
export interface Earning {
  linkId: number
  partnerUserId: number
  offers: MatchedOffer[]
  ids: { purchase: number; reward: number; rewardPayment: number; payment: number; transfer: number }
}

/** What a refund may take back: transfers for as many rewards as the authorization has purchases. */
export interface ClawBack {
  partnerUserIds: number[]
  transferIds: number[]
}

/** A purchase was settled after the plan was made: another one is needed. */
export class PlanOutdated extends Error {}

interface Settled {
  authorization: AuthorizationRow
  bankTransactionId: string
  amount: number
  refunded: number
}

export interface RewardEngine extends Pick<RewardRecords, 'createRewardableTransaction' | 'getDailyReconciliation'> {
  /** Undefined for a card that no partner user earns with. */
  prepareEarning(organisationId: number, authorization: AuthorizationRow): Promise<Earning | undefined>
  earn(books: Books, earning: Earning, settled: Settled): LedgerPurchase | undefined
  prepareClawBack(authorizationId: number): Promise<ClawBack>
  /** Throws PlanOutdated where the plan does not foresee every purchase there is. */
  clawBack(books: Books, plan: ClawBack, authorizationId: number, refund: number): void
}

export function rewardEngineOf(parts: BankParts): RewardEngine {
  const { database, ids, lane, runOnce, routingNumber, payoutDelayMs } = parts

  async function prepareEarning(organisationId: number, authorization: AuthorizationRow): Promise<Earning | undefined> {
    const link = await findLiveLink(database, organisationId, String(authorization.cardId))
    if (!link) return undefined
    const offers = await matchingOffers(database, {
      normalisedName: normalisedMerchantName(authorization.merchantName),
      at: authorization.createdAt,
      ...cityAndState(authorization.merchantLocation),
    })
    const own = await nextRewardIds(database)
    return {
      linkId: link.id,
      partnerUserId: link.partnerUserId,
      offers,
      ids: { ...own, payment: await ids.next(), transfer: await ids.nextPair() },
    }
  }

  function earn(books: Books, earning: Earning, settled: Settled): LedgerPurchase | undefined {
    const { authorization, bankTransactionId, amount, refunded } = settled
    const link = books.link(earning.linkId)
    if (!link?.isLive) return undefined
    const { partnerUserId } = link
    const now = books.now(authorization.organisationId)
    const purchase: LedgerPurchase = {
      id: earning.ids.purchase,
      organisationId: authorization.organisationId,
      linkId: link.id,
      authorizationId: authorization.id,
      bankTransactionId,
      amount,
      refunded,
      createdAt: now,
      updatedAt: null,
      version: 1,
      reward: null,
    }
    const offer = bestOffer(earning.offers, amount - refunded, ({ id }) => books.hasEarned(partnerUserId, id))
    emit(books.events, 'rewardableTransaction.created', 1, rewardableTransactionOf(purchase))
    if (!offer) {
      books.insertPurchase(purchase)
      return purchase
    }
    const earned = { ...purchase, reward: rewardBy(offer, earning, amount - refunded, now) }
    const atOnce = payoutDelayMs === 0
    const { ids: own } = earning
    const payout = {
      paymentId: own.payment,
      transferId: own.transfer,
      rewardPaymentId: own.rewardPayment,
    }
    const rewarded = atOnce ? { ...earned, reward: paidBy(earned.reward, payout, now) } : earned
    books.insertPurchase(rewarded)
    tellOfReward(books, 'reward.created', rewarded)
    if (atOnce) payOut(books, rewarded, authorization, payout, routingNumber)
    return rewarded
  }

  function rewardBy(
    offer: MatchedOffer,
    { partnerUserId, ids: own }: Earning,
    amount: number,
    now: string,
  ): LedgerReward {
    return {
      id: own.reward,
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
      rewardPaymentId: own.rewardPayment,
      updatedAt: null,
      version: 1,
    }
  }

  return {
    prepareEarning,
    earn,

    async prepareClawBack(authorizationId) {
      const purchases = await partnerUsersOf(database, authorizationId)
      return {
        partnerUserIds: [...new Set(purchases.map(({ partnerUserId }) => partnerUserId))],
        transferIds: await Promise.all(purchases.map(() => ids.nextPair())),
      }
    },

    /** The newest purchase gives back first; what it then still earns stays. */
    clawBack(books, { partnerUserIds, transferIds }, authorizationId, refund) {
      const purchases = books.purchasesOf(authorizationId)
      const foreseen = purchases.every(({ reward }) => !reward || partnerUserIds.includes(reward.partnerUserId))
      if (!foreseen || purchases.length > transferIds.length) throw new PlanOutdated('a purchase was settled meanwhile')
      const spare = [...transferIds]
      let left = refund
      for (const purchase of purchases.reverse()) {
        const part = Math.min(left, purchase.amount - purchase.refunded)
        if (part === 0) continue
        left -= part
        const refunded = purchase.refunded + part
        const now = books.now(purchase.organisationId)
        const changed = nextVersion({ ...purchase, refunded }, now)
        const transferId = spare.pop()
        if (!purchase.reward) {
          books.updatePurchase(changed)
          continue
        }
        const reward = reduced(purchase.reward, purchase.amount - refunded, now)
        const rewarded = { ...changed, reward }
        books.updatePurchase(rewarded)
        if (reward !== purchase.reward) tellOfReward(books, reductionOf(purchase.reward, reward), rewarded)
        const difference = purchase.reward.userAmount - reward.userAmount
        if (purchase.reward.state === 'PAID' && difference > 0 && transferId !== undefined) {
          const payout = books.payment(purchase.reward.paymentId ?? 0)
          if (!payout) throw new Error('the payout of a reward was not read')
          const order: TransferOrder = {
            id: transferId,
            debitAccountId: payout.accountId,
            creditAccountId: books.internal('rewards_funding').id,
            amount: difference,
            sourceKind: 'reward_clawback',
            sourceId: payout.id,
            party: null,
            description: 'Cash back taken back',
          }
          post(books, order, payout, routingNumber)
        }
      }
    },

    async createRewardableTransaction(write, { bankCardId, bankTransactionId }) {
      const { organisationId } = write.caller
      const card = await findCard(database, organisationId, idNumber(bankCardId))
      if (!card) throw new Problem('card_not_found')
      const settlement = await findSettlement(database, organisationId, idNumber(bankTransactionId))
      if (!settlement) throw new Problem('transaction_not_found')
      const authorization = await findAuthorization(database, organisationId, settlement.authorizationId)
      if (authorization?.cardId !== card.id) throw new Problem('transaction_not_found')
      const earning = await prepareEarning(organisationId, authorization)
      if (!earning) throw new Problem('card_not_linked')

      function decide(books: Books): RewardableTransaction {
        const known = books
          .purchasesOf(settlement?.authorizationId ?? 0)
          .find((purchase) => purchase.bankTransactionId === bankTransactionId)
        const locked = books.authorization(settlement?.authorizationId ?? 0)
        if (!locked || !settlement || !earning) throw new Problem('transaction_not_found')
        const refunded = Math.min(settlement.amount, locked.refunded)
        const settled = { authorization: locked, bankTransactionId, amount: settlement.amount, refunded }
        const purchase = known ?? earn(books, earning, settled)
        if (!purchase) throw new Problem('card_not_linked')
        return rewardableTransactionOf(purchase)
      }

      return runOnce.attempt(write, () =>
        lane.run({
          write,
          accountIds: [authorization.accountId],
          internal: ['rewards_funding'],
          authorizationIds: [authorization.id],
          rewards: earningLocks(earning),
          decide,
        }),
      )
    },

    async getDailyReconciliation({ organisationId }, date) {
      const start = `${date}T00:00:00.000Z`
      const totals = await dailyTotals(database, organisationId, { start, end: addDays(start, 1) })
      return {
        date,
        purchases: { count: totals.purchases, amount: totals.purchaseAmount },
        rewards: { count: totals.rewards, userAmount: totals.userAmount, issuerAmount: totals.issuerAmount },
        payouts: { count: totals.payouts, amount: totals.payoutAmount },
        ledger: {
          payouts: totals.ledgerPayoutAmount,
          clawBacks: totals.ledgerClawBackAmount,
          fundingBalance: totals.fundingBalance,
        },
        balanced: totals.payoutAmount === totals.ledgerPayoutAmount,
      }
    },
  }
}

/** What a command that may earn locks and reads beside its accounts. */
export function earningLocks({ linkId, partnerUserId, offers }: Earning): NonNullable<Command['rewards']> {
  return {
    linkIds: [linkId],
    partnerUserIds: [partnerUserId],
    offerIds: offers.filter(({ redeemableOnce }) => redeemableOnce).map(({ id }) => id),
  }
}

/** A reward after a part of its purchase was given back; itself where that leaves its shares as they are. */
function reduced(reward: LedgerReward, amount: number, now: string): LedgerReward {
  const shares = sharesOf(amount, reward)
  if (shares.userAmount === reward.userAmount && shares.issuerAmount === reward.issuerAmount) return reward
  const state = shares.userAmount > 0 ? reward.state : endOf(reward.state)
  return nextVersion({ ...reward, ...shares, state }, now)
}

/** What becomes of a reward of which nothing is left; one that has ended already stays as it ended. */
function endOf(state: LedgerReward['state']): LedgerReward['state'] {
  if (state === 'PAID') return 'CLAWED_BACK'
  return state === 'PENDING' || state === 'CONFIRMED' ? 'REVERSED' : state
}

function reductionOf(before: LedgerReward, { state }: LedgerReward): EventType {
  if (state === before.state) return 'reward.amountChanged'
  return state === 'CLAWED_BACK' ? 'reward.clawedBack' : 'reward.reversed'
}
