import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Text } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { AccountType, ExternalAccount, HolderType } from './external-account.ts'

const UpdateExternalAccountBody = Type.Object(
  {
    name: Type.Optional(Text(1, 50, { description: 'Name of the holder', examples: ['Grace Sample'] })),
    accountType: Type.Optional(AccountType),
    type: Type.Optional(HolderType),
  },
  { description: 'The members to change' },
)
export type UpdateExternalAccountInput = Static<typeof UpdateExternalAccountBody> & { externalAccountId: string }

/** Extension. Corrects an external account. Payments that were made keep a copy of its former data. */
export const updateExternalAccount = bankingWrite({
  id: 'updateExternalAccount',
  resource: 'externalAccounts',
  verb: 'update',
  method: 'PATCH',
  path: '/v0/banking/external-accounts/:externalAccountId',
  summary: 'Update external account',
  description:
    'Changes the members that are sent, for future payments; earlier ones keep a copy of the former data. A new number means a new account, so `routingNumber` and `accountNumber` are refused with `invalid_request`: delete the account and create another.\n\nIf the operator has a screening (a service that checks names), it may refuse the change (`external_account_refused`) or ask for a review. Then `review` is `PendingReview`, and payments to the account wait.\n\n`externalAccount.corrected` follows if something changed.',
  showsNumber: true,
  params: Type.Object({ externalAccountId: Id('externalAccount') }),
  body: UpdateExternalAccountBody,
  data: ExternalAccount,
  problems: ['external_account_not_found', 'external_account_refused', 'customer_erased'],
  run: ({ bank, write }, { params, body }) => bank.updateExternalAccount(write, { ...params, ...body }),
})
