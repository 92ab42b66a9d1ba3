import { paymentRules } from '../../banking/payments/payment.ts'
import { stateAfter } from '../../banking/state-rules.ts'
import type { Write } from '../../base/operation.ts'
import type { Queryable } from '../../database/database.ts'
import type { EventSink } from '../../events/event.ts'
import type { Books } from '../../ledger/books.ts'
import { postWithin } from '../../ledger/post-within.ts'
import { bankKinds } from '../records/kinds.ts'
import { payments } from '../records/payments.ts'
import { reviews } from '../records/reviews.ts'
import { waitingDebits } from './external-accounts.sql.ts'
import { emitChange } from './payment-view.ts'

/** Cancels the payments that would collect money from an external account and have not left. They have moved no money yet. */
export async function cancelDebits(
  transaction: Queryable,
  events: EventSink,
  write: Write<never>,
  externalAccountId: number,
): Promise<void> {
  const waiting = await waitingDebits(transaction, externalAccountId)
  if (waiting.length === 0) return
  const decide = (books: Books) => {
    for (const { id } of waiting) {
      const payment = books.of(payments).get(id)
      // Its file may have been built a moment ago.
      if (payment?.status !== 'Pending' && payment?.status !== 'PendingReview') continue
      const status = stateAfter(paymentRules, 'cancelPayment', payment.status)
      const canceled = books.of(payments).update({ ...payment, status })
      const decidedAt = books.now(payment.organisationId)
      if (payment.status === 'PendingReview') {
        books.of(reviews).decide({ payment: canceled, decision: 'Canceled', decidedAt })
      }
      emitChange(books, canceled)
    }
  }
  await postWithin(transaction, bankKinds, events, {
    write,
    accountIds: waiting.map(({ accountId }) => accountId),
    reads: [payments.ids(waiting.map(({ id }) => id))],
    decide,
  })
}
