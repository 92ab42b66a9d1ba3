import { clock } from '../../base/clock.ts'
import { integerIdNumber } from '../../base/ids.ts'
import { invalidRequest } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import type { EventDraft } from '../../events/event.ts'
import { hmacCheck, type InboundSource } from '../../events/inbound.ts'
import { findPartnerUserId, findRewardableTransactionId } from './inbound.sql.ts'
import { type EarnedReward, type Notification, notificationOf } from './notification.ts'

/** Kard's notifications, which become events about rewards. */
export function kardInbound(webhookSecret: string): InboundSource {
  return {
    provider: 'kard',
    signatureHeader: 'notify-signature',
    isAuthentic: hmacCheck('sha256', webhookSecret),
    read(content) {
      const notification = notificationOf(content)
      if (!notification) {
        throw invalidRequest([{ pointer: '', code: 'unreadable', message: 'the body is not a notification of Kard' }])
      }
      const { upstreamId, type } = notification
      return [
        {
          upstreamId,
          type,
          // Nothing is fetched: a notification is complete.
          fetch: async () => (transaction, organisationId) => eventsOf(transaction, organisationId, notification),
        },
      ]
    },
  }
}

async function eventsOf(
  transaction: Queryable,
  organisationId: number,
  { upstreamId, reward }: Notification,
): Promise<EventDraft[]> {
  if (!reward) return []
  // The reward is named by its purchase, because it is approved by one notification and settled by another. The prefix keeps
  // it apart from our own rewards.
  const id = `kard_${reward.transactionIds[0] ?? upstreamId}`
  const [type, version] =
    reward.state === 'PENDING' ? (['reward.created', 1] as const) : (['reward.confirmed', 2] as const)
  return [{ type, id, version, data: await rewardOf(transaction, organisationId, id, reward) }]
}

/** A reward in the interface's form. An id is null where there is no such record here. */
async function rewardOf(transaction: Queryable, organisationId: number, id: string, reward: EarnedReward) {
  const { userId, transactionIds, offerId, merchantName, amount, userAmount, state, purchasedAt } = reward
  return {
    id,
    partnerUserId: await findPartnerUserId(transaction, organisationId, integerIdNumber(userId)),
    rewardableTransactionId: await findRewardableTransactionId(transaction, organisationId, transactionIds),
    offerId,
    merchantName,
    amount,
    userAmount,
    state,
    createdAt: purchasedAt ?? clock.now().toISOString(),
    updatedAt: null,
  }
}
