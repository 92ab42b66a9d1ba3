import { type Static, Type } from 'typebox'
import { Amount } from '../../base/cents.ts'
import { Id } from '../../base/ids.ts'
import { described, Tags, Text } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { directions, Payment, paymentSecCodes } from './payment.ts'

export const CreatePaymentBody = Type.Object(
  {
    amount: described(Amount, 'Amount to send or to collect, in cents'),
    counterpartyAccountId: Id(
      'externalAccount',
      'The external account to pay or to collect from, of the same customer',
    ),
    description: Text(1, 10, { description: 'Purpose that the statement of the payee shows', examples: ['Rent'] }),
    addenda: Type.Optional(Text(1, 80, { description: 'Further text for the payee', examples: ['Invoice 1'] })),
    originalType: Type.Enum(['ACH'], { description: 'The network that carries the payment' }),
    tags: Type.Optional(Tags),
    direction: Type.Optional(
      Type.Enum([...directions], {
        description:
          '`Credit`, also if it is absent, sends money to the external account; `Debit` collects it from there',
      }),
    ),
    sameDay: Type.Optional(
      Type.Boolean({
        description: 'Asks for settlement on the day of the next cut-off; no effect if payments are sent at once',
      }),
    ),
    secCode: Type.Optional(
      Type.Enum([...paymentSecCodes], {
        description:
          'SEC code of the ACH entry; by default CCD for external accounts of businesses, else PPD. That of a debit follows from its mandate',
      }),
    ),
  },
  { description: 'The payment to send' },
)
export type CreatePaymentInput = Static<typeof CreatePaymentBody> & { accountId: string }

/** B8. Sends an ACH credit from an account to one of its owner's external accounts, or collects a debit from there. */
export const createPayment = bankingWrite({
  id: 'createPayment',
  resource: 'payments',
  verb: 'create',
  number: 'B8',
  path: '/v0/banking/accounts/:accountId/payments',
  summary: 'Create payment',
  description:
    'Sends money by ACH from an account to one of the external accounts of its owner. The built-in bank takes the money from the account at once. It answers `Sent`, or with `PURSER_ACH=windows` `Pending`: the payment then leaves with the next file, and events report its progress, as with another provider.\n\nThe payment is refused if the account is not `Open` (`account_not_open`) or its outgoing payments are blocked (`payments_blocked`), if the external account belongs to another customer (`external_account_not_found`) or is the paying account itself (`same_account`), and if the amount exceeds `available` plus any overdraft that the operator allows (`insufficient_funds`). With `PURSER_ACH=windows` also an amount above the limit of the rail (`amount_over_rail_limit`), an external account whose routing number has a wrong checksum (`invalid_routing_number`), and a description that is a word which the ACH rules reserve for other entries (`reserved_description`). A payment above a hard limit of the account or the organisation is `limit_exceeded`; `limit` in the answer says what is left. One above a soft limit, or one that has to be reviewed for another reason, becomes `PendingReview`. A payment that the provider or the screening of the operator rejects is `payment_rejected`. Send an idempotency key, so that a retry does not pay twice.\n\n`payment.created` and `transaction.created` follow; if the external account names an account of this organisation, the payee gets a `transaction.created` too. Later the other bank may return the payment: `payment.returned`. A payment that is not `Sent` at once also has `payment.clearing` and `payment.sent`, or `payment.canceled`; `payment.rejected` if a reviewer or the receiving bank refuses it. After the approval of a reviewer `payment.pending` or `payment.sent` follows. Another provider reports a review with `payment.pendingReview`.\n\nWith the `direction` `Debit` (an extension) the payment collects money: the external account needs the `permissions` `CreditAndDebit` (`debit_not_permitted`) and a mandate (`mandate_missing`), is at another bank and no `Loan` (`external_account_not_debitable`), and a `secCode` other than that of the mandate is `sec_code_not_allowed`. If too many debits were returned, the operator may have stopped new ones (`debits_stopped`). The account is credited when the payment becomes `Sent`, and `transaction.created` follows then: at once, or with `PURSER_ACH=windows` when the clearing days after the settlement are over. A debit that is returned after that is taken back from the account, below zero if the money is spent.',
  status: 201,
  showsNumber: true,
  params: Type.Object({ accountId: Id('account') }),
  body: CreatePaymentBody,
  data: Payment,
  problems: [
    'account_not_found',
    'account_not_open',
    'payments_blocked',
    'external_account_not_found',
    'insufficient_funds',
    'limit_exceeded',
    'same_account',
    'balance_limit',
    'payment_rejected',
    'invalid_routing_number',
    'amount_over_rail_limit',
    'reserved_description',
    'external_account_not_debitable',
    'debit_not_permitted',
    'debits_stopped',
    'mandate_missing',
    'sec_code_not_allowed',
  ],
  run: ({ bank, write }, { params, body }) => bank.createPayment(write, { accountId: params.accountId, ...body }),
})
