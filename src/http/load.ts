import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'

/** The requests at work. A count and a comparison: anything cleverer would cost more than it saves. */
export interface Load {
  running: number
  readonly most: number
}

/** What a request is told beyond that. One for all of them: a process in need has no time to make errors. */
export const overloaded = new Problem('unavailable', {
  detail: 'The service has more requests at work than it can serve; retry after the seconds that Retry-After names.',
  headers: retryAfter(1),
})
