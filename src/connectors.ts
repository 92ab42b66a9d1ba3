import type { Config, KardConfig, UnitConfig } from './config.ts'
import { type Database, plainTimeouts } from './database/database.ts'
import type { InboundSource } from './events/inbound.ts'
import type { Log } from './http/log.ts'
import type { RunOnce } from './idempotency/run-once.ts'
import { openClaims } from './idempotency/upstream-claim.ts'
import { zipCentres } from './providers/builtin/offers/offers.ts'
import type { ConnectedRewards } from './providers/builtin/rewards/connected-rewards.ts'
import { kardInbound } from './providers/kard/inbound.ts'
import { openKard } from './providers/kard/kard.ts'
import { openUnitClient } from './providers/unit/client.ts'
import { type UnitInboundOptions, unitInbound } from './providers/unit/inbound.ts'
import { openUnitPayouts } from './providers/unit/payouts.ts'
import { purchaseReader, type ReadPurchase } from './providers/unit/purchases.ts'
import { openUnitBank, type UnitBank } from './providers/unit/unit.ts'
import type { RewardsProvider } from './rewards/provider.ts'
import type { Payouts } from './rewards/purchases.ts'
import type { Seal } from './secrets/seal.ts'

interface ConnectorParts {
  config: Config
  database: Database
  log: Log
  /** What is opened is handed over to be closed. */
  opened: { add(close: () => Promise<void>): void }
}

interface UnitConnectorParts extends ConnectorParts {
  runOnce: RunOnce
  seal: Seal
}

/** Banking passed on to Unit, and cash back from the account there that holds the money for it. */
export function openUnit(
  { fundingAccountId, ...unit }: UnitConfig,
  { config, database, runOnce, seal, log, opened }: UnitConnectorParts,
): { bank: UnitBank; payouts: Payouts | undefined; readPurchase: ReadPurchase } {
  const client = openUnitClient({ ...unit, timeouts: config.upstreamTimeouts, log })
  opened.add(() => client.close())
  const parts = { client, claims: openClaims({ database, runOnce, seal, waitMs: plainTimeouts.lockMs }) }
  const payouts = fundingAccountId === undefined ? undefined : openUnitPayouts(parts, fundingAccountId)
  return { bank: openUnitBank(parts), payouts, readPurchase: purchaseReader(parts) }
}

/** What connectors are told by their upstreams, where there is a secret to know them by. */
export function sourcesOf(
  { kard, unit }: Config,
  reading: Omit<UnitInboundOptions, 'webhookSecret' | 'takePurchase'> | undefined,
  rewards: ConnectedRewards | undefined,
): InboundSource[] {
  const sources = kard?.webhookSecret ? [kardInbound(kard.webhookSecret)] : []
  if (!unit?.webhookSecret || !reading || !rewards) return sources
  const { takePurchase } = rewards
  return [...sources, unitInbound({ ...reading, webhookSecret: unit.webhookSecret, takePurchase })]
}

/** Offers passed on from Kard; where a ZIP code lies is known here alone. */
export function kardOffers(kard: KardConfig, { config, database, log, opened }: ConnectorParts): RewardsProvider {
  const { callMs, totalMs } = config.upstreamTimeouts
  const { offers, close } = openKard({ ...kard, callMs, totalMs, log, centreOf: zipCentres(database) })
  opened.add(close)
  return offers
}
