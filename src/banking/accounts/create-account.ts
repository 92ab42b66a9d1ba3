import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Tags } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { DepositAccount } from './account.ts'

const CreateAccountInput = Type.Object({ customerId: Id('customer'), tags: Type.Optional(Tags) })
export type CreateAccountInput = Static<typeof CreateAccountInput>

/** B14. Opens a checking account for a customer. */
export const createAccount = bankingWrite({
  id: 'createAccount',
  resource: 'accounts',
  verb: 'create',
  number: 'B14',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/accounts',
  summary: 'Create account',
  status: 201,
  scope: 'banking:write',
  body: CreateAccountInput,
  data: DepositAccount,
  problems: ['customer_not_found'],
  run: ({ bank, write }, { body }) => bank.createAccount(write, body),
})
