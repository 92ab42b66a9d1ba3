import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import { CreatedAt, described, Timestamp, Word } from '../../base/text.ts'
import { type AccountStatus, accountRules } from '../accounts/account.ts'
import { Address } from '../address.ts'
import { requireAllowed, type StateRules } from '../state-rules.ts'

const cardStatuses = ['Inactive', 'Active', 'Frozen', 'Lost', 'Stolen', 'ClosedByCustomer', 'SuspectedFraud'] as const
export const CardStatus = Type.Enum([...cardStatuses])
export type CardStatus = Static<typeof CardStatus>

const cardTypes = ['individualDebitCard', 'individualVirtualDebitCard'] as const
export const CardType = Type.Enum([...cardTypes])
export type CardType = Static<typeof CardType>

const common = {
  id: RecordId(),
  accountId: RecordId('The account that purchases are paid from'),
  createdAt: CreatedAt,
  last4Digits: Type.String({
    pattern: '^[0-9]{4}$',
    description: 'Last four digits of the card number',
    examples: ['4242'],
  }),
}
const rest = {
  status: Word(cardStatuses, {
    description:
      'Purchases are approved while `Active`. `Lost`, `Stolen` and `ClosedByCustomer` are final; `SuspectedFraud` comes from a provider',
  }),
  type: Word(cardTypes, { description: '`individualDebitCard` is physical, `individualVirtualDebitCard` virtual' }),
  design: Type.Optional(
    Type.String({ description: 'Look of the card; absent for a virtual one', examples: ['default'] }),
  ),
  shippingAddress: Type.Optional(Address),
}

/** A card as it is read alone: its expiry is a month. */
export const Card = Type.Object(
  {
    ...common,
    expirationDate: Type.String({
      pattern: '^\\d{4}-\\d\\d$',
      description: 'Last month in which the card works, YYYY-MM',
      examples: ['2030-01'],
    }),
    ...rest,
  },
  { $id: 'Card', description: 'A debit card of an account; `shippingAddress` is absent for a virtual one' },
)
export type Card = Static<typeof Card>

/** A card in a list: its expiry is the last millisecond of that month. */
export const ListedCard = Type.Object(
  {
    ...common,
    expirationDate: described(Timestamp, 'Last millisecond of the month in which the card expires'),
    ...rest,
  },
  { $id: 'ListedCard', description: 'A card in a list; its expiry is a time' },
)
export type ListedCard = Static<typeof ListedCard>

/** The states of a card that has not ended: it works, or can be made to work. */
export const liveCardStatuses: CardStatus[] = ['Inactive', 'Active', 'Frozen', 'SuspectedFraud']

/** The operations that need a card in a certain state. */
export const cardRules = {
  activateCard: { from: ['Inactive'], to: 'Active', otherwise: 'card_wrong_state' },
  freezeCard: { from: ['Active'], to: 'Frozen', otherwise: 'card_wrong_state' },
  unfreezeCard: { from: ['Frozen'], to: 'Active', otherwise: 'card_wrong_state' },
  closeCard: { from: liveCardStatuses, to: 'ClosedByCustomer', otherwise: 'card_wrong_state' },
  reportLostCard: { from: liveCardStatuses, to: 'Lost', otherwise: 'card_wrong_state' },
  reportStolenCard: { from: liveCardStatuses, to: 'Stolen', otherwise: 'card_wrong_state' },
  setCardLimits: { from: liveCardStatuses, otherwise: 'card_wrong_state' },
  replaceCard: { from: ['Inactive', 'Active', 'Lost', 'Stolen'], otherwise: 'card_wrong_state' },
} as const satisfies StateRules<string, CardStatus>

/** Cards that can replace one another before one of them is activated. Activating the last one ends all before it. */
export const MAX_PENDING_REPLACEMENTS = 100

/** Throws the refusal of a card that cannot be activated. */
export function requireActivatable({
  status,
  accountStatus,
}: {
  status: CardStatus
  accountStatus: AccountStatus
}): void {
  requireAllowed(cardRules, 'activateCard', status)
  requireAllowed(accountRules, 'activateCard', accountStatus)
}

interface Replaceable {
  type: CardType
  status: CardStatus
  pendingReplacements: number
  accountStatus: AccountStatus
}

/** Throws the refusal of a card that cannot be replaced. Virtual cards cannot: nothing is shipped. */
export function requireReplaceable(card: Replaceable): void {
  if (card.type !== 'individualDebitCard') throw new Problem('card_wrong_state')
  requireAllowed(cardRules, 'replaceCard', card.status)
  if (card.pendingReplacements >= MAX_PENDING_REPLACEMENTS) {
    const detail = `The card is the last of ${MAX_PENDING_REPLACEMENTS} replacements that were never activated; activate it, or create another card.`
    throw new Problem('card_wrong_state', { detail })
  }
  requireAllowed(accountRules, 'replaceCard', card.accountStatus)
}
