import { emit } from '../../../events/event.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import type { LedgerPayment, LedgerReward, TransferOrder } from '../../../ledger/records.ts'
import type { RewardPayment } from '../../../rewards/records/reward-payment.ts'
import type { AuthorizationRow } from '../bank/authorizations.sql.ts'
import { paymentOf } from '../bank/payments.ts'
import { partOf, post } from '../bank/transaction-view.ts'
import type { BankParts } from '../bank-parts.ts'
import { bankWrite } from '../bank-write.ts'
import type { Happening, Timer } from '../clock/clock.ts'
import { type DueReward, dueRewards, nextRewardIds } from './reward-engine.sql.ts'
import { nextVersion, type Rewarded, tellOfReward } from './reward-view.ts'

/** What a payout is made with, looked up before the lane. */
interface Payout {
  paymentId: number
  transferId: number
  rewardPaymentId: number
}

const FOREVER = '9999-12-31T00:00:00.000Z'
const PAID_AT_ONCE = 100

/** Pays out rewards when their time has come. */
export function payoutTimerOf({ database, ids, lane, runOnce, routingNumber }: BankParts): Timer {
  async function payDue(organisationId: number, due: DueReward): Promise<boolean> {
    const write = bankWrite(organisationId)
    const payout = {
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
      const now = books.now(organisationId)
      const rewarded = { ...purchase, reward: nextVersion(paidBy(purchase.reward, payout, now), now) }
      books.updatePurchase(rewarded)
      tellOfReward(books, 'reward.paid', rewarded)
      payOut(books, rewarded, authorization, payout, routingNumber)
    }
    const command: Command<void> = {
      write,
      accountIds: [due.accountId],
      internal: ['rewards_funding'],
      authorizationIds: [due.authorizationId],
      rewards: { linkIds: [], partnerUserIds: [due.partnerUserId], offerIds: [] },
      decide,
    }
    await runOnce.attempt(write, () => lane.run(command))
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

  return async (organisationId) => {
    const [first] = await dueRewards(database, organisationId, FOREVER, 1)
    return first && { at: first.dueAt, run: (happened) => payUntil(organisationId, first.dueAt, happened) }
  }
}

export function paidBy(reward: LedgerReward, { paymentId, rewardPaymentId }: Payout, paidAt: string): LedgerReward {
  return { ...reward, state: 'PAID', paymentId, paidAt, rewardPaymentId }
}

/** The cash back of a reward that is marked as paid arrives in the account, as a payment within the bank. */
export function payOut(
  books: Books,
  { organisationId, reward }: Rewarded,
  { accountId, customerId }: Pick<AuthorizationRow, 'accountId' | 'customerId'>,
  { paymentId, transferId, rewardPaymentId }: Payout,
  routingNumber: string,
): void {
  const funding = books.internal('rewards_funding')
  const createdAt = books.now(organisationId)
  const payment: LedgerPayment = {
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
  }
  const order: TransferOrder = {
    id: transferId,
    debitAccountId: funding.id,
    creditAccountId: accountId,
    amount: reward.userAmount,
    sourceKind: 'reward',
    sourceId: paymentId,
    party: null,
    description: 'Cash back',
  }
  books.insertPayment(payment)
  emit(books.events, 'payment.created', 1, paymentOf(payment))
  post(books, order, partOf(payment), routingNumber)
  const record: RewardPayment = { id: rewardPaymentId, rewardId: reward.id, paymentId, createdAt, updatedAt: null }
  emit(books.events, 'rewardPayment.created', 1, record)
}
