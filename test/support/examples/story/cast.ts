import type { TestBank } from '../../harness.ts'
import type { Recorder } from '../recorder.ts'

/** Bank time of the examples, which stands still. */
export const NOW = '2026-06-15T15:00:00.000Z'

export const address = {
  street: '1 Sample Street',
  city: 'Springfield',
  state: 'IL',
  postalCode: '62701',
  country: 'US',
}

export const counterparty = {
  type: 'Person',
  name: 'Grace Sample',
  routingNumber: '021000021',
  accountNumber: '9876543210',
  accountType: 'Checking',
}

export type Call = Recorder['call']

/** The ids of the story's records that a later step needs. */
export type Cast = Record<'customerId' | 'accountId' | 'secondAccountId' | 'externalAccountId', string>

/** The receiver of webhooks. */
export interface Receiver {
  url: string
  /** Waits until the endpoint has received so many deliveries. */
  delivered(endpointId: string, count: number): Promise<void>
  /** Works with a second service on the same database, whose payments leave with ACH files. */
  withFiles<Outcome>(work: (bank: TestBank) => Promise<Outcome>): Promise<Outcome>
  /** The same with a service whose screening leaves all to a reviewer. */
  /** A service that asks a second person for the approval of payments. */
  withSignatures<Outcome>(work: (bank: TestBank) => Promise<Outcome>): Promise<Outcome>
  withScreening<Outcome>(work: (bank: TestBank) => Promise<Outcome>): Promise<Outcome>
}
