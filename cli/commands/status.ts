import { type Clock, isConnectionError, type LedgerVerification, type Me, type Purser } from '../../client/src/index.ts'
import type { Call, Command } from '../command.ts'
import { WorthRetry } from '../failure.ts'

export const status: Command = {
  path: 'status',
  summary: 'Shows the service that runs here, and the key in use',
  description:
    'Shows address, version, mode, providers, organisation, key with its scopes, bank time, and whether the laws of the ledger hold.',
  group: 'Service',
  examples: [{ run: 'purser status', does: 'Shows the service of this machine' }],
  run,
}

async function run({ purser, settings, out }: Call): Promise<void> {
  const client = purser()
  const me = await client.me.get().catch((error: unknown) => {
    if (!isConnectionError(error) || error.reason !== 'unreachable') throw error
    throw new WorthRetry(`nothing answers at ${settings.url}: \`purser start\` starts the service`)
  })
  const [clock, ledger] = await Promise.all([clockOf(client, me), ledgerOf(client, me)])
  const { version, mode, providers, organisation, key } = me
  out.record({
    address: settings.url,
    version,
    mode,
    providers,
    organisation,
    key: { id: key.id, name: key.name, scopes: key.scopes ?? 'all', expiresAt: key.expiresAt },
    operations: me.operations.length,
    ...(clock && { clock: { now: clock.now, frozen: clock.frozen } }),
    ...(ledger && { laws: lawsOf(ledger) }),
  })
}

/** The organisation's clock; a live service has none that moves, and a key may lack the scope. */
async function clockOf(client: Purser, { operations }: Me): Promise<Clock | undefined> {
  return operations.includes('getClock') ? client.sandbox.clock.get() : undefined
}

async function ledgerOf(client: Purser, { operations }: Me): Promise<LedgerVerification | undefined> {
  return operations.includes('getLedgerVerification') ? client.ledger.getVerification() : undefined
}

/** The last check of the ledger; the laws that it found broken are named. */
function lawsOf({ status, checkedAt, laws }: LedgerVerification): object {
  const broken = laws.filter(({ holds }) => holds === false).map(({ law }) => law)
  return { status, checkedAt, ...(broken.length > 0 && { broken }) }
}
