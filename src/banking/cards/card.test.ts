import { describe, expect, test } from 'vitest'
import { type CardMove, type CardStatus, isLive, moveCard, replacementRefusal } from './card.ts'

const no = 'card_wrong_state'

/** Each move from each status: the status after it, or the refusal. */
const table: Record<CardMove, Record<CardStatus, string>> = {
  activate: {
    Inactive: 'Active',
    Active: no,
    Frozen: no,
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: no,
  },
  freeze: {
    Inactive: no,
    Active: 'Frozen',
    Frozen: no,
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: no,
  },
  unfreeze: {
    Inactive: no,
    Active: no,
    Frozen: 'Active',
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: no,
  },
  close: {
    Inactive: 'ClosedByCustomer',
    Active: 'ClosedByCustomer',
    Frozen: 'ClosedByCustomer',
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: 'ClosedByCustomer',
  },
  'report-lost': {
    Inactive: 'Lost',
    Active: 'Lost',
    Frozen: 'Lost',
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: 'Lost',
  },
  'report-stolen': {
    Inactive: 'Stolen',
    Active: 'Stolen',
    Frozen: 'Stolen',
    Lost: no,
    Stolen: no,
    ClosedByCustomer: no,
    SuspectedFraud: 'Stolen',
  },
}

/** Each status: whether the card may still be used one day, and whether it can be replaced. */
const statuses: Record<CardStatus, { live: boolean; replaceable: boolean }> = {
  Inactive: { live: true, replaceable: true },
  Active: { live: true, replaceable: true },
  Frozen: { live: true, replaceable: false },
  Lost: { live: false, replaceable: true },
  Stolen: { live: false, replaceable: true },
  ClosedByCustomer: { live: false, replaceable: false },
  SuspectedFraud: { live: true, replaceable: false },
}

describe('a card', () => {
  for (const [move, outcomes] of Object.entries(table) as [CardMove, Record<CardStatus, string>][]) {
    for (const [status, outcome] of Object.entries(outcomes) as [CardStatus, string][]) {
      test(`that is ${status}: ${move} gives ${outcome}`, () => {
        const moved = moveCard(status, move)
        expect('refused' in moved ? moved.refused : moved.status).toBe(outcome)
      })
    }
  }

  for (const [status, { live, replaceable }] of Object.entries(statuses) as [
    CardStatus,
    { live: boolean; replaceable: boolean },
  ][]) {
    test(`that is ${status} ${live ? 'is live' : 'has ended'} and can${replaceable ? '' : 'not'} be replaced`, () => {
      expect(isLive(status)).toBe(live)
      expect(replacementRefusal({ type: 'individualDebitCard', status })).toBe(replaceable ? undefined : no)
    })

    test(`that is ${status} and virtual cannot be replaced`, () => {
      expect(replacementRefusal({ type: 'individualVirtualDebitCard', status })).toBe(no)
    })
  }
})
