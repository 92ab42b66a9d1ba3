import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { described, Word } from '../../base/text.ts'
import type { StateRules } from '../state-rules.ts'
import { Authorization } from './authorization.ts'

const overSettlementStatuses = ['Open', 'Resolved'] as const
export type OverSettlementStatus = (typeof overSettlementStatuses)[number]

const { createdAt, cardLast4Digits, merchant } = Authorization.properties

/** An authorization that settled for more than its trade explains, as its reviewer sees it. */
export const OverSettlement = Type.Object(
  {
    id: RecordId('Id of the authorization'),
    status: Word(overSettlementStatuses, {
      description: '`Open` while it waits for a reviewer. A later settlement opens a `Resolved` one again',
    }),
    amount: described(CentsValue, 'Amount that was authorized, with later changes, in cents'),
    tolerated: described(CentsValue, 'Amount up to which settlements need no review, in cents'),
    settled: described(CentsValue, 'Amount that has settled, in cents'),
    refunded: described(CentsValue, 'Amount of it that was refunded, in cents'),
    merchant,
    cardId: RecordId('The card that was charged'),
    cardLast4Digits,
    accountId: RecordId('The account that paid'),
    customerId: RecordId('The customer who owns the account'),
    createdAt,
  },
  { $id: 'OverSettlement', description: 'A card authorization that settled for more than its trade explains' },
)
export type OverSettlement = Static<typeof OverSettlement>

export const overSettlementRules = {
  resolveOverSettlement: { from: ['Open'], to: 'Resolved', otherwise: 'over_settlement_not_open' },
} as const satisfies StateRules<string, OverSettlementStatus | 'None'>

/** How far settlements may pass the amount of an authorization: by a share of it in percent, or up to an amount in cents. */
interface Tolerance {
  /** Words of the trade, and merchant category codes. */
  trade: RegExp
  percent: number
  upTo?: number
}

/**
 * The tolerances of card networks: a tip is added after the authorization, the extras of a room or a rental follow, and a
 * pump asks for a dollar before it knows how much will be tanked.
 */
const tolerances: readonly Tolerance[] = [
  { trade: /\bfuel|\bgas\b|gasoline|petrol|service station|^(5541|5542)$/i, percent: 15, upTo: 175_00 },
  {
    trade: /restaurant|\bbars?\b|tavern|food|taxi|limousine|beauty|barber|\bspas?\b|^(4121|581[1-4]|7230|7297|7298)$/i,
    percent: 20,
  },
  { trade: /lodging|hotel|motel|rental|cruise|^(3[0-9]{3}|4411|7011|7512|7513|7519)$/i, percent: 15 },
]
/** Shipping costs, and changes of an exchange rate. */
const OTHER_PERCENT = 10

/** The sum of settlements from which on a reviewer has to look at an authorization. Its trade is a text, or a text and a code. */
export function toleratedAmount({ amount, categories }: { amount: number; categories: string[] }): number {
  const { percent, upTo = 0 } = tolerances.find(({ trade }) => categories.some((category) => trade.test(category))) ?? {
    percent: OTHER_PERCENT,
  }
  return Math.max(amount + Math.floor((amount * percent) / 100), upTo)
}
