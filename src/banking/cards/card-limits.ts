import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { described, Text } from '../../base/text.ts'
import type { DeclineReason } from '../authorizations/authorization.ts'

/** An amount in cents and a number of purchases; null if there is no limit. */
interface PeriodLimit {
  amount: number | null
  count: number | null
}

/** The limits of a card, as they are stored. */
export interface StoredCardLimits {
  purchase: { amount: number | null }
  day: PeriodLimit
  month: PeriodLimit
  allowedCategories: string[] | null
  blockedCategories: string[] | null
}

/** The approved purchases of a period. */
export interface Spent {
  amount: number
  count: number
}

const orNull = (description: string) => Type.Union([CentsValue, Type.Null()], { description })

const PurchaseLimit = Type.Object(
  { amount: orNull('Largest amount of one purchase, in cents; null for no limit') },
  { $id: 'CardPurchaseLimit', description: 'The limit of one purchase' },
)
const ShownPeriod = Type.Object(
  {
    amount: orNull('Largest amount of the purchases of the period together, in cents; null for no limit'),
    count: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Largest number of purchases of the period; null for no limit',
    }),
    usedAmount: described(CentsValue, 'Amount of the approved purchases of the present period, in cents'),
    usedCount: Type.Integer({ description: 'Number of approved purchases of the present period', examples: [3] }),
  },
  {
    $id: 'CardPeriodLimit',
    description: 'The limit of a day or a month, which begin at midnight UTC in bank time, and what is used of it',
  },
)

export const MerchantCategories = (description: string) =>
  Type.Array(Text(1, 100, { examples: ['Restaurants'] }), {
    minItems: 1,
    maxItems: 100,
    description,
    examples: [['Restaurants', '5411']],
  })
const shownCategories = (description: string) =>
  Type.Union([Type.Array(Type.String({ examples: ['Restaurants'] })), Type.Null()], { description })

export const CardLimits = Type.Object(
  {
    id: RecordId('Id of the card'),
    purchase: PurchaseLimit,
    day: ShownPeriod,
    month: ShownPeriod,
    allowedCategories: shownCategories('The only merchant categories that are approved; null for all'),
    blockedCategories: shownCategories('Merchant categories that are declined; null for none'),
  },
  { $id: 'CardLimits', description: 'The spending limits of a card' },
)
export type CardLimits = Static<typeof CardLimits>

/** Whether limits need the purchases of the day or the month. */
export function hasPeriodLimit({ day, month }: StoredCardLimits): boolean {
  return [day, month].some(({ amount, count }) => amount !== null || count !== null)
}

/** A purchase that a card's limits decide about, or more on one. */
export interface LimitedPurchase {
  /** The amount of the whole purchase. */
  total: number
  /** The amount of it that does not count yet. */
  more: number
  isNew: boolean
  /** The trade of the merchant: a text, or a text and a code. */
  categories: string[]
}

/** Why limits decline a purchase, given the others of its day and month; null if they allow it. */
export function limitReasonOf(
  limits: StoredCardLimits,
  purchase: LimitedPurchase,
  spent: { day: Spent; month: Spent },
): DeclineReason | null {
  const { allowedCategories, blockedCategories } = limits
  const { total, categories } = purchase
  if (allowedCategories && !share(allowedCategories, categories)) return 'MerchantCategoryNotAllowed'
  if (blockedCategories && share(blockedCategories, categories)) return 'MerchantCategoryNotAllowed'
  if (limits.purchase.amount !== null && total > limits.purchase.amount) return 'PurchaseLimitExceeded'
  if (isPast(limits.day, purchase, spent.day)) return 'DailyLimitExceeded'
  return isPast(limits.month, purchase, spent.month) ? 'MonthlyLimitExceeded' : null
}

function isPast({ amount, count }: PeriodLimit, { more, isNew }: LimitedPurchase, spent: Spent): boolean {
  if (amount !== null && spent.amount + more > amount) return true
  return isNew && count !== null && spent.count >= count
}

/** Categories are compared without regard to letter case. */
function share(listed: string[], categories: string[]): boolean {
  return listed.some((each) => categories.some((category) => each.toLowerCase() === category.toLowerCase()))
}
