import { Type } from 'typebox'

/** The largest amount anywhere: what a JSON number holds exactly. */
export const MAX_CENTS = 9_007_199_254_740_991

declare const cents: unique symbol
/** Whole cents. Made only by `toCents`, so that a float or an overflow cannot pass as money. */
export type Cents = number & { readonly [cents]: true }

export function toCents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not whole cents: ${value}`)
  return value as Cents
}

/** Cents in an answer; balances may be negative. */
export const CentsValue = Type.Integer({ description: 'Whole cents', examples: [2000] })

/** The amount of one movement in a request. */
export const Amount = Type.Integer({
  minimum: 1,
  maximum: 999_999_999_999,
  description: 'Whole cents',
  examples: [2000],
})
