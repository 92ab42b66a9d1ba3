import { describe, expect, it } from 'vitest'
import { rewardQuery } from './reward-filter.ts'

describe('the query of a list of rewards', () => {
  it('without a filter has an order alone', () => {
    expect(rewardQuery({ state: '' })).toEqual({ columnNames: 'id', orderByClause: '$C1 DESC', limit: 100 })
  })

  it('compares each column that has a value', () => {
    expect(rewardQuery({ state: 'PAID', partnerUserId: '8', offerId: '' })).toEqual({
      columnNames: 'state,partnerUserId,id',
      whereClause: '$C1 = $V1 AND $C2 = $V2',
      values: '[PAID, 8]',
      orderByClause: '$C3 DESC',
      limit: 100,
    })
  })

  it('quotes a text with other characters', () => {
    expect(rewardQuery({ merchantName: "Joe's Diner" }).values).toBe("['Joe''s Diner']")
  })
})
