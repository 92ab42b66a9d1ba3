/** So many a second, and for a moment as many as the bucket holds. */
export interface Rate {
  perSecond: number
  burst: number
}

/** What is left, and as of when. */
export interface Bucket {
  tokens: number
  atMs: number
}

export function fullBucket({ burst }: Rate, nowMs: number): Bucket {
  return { tokens: burst, atMs: nowMs }
}

/** Fills the bucket up to now and takes one out of it; false where there is none. */
export function takeToken(bucket: Bucket, { perSecond, burst }: Rate, nowMs: number): boolean {
  const grown = ((nowMs - bucket.atMs) * perSecond) / 1_000
  bucket.tokens = Math.min(burst, bucket.tokens + grown)
  bucket.atMs = nowMs
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}

/** Whole seconds until so many are there, at least one: what waits less is asked again too soon. */
export function secondsUntil(tokens: number, bucket: Bucket, { perSecond }: Rate): number {
  return Math.max(1, Math.ceil((tokens - bucket.tokens) / perSecond))
}
