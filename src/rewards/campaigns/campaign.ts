import { type Static, type TSchema, Type } from 'typebox'
import { Amount, CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import type { Rule } from '../../base/rules.ts'
import { CreatedAt, described, Instant, Text, Timestamp, UpdatedAt } from '../../base/text.ts'
import { Budget, BudgetLeft, BudgetUse } from './budget.ts'

const orNull = <T extends TSchema>(schema: T, description: string) => Type.Union([schema, Type.Null()], { description })

export const CampaignStatus = Type.Enum(['Active', 'Paused', 'Ended'], {
  description: '`Ended` is final',
})
export type CampaignStatus = Static<typeof CampaignStatus>

/** Refuses to change a campaign, or an offer of one, that has ended. */
export function requireNotEnded({ status }: { status: CampaignStatus }): void {
  if (status === 'Ended') throw new Problem('campaign_ended')
}

export const CampaignName = Text(1, 100, { description: 'Name of the campaign', examples: ['Spring'] })

export const Campaign = Type.Object(
  {
    id: RecordId(),
    name: CampaignName,
    status: CampaignStatus,
    budget: orNull(Budget, 'The most that all users together earn; null for no limit'),
    userBudget: orNull(Budget, 'The most that each user earns; null for no limit'),
    budgetLeft: BudgetLeft,
    used: BudgetUse,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  { $id: 'Campaign', description: 'Offers that are run together' },
)
export type Campaign = Static<typeof Campaign>

export const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

const UserCondition = Type.Object(
  {
    whereClause: Type.String({ description: 'The condition', 'x-clause': true, examples: ['$C1 = $V1'] }),
    columnNames: Type.Optional(Type.String({ description: 'Names of tags', 'x-clause': true, examples: ['plan'] })),
    values: Type.Optional(Type.String({ description: 'Values', 'x-clause': true, examples: ['[gold]'] })),
  },
  {
    $id: 'UserCondition',
    'x-rules': [{ rule: 'filter', members: ['whereClause', 'columnNames', 'values'] }] satisfies Rule[],
    additionalProperties: false,
    description: 'A condition in the filter language; its columns are tags of the partner user',
  },
)
export type UserCondition = Static<typeof UserCondition>

const Commission = Type.Number({
  minimum: 0.01,
  maximum: 100,
  description: 'Cash back in percent, with at most two decimals',
  examples: [5],
})
const FlatAmount = described(Amount, 'Cash back in cents, whatever the purchase; at most its amount')
const Days = Type.Array(Type.Enum([...weekdays]), {
  minItems: 1,
  maxItems: 7,
  uniqueItems: true,
  description: 'Days of purchases, in UTC',
  examples: [['saturday', 'sunday']],
})
const MinimumSpend = Type.Integer({ minimum: 0, maximum: 999_999_999_999, description: 'Smallest purchase, in cents' })
const MaximumReward = described(Amount, 'Most cash back of a purchase, in cents')
const SettlementDelay = Type.Integer({ minimum: 0, maximum: 365, description: 'Days until the payout' })
const MerchantName = Text(1, 255, { description: 'Name of the merchant', examples: ['Quillbrook Coffee'] })
const Title = Text(1, 255, { description: 'Headline', examples: ['5% cash back at Quillbrook Coffee'] })
const Terms = Text(0, 5_000, { description: 'Terms; may be empty' })
const MerchantIds = Type.Array(Text(1, 100), {
  minItems: 1,
  maxItems: 1_000,
  uniqueItems: true,
  description: 'Ids of the merchant at the card network',
  examples: [['445012345678']],
})
const CategoryCodes = Type.Array(Type.String({ pattern: '^[0-9]{4}$' }), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'Merchant category codes (MCC)',
  examples: [['5814']],
})
/** Members of an offer about the merchants of its purchases, beside the name. */
const merchantsOfPurchases = {
  merchantIds: orNull(MerchantIds, 'A purchase that has a merchant id earns at these alone; null to compare names'),
  categoryCodes: orNull(CategoryCodes, 'A purchase that has a category code earns with these alone; null for all'),
}

const OfferActivationTerms = Type.Object(
  {
    days: Type.Integer({ minimum: 1, maximum: 365, description: 'Days for which an activation is good' }),
    uses: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Most purchases that earn by it' }),
    ),
  },
  { $id: 'OfferActivationTerms', additionalProperties: false, description: 'The terms of an activation' },
)

