import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { Transaction } from './transaction.ts'

/** B3. Reads one transaction of an account. */
export const getTransaction = bankingRead({
  id: 'getTransaction',
  resource: 'transactions',
  verb: 'get',
  number: 'B3',
  path: '/v0/banking/transactions/:transactionId',
  summary: 'Get transaction',
  description:
    'Returns a transaction of an account with its attributes and related records. The attributes are nested here, and not in the list.\n\n`accountId` is required. If it is not the account of the transaction, the answer is `transaction_not_found`.',
  fromStandby: true,
  params: Type.Object({ transactionId: Id('transaction') }),
  query: Type.Object({ accountId: Id('account', 'The account of the transaction') }),
  data: Transaction,
  problems: ['transaction_not_found'],
  run: ({ bank, caller }, { params, query }) =>
    bank.getTransaction(caller, { transactionId: params.transactionId, accountId: query.accountId }),
})
