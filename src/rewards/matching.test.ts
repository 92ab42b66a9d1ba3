import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seedOfTest } from '../../test/support/random.ts'
import { bestOffer, judgeOffers, type MatchedOffer, sharesOf } from './matching.ts'

function offer(own: Partial<MatchedOffer>): MatchedOffer {
  return {
    id: '1000001',
    merchantName: 'Tamberly Market',
    commissionBp: 500,
    totalBp: 800,
    minimumSpend: 0,
    maximumReward: null,
    redeemableOnce: false,
    ...own,
  }
}

describe('The shares of a commission', () => {
  test('add up to the whole commission for every amount', () => {
    const amounts = fc.integer({ min: 1, max: 999_999_999_999 })
    const points = fc.integer({ min: 1, max: 10_000 })
    const maximum = fc.option(fc.integer({ min: 1, max: 1_000_000 }))
    fc.assert(
      fc.property(amounts, points, points, maximum, (amount, one, other, maximumReward) => {
        const [commissionBp, totalBp] = [Math.min(one, other), Math.max(one, other)]
        const { userAmount, issuerAmount } = sharesOf(amount, { commissionBp, totalBp, maximumReward })
        const exactly = (bp: number) => Number((BigInt(amount) * BigInt(bp)) / 10_000n)
        expect(userAmount + issuerAmount).toBe(exactly(totalBp))
        expect(userAmount).toBe(Math.min(exactly(commissionBp), maximumReward ?? Number.MAX_SAFE_INTEGER))
        expect(issuerAmount).toBeGreaterThanOrEqual(0)
      }),
      { seed: seedOfTest() },
    )
  })

  test('are rounded down: 5 % of 19 cents is 0', () => {
    expect(sharesOf(19, offer({}))).toEqual({ userAmount: 0, issuerAmount: 1 })
    expect(sharesOf(20, offer({}))).toEqual({ userAmount: 1, issuerAmount: 0 })
  })
})

describe('The best offer for a purchase', () => {
  const never = () => false

  test('has the highest cash back; between equal ones it is the newer', () => {
    const offers = [offer({ id: '1' }), offer({ id: '3', commissionBp: 700 }), offer({ id: '2', commissionBp: 700 })]
    expect(bestOffer(offers, 100_00, never)?.id).toBe('3')
    expect(bestOffer(offers.toReversed(), 100_00, never)?.id).toBe('3')
  })

  test('requires its minimum spend, at the exact amount', () => {
    const offers = [offer({ minimumSpend: 50_00 })]
    expect(bestOffer(offers, 49_99, never)).toBeUndefined()
    expect(bestOffer(offers, 50_00, never)).toBeDefined()
  })

  test('is not one that pays nothing or is used up', () => {
    expect(bestOffer([offer({})], 19, never)).toBeUndefined()
    expect(bestOffer([offer({ redeemableOnce: true })], 100_00, () => true)).toBeUndefined()
    expect(bestOffer([offer({ redeemableOnce: false })], 100_00, () => true)).toBeDefined()
  })
})

describe('The outcomes of offers', () => {
  test('have one winner, the best offer, and none that is eligible and beats it', () => {
    const drawn = fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 9 }).map(String),
        commissionBp: fc.constantFrom(1, 100, 500, 501),
        minimumSpend: fc.constantFrom(0, 10_00),
        maximumReward: fc.constantFrom(null, 5),
        redeemableOnce: fc.boolean(),
      }),
      { selector: ({ id }) => id, maxLength: 6 },
    )
    fc.assert(
      fc.property(drawn, fc.constantFrom(1, 19, 20, 9_99, 10_00), fc.boolean(), (own, amount, used) => {
        const offers = own.map(offer)
        const judged = judgeOffers(offers, amount, () => used)
        const best = bestOffer(offers, amount, () => used)
        expect(judged.filter(({ outcome }) => outcome === 'Won').map((one) => one.offer)).toEqual(best ? [best] : [])
        const most = best ? sharesOf(amount, best).userAmount : 0
        for (const { offer: one, userAmount, outcome } of judged) {
          const refused = amount < one.minimumSpend || (one.redeemableOnce && used) || userAmount === 0
          expect(['BelowMinimumSpend', 'AlreadyRedeemed', 'NoCashBack'].includes(outcome)).toBe(refused)
          if (!refused) expect(userAmount).toBeLessThanOrEqual(most)
          if (outcome === 'LowerCashBack') expect(userAmount).toBeLessThan(most)
          if (outcome === 'OlderOffer') expect([userAmount, Number(one.id) < Number(best?.id)]).toEqual([most, true])
        }
      }),
      { seed: seedOfTest() },
    )
  })
})
