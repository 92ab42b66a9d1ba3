import { UpstreamProblem } from '../../base/problem.ts'

/** One try of a call that did not end with an answer of the upstream's. */
export class Failure extends Error {
  readonly kind: 'timeout' | 'broken' | 'garbled' | 'status' | 'busy'
  /** The upstream may have carried the request out. */
  readonly mayHaveRun: boolean
  /** How long the upstream wants to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(kind: Failure['kind'], message: string, { mayHaveRun = true, retryAfterMs = 0 } = {}) {
    super(message)
    this.kind = kind
    this.mayHaveRun = mayHaveRun
    this.retryAfterMs = retryAfterMs || undefined
  }
}

/** Errors of a connection that never came to be: the request cannot have left. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

/** What undici threw. Its messages name addresses and nothing that was sent. */
export function connectionFailure(error: unknown, timedOut: boolean): Failure {
  const { code = '', message = 'unknown' } = error as { code?: string; message?: string }
  if (timedOut) return new Failure('timeout', 'the upstream did not answer in time')
  return new Failure('broken', `${code} ${message}`.trim(), { mayHaveRun: !NEVER_CONNECTED.test(code) })
}

/** The statuses that no refusal has: the upstream is at fault, or wants to be left alone. */
export function statusFailure(status: number, retryAfter: string | undefined): Failure | undefined {
  if (status === 429) {
    const retryAfterMs = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : 0
    return new Failure('busy', 'the upstream limits our rate', { mayHaveRun: false, retryAfterMs })
  }
  if (status === 408) return new Failure('timeout', 'the upstream timed out')
  if (status >= 500 || status < 200 || (status >= 300 && status < 400)) {
    return new Failure('status', `the upstream answered ${status}`)
  }
  return undefined
}

/** What the caller is told when no further try is made. */
export function problemOf(
  failure: Failure,
  { outcomeUnknown, repeatable }: { outcomeUnknown: boolean; repeatable: boolean },
): UpstreamProblem {
  if (outcomeUnknown && !repeatable) return new UpstreamProblem('upstream_outcome_unknown', { outcomeUnknown })
  if (failure.kind === 'busy') return unavailable(failure.retryAfterMs ?? 1_000, outcomeUnknown)
  return new UpstreamProblem(failure.kind === 'timeout' ? 'upstream_timeout' : 'upstream_error', { outcomeUnknown })
}

export function unavailable(retryAfterMs: number, outcomeUnknown: boolean): UpstreamProblem {
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) }
  return new UpstreamProblem('upstream_unavailable', { headers, outcomeUnknown })
}
