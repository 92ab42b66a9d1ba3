import { findZipCode } from '../bank/offers/zip-codes.ts'
import { openConnectedRewards } from '../bank/rewards/connected-rewards.ts'
import type { BankingProvider } from '../banking/provider.ts'
import type { Closers } from '../base/closers.ts'
import { type Database, plainTimeouts } from '../database/database.ts'
import type { InboundSource } from '../events/inbound/inbound.ts'
import type { RunOnce } from '../idempotency/run-once.ts'
import { openClaims } from '../idempotency/upstream-claim.ts'
import type { RewardsProvider } from '../rewards/provider.ts'
import type { RewardRecords } from '../rewards/records/records.ts'
import type { Seals } from '../secrets/seals.ts'
import { kardInbound } from './kard/inbound.ts'
import { openKard } from './kard/kard.ts'
import { openUnitClient } from './unit/client.ts'
import { unitInbound } from './unit/inbound.ts'
import { openUnitPayouts } from './unit/payouts.ts'
import { openUnitRecords, type UnitRecords } from './unit/read-all.ts'
import { openUnitBank } from './unit/unit.ts'
import type { UpstreamOptions } from './upstream.ts'

/** Settings of the connector to Unit, which serves the banking area. */
export interface UnitConfig {
  url: string
  token: string
  /** Without it, Unit's webhooks are not accepted. */
  webhookSecret: string | undefined
  /** 0 for no limit. */
  requestsPerMinute: number
  /** Time limits of one call that creates a payment or an application. */
  paymentMs: number
  applicationMs: number
  /** The deposit product of new accounts. */
  depositProduct: string
  /** Whether the program's list of accounts can be sorted. */
  sortsAccounts: boolean
  /** The account at Unit that rewards are paid from. Without it, rewards are not paid out. */
  fundingAccountId: string | undefined
}

/** Settings of the connector to Kard, which serves the offers. */
export interface KardConfig {
  /** The id of the issuer at Kard; absent if the legacy API is called, which has no such id. */
  organizationId: string | undefined
  url: string
  /** Kard issues tokens on another host than its API's. */
  tokenUrl: string
  /** Where the grant type of a token request stands. */
  token: 'form' | 'query'
  clientId: string
  clientSecret: string
  /** Without it, Kard's webhooks are not accepted. */
  webhookSecret: string | undefined
}

export interface ConnectorSettings {
  /** Absent if the built-in bank serves banking. */
  unit: UnitConfig | undefined
  /** Absent if the built-in catalogue serves the offers. */
  kard: KardConfig | undefined
  /** Time limits of one call, of all attempts of a request together, and of an upload. */
  upstreamTimeouts: { callMs: number; totalMs: number; uploadMs: number }
  rewardPayoutDelayMs: number
}

export type { UnitRecords } from './unit/read-all.ts'

interface ConnectorParts {
  database: Database
  runOnce: RunOnce
  seals: Seals
  log: UpstreamOptions['log']
  organisationId: number
  /** The version of this service. */
  version: string
  closers: Closers
}

/** Providers that take the place of parts of the built-in bank; a member that is absent leaves its part built in. */
export interface Connectors {
  /** A connector has one credential, so that it serves one organisation. */
  organisationId: number
  bank?: BankingProvider
  records?: RewardRecords
  offers?: RewardsProvider
  /** The upstreams whose webhooks are accepted. */
  sources: InboundSource[]
  /** Background work: confirms and pays rewards that have become due. */
  catchUp?: () => Promise<void>
  /** Prepares the end of the service, which waits for all requests: calls that go on for long are broken off. */
  stop?: () => Promise<void>
}

/** The time that calls have when the service stops. It ends after 30 seconds, and must store what it knows before that. */
const STOPPING_MS = 20_000

/** Opens the connectors that the settings name. */
export function openConnectors(settings: ConnectorSettings, parts: ConnectorParts): Connectors {
  const { unit, kard } = settings
  const banking = unit && openUnit(unit, settings, parts)
  return {
    organisationId: parts.organisationId,
    ...banking,
    ...(kard && { offers: openKardOffers(kard, settings, parts) }),
    sources: [...(kard?.webhookSecret ? [kardInbound(kard.webhookSecret)] : []), ...(banking?.sources ?? [])],
  }
}

/** Banking at Unit, with rewards for purchases there, which are paid from an account there. */
function openUnit(
  { fundingAccountId, webhookSecret, depositProduct, sortsAccounts, paymentMs, applicationMs, ...unit }: UnitConfig,
  { upstreamTimeouts, rewardPayoutDelayMs: payoutDelayMs }: ConnectorSettings,
  { database, runOnce, seals, log, organisationId, version, closers }: ConnectorParts,
) {
  const client = openUnitClient({
    ...unit,
    userAgent: `Purser/${version}`,
    timeouts: { ...upstreamTimeouts, paymentMs, applicationMs },
    log,
  })
  closers.add(() => client.close())
  const parts = { client, claims: openClaims({ database, runOnce, seals, waitMs: plainTimeouts.lockMs }) }
  const bank = openUnitBank(parts, { depositProduct, sortsAccounts })
  const payouts = fundingAccountId === undefined ? undefined : openUnitPayouts(parts, fundingAccountId)
  const rewards = openConnectedRewards({ database, runOnce, organisationId, payoutDelayMs, log, bank, payouts })
  const { records, catchUp, takePurchase } = rewards
  const source = webhookSecret && unitInbound({ webhookSecret, takePurchase, parts })
  const stop = async () => void setTimeout(() => client.close(), STOPPING_MS).unref()
  return { bank, records, catchUp, stop, sources: source ? [source] : [] }
}

/** Reads all records of the organisation at Unit. `leftOut` hears of those that the connector cannot show. */
export function openUnitRecordsOf(
  { url, token, requestsPerMinute }: UnitConfig,
  { upstreamTimeouts: timeouts }: Pick<ConnectorSettings, 'upstreamTimeouts'>,
  parts: Pick<ConnectorParts, 'version' | 'closers' | 'log'> & { leftOut: (records: number, reason: string) => void },
): UnitRecords {
  const { version, closers, log, leftOut } = parts
  const client = openUnitClient({ url, token, requestsPerMinute, userAgent: `Purser/${version}`, timeouts, log })
  closers.add(() => client.close())
  return openUnitRecords(client, leftOut)
}

/** Offers of Kard, which does not know where ZIP codes are: their centres come from the built-in bank. */
function openKardOffers(
  kard: KardConfig,
  { upstreamTimeouts: { callMs, totalMs } }: ConnectorSettings,
  { log, version, closers, ...parts }: ConnectorParts,
): RewardsProvider {
  const userAgent = `Purser/${version}`
  const { offers, close } = openKard({ ...kard, userAgent, callMs, totalMs, log, centreOf: findZipCode }, parts)
  closers.add(close)
  return offers
}
