import { type Static, Type } from 'typebox'
import { Mandate } from '../banking/external-accounts/external-account.ts'
import { Payment } from '../banking/payments/payment.ts'
import { reviewReasons } from '../banking/payments/review-reason.ts'
import { RecordId } from '../base/ids.ts'
import { Word } from '../base/text.ts'

const { id, ...others } = Payment.properties

/** A payment as its reviewer sees it. The members that a decision needs come first: tables show them. */
export const ReviewPayment = Type.Object(
  {
    id,
    reviewReason: Word(reviewReasons, {
      description:
        'Why the payment waits: a limit of the account (`accountLimit`) or of the organisation (`organisationLimit`), the first payment to a new external account (`firstPayment`), the review of that account alone (`externalAccount`), the screening (`screening`), or a stop before it left: by a freeze (`accountFrozen`), a block of payments (`paymentsBlocked`), a legal order above what is available (`legalHold`) or a reviewer (`stopped`)',
    }),
    accountId: RecordId('The account that pays'),
    customerId: RecordId('The customer who owns the account'),
    mandate: Type.Optional(Mandate),
    ...others,
  },
  { $id: 'ReviewPayment', description: 'A payment that waits for a review' },
)
export type ReviewPayment = Static<typeof ReviewPayment>
