import { type Static, Type } from 'typebox'
import { Payment } from '../banking/payments/payment.ts'
import { reviewReasons } from '../banking/payments/review-reason.ts'
import { RecordId } from '../base/ids.ts'
import { Word } from '../base/text.ts'

/** A payment as its reviewer sees it. */
export const ReviewPayment = Type.Object(
  {
    ...Payment.properties,
    accountId: RecordId('The account that pays'),
    customerId: RecordId('The customer who owns the account'),
    reviewReason: Word(reviewReasons, {
      description:
        'Why the payment waits: it is above a limit of the account (`accountLimit`) or of the organisation (`organisationLimit`), it is the first one to a new external account (`firstPayment`), it waits for the review of its external account alone (`externalAccount`), or the screening asks for it (`screening`)',
    }),
  },
  { $id: 'ReviewPayment', description: 'A payment that waits for a review' },
)
export type ReviewPayment = Static<typeof ReviewPayment>
