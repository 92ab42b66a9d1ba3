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
