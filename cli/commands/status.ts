import type { AttentionItem, Clock, LedgerVerification, Me, Purser } from '../../client/src/index.ts'
import type { Call, Command } from '../command.ts'
import { nextStep } from './data/attention.ts'

export const status: Command = {
  path: 'status',
  summary: 'Shows the service that runs here, and the key in use',
  description:
    'Shows address, version, mode, providers, organisation, key with its scopes, bank time, whether the laws of the ledger hold, what needs attention, and a warning of a live bank with `PURSER_ACH=instant`, from which no money leaves.',
  group: 'Service',
  examples: [{ run: 'purser status', does: 'Shows the service of this machine' }],
  run,
}

async function run({ purser, settings, out }: Call): Promise<void> {
  const client = purser()
  const me = await client.me.get()
  const [clock, ledger, attention] = await Promise.all([
    clockOf(client, me),
    ledgerOf(client, me),
    attentionOf(client, me),
  ])
  const state = { address: settings.url, me, clock, ledger, attention }
  out.record(out.forPeople ? forPeople(state) : asRecord(state))
}

interface State {
  address: string
  me: Me
  clock: Clock | undefined
  ledger: LedgerVerification | undefined
  attention: AttentionItem[]
}

function asRecord({ address, me, clock, ledger, attention }: State): object {
  const { version, mode, providers, organisation, key } = me
  return {
    address,
    version,
    mode,
    providers,
    organisation,
    key: { id: key.id, name: key.name, scopes: key.scopes ?? 'all', expiresAt: key.expiresAt },
    operations: me.operations.length,
    ...(me.warnings && { warnings: me.warnings }),
    ...(clock && { clock: { now: clock.now, frozen: clock.frozen } }),
    ...(ledger && { laws: lawsOf(ledger) }),
    attention,
  }
}

function forPeople({ address, me, clock, ledger, attention }: State): object {
  const { version, mode, providers, organisation, key } = me
  const expiry = key.expiresAt ? `, expires at ${key.expiresAt}` : ''
  return {
    service: `${address}, version ${version}, ${mode} mode`,
    ...(me.warnings && { warning: me.warnings.join('; ') }),
    providers: Object.entries(providers).map(([area, provider]) => `${area}: ${provider}`),
    organisation: `${organisation.name} (${organisation.id})`,
    key: `${key.name} (${key.id}), ${key.scopes?.join(', ') ?? 'all scopes'}${expiry}`,
    ...(clock && { 'bank time': `${clock.now}${clock.frozen ? ', standing still' : ''}` }),
    ...(ledger && { ledger: sentenceOf(ledger) }),
    ...(attention.length > 0 && { attention: attention.map(attentionText) }),
  }
}

function sentenceOf(ledger: LedgerVerification): string {
  const { status, checkedAt, broken = [] } = lawsOf(ledger)
  if (status === 'Holds') return `all ${ledger.laws.length} laws hold, checked at ${checkedAt}`
  if (broken.length > 0) return `broken: ${broken.join('; ')}`
  return 'not checked since the start; `purser ledger run-verification` checks it'
}

/** The organisation's clock; a live service has none that moves, and a key may lack the scope. */
async function clockOf(client: Purser, { operations }: Me): Promise<Clock | undefined> {
  return operations.includes('getClock') ? client.sandbox.clock.get() : undefined
}

/** All that needs a person, apart from the check of the ledger, which has a line of its own. */
async function attentionOf(client: Purser, { operations }: Me): Promise<AttentionItem[]> {
  if (!operations.includes('listAttention')) return []
  return (await client.attention.list().page()).data.filter(({ kind }) => kind !== 'ledgerCheck')
}

function attentionText(item: AttentionItem): string {
  const next = nextStep(item)
  return next === null ? item.words : `${item.words}: ${next}`
}

async function ledgerOf(client: Purser, { operations }: Me): Promise<LedgerVerification | undefined> {
  return operations.includes('getLedgerVerification') ? client.ledger.getVerification() : undefined
}

/** The last check of the ledger; the laws that it found broken are named. */
function lawsOf({ status, checkedAt, laws }: LedgerVerification) {
  const broken = laws.filter(({ holds }) => holds === false).map(({ law }) => law)
  return { status, checkedAt, ...(broken.length > 0 && { broken }) }
}
