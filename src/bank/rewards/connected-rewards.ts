import type { Logger } from 'pino'
import type { BankingProvider } from '../../banking/provider.ts'
import { clock } from '../../base/clock.ts'
import { integerIdNumber } from '../../base/ids.ts'
import type { Answer, Write } from '../../base/operation.ts'
import type { Database, Queryable } from '../../database/database.ts'
import type { EventDraft } from '../../events/event.ts'
import { bankOrigin, recordEvents } from '../../events/record.ts'
import type { RunOnce } from '../../idempotency/run-once.ts'
import { bestOffer, sharesOf } from '../../rewards/matching.ts'
import { matchedPurchase, type Payouts, type UpstreamPurchase } from '../../rewards/purchases.ts'
import type { CreatePartnerUserCardInput } from '../../rewards/records/create-partner-user-card.ts'
import type { PartnerUserCard } from '../../rewards/records/partner-user-card.ts'
import type { RewardRecords } from '../../rewards/records/records.ts'
import { matchingOffers } from '../earning/earning.sql.ts'
import {
  confirmDueRewards,
  insertReward,
  insertUpstreamPurchase,
  listUnpaidRewards,
  lockLiveLink,
  payReward,
  postponePayout,
  type RewardChange,
  type UnpaidReward,
  usedUpOffers,
} from './connected-rewards.sql.ts'
import { rewardRecordsOf } from './reward-records.ts'

export interface ConnectedRewardsOptions {
  database: Database
  runOnce: RunOnce
  /** The one organisation that a connector serves. */
  organisationId: number
  payoutDelayMs: number
  /** The bank that has the cards. */
  bank: Pick<BankingProvider, 'getCard'>
  /** Absent: nothing is paid out, and rewards stop at CONFIRMED. */
  payouts: Payouts | undefined
  log: Pick<Logger, 'warn'>
}

/** The rewards over an upstream bank, which reports purchases and carries out payouts. */
export interface ConnectedRewards {
  records: RewardRecords
  /** Records a purchase, once, and returns its events. */
  takePurchase(transaction: Queryable, organisationId: number, purchase: UpstreamPurchase): Promise<EventDraft[]>
  /** Confirms and pays the rewards that are due. */
  catchUp(): Promise<void>
}

const AT_ONCE = 100
/** How long a payout that failed waits for its next attempt. */
const RETRY_MS = 5 * 60_000
/** How long one call of catchUp may go on to the next payout. A shutdown waits for it. */
const CALL_MS = 5_000

export function openConnectedRewards(options: ConnectedRewardsOptions): ConnectedRewards {
  return {
    records: connectedRecords(options),
    takePurchase: (transaction, organisationId, purchase) =>
      takePurchase(transaction, organisationId, purchase, options.payoutDelayMs),
    catchUp: async () => {
      await confirmDue(options)
      if (options.payouts) await payUnpaid(options, options.payouts)
    },
  }
}

function connectedRecords({ database, runOnce, bank }: ConnectedRewardsOptions): RewardRecords {
  // There is no account to lock: the partner user's lock keeps purchases apart.
  const records = rewardRecordsOf({ database, runOnce, lockCard: async () => undefined })

  async function createPartnerUserCard(
    write: Write<PartnerUserCard>,
    input: CreatePartnerUserCardInput,
  ): Promise<Answer> {
    try {
      await bank.getCard?.(write.caller, input.bankCardId)
    } catch (error) {
      // A replay answers what was stored, even if the upstream no longer has the card.
      return runOnce.attempt(write, () => Promise.reject(error))
    }
    return records.createPartnerUserCard(write, input)
  }

  return { ...records, createPartnerUserCard }
}

async function takePurchase(
  transaction: Queryable,
  organisationId: number,
  purchase: UpstreamPurchase,
  payoutDelayMs: number,
): Promise<EventDraft[]> {
  const link = purchase.amount > 0 && (await lockLiveLink(transaction, organisationId, purchase.cardId))
  if (!link) return []
  const recorded = await insertUpstreamPurchase(transaction, organisationId, link.id, purchase)
  if (!recorded) return []
  const { partnerUserId } = link
  const created = {
    type: 'rewardableTransaction.created',
    id: String(recorded.id),
    version: 1,
    data: recorded,
  } as const
  const { merchantName: name, merchantLocation: location, merchantId, categoryCode, purchasedAt } = purchase
  const merchant = { name, location, merchantId, categoryCode }
  const offers = await matchingOffers(transaction, matchedPurchase(merchant, purchasedAt))
  const offerIds = offers.map(({ id }) => id)
  const usedUp = await usedUpOffers(transaction, partnerUserId, offerIds)
  const offer = bestOffer(offers, purchase.amount, ({ id }) => usedUp.has(id))
  if (!offer) return [created]
  const reward = await insertReward(transaction, organisationId, {
    ...offer,
    ...sharesOf(purchase.amount, offer),
    partnerUserId,
    rewardableTransactionId: recorded.id,
    amount: purchase.amount,
    payoutDelayMs,
  })
  return [created, rewardEvent('reward.created', reward)]
}

async function confirmDue({ database, organisationId }: ConnectedRewardsOptions): Promise<void> {
  for (let confirmed = AT_ONCE; confirmed === AT_ONCE; ) {
    confirmed = await database.transaction(async (transaction) => {
      const changes = await confirmDueRewards(transaction, organisationId, AT_ONCE)
      const events = changes.map((change) => rewardEvent('reward.confirmed', change))
      await emitAll(transaction, organisationId, events)
      return changes.length
    })
  }
}

async function payUnpaid(options: ConnectedRewardsOptions, payouts: Payouts): Promise<void> {
  const { database, organisationId, log } = options
  const endsMs = clock.elapsedMs() + CALL_MS
  for (let more = true; more; ) {
    const unpaid = await listUnpaidRewards(database, organisationId, AT_ONCE)
    for (const reward of unpaid) {
      if (clock.elapsedMs() >= endsMs) return
      await payOne(options, payouts, reward).catch(async (error: Error) => {
        log.warn({ organisationId, rewardId: reward.id, reason: error.message }, 'background task put off')
        await postponePayout(database, organisationId, reward.id, RETRY_MS)
      })
    }
    more = unpaid.length === AT_ONCE
  }
}

async function payOne(
  { database, organisationId }: ConnectedRewardsOptions,
  { pay }: Payouts,
  { id: rewardId, ...payout }: UnpaidReward,
): Promise<void> {
  const paymentId = integerIdNumber(await pay({ organisationId, rewardId, ...payout }))
  if (paymentId === 0) throw new Error('the payment has an id that is no number')
  await database.transaction(async (transaction) => {
    const paid = await payReward(transaction, organisationId, { rewardId, paymentId })
    // Another process was faster, with the same payment.
    if (!paid) return
    const { change, payment } = paid
    const created = { type: 'rewardPayment.created', id: String(payment.id), version: 1, data: payment } as const
    await emitAll(transaction, organisationId, [rewardEvent('reward.paid', change), created])
  })
}

function emitAll(transaction: Queryable, organisationId: number, events: EventDraft[]): Promise<void> {
  const origin = bankOrigin(organisationId)
  return recordEvents(
    transaction,
    events.map((event) => ({ event, origin })),
  )
}

function rewardEvent(type: EventDraft['type'], { version, ...reward }: RewardChange): EventDraft {
  return { type, id: String(reward.id), version, data: reward }
}
