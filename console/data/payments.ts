import type { ListedPayment, Payment } from '../../client/src/index.ts'
import { date, words } from './format.ts'

const tones = { Sent: 'good', Returned: 'bad', Rejected: 'bad', Canceled: 'bad' } as const

/** The way of a payment through its states: a review comes first, and a final state takes its place where the way ends. */
export function paymentWay({ status, reason, traceNumber }: Pick<Payment, 'status' | 'reason' | 'traceNumber'>) {
  // Only a payment that a reviewer decided about has a reason.
  const isReviewed = status === 'PendingReview' || reason !== undefined
  const start = isReviewed ? ['PendingReview'] : []
  const tone = tones[status as keyof typeof tones] ?? 'warn'
  const way = (states: string[]) => ({ way: [...start, ...states], present: status, tone })
  if (status === 'Canceled') return way(['Pending', 'Canceled'])
  if (status === 'Rejected')
    return way(isReviewed && traceNumber === undefined ? ['Rejected'] : ['Pending', 'Rejected'])
  // A return is no step that every payment takes.
  return way(['Pending', 'Clearing', 'Sent', ...(status === 'Returned' ? ['Returned'] : [])])
}

const reviewCauses: Record<string, string> = {
  accountLimit: 'Waits for a reviewer: above a limit of the account',
  organisationLimit: 'Waits for a reviewer: above a limit of the organisation',
  firstPayment: 'Waits for a reviewer: the first payment to a new external account',
  externalAccount: 'Waits for the review of its external account',
  screening: 'Waits for a reviewer: the screening asks for it',
  accountFrozen: 'Stopped, because the account was frozen before it left',
  paymentsBlocked: 'Stopped, because payments of the account were blocked before it left',
  legalHold: 'Stopped by a legal order that needs more than is available',
  stopped: 'Stopped by a reviewer before it left',
}

const WAITS = 'Waits for a reviewer'

/** The cause of a review as a title. */
export function reviewCause(reviewReason = ''): string {
  return reviewCauses[reviewReason] ?? (reviewReason ? `${WAITS}: ${words(reviewReason).toLowerCase()}` : WAITS)
}

/** The reason of a payment's state in a few words; nothing if the state says it all. */
export function stateReason(payment: Partial<ListedPayment>): string | undefined {
  const { status, returnCode, returnReason, reason, reviewReason, settlementDate, expectedCompletionDate, type } =
    payment
  if (status === 'Returned') return returnReason ? `${returnReason} (${returnCode})` : returnCode
  if (status === 'Sent')
    return settlementDate ? `Settled ${date(settlementDate)}` : type === 'bookPayment' ? 'Within the bank' : undefined
  if (status === 'Pending' || status === 'Clearing')
    return expectedCompletionDate && `Settles ${date(expectedCompletionDate)}`
  if (status !== 'PendingReview') return reason
  // The state beside it says that it waits.
  return reviewReason && reviewCause(reviewReason).replace(/^.*: (.)/, (_, first) => first.toUpperCase())
}
