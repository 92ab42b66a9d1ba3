import type { LoggedRequest } from '../../../client/src/index.ts'

/** Refusals of one operation with one code. */
export interface RefusalGroup {
  key: string
  operation: string
  code: string
  status: number
  count: number
  last: LoggedRequest
}

/** Refused requests by operation and code, the most frequent first. */
export function groupsOf(requests: readonly LoggedRequest[]): RefusalGroup[] {
  const groups = new Map<string, RefusalGroup>()
  for (const request of requests) {
    const { operation, status } = request
    if (status < 400) continue
    const code = request.code ?? `http_${status}`
    const key = `${operation} ${code}`
    const earlier = groups.get(key)
    if (earlier) earlier.count++
    else groups.set(key, { key, operation, code, status, count: 1, last: request })
  }
  return [...groups.values()].sort((one, other) => other.count - one.count)
}

/** The requests that arrived within one step of time. */
export interface Rate {
  /** The beginning of the step, in milliseconds since 1970. */
  fromMs: number
  accepted: number
  refused: number
}

/** Requests by steps of time, oldest first; the last step is the present one. */
export function ratesOf(requests: readonly LoggedRequest[], nowMs: number, stepMs: number, count: number): Rate[] {
  const last = Math.floor(nowMs / stepMs)
  const rates = Array.from({ length: count }, (_, at) => ({
    fromMs: (last - count + 1 + at) * stepMs,
    accepted: 0,
    refused: 0,
  }))
  for (const { at, status } of requests) {
    // The clock of the service may run a little ahead of the browser's.
    const step = Math.min(last, Math.floor(Date.parse(at) / stepMs))
    const rate = rates[step - last + count - 1]
    if (rate) rate[status < 400 ? 'accepted' : 'refused']++
  }
  return rates
}
