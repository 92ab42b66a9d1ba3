import { Problem } from '../base/problem.ts'

/** The requests at work. A count and a comparison: anything cleverer would cost more than it saves. */
export interface Load {
  running: number
  readonly most: number
}

/** What a request is told where there are as many as the process can hold; told early, it costs next to nothing. */
export function overloaded(): Problem {
  return new Problem('unavailable', {
    detail: 'The service has more requests at work than it can serve; retry after the seconds that Retry-After names.',
    headers: { 'Retry-After': '1' },
  })
}
