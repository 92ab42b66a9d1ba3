import type { Logger } from 'pino'
import type { BankingProvider } from '../../../banking/provider.ts'
import { integerIdNumber } from '../../../base/ids.ts'
import { Problem } from '../../../base/problem.ts'
import type { Database, Queryable } from '../../../database/database.ts'
import type { EventDraft } from '../../../events/event.ts'
import { bankOrigin, recordEvents } from '../../../events/record.ts'
import type { RunOnce } from '../../../idempotency/run-once.ts'
import { bestOffer, sharesOf } from '../../../rewards/matching.ts'
import { normalisedMerchantName } from '../../../rewards/merchant-name.ts'
import { cityAndState, type Payouts, type ToldPurchase } from '../../../rewards/purchases.ts'
import type { RewardRecords } from '../../../rewards/records/records.ts'
import {
  confirmDueRewards,
  insertReward,
  insertToldPurchase,
  listUnpaidRewards,
  lockLiveLink,
  payReward,
  postponePayout,
  type RewardChange,
  type UnpaidReward,
  usedUpOffers,
} from './connected-rewards.sql.ts'
import { matchingOffers } from './reward-engine.sql.ts'
import { rewardRecordsOf } from './reward-records.ts'

export interface ConnectedRewardsOptions {
  database: Database
  runOnce: RunOnce
  /** The one organisation that a connector serves. */
  organisationId: number
  payoutDelayMs: number
  /** Where the cards are. */
  bank: Pick<BankingProvider, 'getCard'>
  /** Absent: nothing is paid out, and rewards stop at CONFIRMED. */
  payouts: Payouts | undefined
  log: Pick<Logger, 'warn'>
}

/** The rewards of a bank that is not our own: it tells of purchases, and we ask it to pay. */
export interface ConnectedRewards {
  records: RewardRecords
  /** Takes in a purchase, once; answers what is to be told of it. */
  takePurchase(transaction: Queryable, organisationId: number, purchase: ToldPurchase): Promise<EventDraft[]>
  /** Confirms and pays what is due. */
  catchUp(): Promise<void>
}

const AT_ONCE = 100
/** How long a payout that failed waits for its next turn. */
const RETRY_MS = 5 * 60_000

export function openConnectedRewards(options: ConnectedRewardsOptions): ConnectedRewards {
  const { database, runOnce, organisationId, payoutDelayMs, bank, payouts, log } = options
  // No account is here to be locked: a partner user's lock keeps purchases apart.
  const records = rewardRecordsOf({ database, runOnce }, async () => undefined)

  async function confirmDue(): Promise<void> {
    for (let confirmed = AT_ONCE; confirmed === AT_ONCE; ) {
      confirmed = await database.transaction(async (transaction) => {
        const changes = await confirmDueRewards(transaction, organisationId, AT_ONCE)
        await tell(
          transaction,
          changes.map((change) => rewardEvent('reward.confirmed', change)),
        )
        return changes.length
      })
    }
  }

  async function payUnpaid({ pay }: Payouts): Promise<void> {
    for (let left = true; left; ) {
      const unpaid = await listUnpaidRewards(database, organisationId, AT_ONCE)
      for (const reward of unpaid) {
        await payOne(reward, pay).catch(async (error: Error) => {
          log.warn({ rewardId: reward.id, reason: error.message }, 'a reward could not be paid out')
          await postponePayout(database, organisationId, reward.id, RETRY_MS)
        })
      }
      left = unpaid.length === AT_ONCE
    }
  }

  async function payOne({ id, accountId, amount }: UnpaidReward, pay: Payouts['pay']): Promise<void> {
    const paymentId = integerIdNumber(await pay({ organisationId, rewardId: id, accountId, amount }))
    if (paymentId === 0) throw new Error('the payment has an id that is no number')
    await database.transaction(async (transaction) => {
      const paid = await payReward(transaction, organisationId, { rewardId: id, paymentId })
      // Another process was faster, with the same payment.
      if (!paid) return
      const { change, payment } = paid
      const data = { type: 'rewardPayment.created', id: String(payment.id), version: 1, data: payment } as const
      await tell(transaction, [rewardEvent('reward.paid', change), data])
    })
  }

  function tell(transaction: Queryable, events: EventDraft[]): Promise<void> {
    const origin = bankOrigin(organisationId)
    return recordEvents(
      transaction,
      events.map((event) => ({ event, origin })),
    )
  }

  return {
    records: {
      ...records,
      async createPartnerUserCard(write, input) {
        await bank.getCard?.(write.caller, input.bankCardId)
        return records.createPartnerUserCard(write, input)
      },
      async createRewardableTransaction() {
        throw new Problem('not_supported_by_provider', { detail: 'Purchases come from the bank by themselves.' })
      },
      async getDailyReconciliation() {
        throw new Problem('not_supported_by_provider', { detail: "The bank's ledger is not here to be compared with." })
      },
    },

    async takePurchase(transaction, organisation, purchase) {
      const link = purchase.amount > 0 && (await lockLiveLink(transaction, organisation, purchase.cardId))
      if (!link) return []
      const told = await insertToldPurchase(transaction, organisation, link.id, purchase)
      if (!told) return []
      const created = { type: 'rewardableTransaction.created', id: String(told.id), version: 1, data: told } as const
      const offers = await matchingOffers(transaction, {
        normalisedName: normalisedMerchantName(purchase.merchantName),
        at: purchase.purchasedAt,
        ...cityAndState(purchase.merchantLocation),
      })
      const used = await usedUpOffers(
        transaction,
        link.partnerUserId,
        offers.map(({ id }) => id),
      )
      const offer = bestOffer(offers, purchase.amount, ({ id }) => used.has(id))
      if (!offer) return [created]
      const reward = await insertReward(transaction, organisation, {
        ...offer,
        ...sharesOf(purchase.amount, offer),
        partnerUserId: link.partnerUserId,
        rewardableTransactionId: told.id,
        amount: purchase.amount,
        payoutDelayMs,
      })
      return [created, rewardEvent('reward.created', reward)]
    },

    async catchUp() {
      await confirmDue()
      if (payouts) await payUnpaid(payouts)
    },
  }
}

function rewardEvent(type: EventDraft['type'], { version, ...reward }: RewardChange): EventDraft {
  return { type, id: String(reward.id), version, data: reward }
}
