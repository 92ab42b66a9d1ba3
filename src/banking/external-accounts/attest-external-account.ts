import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Text } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { ExternalAccount } from './external-account.ts'

const AttestExternalAccountBody = Type.Object(
  {
    reference: Text(1, 200, {
      description: 'Where the proof is: the id of the check at a data provider, or of a case',
      examples: ['case 2026-0042'],
    }),
  },
  { description: 'The proof' },
)
export type AttestExternalAccountInput = Static<typeof AttestExternalAccountBody> & { externalAccountId: string }

/** Extension. Notes that the operator has verified an external account elsewhere. */
export const attestExternalAccount = bankingWrite({
  id: 'attestExternalAccount',
  resource: 'externalAccounts',
  verb: 'attest',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/external-accounts/:externalAccountId/attest',
  summary: 'Attest external account',
  description:
    'Records that the operator has verified that the account exists and belongs to the customer, for example with a data provider, and where the proof is. `permissions` becomes `CreditAndDebit`, and with a mandate of the customer money can be collected from the account.\n\nIn a sandbox a key without a list of scopes has `risk:write` too. Accounts at this bank and loans cannot be debited (`external_account_not_debitable`). Emits `externalAccount.verified`; a repeated attestation replaces the reference, and an attestation ends a verification that is under way.',
  status: 200,
  showsNumber: true,
  scope: 'risk:write',
  params: Type.Object({ externalAccountId: Id('externalAccount') }),
  body: AttestExternalAccountBody,
  data: ExternalAccount,
  problems: ['external_account_not_found', 'external_account_not_debitable', 'customer_erased'],
  run: ({ bank, write }, { params, body }) => bank.attestExternalAccount(write, { ...params, ...body }),
})
