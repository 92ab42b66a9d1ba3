import type { Payment } from '../../client/src/index.ts'

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
