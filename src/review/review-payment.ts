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
        'Why the payment waits: it is above a limit of the account (`accountLimit`) or of the organisation (`organisationLimit`), it is the first one to a new external account (`firstPayment`), it waits for the review of its external account alone (`externalAccount`), the screening asks for it (`screening`), or it was stopped before it left: by a freeze of its account (`accountFrozen`), by a block of its payments (`paymentsBlocked`), by a legal order that needs more than is available (`legalHold`), or by a reviewer (`stopped`)',
    }),
    accountId: RecordId('The account that pays'),
    customerId: RecordId('The customer who owns the account'),
    mandate: Type.Optional(Mandate),
    ...others,
  },
  { $id: 'ReviewPayment', description: 'A payment that waits for a review' },
)
export type ReviewPayment = Static<typeof ReviewPayment>
