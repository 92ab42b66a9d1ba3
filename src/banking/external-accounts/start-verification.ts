import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { ExternalAccount, verificationMethods } from './external-account.ts'

const StartVerificationBody = Type.Object(
  {
    method: Type.Enum([...verificationMethods], {
      description:
        '`MicroEntries`: two credits below $1 and a debit of their sum, whose amounts the customer confirms. `Prenote`: an entry without money, which proves that the account exists',
    }),
  },
  { description: 'How the account is verified' },
)
export type StartVerificationInput = Static<typeof StartVerificationBody> & { externalAccountId: string }

/** Extension. Sends the entries that verify an external account. */
export const startVerification = bankingWrite({
  id: 'startVerification',
  resource: 'externalAccounts',
  verb: 'startVerification',
  path: '/v0/banking/external-accounts/:externalAccountId/verification',
  summary: 'Start verification',
  description:
    'Sends entries to the account, so that `permissions` becomes `CreditAndDebit` after them. `verification` of the external account shows the progress.\n\nMicro-entries are two credits below $1 and a debit of their sum, with the description `ACCTVERIFY`. The customer reads the two credits at the other bank, and `POST …/verification/confirm` takes them. Three wrong answers are possible in all for a routing and account number, whatever records have it (`verification_locked`), and the verification ends after some days (`PURSER_VERIFICATION_DAYS`). A prenote is an entry without money: it verifies the account on the third banking day after its settlement if the other bank does not return it.\n\nOne verification of a number is under way at a time (`verification_under_way`). Accounts that are verified or wait for a reviewer, accounts at this bank and loans are refused. Emits `externalAccount.verificationStarted`.',
  status: 201,
  showsNumber: true,
  params: Type.Object({ externalAccountId: Id('externalAccount') }),
  body: StartVerificationBody,
  data: ExternalAccount,
  problems: [
    'external_account_not_found',
    'external_account_not_debitable',
    'external_account_verified',
    'external_account_in_review',
    'verification_under_way',
    'verification_locked',
    'invalid_routing_number',
    'customer_erased',
  ],
  run: ({ bank, write }, { params, body }) => bank.startVerification(write, { ...params, ...body }),
})
