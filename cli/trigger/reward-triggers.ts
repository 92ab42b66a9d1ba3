import type { EventType, OperationId } from '../../client/src/index.ts'
import { Refusal } from '../../ground/failure.ts'
import type { Stage } from './stage.ts'
import type { Trigger } from './trigger.ts'

const linkedCard = [
  ...['createCustomer', 'createAccount', 'receiveAch', 'createCard'],
  ...['createPartnerUser', 'createPartnerUserCard'],
] as OperationId[]
const purchase = [...linkedCard, 'createAuthorization', 'settleAuthorization'] as OperationId[]
const ofPurchase = ['card', 'account', 'customer', 'partnerUser'] as const
const ofRefund = ['authorization', ...ofPurchase] as const

/** Events of rewards: partner users, purchases that earn, payouts. */
export const rewardTriggers = {
  'partnerUser.created': {
    does: 'Enrols a user in rewards.',
    takes: ['customer'],
    calls: ['createCustomer', 'createPartnerUser'],
    play: (stage) => stage.partnerUser(),
  },
  'partnerUser.updated': {
    does: 'Removes a user from rewards, or enrols a removed one again.',
    takes: ['partnerUser', 'customer'],
    calls: ['createCustomer', 'createPartnerUser', 'updatePartnerUser'],
    play: async (stage) => {
      const id = String(await stage.partnerUser())
      const isRemoved = !(await isRemovedNow(stage, 'partnerUser', id))
      return (await stage.purser.partnerUsers.update(id, { isRemoved })).id
    },
  },
  'partnerUserCard.created': {
    does: 'Links a card to a user, who then earns with it.',
    takes: ['partnerUser', 'card', 'account', 'customer'],
    calls: ['createCustomer', 'createAccount', 'createCard', 'createPartnerUser', 'createPartnerUserCard'],
    play: async (stage) => stage.link(await stage.card()),
  },
  'partnerUserCard.updated': {
    does: 'Removes the link of a card, or restores a removed one.',
    takes: ['partnerUserCard', 'partnerUser', 'card', 'account', 'customer'],
    calls: [
      ...(['createCustomer', 'createAccount', 'createCard', 'createPartnerUser'] as const),
      ...(['createPartnerUserCard', 'updatePartnerUserCard'] as const),
    ],
    play: async (stage) => {
      const id = stage.named.partnerUserCard ?? (await stage.link(await stage.card()))
      const isRemoved = !(await isRemovedNow(stage, 'partnerUserCard', id))
      return (await stage.purser.partnerUserCards.update(id, { isRemoved })).id
    },
  },
  'reward.created': {
    does: 'Buys at a merchant with an offer, by a linked card.',
    takes: ofPurchase,
    calls: purchase,
    play: async (stage) => (await stage.reward(await stage.purchase())).id,
  },
  'reward.amountChanged': {
    does: 'Refunds a part of a purchase that earned.',
    takes: ofRefund,
    calls: [...purchase, 'refundAuthorization'],
    play: async (stage) => {
      const authorizationId = await stage.purchase()
      const { id } = await stage.reward(authorizationId)
      const { amount } = await stage.purser.rewards.get(id)
      await refund(stage, authorizationId, Math.max(1, Math.floor(amount * 0.6)))
      return id
    },
  },
  'reward.paid': {
    does: 'Pays a reward out when it is due: bank time moves there. Needs PURSER_REWARD_PAYOUT_DELAY.',
    takes: ofRefund,
    calls: [...purchase, 'advanceClock'],
    movesTime: true,
    play: async (stage) => {
      const { id, state } = await stage.reward(await stage.purchase())
      if (state !== 'PENDING') throw notPending(id, state)
      await stage.payOut(id)
      return id
    },
  },
  'reward.reversed': {
    does: 'Refunds a purchase before its reward is paid. Needs PURSER_REWARD_PAYOUT_DELAY.',
    takes: ofRefund,
    calls: [...purchase, 'refundAuthorization'],
    play: async (stage) => {
      const authorizationId = await stage.purchase()
      const { id, state } = await stage.reward(authorizationId)
      if (state !== 'PENDING') throw notPending(id, state)
      await refund(stage, authorizationId)
      return id
    },
  },
  'reward.clawedBack': {
    does: 'Refunds a purchase after its reward was paid. Bank time moves if payouts are delayed.',
    takes: ofRefund,
    calls: [...purchase, 'refundAuthorization'],
    movesTime: true,
    play: async (stage) => {
      const authorizationId = await stage.purchase()
      const { id, state } = await stage.reward(authorizationId)
      if (state === 'PENDING') await stage.payOut(id)
      await refund(stage, authorizationId)
      return id
    },
  },
  'rewardableTransaction.created': {
    does: 'Buys something by a linked card.',
    takes: ofPurchase,
    calls: purchase,
    play: async (stage) => {
      const { id } = await stage.charge(await stage.linkedCard())
      stage.keep('authorization', { id })
      stage.keep('transaction', await stage.purser.sandbox.authorizations.settle(id, {}))
      return undefined
    },
  },
  'rewardPayment.created': {
    does: 'Buys at a merchant with an offer, and waits for the payout. Bank time moves if payouts are delayed.',
    takes: ofRefund,
    calls: purchase,
    movesTime: true,
    play: async (stage) => {
      const { id, state } = await stage.reward(await stage.purchase())
      if (state === 'PENDING') await stage.payOut(id)
      return undefined
    },
  },
} satisfies Partial<Record<EventType, Trigger>>

async function isRemovedNow(stage: Stage, type: 'partnerUser' | 'partnerUserCard', id: string): Promise<boolean> {
  const { record } = await stage.purser.lookup.get(type, id)
  return (record as { isRemoved?: boolean }).isRemoved === true
}

async function refund(stage: Stage, authorizationId: string, amount?: number): Promise<void> {
  const body = amount === undefined ? {} : { amount }
  stage.keep('transaction', await stage.purser.sandbox.authorizations.refund(authorizationId, body))
}

function notPending(id: string, state: string): Refusal {
  const reason =
    state === 'PAID'
      ? 'rewards are paid at once: start the service with PURSER_REWARD_PAYOUT_DELAY=P1D'
      : 'name another one'
  return new Refusal(`reward ${id} is ${state} and not PENDING: ${reason}`)
}
