/** How long rows are kept, in milliseconds of real time; infinite for what is never deleted. */
export interface Keep {
  /** Stored answers of requests with an idempotency key. */
  answersMs: number
  /** Ids of attributions, which count once as long as they are kept. */
  attributionsMs: number
  /** Stored answers of requests without one. */
  keylessAnswersMs: number
  deliveriesMs: number
  denialsMs: number
  eventsMs: number
  /** Verification tokens and former secrets of API keys, from the time at which they stopped working. */
  expiredMs: number
  /** Ids of events that providers sent. */
  inboundMs: number
}