/** The budgets that a caller sends. */
export const budgetTerms = {
  budget: Type.Optional(orNull(Budget, 'The most that all users together earn; null for no limit')),
  userBudget: Type.Optional(orNull(Budget, 'The most that each user earns; null for no limit')),
}

export const offerRules = [
  { rule: 'decimals', members: ['commission'], places: 2 },
  { rule: 'period', members: ['validFrom', 'expirationDate'] },
] as const satisfies Rule[]

/** The members of an offer that a caller sends and may change later. */
export const offerTerms = {
  title: Title,
  terms: Type.Optional(Terms),
  merchantIds: Type.Optional(merchantsOfPurchases.merchantIds),
  categoryCodes: Type.Optional(merchantsOfPurchases.categoryCodes),
  commission: Type.Optional(Commission),
  amount: Type.Optional(FlatAmount),
  minimumSpend: Type.Optional(MinimumSpend),
  maximumReward: Type.Optional(orNull(MaximumReward, 'Most cash back of a purchase, in cents; null for no limit')),
  days: Type.Optional(orNull(Days, 'Days of purchases, in UTC; null for every day')),
  validFrom: Type.Optional(Instant({ description: 'First time of purchases; now if it is left out' })),
  expirationDate: Type.Optional(
    orNull(Instant({ description: 'End' }), 'Purchases from then on earn nothing; null for no end'),
  ),
  settlementDelayDays: Type.Optional(
    orNull(SettlementDelay, 'Days until the payout; null for the delay of the service'),
  ),
  condition: Type.Optional(orNull(UserCondition, 'Which users earn; null for all')),
  ...budgetTerms,
  activation: Type.Optional(orNull(OfferActivationTerms, 'Users have to activate the offer; null if they need not')),
}

export const CampaignOffer = Type.Object(
  {
    id: RecordId(),
    campaignId: RecordId('Id of the campaign'),
    status: CampaignStatus,
    merchantName: MerchantName,
    title: Title,
    terms: Terms,
    ...merchantsOfPurchases,
    commission: orNull(Commission, 'Cash back in percent; null for an offer of an amount'),
    amount: orNull(CentsValue, 'Cash back in cents; null for an offer of a percentage'),
    minimumSpend: MinimumSpend,
    maximumReward: orNull(CentsValue, 'Most cash back of a purchase, in cents; null for no limit'),
    days: orNull(Days, 'Days of purchases, in UTC; null for every day'),
    validFrom: Timestamp,
    expirationDate: orNull(Timestamp, 'End; null for none'),
    settlementDelayDays: orNull(SettlementDelay, 'Days until the payout; null for the delay of the service'),
    condition: orNull(UserCondition, 'Which users earn; null for all'),
    activation: orNull(OfferActivationTerms, 'Users have to activate the offer; null if they need not'),
    budget: orNull(Budget, 'The most that all users together earn; null for no limit'),
    userBudget: orNull(Budget, 'The most that each user earns; null for no limit'),
    budgetLeft: BudgetLeft,
    used: BudgetUse,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  { $id: 'CampaignOffer', description: 'An offer of a campaign' },
)
export type CampaignOffer = Static<typeof CampaignOffer>

/** The part of an offer that is stored as it is shown. */
export type OfferTerms = Omit<
  CampaignOffer,
  'id' | 'campaignId' | 'status' | 'merchantName' | 'budgetLeft' | 'used' | 'createdAt' | 'updatedAt'
>

export { MerchantName }
