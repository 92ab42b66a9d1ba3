/** The rate at which a bucket fills, and the number of tokens it holds. */
export interface Rate {
  perSecond: number
  burst: number
}

/** The tokens that are left, as of a time. */
export interface Bucket {
  tokens: number
  atMs: number
}

export function fullBucket({ burst }: Rate, nowMs: number): Bucket {
  return { tokens: burst, atMs: nowMs }
}

/** Fills the bucket up to now. */
export function fillBucket(bucket: Bucket, { perSecond, burst }: Rate, nowMs: number): void {
  const grown = ((nowMs - bucket.atMs) * perSecond) / 1_000
  bucket.tokens = Math.min(burst, bucket.tokens + grown)
  bucket.atMs = nowMs
}

/** Fills the bucket up to now and takes a token; false if there is none. */
export function takeToken(bucket: Bucket, rate: Rate, nowMs: number): boolean {
  fillBucket(bucket, rate, nowMs)
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}

/** Whole seconds until the bucket holds so many tokens, at least one: a shorter wait would end in a refusal. */
export function secondsUntil(tokens: number, bucket: Bucket, { perSecond }: Rate): number {
  return Math.max(1, Math.ceil((tokens - bucket.tokens) / perSecond))
}
