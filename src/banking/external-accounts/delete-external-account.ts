import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'

/** Extension. Deletes an external account. Payments to it keep a copy of its data. */
export const deleteExternalAccount = bankingWrite({
  id: 'deleteExternalAccount',
  resource: 'externalAccounts',
  verb: 'delete',
  method: 'DELETE',
  path: '/v0/banking/external-accounts/:externalAccountId',
  summary: 'Delete external account',
  description:
    'Deletes an external account, so that it can no longer be paid. Its earlier payments keep a copy of its data. Deleting it again is refused with `external_account_not_found`. Emits `externalAccount.deleted`.',
  status: 204,
  params: Type.Object({ externalAccountId: Id('externalAccount') }),
  data: Type.Null(),
  problems: ['external_account_not_found'],
  run: ({ bank, write }, { params }) => bank.deleteExternalAccount(write, params.externalAccountId),
})
