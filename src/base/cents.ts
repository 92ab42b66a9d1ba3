import { Type } from 'typebox'

/** The largest amount anywhere: the largest integer that a JSON number holds exactly. */
export const MAX_CENTS = 9_007_199_254_740_991

declare const cents: unique symbol
/** Whole cents. Only `toCents` makes them, so that a fraction or an overflow cannot pass as money. */
export type Cents = number & { readonly [cents]: true }

export function toCents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not whole cents: ${value}`)
  return value as Cents
}

/** An amount in an answer. A balance may be negative. */
export const CentsValue = Type.Integer({ description: 'Whole cents', examples: [2000] })

/** The largest amount of one payment, transfer or purchase. */
export const MAX_AMOUNT = 999_999_999_999

/** The amount of one payment or transfer in a request. */
export const Amount = Type.Integer({
  minimum: 1,
  maximum: MAX_AMOUNT,
  description: 'Whole cents',
  examples: [2000],
})
