import { type Static, Type } from 'typebox'
import { Id, IntegerRecordId, RecordId } from '../../base/ids.ts'
import { Word } from '../../base/text.ts'
import { ConsideredOffer, explainedPurchase } from './get-reward-explanation.ts'
import { recordsRead } from './records.ts'

const PurchaseExplanation = Type.Object(
  {
    bankTransactionId: RecordId('The transaction of the settlement'),
    outcome: Word(['Earned', 'NothingEarned', 'NotLinked'], {
      description: '`NotLinked` if the card was not linked when it settled, and nobody handed the purchase in',
    }),
    rewardId: Type.Union([IntegerRecordId(), Type.Null()], { description: 'The reward; null if there is none' }),
    ...explainedPurchase,
    offers: Type.Array(ConsideredOffer, {
      description: 'The offers of the merchant: the live ones first, by commission; at most 100',
    }),
    complete: Type.Boolean({ description: 'False if the merchant has more offers than are listed' }),
  },
  { $id: 'PurchaseExplanation', description: 'Why a purchase earned cash back, or none' },
)
export type PurchaseExplanation = Static<typeof PurchaseExplanation>

/** Extension. Explains why a purchase earned nothing. */
export const getPurchaseExplanation = recordsRead({
  id: 'getPurchaseExplanation',
  resource: 'rewards',
  verb: 'explainPurchase',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/purchases/:bankTransactionId/explanation',
  summary: 'Get explanation of purchase',
  description: `Lists the offers that a settled card purchase might have earned by, each with the reason why it did not. With a reward they are those of
\`GET /v0/rewards/rewards/:rewardId/explanation\`. An offer that would win by its present terms is \`ChangedSince\`; with \`NotLinked\`, \`Won\` is the one that would win. A transaction that is
no settlement of a card is refused with \`transaction_not_found\`. With a connected bank the operation answers 501.`,
  status: 200,
  scope: 'rewards:read',
  params: Type.Object({ bankTransactionId: Id('purchase', 'The transaction of the settlement') }),
  data: PurchaseExplanation,
  problems: ['transaction_not_found', 'not_supported_by_provider'],
  run: ({ records, caller }, { params }) => records.getPurchaseExplanation(caller, params.bankTransactionId),
})
