import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { ExternalAccount } from './external-account.ts'

const ConfirmVerificationBody = Type.Object(
  {
    amounts: Type.Array(Type.Integer({ minimum: 1, maximum: 99 }), {
      minItems: 2,
      maxItems: 2,
      description: 'The amounts of the two credits, in cents, in any order',
      examples: [[32, 45]],
    }),
  },
  { description: 'The amounts that the customer has seen at the other bank' },
)
export type ConfirmVerificationInput = Static<typeof ConfirmVerificationBody> & { externalAccountId: string }

/** Extension. Takes the amounts that the customer has seen. */
export const confirmVerification = bankingWrite({
  id: 'confirmVerification',
  resource: 'externalAccounts',
  verb: 'confirmVerification',
  path: '/v0/banking/external-accounts/:externalAccountId/verification/confirm',
  summary: 'Confirm verification',
  description:
    'Takes the amounts of the two micro-entries as the customer read them. If they are right, `permissions` becomes `CreditAndDebit`. Otherwise the answer is the external account with fewer `attemptsLeft`, whatever was wrong; after the third wrong answer `verification` is `Failed`. The same wrong amounts again do not count.\n\nOnly micro-entries that are `Sent` can be confirmed (`verification_not_confirmable`). Emits `externalAccount.verified`, `externalAccount.verificationAttempted` or `externalAccount.verificationFailed`.',
  showsNumber: true,
  params: Type.Object({ externalAccountId: Id('externalAccount') }),
  body: ConfirmVerificationBody,
  data: ExternalAccount,
  problems: ['external_account_not_found', 'verification_not_confirmable', 'customer_erased'],
  run: ({ bank, write }, { params, body }) => bank.confirmVerification(write, { ...params, ...body }),
})
