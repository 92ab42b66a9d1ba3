import type pg from 'pg'
import type { DebitSettings } from '../../../src/banking/accounts/account-limits.ts'
import type { BankingProvider } from '../../../src/banking/provider.ts'
import type { OverdueRule } from '../../../src/banking/recurring-payments/overdue-rule.ts'
import type { SignatureRules } from '../../../src/base/operation.ts'
import type { DecisionSettings } from '../../../src/config/hooks.ts'
import type { Database } from '../../../src/database/database.ts'
import type { FeedOptions } from '../../../src/events/feed.ts'
import type { InboundSource } from '../../../src/events/inbound/inbound.ts'
import type { RecordEvents } from '../../../src/events/record.ts'
import type { RequestLogOptions } from '../../../src/http/exchanges/request-log.ts'
import type { Rates } from '../../../src/http/limits/limits.ts'
import type { Log } from '../../../src/http/log.ts'
import type { Metrics } from '../../../src/http/metrics/metrics.ts'
import type { RunOnce } from '../../../src/idempotency/run-once.ts'
import type { LaneOptions } from '../../../src/ledger/lane.ts'
import type { PeopleSettings } from '../../../src/people/settings.ts'
import type { AchMode } from '../../../src/rails/ach/settings.ts'
import type { CatalogueOffer } from '../../../src/rewards/offers/catalogue.ts'
import type { RewardsProvider } from '../../../src/rewards/provider.ts'
import type { RewardRecords } from '../../../src/rewards/records/records.ts'
import type { Seals } from '../../../src/secrets/seals.ts'
import type { Resolve } from '../../../src/webhooks/delivery/resolve.ts'
import type { WorkerOptions } from '../../../src/webhooks/delivery/worker.ts'
import type { TestDatabase } from '../harness.ts'

export interface TestBankOptions {
  mode?: 'sandbox' | 'live'
  /** The test needs a database that no other test has used, or a service that no other test uses later. */
  own?: true
  /** A database that there is already, and that the bank leaves behind. */
  on?: TestDatabase
  /** A standby of its database, which may answer reads. */
  readServers?: pg.ClientConfig[]
  /** The limits of time are those of the service, in place of longer ones that a busy machine does not reach. */
  impatient?: true
  waitMs?: number
  settleMs?: number
  lockTimeoutMs?: number
  ready?: () => Promise<void>
  overdraftCents?: number
  reviewFirstPayment?: boolean
  debits?: DebitSettings
  recurringOverdue?: OverdueRule
  signatures?: SignatureRules
  ach?: AchMode
  payoutDelayMs?: number
  review?: 'automatic' | 'manual'
  /** The hook that takes part in the decision of card authorizations. */
  decision?: Partial<DecisionSettings> & { url: string; maxAtOnce?: number }
  /** The URL of the service that screens new customers and external accounts. */
  screening?: string
  /** The deadline of its answers. */
  screeningMs?: number
  uploadWaitMs?: number
  rates?: Rates
  maxRequests?: number
  trustedProxies?: string[]
  host?: string
  hosts?: string[]
  mcpWrites?: boolean
  people?: Partial<PeopleSettings>
  metrics?: Metrics
  /** The test stores events of its own making, which need not have the form of real ones. */
  inventedEvents?: true
  /** The offers and the ZIP codes that there are; none unless said, because the sample catalogue takes a while. */
  catalogue?: CatalogueOffer[]
  lane?: Partial<LaneOptions>
  recordEvents?: RecordEvents
  feed?: Partial<FeedOptions>
  requestLog?: Partial<RequestLogOptions>
  /** Whether webhooks are sent, and how. */
  webhooks?: Partial<WorkerOptions> & { resolve?: Resolve; timeoutMs?: number }
  /** Replaces the built-in catalogue. */
  offers?: (parts: { database: Database; runOnce: RunOnce; seals: Seals }) => RewardsProvider
  /** Replaces the records of rewards of the built-in bank. */
  records?: (parts: {
    database: Database
    runOnce: RunOnce
    seals: Seals
    bank: BankingProvider
    organisationId: number
  }) => RewardRecords
  /** Providers that report changes to the first organisation. */
  inbound?: InboundSource[]
  /** Replaces the built-in bank; then there is no sandbox. */
  banking?: (parts: { database: Database; runOnce: RunOnce; seals: Seals }) => BankingProvider
  log?: Log
  /** Wraps the database, for example to break a connection. */
  around?: (database: Database) => Database
}
