import { parseArgs } from 'node:util'
import { visitDatabase } from '../src/database/visit.ts'
import { achRounds } from './ach/ach.ts'
import { intakeRounds } from './ach/intake.ts'
import { recurringRounds } from './ach/recurring.ts'
import { authorizationRounds } from './authorizations/authorizations.ts'
import type { BareAnswer } from './bare.ts'
import { bulkRounds } from './bulk/bulk.ts'
import { campaignRounds } from './campaigns/campaigns.ts'
import { cellRounds } from './cells/cells.ts'
import { connectorRounds } from './connector.ts'
import { consoleRounds } from './console/console.ts'
import { cpuRounds } from './cpu/cpu.ts'
import { type Bench, checkLaws, type Desk, expectSteps, fault, type Options, say, step } from './desk.ts'
import { eventRounds } from './events.ts'
import { openFigures } from './figures.ts'
import { growthRounds } from './growth/growth.ts'
import { kitRounds } from './kit.ts'
import { generator, generatorAdvice, load } from './load.ts'
import { feedLookups, searches } from './lookups.ts'
import { cpuMs, machine } from './machine.ts'
import { moveRounds } from './moves/moves.ts'
import { offerPages } from './offers.ts'
import { paymentRound } from './payments.ts'
import { peerRounds } from './peers/peers.ts'
import { probeRounds } from './probes.ts'
import { processRounds } from './processes/processes.ts'
import { getRound, ledgerReads } from './reads.ts'
import { report } from './report/report.ts'
import { screenRounds } from './screens/screens.ts'
import { apiKey, cleanUp, type Service, scratchFolder, startProgram, startService } from './service.ts'
import { createTpcb, tpcbAdvice, tpcbName } from './tpcb.ts'
import { verifyRounds } from './verify/verify.ts'
import { administer, createWorld, type World } from './world.ts'

/** The last commit before payments shared their hot path with the request log and the events of records. */
const BASELINE = '3b1e3b1'

/** These start services of their own. */
const apart: Record<string, (desk: Desk) => Promise<void>> = {
  start: measureStarts,
  kit: kitRounds,
  console: consoleRounds,
  events: eventRounds,
  probes: probeRounds,
  cpu: cpuRounds,
  growth: growthRounds,
  screens: screenRounds,
  verify: verifyRounds,
  bulk: bulkRounds,
  ach: achRounds,
  intake: intakeRounds,
  recurring: recurringRounds,
  authorizations: authorizationRounds,
  campaigns: campaignRounds,
  processes: processRounds,
  cells: cellRounds,
  peers: peerRounds,
  moves: moveRounds,
}
/** Parts that are measured in every round. Growth, with its millions of payments, runs only if it is named. */
const repeated = ['payments', 'get', 'offers']
const parts = [...Object.keys(apart), 'payments', 'get', 'connector', 'feed', 'search', 'ledger', 'offers']

async function main(): Promise<void> {
  const options = readOptions()
  const desk: Desk = { options, figures: openFigures(), say, fault }
  say(`${machine()}\nload by ${generator}, compared with ${tpcbName}`)
  for (const advice of [generatorAdvice, tpcbAdvice]) if (advice) say(advice)
  expectSteps(stepsOf(options))
  for (const [name, measureApart] of Object.entries(apart)) {
    if (options.only.includes(name)) await step(name, () => measureApart(desk))
  }
  if (options.only.some((part) => !Object.hasOwn(apart, part))) await measureService(desk)
  process.stdout.write(report(desk.figures, options))
}

/** The number of steps: the world, and each part once or in every round. */
function stepsOf({ only, rounds }: Options): number {
  const shared = only.some((part) => !Object.hasOwn(apart, part)) ? 1 : 0
  return only.reduce((sum, part) => sum + (repeated.includes(part) ? rounds : 1), shared)
}

