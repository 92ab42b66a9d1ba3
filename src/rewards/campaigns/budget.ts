import { type Static, Type } from 'typebox'
import { Amount, CentsValue } from '../../base/cents.ts'
import { addDays } from '../../base/clock.ts'
import { described, Word } from '../../base/text.ts'

const BudgetLimit = Type.Object(
  {
    amount: Type.Optional(described(Amount, 'Most cash back, in cents')),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'Most purchases that earn', examples: [100] }),
    ),
  },
  { $id: 'BudgetLimit', additionalProperties: false, description: 'The limits of a period' },
)

export const Budget = Type.Object(
  { day: Type.Optional(BudgetLimit), month: Type.Optional(BudgetLimit), total: Type.Optional(BudgetLimit) },
  { $id: 'Budget', additionalProperties: false, description: 'Limits of UTC days and months in bank time, and in all' },
)
export type Budget = Static<typeof Budget>

const number = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })
const BudgetRest = Type.Object(
  { amount: number('Cash back in cents; null for no limit'), count: number('Purchases; null for no limit') },
  { $id: 'BudgetRest', description: 'The rest of a period' },
)
export const BudgetLeft = Type.Object(
  { day: BudgetRest, month: BudgetRest, total: BudgetRest },
  { $id: 'BudgetLeft', description: 'The rest of budgets now' },
)
export type BudgetLeft = Static<typeof BudgetLeft>

export const BudgetUse = Type.Object(
  {
    amount: described(CentsValue, 'Cash back in cents, without what was taken back'),
    count: Type.Integer({ description: 'Purchases that earned' }),
  },
  { $id: 'BudgetUse', description: 'The use of a budget in all' },
)
export type BudgetUse = Static<typeof BudgetUse>

export const budgetPeriods = ['day', 'month', 'total'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

/** The use in each period. */
export type UseOfPeriods = Record<BudgetPeriod, BudgetUse>

/** Percentages of a budget at which an event is emitted. */
const alertPercents = [80, 100] as const

/** A budget of a campaign or an offer that purchases have used up, or nearly. */
export const BudgetAlert = Type.Object(
  {
    id: Type.String({ description: 'Id of the campaign', examples: ['1000042'] }),
    name: Type.String({ description: 'Name of the campaign', examples: ['Spring'] }),
    status: Type.String({ description: 'Status of the campaign', examples: ['Active'] }),
    offerId: Type.Union([Type.String(), Type.Null()], { description: 'The offer; null for the whole campaign' }),
    period: Word(budgetPeriods, { description: 'The period of the limit' }),
    measure: Word(['amount', 'count'], { description: 'The measure of the limit' }),
    percent: Type.Integer({ description: '80 or 100' }),
    limit: Type.Integer({ description: 'The limit' }),
    used: Type.Integer({ description: 'The used part of it' }),
  },
  { $id: 'BudgetAlert', description: 'A limit of a budget that is reached, or nearly' },
)
export type BudgetAlert = Static<typeof BudgetAlert>

/** The use of days and months is kept for so many days after they began: no budget asks for it any more. */
export const USE_KEPT_DAYS = 400

/** Whether the use of a period is kept at a time. A refund that comes later gives back to the total only. */
export function isUseKept(period: string, now: string): boolean {
  return period >= addDays(now, -USE_KEPT_DAYS).slice(0, 10)
}

/** The names of the periods of a time. */
export function periodNames(time: string): Record<BudgetPeriod, string> {
  return { day: time.slice(0, 10), month: time.slice(0, 7), total: 'total' }
}

/** The rest of several budgets together: of each limit the smallest rest. */
export function leftOf(limited: { budget: Budget | null; used: UseOfPeriods }[]): BudgetLeft {
  const restOf = (period: BudgetPeriod, measure: keyof BudgetUse) => {
    const rests = limited.flatMap(({ budget, used }) => {
      const limit = budget?.[period]?.[measure]
      return limit === undefined ? [] : [Math.max(0, limit - used[period][measure])]
    })
    return rests.length === 0 ? null : Math.min(...rests)
  }
  const rest = (period: BudgetPeriod) => ({ amount: restOf(period, 'amount'), count: restOf(period, 'count') })
  return { day: rest('day'), month: rest('month'), total: rest('total') }
}

/** Whether a purchase that earns so much fits what is left. */
export function fits(left: BudgetLeft, amount: number): boolean {
  return budgetPeriods.every((period) => (left[period].amount ?? amount) >= amount && (left[period].count ?? 1) >= 1)
}

/** The limits of a budget that a use reaches by a percentage for the first time. */
export function alertsOf(
  budget: Budget | null,
  before: UseOfPeriods,
  after: UseOfPeriods,
): Pick<BudgetAlert, 'period' | 'measure' | 'percent' | 'limit' | 'used'>[] {
  const alerts: ReturnType<typeof alertsOf> = []
  for (const period of budgetPeriods)
    for (const measure of ['amount', 'count'] as const) {
      const limit = budget?.[period]?.[measure]
      if (limit === undefined) continue
      const used = after[period][measure]
      const reached = (use: number, percent: number) => BigInt(use) * 100n >= BigInt(limit) * BigInt(percent)
      for (const percent of alertPercents)
        if (reached(used, percent) && !reached(before[period][measure], percent))
          alerts.push({ period, measure, percent, limit, used })
    }
  return alerts
}
