import type { EventType, OperationId } from '../../client/src/index.ts'
import { Refusal } from '../../ground/failure.ts'
import type { Stage } from './stage.ts'
import type { Trigger } from './trigger.ts'

const card = ['createCustomer', 'createAccount', 'createCard'] as const satisfies OperationId[]
const fundedCard = ['createCustomer', 'createAccount', 'receiveAch', 'createCard'] as const satisfies OperationId[]
const authorization = [...fundedCard, 'createAuthorization'] as const satisfies OperationId[]
const ofCard = ['card', 'account', 'customer'] as const
const ofAuthorization = ['authorization', ...ofCard] as const

/** Events of cards and of the charges of merchants. */
export const cardTriggers = {
  'authorization.created': {
    does: 'Charges a card, as a merchant would.',
    takes: ofCard,
    calls: authorization,
    before: ['activateCard', 'unfreezeCard'],
    play: (stage) => stage.authorization(),
  },
  'authorization.declined': {
    does: 'Charges a card with more than its account has.',
    takes: ofCard,
    calls: [...card, 'createAuthorization'],
    play: decline,
  },
  'authorization.amountChanged': {
    does: 'Settles a part of an authorization and keeps the rest open.',
    takes: ofAuthorization,
    calls: [...authorization, 'settleAuthorization'],
    play: async (stage) => {
      const id = await stage.authorization()
      const { amount } = await stage.purser.authorizations.get(id)
      const half = Math.max(1, Math.floor(amount / 2))
      stage.keep('transaction', await stage.purser.sandbox.authorizations.settle(id, { amount: half, final: false }))
      return id
    },
  },
  'authorization.canceled': {
    does: 'Reverses an authorization. One that is left alone expires after seven days of bank time.',
    takes: ofAuthorization,
    calls: [...authorization, 'reverseAuthorization'],
    play: async (stage) => (await stage.purser.sandbox.authorizations.reverse(await stage.authorization())).id,
  },
  'authorization.completed': {
    does: 'Settles an authorization.',
    takes: ofAuthorization,
    calls: [...authorization, 'settleAuthorization'],
    play: async (stage) => {
      const id = await stage.authorization()
      stage.keep('transaction', await stage.purser.sandbox.authorizations.settle(id, {}))
      return id
    },
  },
  'authorization.overSettled': {
    does: 'Settles an authorization for twice its amount.',
    takes: ofAuthorization,
    calls: [...authorization, 'settleAuthorization'],
    play: async (stage) => {
      const id = await stage.authorization()
      const { amount } = await stage.purser.authorizations.get(id)
      stage.keep('transaction', await stage.purser.sandbox.authorizations.settle(id, { amount: 2 * amount }))
      return id
    },
  },
  'card.created': {
    does: 'Creates a virtual card.',
    takes: ['account', 'customer'],
    calls: card,
    before: ['unfreezeAccount', 'reopenAccount'],
    play: (stage) => stage.card(),
  },
  'card.activated': {
    does: 'Activates a physical card.',
    takes: ofCard,
    calls: [...card, 'activateCard'],
    play: async (stage) => (await stage.purser.cards.activate(await stage.physicalCard())).id,
  },
  'card.replaced': {
    does: 'Replaces a physical card.',
    takes: ofCard,
    calls: [...card, 'activateCard', 'replaceCard'],
    before: ['activateCard', 'unfreezeCard'],
    play: async (stage) => {
      const id = await stage.physicalCard()
      if (!stage.named.card) await stage.purser.cards.activate(id)
      stage.keep('card', await stage.replaceCard(id))
      return id
    },
  },
  'card.statusChanged': {
    does: 'Freezes a card, or unfreezes a frozen one.',
    takes: ofCard,
    calls: [...card, 'freezeCard'],
    before: ['activateCard'],
    play: async (stage) => {
      const id = await stage.card()
      const { status } = await stage.purser.cards.get(id)
      const changed = await (status === 'Frozen' ? stage.purser.cards.unfreeze(id) : stage.purser.cards.freeze(id))
      return changed.id
    },
  },
  'card.limitsChanged': {
    does: 'Limits a purchase of a card, a cent less each time.',
    takes: ofCard,
    calls: [...card, 'setCardLimits'],
    play: async (stage) => {
      const id = await stage.card()
      const { purchase } = await stage.purser.cardLimits.get(id)
      const amount = Math.max(0, (purchase.amount ?? 500_01) - 1)
      return (await stage.purser.cardLimits.set(id, { purchase: { amount } })).id
    },
  },
} satisfies Partial<Record<EventType, Trigger>>

async function decline(stage: Stage): Promise<string> {
  const cardId = await stage.card()
  const { accountId } = await stage.purser.cards.get(cardId)
  const { available } = await stage.purser.accounts.get(accountId)
  const amount = Math.max(0, available) + 10_00
  const merchant = { name: 'Sample Market' }
  const charged = await stage.purser.sandbox.authorizations.create(cardId, { amount, merchant })
  stage.keep('authorization', charged)
  if (charged.status !== 'Declined') {
    throw new Refusal(
      `the charge of ${amount} cents was not declined: the service allows an overdraft (PURSER_OVERDRAFT)`,
    )
  }
  return charged.id
}