/** The parts that share one service, its world, and the bare server beside it. */
async function measureService(desk: Desk): Promise<void> {
  const { options } = desk
  const wants = (name: string) => options.only.includes(name)
  const { profile } = options
  const nodeFlags = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const service = await startService(scratchFolder(), { nodeFlags })
  const postgres = await administer(service, (client) => client.query('show server_version'))
  say(`PostgreSQL ${postgres.rows[0].server_version}; ${options.accounts} accounts are made`)
  const world = await step('making the accounts', () => createWorld(service, options.accounts))
  const bare = await startProgram<{ url: string }>('bare', await realAnswers(service, world))
  const bench: Bench = { ...desk, service, bareUrl: bare.said.url, world }
  if (wants('payments')) {
    say(`TPC-B tables of scale ${options.scale} are made`)
    await createTpcb(service, options.scale)
  }
  await warmUp(bench)
  for (let round = 1; round <= options.rounds; round++) {
    say(`round ${round} of ${options.rounds}, ${options.seconds} s each`)
    if (wants('payments')) await step('payments', () => paymentRound(bench))
    if (wants('get')) await step('get', () => getRound(bench))
  }
  if (wants('connector')) await step('connector', () => connectorRounds(bench))
  // Before transfers are inserted that have no events.
  if (wants('feed')) await step('feed', () => feedLookups(bench))
  if (wants('search')) await step('search', () => searches(bench))
  if (wants('ledger')) await step('ledger', () => ledgerReads(bench))
  for (let round = 1; wants('offers') && round <= options.rounds; round++) await step('offers', () => offerPages(bench))
  await visitDatabase({ databaseUrl: undefined, dataDir: service.dataDir }, checkLaws)
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: parts.filter((part) => part !== 'growth').join(',') },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      accounts: { type: 'string', default: '100000' },
      scale: { type: 'string', default: '50' },
      'cpu-profile': { type: 'string' },
      against: { type: 'string', default: BASELINE },
      peers: { type: 'string', default: '' },
      sizes: { type: 'string', default: '100000,1000000,10000000' },
    },
  })
  const only = values.only.split(',')
  const unknown = only.filter((part) => !parts.includes(part))
  if (unknown.length > 0) throw new Error(`--only takes ${parts.join(',')}, not ${unknown.join(',')}`)
  const count = (text: string) => Math.max(1, Math.floor(Number(text)) || 1)
  return {
    only,
    seconds: count(values.seconds),
    rounds: count(values.rounds),
    accounts: count(values.accounts),
    scale: count(values.scale),
    profile: values['cpu-profile'],
    against: values.against,
    sizes: sizesOf(values.sizes),
    peers: values.peers === '' ? [] : values.peers.split(','),
  }
}

/** Numbers of payments from small to large, which are inserted by the hundred. */
function sizesOf(text: string): number[] {
  const sizes = text.split(',').map(Number)
  if (!sizes.every((size) => size > 0 && size % 100 === 0))
    throw new Error(`--sizes takes multiples of 100, not ${text}`)
  return sizes.toSorted((a, b) => a - b)
}

/** First starts on fresh folders, each followed by a restart. */
async function measureStarts({ figures, options }: Desk): Promise<void> {
  for (let round = 1; round <= options.rounds; round++) {
    const folder = scratchFolder()
    for (const name of ['first start', 'restart']) {
      const service = await startService(folder)
      const { own, started } = cpuMs(service.pid) ?? { own: Number.NaN, started: Number.NaN }
      figures.add(name, service.readyMs)
      figures.add(`CPU time of a ${name}`, own + started)
      say(`${name} ${Math.round(service.readyMs)} ms, ${own + started} ms of CPU time`)
      await service.stop()
    }
  }
}

/** One real answer of each kind, for the bare server to repeat; the headers Node adds by itself are left to it. */
async function realAnswers({ url }: Service, world: World): Promise<{ get: BareAnswer; post: BareAnswer }> {
  const headers = { 'X-Service-API-Key': apiKey, 'Content-Type': 'application/json' }
  const account = `${url}/v0/banking/accounts/${world.firstAccount}`
  const payment = {
    amount: 10_00,
    counterpartyAccountId: String(world.firstExternal),
    description: 'Rent',
    originalType: 'ACH',
  }
  const answerOf = async (response: Response): Promise<BareAnswer> => {
    const own = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
    return { status: response.status, headers: Object.fromEntries(own), body: await response.text() }
  }
  const get = await answerOf(await fetch(account, { headers }))
  const post = await answerOf(
    await fetch(`${account}/payments`, { method: 'POST', headers, body: JSON.stringify(payment) }),
  )
  if (get.status !== 200 || post.status !== 201) throw new Error(`the service answers ${get.body} and ${post.body}`)
  return { get, post }
}

/** Compiles the hot paths, so that the first round is like the others. */
async function warmUp(bench: Bench): Promise<void> {
  for (const kind of ['payments', 'accounts'] as const) {
    for (const url of [bench.service.url, bench.bareUrl]) {
      await load({ kind, url, connections: 64, seconds: 2, world: bench.world })
    }
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => cleanUp().finally(() => process.exit(130)))
}
await main()
  .catch((error: unknown) => fault(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  .finally(cleanUp)
