import { addDays, addMs } from '../../base/clock.ts'
import { idNumber } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import type { Books, Command, LedgerPurchase, LedgerReward } from '../../ledger/books.ts'
import { bestOffer, type MatchedOffer, sharesOf } from '../../rewards/matching.ts'
import { normalisedMerchantName } from '../../rewards/merchant-name.ts'
import { cityAndState } from '../../rewards/purchases.ts'
import type { RewardRecords } from '../../rewards/records/records.ts'
import type { RewardableTransaction } from '../../rewards/records/rewardable-transaction.ts'
import { type AuthorizationRow, findAuthorization } from './authorizations.sql.ts'
import { findCard } from './cards.sql.ts'
import type { Happening, Timer } from './clock.ts'
import { type BuiltinParts, bankWrite } from './parts.ts'
import {
  type DueReward,
  dailyTotals,
  dueRewards,
  findLiveLink,
  findSettlement,
  matchingOffers,
  nextRewardIds,
  partnerUsersOf,
} from './reward-engine.sql.ts'

/** What a settlement of a linked card can earn, looked up before the lane: the decision is made inside it. */
export interface Earning {
  linkId: number
  partnerUserId: number
  offers: MatchedOffer[]
  fundingId: number
  ids: { purchase: number; reward: number; rewardPayment: number; payment: number; transfer: number }
}

/** What a refund may take back: transfers for as many rewards as the authorization has purchases. */
interface ClawBack {
  partnerUserIds: number[]
  fundingId: number
  transferIds: number[]
}

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
  /** Undefined where nothing of the authorization can have earned. */
  prepareClawBack(organisationId: number, authorizationId: number): Promise<ClawBack | undefined>
  clawBack(books: Books, plan: ClawBack, authorizationId: number, refund: number): void
  /** Pays out rewards when their time has come. */
  payoutTimer: Timer
}

const FOREVER = '9999-12-31T00:00:00.000Z'
const PAID_AT_ONCE = 100

