import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Tags } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { DepositAccount } from './account.ts'

const CreateAccountInput = Type.Object(
  { customerId: Id('customer', 'The customer who will own the account'), tags: Type.Optional(Tags) },
  { description: 'The new account' },
)
export type CreateAccountInput = Static<typeof CreateAccountInput>

/** B14. Opens a checking account for a customer. */
export const createAccount = bankingWrite({
  id: 'createAccount',
  resource: 'accounts',
  verb: 'create',
  number: 'B14',
  path: '/v0/banking/accounts',
  summary: 'Create account',
  description:
    'Opens a checking account in US dollars for a customer. It is `Open` at once, with a balance of 0 and its own account number. A customer may have several accounts.\n\nAn unknown customer is refused with `customer_not_found`. Emits `account.created`.',
  status: 201,
  body: CreateAccountInput,
  data: DepositAccount,
  problems: ['customer_not_found', 'customer_erased'],
  run: ({ bank, write }, { body }) => bank.createAccount(write, body),
})
