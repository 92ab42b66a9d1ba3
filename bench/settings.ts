/** Settings of a bank that a program of the benchmark opens by itself, as the service has them without any environment. */
export const coreSettings = {
  mode: 'sandbox',
  routingNumber: '812345678',
  overdraftCents: 0,
  review: 'automatic',
  rewardPayoutDelayMs: 0,
} as const

/** Records no event, to measure what events cost. */
export const dropEvents = async () => undefined
