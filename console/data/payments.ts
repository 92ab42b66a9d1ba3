import type { ListedPayment, Payment } from '../../client/src/index.ts'
import { date } from './format.ts'

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
  return way(['Pending', 'Clearing', 'Sent', 'Returned'])
}

/** The reason of a payment's state in a few words; nothing if the state says it all. */
export function stateReason(payment: Partial<ListedPayment>): string | undefined {
  const { status, returnCode, returnReason, reason, settlementDate, expectedCompletionDate, type } = payment
  if (status === 'Returned') return returnReason ? `${returnReason} (${returnCode})` : returnCode
  if (status === 'Sent')
    return settlementDate ? `Settled ${date(settlementDate)}` : type === 'bookPayment' ? 'Within the bank' : undefined
  if (status === 'Pending' || status === 'Clearing')
    return expectedCompletionDate && `Settles ${date(expectedCompletionDate)}`
  return reason
}
