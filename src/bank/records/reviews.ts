import { recordKind } from '../../ledger/kinds.ts'
import type { KeptWaiting, LedgerReview, ReviewDecision, StoppedPayment } from './records.ts'
import { type ReviewRows, writeReviews } from './reviews.sql.ts'

interface ReviewBook {
  /** Notes that a new payment waits for a review. */
  insert(review: LedgerReview): void
  /** Notes that a payment to an external account was approved. */
  knowPayee(id: number): void
  /** Notes the decision about a payment, and stores the columns that it sets. */
  decide(decided: ReviewDecision): void
  /** Notes that a payment was stopped, and stores the columns that this sets. */
  stop(stopped: StoppedPayment): void
  /** Lets payments of an account that wait for their external accounts wait for a reviewer of their own. */
  keepWaiting(waiting: KeptWaiting): void
  rows: ReviewRows
}

/** The reviews of payments. */
export const reviews = recordKind({
  name: 'reviews',
  open(_rows: never[], { undo }): ReviewBook {
    const rows: ReviewRows = { reviews: [], steps: [], knownPayees: [], keptWaiting: [] }
    return {
      insert: (review) => undo.append(rows.reviews, review),
      knowPayee: (id) => undo.append(rows.knownPayees, id),
      decide: (decided) => undo.append(rows.steps, decided),
      stop: (stopped) => undo.append(rows.steps, stopped),
      keepWaiting: (waiting) => undo.append(rows.keptWaiting, waiting),
      rows,
    }
  },
  write: (transaction, { rows }) => writeReviews(transaction, rows),
})
