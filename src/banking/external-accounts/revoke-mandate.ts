import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { ExternalAccount } from './external-account.ts'

/** Extension. Notes that a customer revoked the authorization of debits. */
export const revokeMandate = bankingWrite({
  id: 'revokeMandate',
  resource: 'externalAccounts',
  verb: 'revokeMandate',
  path: '/v0/banking/external-accounts/:externalAccountId/mandate/revoke',
  summary: 'Revoke mandate',
  description:
    'Records that the customer revoked the mandate of an external account. No more money is collected from it until `PUT /v0/banking/external-accounts/:externalAccountId/mandate` records another one. Debits that have not left are canceled. Those in a file (`Clearing`) go on, and the other bank may return them.\n\nWithout a mandate, or if it is revoked already, the answer is `mandate_missing`. Emits `externalAccount.mandateRevoked`, and `payment.canceled` for each debit that is canceled.',
  showsNumber: true,
  params: Type.Object({ externalAccountId: Id('externalAccount') }),
  data: ExternalAccount,
  problems: ['external_account_not_found', 'mandate_missing', 'customer_erased'],
  run: ({ bank, write }, { params }) => bank.revokeMandate(write, params.externalAccountId),
})
