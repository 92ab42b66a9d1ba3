import { describe, expect, it, test } from 'vitest'
import { byWeek, changesOf, inAndOut, kindName, trialBalance } from './ledger.ts'

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

test('money in and out is what crosses the deposits, day by day, also on days without any', () => {
  const flows = [
    { date: '2026-01-29', debitKind: 'achClearing', creditKind: 'deposit', amount: 9 },
    { date: '2026-01-30', debitKind: 'achClearing', creditKind: 'deposit', amount: 5 },
    { date: '2026-01-30', debitKind: 'rewardsFunding', creditKind: 'deposit', amount: 2 },
    { date: '2026-01-30', debitKind: 'deposit', creditKind: 'deposit', amount: 100 },
    { date: '2026-01-30', debitKind: 'deposit', creditKind: 'cardSettlement', amount: 3 },
  ]
  expect(inAndOut(flows, '2026-01-31', 2)).toEqual([
    { date: '2026-01-30', amount: 7, out: 3 },
    { date: '2026-01-31', amount: 0, out: 0 },
  ])
})
