const MAX_MS = 24 * 60 * 60 * 1_000

/** The header Retry-After of an answer: whole seconds, rounded up, at least one. */
export function retryAfter(seconds: number): { 'Retry-After': string } {
  return { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) }
}

/**
 * Reads a Retry-After that another server sent: seconds, or an HTTP date. Returns milliseconds from now, at most a day;
 * undefined if the header is absent or neither form.
 */
export function parseRetryAfter(header: string | string[] | undefined, nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : / GMT$/.test(text) ? Date.parse(text) - nowMs : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), MAX_MS)
}
