import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import type { ProblemCode } from '../../base/problem.ts'
import { Timestamp, Word } from '../../base/text.ts'
import { Address } from '../address.ts'

const cardStatuses = ['Inactive', 'Active', 'Frozen', 'Lost', 'Stolen', 'ClosedByCustomer', 'SuspectedFraud'] as const
export const CardStatus = Type.Enum([...cardStatuses])
export type CardStatus = Static<typeof CardStatus>

const cardTypes = ['individualDebitCard', 'individualVirtualDebitCard'] as const
export const CardType = Type.Enum([...cardTypes])
export type CardType = Static<typeof CardType>

const common = {
  id: RecordId(),
  accountId: RecordId(),
  createdAt: Timestamp,
  last4Digits: Type.String({ pattern: '^[0-9]{4}$', examples: ['4242'] }),
}
const rest = {
  status: Word(cardStatuses),
  type: Word(cardTypes),
  design: Type.Optional(Type.String({ description: 'Physical cards only', examples: ['default'] })),
  shippingAddress: Type.Optional(Address),
}

/** A card by itself: its expiry is a month. */
export const Card = Type.Object(
  { ...common, expirationDate: Type.String({ pattern: '^\\d{4}-\\d\\d$', examples: ['2030-01'] }), ...rest },
  { $id: 'Card' },
)
export type Card = Static<typeof Card>

/** A card in a list: its expiry is the last millisecond of that month. */
export const ListedCard = Type.Object({ ...common, expirationDate: Timestamp, ...rest }, { $id: 'ListedCard' })
export type ListedCard = Static<typeof ListedCard>

export type CardMove = 'activate' | 'freeze' | 'unfreeze' | 'close' | 'report-lost' | 'report-stolen'

const live: CardStatus[] = ['Inactive', 'Active', 'Frozen', 'SuspectedFraud']
const moves: Record<CardMove, { from: CardStatus[]; to: CardStatus }> = {
  activate: { from: ['Inactive'], to: 'Active' },
  freeze: { from: ['Active'], to: 'Frozen' },
  unfreeze: { from: ['Frozen'], to: 'Active' },
  close: { from: live, to: 'ClosedByCustomer' },
  'report-lost': { from: live, to: 'Lost' },
  'report-stolen': { from: live, to: 'Stolen' },
}

export function isLive(status: CardStatus): boolean {
  return live.includes(status)
}

/** The status after a move, or the code of the refusal. */
export function moveCard(status: CardStatus, move: CardMove): { status: CardStatus } | { refused: ProblemCode } {
  const { from, to } = moves[move]
  return from.includes(status) ? { status: to } : { refused: 'card_wrong_state' }
}

/** Why a card cannot be replaced, if it cannot: virtual ones are not shipped. */
export function replacementRefusal(card: { type: CardType; status: CardStatus }): ProblemCode | undefined {
  const replaceable: CardStatus[] = ['Inactive', 'Active', 'Lost', 'Stolen']
  return card.type === 'individualDebitCard' && replaceable.includes(card.status) ? undefined : 'card_wrong_state'
}
