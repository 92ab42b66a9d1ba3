import { describe, expect, it } from 'vitest'
import { amountsOf } from './authorization-amounts.ts'

describe('the amounts of an authorization', () => {
  const transfers = [
    { kind: 'cardSettlement', amount: 1_500 },
    { kind: 'cardRefund', amount: 300 },
    { kind: 'cardSettlement', amount: 500 },
  ]

  it('hold the part that is not settled', () => {
    expect(amountsOf({ amount: 5_000, status: 'Authorized' }, transfers)).toEqual({
      held: 3_000,
      settled: 2_000,
      refunded: 300,
    })
  })

  it.each(['Completed', 'Canceled', 'Declined'])('hold nothing when it is %s', (status) => {
    expect(amountsOf({ amount: 5_000, status }, transfers).held).toBe(0)
  })

  it('hold nothing where more was settled than asked for', () => {
    expect(amountsOf({ amount: 1_000, status: 'Authorized' }, transfers).held).toBe(0)
  })
})
