import { type Static, Type } from 'typebox'
import { MAX_AMOUNT } from '../../base/cents.ts'
import { Id } from '../../base/ids.ts'
import type { Rule } from '../../base/rules.ts'
import { bankingWrite } from '../provider.ts'
import { CardLimits, MerchantCategories } from './card-limits.ts'

const limitAmount = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_AMOUNT, description, examples: [50_000] }))

const PeriodBody = (description: string) =>
  Type.Object(
    {
      amount: limitAmount('Largest amount of the purchases together, in cents; absent for no limit'),
      count: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1_000_000,
          description: 'Largest number of purchases; absent for no limit',
          examples: [10],
        }),
      ),
    },
    { description },
  )

const SetCardLimitsBody = Type.Object(
  {
    purchase: Type.Optional(
      Type.Object(
        { amount: limitAmount('Largest amount of one purchase, in cents; absent for no limit') },
        { description: 'Limit of one purchase' },
      ),
    ),
    day: Type.Optional(PeriodBody('Limit of the purchases of a UTC day in bank time')),
    month: Type.Optional(PeriodBody('Limit of the purchases of a UTC month in bank time')),
    allowedCategories: Type.Optional(
      MerchantCategories('The only merchant categories that are approved; absent for all'),
    ),
    blockedCategories: Type.Optional(MerchantCategories('Merchant categories that are declined; absent for none')),
  },
  {
    description: 'All limits of the card. A member that is absent removes its limit',
    'x-rules': [{ rule: 'atMostOne', members: ['allowedCategories', 'blockedCategories'] }] satisfies Rule[],
  },
)
export type SetCardLimitsInput = Static<typeof SetCardLimitsBody> & { cardId: string }

/** Extension. Replaces the spending limits of a card. */
export const setCardLimits = bankingWrite({
  id: 'setCardLimits',
  resource: 'cardLimits',
  verb: 'set',
  method: 'PUT',
  path: '/v0/banking/cards/:cardId/limits',
  summary: 'Set card limits',
  description:
    'Replaces the spending limits of a card. An authorization or an increment past a limit is declined with `PurchaseLimitExceeded`, `DailyLimitExceeded` or `MonthlyLimitExceeded`, one at another merchant with `MerchantCategoryNotAllowed`. A purchase counts in the day and month of its authorization, in UTC bank time, with the amounts that it holds and that have settled. Amounts that are reversed or expire no longer count; refunded ones still do. New limits also count the purchases made earlier in the month.\n\nCategories match in any letter case. A purchase without a category is approved only if no list of allowed ones is set.\n\nIn a sandbox a key without a list of scopes has `risk:write` too. A card that has ended is refused with `card_wrong_state`. Emits `card.limitsChanged`, unless nothing changes.',
  scope: 'risk:write',
  params: Type.Object({ cardId: Id('card') }),
  body: SetCardLimitsBody,
  data: CardLimits,
  problems: ['card_not_found', 'card_wrong_state'],
  run: ({ bank, write }, { params, body }) => bank.setCardLimits(write, { ...params, ...body }),
})
