import { clock } from '../../base/clock.ts'
import { integerIdNumber } from '../../base/ids.ts'
import type { Queryable } from '../../database/database.ts'
import type { EventDraft, EventType } from '../../events/event.ts'
import {
  type Arrived,
  hmacCheck,
  type InboundSource,
  nextVersions,
  unreadableReport,
} from '../../events/inbound/inbound.ts'
import { findPartnerUserId, findRewardableTransactionId, wasReceived } from './inbound.sql.ts'
import { type EarnedReward, type Notification, notificationOf } from './notification.ts'

/** Kard's notifications, which become events about rewards. */
export function kardInbound(webhookSecret: string): InboundSource {
  return {
    provider: 'kard',
    signatureHeader: 'notify-signature',
    isAuthentic: hmacCheck('sha256', webhookSecret),
    read: (content) => [arrivedOf(notificationOf(content))],
  }
}

function arrivedOf(notification: Notification): Arrived {
  const { upstreamId, type, reward, fault } = notification
  const report = { upstreamId, type, ...(reward && { record: { type: 'reward' as const, id: rewardIdOf(reward) } }) }
  if (fault !== undefined) return unreadableReport(report, fault)
  // Nothing is fetched: a notification is complete.
  return {
    ...report,
    fetch: async () => (transaction, organisationId) => eventsOf(transaction, organisationId, notification),
  }
}

const eventTypes: Record<EarnedReward['state'], EventType> = {
  PENDING: 'reward.created',
  CONFIRMED: 'reward.confirmed',
  REJECTED: 'reward.rejected',
  CLAWED_BACK: 'reward.clawedBack',
}

async function eventsOf(
  transaction: Queryable,
  organisationId: number,
  { reward, type, formerId }: Notification,
): Promise<EventDraft[]> {
  if (!reward) return []
  if (formerId !== undefined && (await wasReceived(transaction, formerId, type))) return []
  const id = rewardIdOf(reward)
  const versions = await nextVersions(transaction, organisationId, 'reward', [id])
  const data = await rewardOf(transaction, organisationId, id, reward)
  return [{ type: eventTypes[reward.state], id, version: versions.get(id) ?? 1, data }]
}

/** A reward is named by its purchase, because several notifications are about one. The prefix keeps it apart from our own. */
function rewardIdOf({ transactionIds }: EarnedReward): string {
  return `kard_${transactionIds[0]}`
}

/** A reward in the interface's form. A value is null if the notification does not contain it. */
async function rewardOf(transaction: Queryable, organisationId: number, id: string, reward: EarnedReward) {
  const { userId, transactionIds, offerId, merchantName, amount, userAmount, state, purchasedAt } = reward
  const now = clock.now().toISOString()
  const isNew = state === 'PENDING'
  return {
    id,
    partnerUserId: await findPartnerUserId(transaction, organisationId, integerIdNumber(userId)),
    rewardableTransactionId: await findRewardableTransactionId(transaction, organisationId, transactionIds),
    offerId,
    merchantName,
    amount,
    userAmount,
    state,
    createdAt: purchasedAt ?? (isNew ? now : null),
    updatedAt: isNew ? null : now,
  }
}
