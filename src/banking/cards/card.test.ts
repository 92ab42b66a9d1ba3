import { describe, expect, test } from 'vitest'
import { cardStatuses } from '../../../test/support/cards.ts'
import { outcomeOf } from '../../../test/support/state-rules.ts'
import { type CardStatus, cardRules, liveCardStatuses, requireReplaceable } from './card.ts'

const no = 'card_wrong_state'

/** Each operation in each state: the state afterwards, or the code of the refusal. */
const table: Record<keyof typeof cardRules, Record<CardStatus, string>> = {
  activateCard: {
    Inactive: 'Active',
    Active: no,
    Frozen: no,
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: no,
  },
  freezeCard: {
    Inactive: no,
    Active: 'Frozen',
    Frozen: no,
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: no,
  },
  unfreezeCard: {
    Inactive: no,
    Active: no,
    Frozen: 'Active',
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: no,
  },
  setCardLimits: {
    Inactive: 'Inactive',
    Active: 'Active',
    Frozen: 'Frozen',
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: 'SuspectedFraud',
  },
  closeCard: {
    Inactive: 'ClosedByCustomer',
    Active: 'ClosedByCustomer',
    Frozen: 'ClosedByCustomer',
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: 'ClosedByCustomer',
  },
  reportLostCard: {
    Inactive: 'Lost',
    Active: 'Lost',
    Frozen: 'Lost',
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: 'Lost',
  },
  reportStolenCard: {
    Inactive: 'Stolen',
    Active: 'Stolen',
    Frozen: 'Stolen',
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: 'Stolen',
  },
  replaceCard: {
    Inactive: 'Inactive',
    Active: 'Active',
    Frozen: no,
    Lost: 'Lost',
    Stolen: 'Stolen',
    ClosedByCustomer: no,
    SuspectedFraud: no,
  },
}

describe('the rules of a card', () => {
  for (const [operationId, outcomes] of Object.entries(table) as [
    keyof typeof cardRules,
    Record<CardStatus, string>,
  ][]) {
    for (const [status, outcome] of Object.entries(outcomes) as [CardStatus, string][]) {
      test(`answer ${outcome} to ${operationId} of a card that is ${status}`, () => {
        expect(outcomeOf(cardRules, operationId, status)).toBe(outcome)
      })
    }
  }

  test('count every card as live that is not lost, stolen or closed', () => {
    const ended: CardStatus[] = ['Lost', 'Stolen', 'ClosedByCustomer']
    expect([...liveCardStatuses].sort()).toEqual(cardStatuses.filter((status) => !ended.includes(status)).sort())
  })

  for (const status of cardStatuses) {
    test(`refuse to replace a virtual card that is ${status}`, () => {
      const card = {
        type: 'individualVirtualDebitCard',
        status,
        pendingReplacements: 0,
        accountStatus: 'Open',
      } as const
      expect(() => requireReplaceable(card)).toThrow(expect.objectContaining({ code: no }))
    })
  }

  test('refuse to replace a card once 100 replacements wait for their activation', () => {
    const card = { type: 'individualDebitCard', status: 'Inactive', accountStatus: 'Open' } as const
    expect(() => requireReplaceable({ ...card, pendingReplacements: 99 })).not.toThrow()
    expect(() => requireReplaceable({ ...card, pendingReplacements: 100 })).toThrow(
      expect.objectContaining({ code: no, message: expect.stringContaining('100 replacements') }),
    )
  })
})
