import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'

/** The requests in progress, from the first byte of a body to the answer. */
export interface Load {
  running: number
  readonly max: number
}

/** The refusal past that bound. One shared instance: creating an error is too slow under overload. */
export const overloaded = new Problem('unavailable', {
  detail:
    'The service has more requests in progress than it can serve; retry after the number of seconds in Retry-After.',
  headers: retryAfter(1),
})

/** The refusal of a large body for which there is no memory now. */
export const tooManyBodies = new Problem('unavailable', {
  detail: 'Too many large bodies are in progress; retry after the number of seconds in Retry-After.',
  headers: retryAfter(2),
})
