import { join } from 'node:path'
import { ensureFirstKey, type FirstKey, hasUsableKey } from '../access/first-key.ts'
import { makeKey } from '../access/key-text.ts'
import { keysWithoutRisk, lostRisk } from '../access/operator-keys.ts'
import type { Core } from '../backend/core.ts'
import type { BuiltinBank } from '../bank/bank.ts'
import { loadSamples } from '../bank/offers/catalogue.ts'
import { clock } from '../base/clock.ts'
import type { Steps } from '../base/progress.ts'
import { StartupError } from '../base/startup-error.ts'
import { counted } from '../base/text.ts'
import { claimHome, requireMode } from '../cells/claim.ts'
import { rangesOf } from '../cells/retirement.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { reachDatabase } from '../database/readiness.ts'
import { requireSessions } from '../database/sessions.ts'
import { DEMO_KEY } from '../idempotency/own-keys.ts'
import { requirePersons } from '../people/manage-people.ts'
import type { Scenario } from '../sandbox/create-scenario.ts'
import { requireKey } from '../secrets/marker.ts'
import { secretFile } from '../secrets/secret-file.ts'

/** How far back the demo world's story begins. */
const DEMO_DAYS = 75

export interface Preparation {
  config: Config
  core: Core
  encryptionKeys: Buffer[]
  /** The folder of the package. */
  root: string
  steps: Steps
}

/** Some parts of a preparation, which may run beside the steps that are shown. */
type Prepares<Names extends keyof Preparation> = Pick<Preparation, Names> & { steps: Pick<Steps, 'say'> }

/** The first organisation and its key, as far as they are known. */
export interface Prepared {
  organisationId: number | undefined
  /** The key to show; undefined if there is none, or if it does not work. */
  key: string | undefined
}

/** Prepares the tables, and the key of the first organisation. Several processes that start at once wait for each other. */
export async function prepareTables(preparation: Preparation): Promise<Prepared> {
  const { config, core, encryptionKeys, steps } = preparation
  await reachDatabase(core.database, config.databaseWaitMs, steps.say)
  if (config.databaseUrl) await requireSessions(core.servers)
  await steps.run('preparing the tables', () => migrated(preparation))
  await claimHome(core.database)
  await requireMode(core.database, config.mode)
  await requireKey(core.database, encryptionKeys)
  if (config.signatures && !config.people.provider) await requirePersons(core.database)
  const first = await firstKey(config, core.database)
  const ensured = first && (await ensureFirstKey(core.database, core.ids, first, withDemo(config) ? DEMO_DAYS : 0))
  if (ensured?.warning) steps.say(`warning: ${ensured.warning}`)
  await warnOfRisk(preparation)
  return { organisationId: ensured?.organisationId, key: ensured?.warning ? undefined : first?.key }
}

/** Names the keys that set limits in live mode before that needed a scope of its own. */
export async function warnOfRisk({ config, core, steps }: Prepares<'config' | 'core'>): Promise<void> {
  if (config.mode !== 'live') return
  for (const key of (await keysWithoutRisk(core.database)).filter(({ used }) => used)) {
    steps.say(`warning: ${lostRisk(key)}: purser keys grant ${key.id} --scopes risk:write, or use another key for it`)
  }
}

/** Fills the catalogue of offers, which goes on when this returns, and plays the demo world. */
export async function prepareRecords(
  preparation: Preparation,
  { organisationId }: Prepared,
): Promise<{ filled: Promise<void>; demo: Scenario | undefined }> {
  const { config, core, steps } = preparation
  const filled = steps.run('filling the catalogue of offers', () => fillCatalogue(preparation))
  const playDemo = (id: number) => steps.run('playing the demo world', () => demoWorld(core.builtin, id, steps))
  const demo = withDemo(config) && organisationId ? await filled.then(() => playDemo(organisationId)) : undefined
  return { filled, demo }
}

function withDemo({ mode, demo, unit }: Config): boolean {
  return mode === 'sandbox' && demo && !unit
}

/**
 * Fills the catalogue of a sandbox, at the first start, before anyone can ask for offers. With a connector nobody would see
 * them, and none may earn by what it cannot see.
 */
export async function fillCatalogue({
  config: { mode, kard },
  core: { database },
  root,
  steps,
}: Prepares<'config' | 'core' | 'root'>): Promise<void> {
  if (mode !== 'sandbox' || kard) return
  const made = await loadSamples(database, join(root, 'assets'))
  if (made) steps.say(`made a sample catalogue of ${made.offers} offers in ${made.ms} ms`)
}

/** Plays the demo world at the first start; later the same key answers the same ids. */
async function demoWorld({ createDemo }: BuiltinBank, organisationId: number, { say }: Steps): Promise<Scenario> {
  const started = clock.elapsedMs()
  const answer = await createDemo({
    caller: { organisationId, keyId: 0 },
    requestId: 'demo',
    key: { text: null, hash: DEMO_KEY, fingerprint: Buffer.alloc(32), fromCaller: true },
    render: (data) => ({ status: 201, body: JSON.stringify({ data }), replayed: false }),
  })
  if (!answer.replayed) say(`made a demo world in ${Math.round(clock.elapsedMs() - started)} ms`)
  return JSON.parse(answer.body).data
}

export async function migrated({ core: { database }, root, steps }: Prepares<'core' | 'root'>): Promise<void> {
  const startedMs = clock.elapsedMs()
  const applied = await migrate(database, join(root, 'migrations'))
  if (applied > 0)
    steps.say(`applied ${counted(applied, 'migration')} in ${Math.round(clock.elapsedMs() - startedMs)} ms`)
}

/** The key of the environment; in sandbox mode, if none is set, one that is made once and kept. */
export async function firstKey({ apiKey, mode, dataDir }: Config, home: Database): Promise<FirstKey | undefined> {
  if (apiKey !== undefined) return { source: 'configured', key: apiKey }
  if (mode === 'sandbox') {
    const make = () => makeKey('sandbox', 'sk')
    const key = await secretFile(dataDir, { name: 'api-key', make, form: /^[\x21-\x7e]{8,512}$/ })
    return { source: 'generated', key }
  }
  if (await hasUsableKey(home)) return undefined
  // All organisations may have moved to a further cell.
  if ((await rangesOf(home)).some(({ mark, retired }) => mark !== null && !retired)) return undefined
  throw new StartupError(
    'there is no API key yet: set PURSER_API_KEY to 20 or more visible ASCII characters, or purser keys create',
  )
}