export function rewardEngineOf(parts: BuiltinParts): RewardEngine {
  const { database, ids, lane, perform, routingNumber, payoutDelayMs } = parts

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
      fundingId: await lane.internalAccount(organisationId, 'rewards_funding'),
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
      reward: null,
    }
    const offer = bestOffer(earning.offers, amount - refunded, ({ id }) => books.hasEarned(partnerUserId, id))
    const earned = offer && { ...purchase, reward: rewardBy(offer, earning, amount - refunded, now) }
    const paid = earned && payoutDelayMs === 0 ? payOut(books, earned, authorization, payoutOf(earning)) : earned
    books.insertPurchase(paid ?? purchase)
    return paid ?? purchase
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
    }
  }

  interface Payout {
    fundingId: number
    paymentId: number
    transferId: number
    rewardPaymentId: number
  }

  const payoutOf = ({ fundingId, ids: own }: Earning): Payout => ({
    fundingId,
    paymentId: own.payment,
    transferId: own.transfer,
    rewardPaymentId: own.rewardPayment,
  })

  /** The cash back arrives in the account as a payment within the bank. */
  function payOut(
    books: Books,
    purchase: LedgerPurchase & { reward: LedgerReward },
    { accountId, customerId }: Pick<AuthorizationRow, 'accountId' | 'customerId'>,
    { fundingId, paymentId, transferId, rewardPaymentId }: Payout,
  ): LedgerPurchase & { reward: LedgerReward } {
    const { organisationId, reward } = purchase
    const funding = books.account(fundingId)
    if (!funding) throw new Error('the funding account was not read under lock')
    const { createdAt } = books.transfer({
      id: transferId,
      debitAccountId: fundingId,
      creditAccountId: accountId,
      amount: reward.userAmount,
      sourceKind: 'reward',
      sourceId: paymentId,
      party: null,
      description: 'Cash back',
    })
    books.insertPayment({
      id: paymentId,
      organisationId,
      accountId,
      customerId,
      type: 'bookPayment',
      direction: 'Debit',
      status: 'Sent',
      amount: reward.userAmount,
      description: 'Cash back',
      addenda: null,
      originalType: 'REWARD',
      createdAt,
      externalAccountId: null,
      counterparty: {
        name: reward.merchantName,
        routingNumber,
        accountNumber: funding.accountNumber,
        accountType: 'Checking',
      },
      destinationAccountId: null,
      tags: {},
      returnCode: null,
    })
    return { ...purchase, reward: { ...reward, state: 'PAID', paymentId, paidAt: createdAt, rewardPaymentId } }
  }

  async function payDue(organisationId: number, due: DueReward): Promise<boolean> {
    const write = bankWrite(organisationId)
    const fundingId = await lane.internalAccount(organisationId, 'rewards_funding')
    const payout = {
      fundingId,
      paymentId: await ids.next(),
      transferId: await ids.nextPair(),
      rewardPaymentId: (await nextRewardIds(database)).rewardPayment,
    }
    let paid = false
    function decide(books: Books): void {
      const purchase = books.purchasesOf(due.authorizationId).find(({ reward }) => reward?.id === due.id)
      const authorization = books.authorization(due.authorizationId)
      paid = purchase?.reward?.state === 'PENDING' && authorization !== undefined
      if (!paid || !authorization || !purchase?.reward) return
      books.updatePurchase(payOut(books, { ...purchase, reward: purchase.reward }, authorization, payout))
    }
    const command: Command<void> = {
      write,
      accountIds: [due.accountId, fundingId],
      authorizationIds: [due.authorizationId],
      rewards: { linkIds: [], partnerUserIds: [due.partnerUserId], offerIds: [] },
      decide,
    }
    await perform.once(write, () => lane.run(command))
    return paid
  }

  async function payUntil(organisationId: number, until: string, happened: (what: Happening) => void): Promise<void> {
    for (;;) {
      const due = await dueRewards(database, organisationId, until, PAID_AT_ONCE)
      const paid = await Promise.all(due.map((reward) => payDue(organisationId, reward)))
      for (const [place, { id, dueAt }] of due.entries()) {
        if (paid[place]) happened({ at: dueAt, type: 'reward.paid', id: String(id) })
      }
      if (due.length < PAID_AT_ONCE) return
    }
  }

  return {
    prepareEarning,
    earn,

    async prepareClawBack(organisationId, authorizationId) {
      const purchases = await partnerUsersOf(database, authorizationId)
      if (purchases.length === 0) return undefined
      return {
        partnerUserIds: [...new Set(purchases.map(({ partnerUserId }) => partnerUserId))],
        fundingId: await lane.internalAccount(organisationId, 'rewards_funding'),
        transferIds: await Promise.all(purchases.map(() => ids.nextPair())),
      }
    },

    /** The newest purchase gives back first; what it then still earns stays. */
    clawBack(books, { fundingId, transferIds }, authorizationId, refund) {
      const spare = [...transferIds]
      let left = refund
      for (const purchase of books.purchasesOf(authorizationId).reverse()) {
        const part = Math.min(left, purchase.amount - purchase.refunded)
        if (part === 0) continue
        left -= part
        const refunded = purchase.refunded + part
        const reward = purchase.reward && reduced(purchase.reward, purchase.amount - refunded)
        const difference = (purchase.reward?.userAmount ?? 0) - (reward?.userAmount ?? 0)
        const transferId = spare.pop()
        if (purchase.reward?.state === 'PAID' && difference > 0 && transferId !== undefined) {
          const accountId = books.authorization(authorizationId)?.accountId ?? 0
          books.transfer({
            id: transferId,
            debitAccountId: accountId,
            creditAccountId: fundingId,
            amount: difference,
            sourceKind: 'reward_clawback',
            sourceId: purchase.reward.paymentId,
            party: null,
            description: 'Cash back taken back',
          })
        }
        books.updatePurchase({ ...purchase, refunded, reward })
      }
    },

    async payoutTimer(organisationId) {
      const [first] = await dueRewards(database, organisationId, FOREVER, 1)
      return first && { at: first.dueAt, run: (happened) => payUntil(organisationId, first.dueAt, happened) }
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
        return {
          id: purchase.id,
          partnerUserCardId: purchase.linkId,
          bankTransactionId,
          createdAt: purchase.createdAt,
          updatedAt: null,
        }
      }

      return perform.once(write, () =>
        lane.run({
          write,
          accountIds: [authorization.accountId, earning.fundingId],
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

/** A reward after a part of its purchase was given back. */
function reduced(reward: LedgerReward, amount: number): LedgerReward {
  const shares = sharesOf(amount, reward)
  if (shares.userAmount > 0) return { ...reward, ...shares }
  return { ...reward, ...shares, state: reward.state === 'PAID' ? 'CLAWED_BACK' : 'REVERSED' }
}
