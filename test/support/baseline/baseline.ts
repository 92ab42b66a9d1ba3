/** The keys of the service that wrote the baseline. */
export const baselineEnvironment = {
  PURSER_API_KEY: 'key-of-the-baseline',
  PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64'),
}

/** A request of the baseline with its answer: a later version must replay it. */
export interface BaselineRequest {
  path: string
  key: string
  body: unknown
  answer: string
}

/** The events and answers of a baseline, as the version that wrote it showed them: later versions must show the same. */
export interface Golden {
  /** The answers to `GET /v0/events/:id`. */
  events: string[]
  /** The stored answers, by the hashes of their keys; of the version that stored copies alone. */
  answers: { hash: string; status: number; body: string }[]
}
