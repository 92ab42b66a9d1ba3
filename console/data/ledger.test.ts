import { describe, expect, it, test } from 'vitest'
import { byWeek, changesOf, kindName, trialBalance } from './ledger.ts'

describe('the trial balance', () => {
  it('has the balances of the last day on their sides, with equal sums', () => {
    const balances = [
      { date: '2026-11-15', kind: 'deposit', balance: 1 },
      { date: '2026-11-16', kind: 'deposit', balance: 462_615 },
      { date: '2026-11-16', kind: 'achClearing', balance: -480_000 },
      { date: '2026-11-16', kind: 'cardSettlement', balance: 17_385 },
    ]
    expect(trialBalance(balances)).toEqual({
      rows: [
        { kind: 'deposit', debit: 0, credit: 462_615 },
        { kind: 'achClearing', debit: 480_000, credit: 0 },
        { kind: 'cardSettlement', debit: 0, credit: 17_385 },
      ],
      debit: 480_000,
      credit: 480_000,
    })
  })

  it('of an empty ledger is empty', () => {
    expect(trialBalance([])).toEqual({ rows: [], debit: 0, credit: 0 })
  })
})

describe('the name of a kind of account', () => {
  it('is in words, also of a kind that is new', () => {
    expect([kindName('achClearing'), kindName('feeIncome')]).toEqual(['ACH clearing', 'Fee income'])
  })
})

test('a day has what it added to the balance, and a week the sum of its days from Monday on', () => {
  const days = [
    { date: '2026-01-30', balance: 10 },
    { date: '2026-01-31', balance: 30 },
    { date: '2026-02-01', balance: 25 },
    { date: '2026-02-02', balance: 26 },
  ]
  const changes = changesOf(days)
  expect(changes.map(({ amount }) => amount)).toEqual([20, -5, 1])
  expect(byWeek(changes)).toEqual([
    { date: '2026-01-26', amount: 15 },
    { date: '2026-02-02', amount: 1 },
  ])
  expect(changesOf([])).toEqual([])
})
