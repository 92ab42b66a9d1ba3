import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { Id, IntegerRecordId } from '../../base/ids.ts'
import { described, Timestamp, Word } from '../../base/text.ts'
import { attributionTypes } from '../attribution/create-attributions.ts'
import { recordsRead } from './records.ts'

/** The outcomes of offers, in the order in which they are checked. */
const offerOutcomes = [
  'Won',
  'NotLive',
  'OtherMerchant',
  'OtherCategory',
  'OtherPlace',
  'OtherDay',
  'NotEligible',
  'BelowMinimumSpend',
  'AlreadyRedeemed',
  'NotActivated',
  'BudgetSpent',
  'NoCashBack',
  'LowerCashBack',
  'OlderOffer',
  'ChangedSince',
] as const

export const ConsideredOffer = Type.Object(
  {
    offerId: Type.String({ description: 'Id of the offer', examples: ['1000042'] }),
    title: Type.Union([Type.String(), Type.Null()], {
      description: 'Title of the offer; null if the catalogue no longer has it',
      examples: ['5% cash back at Quillbrook Coffee'],
    }),
    userAmount: Type.Integer({
      description: 'The cash back in cents that the offer gives for the purchase, its other conditions aside',
      examples: [50],
    }),
    outcome: Word(offerOutcomes, {
      description:
        '`Won`, or the first reason why not: `NotLive` (not started, expired or paused at the time of the purchase), `OtherMerchant` (the same name, another merchant id), `OtherCategory` (not for this category code), `OtherPlace` (a local offer of another city), `OtherDay`, `NotEligible` (the condition of the offer), `BelowMinimumSpend` (all parts of the purchase together), `AlreadyRedeemed` (redeemable once), `NotActivated`, `BudgetSpent` (too little is left for it), `NoCashBack` (less than a cent), `LowerCashBack`, `OlderOffer` (the same cash back, and the newer offer wins), `ChangedSince` (would win by its present terms, which it did not have then)',
    }),
  },
  { $id: 'ConsideredOffer', description: 'An offer of the merchant and its outcome for the purchase' },
)
export type ConsideredOffer = Static<typeof ConsideredOffer>

/** Members of explanations about the purchase. */
export const explainedPurchase = {
  merchantName: Type.String({
    description: 'The merchant as the purchase names it',
    examples: ['QUILLBROOK COFFEE #42'],
  }),
  merchantId: Type.Union([Type.String(), Type.Null()], { description: 'Merchant id of the purchase, if it is known' }),
  categoryCode: Type.Union([Type.String(), Type.Null()], {
    description: 'Category code of the purchase, if it is known',
  }),
  purchasedAt: Timestamp,
  amount: CentsValue,
  countedAmount: described(CentsValue, 'Amount of all parts of the purchase so far, which counts for minimums'),
}

const RewardExplanation = Type.Object(
  {
    rewardId: IntegerRecordId(),
    offerId: Type.String({ description: 'Id of the offer that won', examples: ['1000042'] }),
    ...explainedPurchase,
    attribution: Type.Union([Word(attributionTypes), Type.Null()], {
      description: 'The most that the partner user did with the offer in the 30 days before; null for nothing',
    }),
    offers: Type.Array(ConsideredOffer, {
      description: 'The offers of the merchant: the winner, then the live ones, by commission; at most 100',
    }),
    complete: Type.Boolean({ description: 'False if the merchant has more offers than are listed' }),
    catalogueChanged: Type.Boolean({
      description:
        'True if the present catalogue would lead to another offer or other terms: offers changed after the purchase, or a part of it had been refunded before it was rewarded',
    }),
  },
  { $id: 'RewardExplanation', description: 'The offers that were considered for a purchase, and the one that won' },
)
export type RewardExplanation = Static<typeof RewardExplanation>

/** Extension. Explains why a reward was earned by its offer and not by another one. */
export const getRewardExplanation = recordsRead({
  id: 'getRewardExplanation',
  resource: 'rewards',
  verb: 'explain',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/rewards/:rewardId/explanation',
  summary: 'Get explanation of reward',
  description: `Lists the offers of the merchant at which a reward was earned: the cash back of each for this purchase, and why the winner won. The
highest cash back wins; between equal ones the newer offer.

The decision is shown as it was made if an offer of a campaign was considered. Otherwise the offers are judged by the rules that chose the winner, with the terms that the catalogue has now; the winner keeps the terms
that it was rewarded by. \`catalogueChanged\` says if this leads to another result than then. A reward that a connector
reported is unknown here (404), and with a connected bank the operation answers 501, because purchases are at the bank.`,
  status: 200,
  scope: 'rewards:read',
  params: Type.Object({ rewardId: Id('reward') }),
  data: RewardExplanation,
  problems: ['reward_not_found', 'not_supported_by_provider'],
  run: ({ records, caller }, { params }) => records.getRewardExplanation(caller, params.rewardId),
})
