import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { MerchantFacts } from '../purchases.ts'
import { recordsWrite } from './records.ts'
import { RewardableTransaction } from './rewardable-transaction.ts'

const CreateRewardableTransactionInput = Type.Object(
  {
    bankCardId: Id('card', 'The card that paid'),
    bankTransactionId: Id('purchase', 'The transaction of the settlement'),
    merchant: Type.Optional(MerchantFacts),
  },
  { description: 'The purchase to submit' },
)
export type CreateRewardableTransactionInput = Static<typeof CreateRewardableTransactionInput>

/** Extension. Records a purchase that settled before its card was linked, or returns the recorded one. */
export const createRewardableTransaction = recordsWrite({
  id: 'createRewardableTransaction',
  resource: 'rewardableTransactions',
  verb: 'create',
  area: 'rewards',
  method: 'POST',
  path: '/v0/rewards/rewardable-transactions',
  summary: 'Create rewardable transaction',
  description:
    'Submits a card purchase that settled before its card was linked, to reward it now. A purchase that is already recorded is returned as it is.\n\nThe transaction must be a settlement of this card (`transaction_not_found`), and the card must have a live link (`card_not_linked`). Emits `rewardableTransaction.created`, and `reward.created` if an offer matches. Without a payout delay also emits `reward.paid`, `payment.created`, `transaction.created` and `rewardPayment.created`.',
  status: 201,
  scope: 'rewards:write',
  body: CreateRewardableTransactionInput,
  data: RewardableTransaction,
  problems: ['transaction_not_found', 'card_not_found', 'card_not_linked', 'balance_limit'],
  run: ({ records, write }, { body }) => records.createRewardableTransaction(write, body),
})
