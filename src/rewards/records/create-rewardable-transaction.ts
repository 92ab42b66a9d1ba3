import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { recordsWrite } from './records.ts'
import { RewardableTransaction } from './rewardable-transaction.ts'

const CreateRewardableTransactionInput = Type.Object({
  bankCardId: Id('card'),
  bankTransactionId: Id('purchase'),
})
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
  status: 201,
  scope: 'rewards:write',
  body: CreateRewardableTransactionInput,
  data: RewardableTransaction,
  problems: ['transaction_not_found', 'card_not_found', 'card_not_linked', 'balance_limit'],
  run: ({ records, write }, { body }) => records.createRewardableTransaction(write, body),
})
