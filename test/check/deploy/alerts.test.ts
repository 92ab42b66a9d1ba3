import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { readFolders, readRailDifference, readWaitingWork } from '../../../src/bank/ach/watch/rail-state.ts'
import { clock } from '../../../src/base/clock.ts'
import { openTaskLog, type TaskLog } from '../../../src/base/tasks/task-log.ts'
import { inCell } from '../../../src/cells/findings.ts'
import { type Database, openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { type Metrics, openMetrics } from '../../../src/http/metrics/metrics.ts'
import { folderFindings, railFindings } from '../../../src/operator/rail-findings.ts'
import { stalledTasks } from '../../../src/operator/task-findings.ts'
import type { AchSettings } from '../../../src/rails/ach/settings.ts'
import { openHook } from '../../../src/webhooks/hook.ts'
import { openTestBank, root, type TestBank } from '../../support/harness.ts'
import { makeExternalAccount, makePayer, type Payer, pay } from '../../support/ledger.ts'
import { testAch } from '../../support/rails/ach.ts'
import { incomingFile, lastBankingDay, returnOf } from '../../support/rails/incoming.ts'
import { advanceTo, openRailBank, passCutoff } from '../../support/rails/leaving.ts'
import { choicesOfTest } from '../../support/random.ts'
import { apply } from '../../support/review/reviewer.ts'
import { evaluate, firing, rulesIn, type Scrape, scrapeOf } from './rules.ts'

const rules = rulesIn(readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8'))
const target = { job: 'purser', instance: 'one' }
const quiet = pino({ level: 'silent' })
afterEach(() => void vi.restoreAllMocks())

/** The metrics that a process shows every minute for some time, while something happens. The clock of the process goes along. */
async function watched(
  minutes: number,
  happens: (metrics: Metrics, minute: number) => unknown,
  read: (metrics: Metrics, minute: number) => Promise<string | undefined> = (metrics) => metrics.text(),
): Promise<Scrape[]> {
  const metrics = openMetrics()
  const beganMs = clock.elapsedMs()
  const scrapes: Scrape[] = []
  for (let minute = 0; minute <= minutes; minute++) {
    vi.spyOn(clock, 'elapsedMs').mockReturnValue(beganMs + minute * 60_000)
    await happens(metrics, minute)
    scrapes.push(scrapeOf(minute * 60, await read(metrics, minute), target))
  }
  return scrapes
}

const loadOf = (lane: object, requests: object = {}) => {
  const none = { most: 10, open: 0, inUse: 0, waiting: 0, failed: 0, lost: 0 }
  return () => ({ requests: { ...none, ...requests }, lane: { waiting: 0, batchMs: 0, connections: [none], ...lane } })
}
/** The metrics of a process whose value of one is another. */
const changed = (name: string, value: (minute: number) => number) => async (metrics: Metrics, minute: number) =>
  (await metrics.text()).replace(new RegExp(`^${name}.*$`, 'm'), `${name} ${value(minute)}`)

/** Holds the process up, as a computation does. */
async function blocked(ms: number): Promise<void> {
  for (let times = 0; times < 3; times++) {
    const ends = performance.now() + ms
    while (performance.now() < ends);
    await turn()
  }
}

/** A database that does not answer. */
function nowhere(): Database {
  return openDatabase({ servers: [{ host: '127.0.0.1', port: 1 }], connections: 1, timeouts: plainTimeouts })
}

/** How each alert comes about that does not concern the rail. */
const causes: Record<string, () => Promise<Scrape[]>> = {
  PurserDown: () =>
    watched(
      2,
      () => undefined,
      async (_, minute) => (minute > 0 ? undefined : 'x 1'),
    ),
  PurserRestarts: () =>
    watched(
      5,
      () => undefined,
      changed('process_start_time_seconds', (minute) => minute),
    ),
  PurserErrors: () => watched(8, (metrics) => metrics.request('listAccounts', 500, 0.1)),
  PurserPaymentsSlow: () => watched(16, (metrics) => metrics.request('createPayment', 201, 2)),
  PurserLaneStuck: () => watched(4, (metrics) => metrics.watch(loadOf({ batchMs: 7_000 }))),
  PurserLaneBacklog: () => watched(4, (metrics) => metrics.watch(loadOf({ waiting: 2_000 }))),
  PurserDatabaseUnreachable: async () => {
    const database = nowhere()
    const scrapes = await watched(10, async (metrics) => {
      await database.query('select 1').catch(() => undefined)
      metrics.watch(loadOf({}, { failed: database.connections().failed }))
    })
    await database.close()
    // Two scrapes lie within the minute of the rule.
    return scrapes.map(({ at, samples }) => ({ at: at / 2, samples }))
  },
  PurserStandbyAway: () => watched(12, (metrics) => metrics.watchStandby(() => undefined)),
  PurserConnectionsExhausted: () => watched(4, (metrics) => metrics.watch(loadOf({}, { waiting: 3 }))),
  PurserDebitReturnsHigh: () =>
    watched(1, (metrics) => metrics.returnRates([{ by: 'company', kind: 'all', part: 0.9 }])),
  PurserEventsLate: () => watched(7, (metrics) => metrics.eventLag(90)),
  PurserWebhooksFailing: () => watched(32, (metrics) => metrics.delivery('failed')),
  PurserEndpointFailing: () => {
    const quietRail = { files: [], late: [], exceptions: [], reviews: [] }
    const endpoints = [{ kind: 'failing', count: 1, seconds: 7_200 }]
    return watched(2, (metrics) => metrics.rail({ ...quietRail, endpoints }, []))
  },
  PurserWebhooksAbandoned: () => watched(2, (metrics) => metrics.delivery('abandoned')),
  PurserUpstreamEventsFailed: () => watched(2, (metrics) => metrics.upstreamEventFailed('unit', 'card')),
  PurserRetentionFailing: () => watched(50, (metrics) => metrics.retention.failed('events')),
  PurserCellAway: () => watched(5, (metrics) => metrics.cell('east').watchState(() => false)),
  PurserDaysOpen: () => watched(242, (metrics) => metrics.closing({ days: 2, items: 1 })),
  PurserTaskStalled: () => withTask(18, () => undefined),
  PurserTaskFailing: () =>
    withTask(18, (tasks) => {
      tasks.succeeded('due-work')
      tasks.failed('due-work', new Error('a fault'), { organisationId: 1 })
    }),
  PurserHookFailing: () => {
    let observe: Metrics['hook'] = () => undefined
    const decisions = ['approve']
    const hook = openHook(
      { url: 'http://127.0.0.1:1/', secret: `whsec_${Buffer.alloc(24).toString('base64')}`, timeoutMs: 1_000 },
      { name: 'decision', userAgent: 'x', decisions, log: quiet, observe: (...question) => observe(...question) },
    )
    return watched(12, async (metrics) => {
      observe = metrics.hook
      await hook.ask(1, { type: 'authorization.requested', data: {} })
    }).finally(() => hook.close())
  },
  PurserEventLoopBlocked: () => watched(6, () => blocked(300)),
  PurserMemoryGrows: () =>
    watched(
      32,
      () => undefined,
      changed('process_resident_memory_bytes', () => 2e9),
    ),
}

/** A task that begins, and does the same every minute. */
function withTask(minutes: number, does: (tasks: TaskLog) => void): Promise<Scrape[]> {
  const tasks = openTaskLog(quiet)
  return watched(minutes, (metrics, minute) => {
    if (minute === 0) tasks.begun('due-work')
    metrics.watchTasks(tasks.states)
    does(tasks)
  })
}

/** The metrics without those of the process itself, which is that of the test. */
const ofService = async (metrics: Metrics) => (await metrics.text()).replaceAll(/^(nodejs|process)_.*$/gm, '')

describe('an alert', () => {
  test.each(Object.keys(causes))('%s fires when its reason comes about', async (name) => {
    const scrapes = await causes[name]?.()
    expect(firing(rules, scrapes ?? [])).toContain(name)
  })

  test('has its task named by doctor, too', async () => {
    const tasks = openTaskLog(quiet)
    const texts: string[] = []
    await watched(18, async (metrics, minute) => {
      if (minute === 0) for (const task of ['due-work', 'retention', 'returns']) tasks.begun(task)
      metrics.watchTasks(tasks.states)
      tasks.succeeded('returns')
      tasks.succeeded('retention')
      tasks.failed('retention', new Error('a fault'), { kind: 'events' })
      texts.push(await metrics.text())
    })
    expect(stalledTasks(texts[0] ?? '')).toEqual([])
    expect(stalledTasks(texts[18] ?? '')).toEqual(['due-work', 'retention'])
    tasks.ended('due-work')
    expect(tasks.states().map(({ task }) => task)).toEqual(['retention', 'returns'])
  })

  test('is silent while nothing happens', async () => {
    const tasks = openTaskLog(quiet)
    const scrapes = await watched(
      60,
      (metrics, minute) => {
        if (minute === 0) tasks.begun('due-work')
        tasks.succeeded('due-work')
        metrics.watch(loadOf({}))
        metrics.watchTasks(tasks.states)
        metrics.request('createPayment', 201, 0.05)
        metrics.hook('decision', 'answered', 0.1)
        metrics.delivery('succeeded')
      },
      ofService,
    )
    expect(firing(rules, scrapes)).toEqual([])
  })

  test('has a cause in this file', () => {
    expect(rules.map(({ alert }) => alert).toSorted()).toEqual([...Object.keys(causes), ...ofRail].toSorted())
  })
})

const ofRail = [
  ...['PurserAchCutoffMissed', 'PurserAchSettlementLate', 'PurserAchFileStuck', 'PurserAchDeliveryUnknown'],
  ...['PurserAchHeld', 'PurserAchFolderMissing', 'PurserAchFileNotFetched', 'PurserAchFileNotTaken'],
  ...['PurserAchFileRefused', 'PurserAchExceptionsOld', 'PurserAchReconciliationDiffers', 'PurserReviewsOld'],
]

/** The alerts of a live bank on its present state, as if it lasted. */
async function firingOn({ database, rail }: Pick<TestBank, 'database' | 'rail'>, ach: AchSettings) {
  const scrapes = await watched(40, async (metrics, minute) => {
    if (minute > 0) return
    metrics.watchRail(rail.isHeld)
    metrics.rail(await readWaitingWork(database), await readFolders(ach))
    metrics.railDifference((await readRailDifference(database)).cents)
  })
  return firing(rules, scrapes).filter((name) => ofRail.includes(name))
}

describe('an alert of the rail', () => {
  let outgoing: string
  let ach: ReturnType<typeof testAch>
  /** A sandbox makes the records; the bank in live mode shares its database. */
  let sandbox: TestBank
  let live: TestBank
  let payer: Payer

  beforeAll(async () => {
    outgoing = mkdtempSync(join(tmpdir(), 'purser-alerts-'))
    ach = testAch(outgoing)
    mkdirSync(ach.incoming)
    sandbox = await openTestBank({ ach, review: 'manual' })
    live = await openTestBank({
      on: { name: '', server: sandbox.server, drop: async () => undefined },
      ...{ mode: 'live', ach },
    })
    payer = await makePayer(sandbox, 500_00)
  })
  afterAll(async () => {
    await live.close()
    await sandbox.close()
    rmSync(outgoing, { recursive: true })
  })

  const alerts = () => firingOn(live, ach)
  /** The checks of doctor that fail. */
  const failed = async () => {
    const found = [...(await folderFindings({ mode: 'live', ach })), ...(await railFindings(live.database, 'live'))]
    return found.filter(({ status }) => status === 'failed').map(({ check }) => check)
  }
  const later = (interval: string) =>
    sandbox.database.query(`update organisation set clock_offset = clock_offset + $1::interval`, [interval])
  const fetched = () => {
    for (const name of readdirSync(outgoing)) if (name.endsWith('.ach')) unlinkSync(join(outgoing, name))
  }

  test('is silent on a new bank', async () => {
    expect(await alerts()).toEqual([])
    expect(await failed()).toEqual([])
  })

  test('fires when a cut-off passes and no file leaves', async () => {
    await pay(sandbox, payer)
    await passCutoff(sandbox.database)
    expect(await alerts()).toEqual(['PurserAchCutoffMissed'])
    expect(await failed()).toEqual(['ACH files'])
  })

  test('fires when the folder is missing, when a file is not delivered, and when it may have been', async () => {
    renameSync(outgoing, `${outgoing}-away`)
    writeFileSync(outgoing, 'no folder')
    await expect(live.moveFiles()).rejects.toThrow('ACH is held')
    expect(await alerts()).toEqual(['PurserAchCutoffMissed', 'PurserAchHeld', 'PurserAchFolderMissing'])
    expect(await failed()).toEqual(['outgoing folder', 'incoming folder', 'ACH files'])
    rmSync(outgoing)
    renameSync(`${outgoing}-away`, outgoing)
    await live.moveFiles()
    fetched()
    const [file] = await sandbox.database.query<{ name: string }>(
      `update ach_file set state = 'built' where state = 'delivered' returning name`,
    )
    expect(await alerts()).toEqual(['PurserAchFileStuck'])
    writeFileSync(join(outgoing, file?.name ?? ''), 'another file')
    await live.moveFiles()
    expect(await alerts()).toEqual(['PurserAchDeliveryUnknown'])
    expect(await failed()).toEqual(['ACH files'])
    fetched()
    await sandbox.database.query(`update ach_file set state = 'built' where state = 'unknown'`)
    await live.moveFiles()
    fetched()
    expect(await alerts()).toEqual([])
  })

  test('fires when batches do not settle', async () => {
    await later('7 days')
    expect(await alerts()).toEqual(['PurserAchSettlementLate'])
    expect(await failed()).toEqual(['ACH files'])
    await later('-7 days')
  })

  test('fires when files are neither fetched nor taken', async () => {
    const now = clock.nowMs()
    writeFileSync(join(outgoing, 'one.ach'), '')
    writeFileSync(join(ach.incoming, 'two.ach'), '')
    expect(await alerts()).toEqual([])
    vi.spyOn(clock, 'nowMs').mockReturnValue(now + 3_600_000)
    expect(await alerts()).toEqual(['PurserAchFileNotFetched', 'PurserAchFileNotTaken'])
    expect(await failed()).toEqual(['outgoing folder', 'incoming folder'])
    fetched()
    unlinkSync(join(ach.incoming, 'two.ach'))
  })

  test('fires when a file is refused, and when an exception or a review is left alone for a day', async () => {
    await live.takeFile({ name: 'x.ach', bytes: Buffer.from('no file') })
    expect(await alerts()).toEqual(['PurserAchFileRefused'])
    expect(await failed()).toEqual(['exceptions'])
    await sandbox.database.query(`update ach_exception set resolved_at = clock_timestamp()`)
    const unmatched = returnOf({ traceNumber: '812345679999999', amount: 1_00 }, { sequence: 1 })
    await live.takeFile({ name: 'y.ach', bytes: incomingFile({ entries: [unmatched], settlesOn: lastBankingDay() }) })
    await apply(sandbox)
    expect(await alerts()).toEqual([])
    await later('25 hours')
    const found = await alerts()
    expect(found).toEqual(expect.arrayContaining(['PurserAchExceptionsOld', 'PurserReviewsOld']))
    expect(await failed()).toEqual(expect.arrayContaining(['exceptions', 'reviews']))
    await later('-25 hours')
  })

  test('fires when files and ledger differ', async () => {
    await sandbox.database.query(`update ach_received_entry set amount = amount + 1`)
    expect(await alerts()).toEqual(['PurserAchReconciliationDiffers'])
    // A sandbox warns where a live bank fails.
    await later('25 hours')
    const warned = inCell({ name: 'east' }, await railFindings(live.database, 'sandbox'))
    expect(warned).toContainEqual(expect.objectContaining({ check: 'exceptions', status: 'warning' }))
    expect(warned.filter(({ status, detail }) => status === 'failed' || !detail.endsWith('in the cell east'))).toEqual(
      [],
    )
    await later('-25 hours')
    expect(await failed()).toEqual(['reconciliation'])
    await sandbox.database.query(`update ach_received_entry set amount = amount - 1`)
  })
})

const PAYMENTS_A_DAY = process.env.SOAK ? 1_000 : 12

test('no alert of the rail fires in a week of payments with ordinary returns', async () => {
  const choices = choicesOfTest()
  const bank = await openRailBank()
  const ach = testAch()
  mkdirSync(ach.incoming)
  const payer = await makePayer(bank, 100_000_00)
  const returned = await makeExternalAccount(bank, payer.customerId, { accountNumber: '9990000003' })
  const metrics = openMetrics()
  const scrapes: Scrape[] = []
  const beganMs = Date.parse('2030-02-05T15:00:00Z')
  const HOURS = 24 * 7
  let made = 0
  for (let hour = 1; hour <= HOURS; hour++) {
    const count = Math.round(PAYMENTS_A_DAY / 24) || Number(hour % 2 === 0)
    const replies = await Promise.all(
      Array.from({ length: count }, () => {
        // One of twenty comes back.
        const externalAccountId = made++ % 20 === 0 ? returned : payer.externalAccountId
        return pay(bank, { ...payer, externalAccountId }, { amount: 1 + choices.below(9_00) })
      }),
    )
    for (const { status, text } of replies) expect(status, text).toBe(201)
    await advanceTo(bank, new Date(beganMs + hour * 3_600_000).toISOString())
    metrics.rail(await readWaitingWork(bank.database), [])
    metrics.railDifference((await readRailDifference(bank.database)).cents)
    scrapes.push(scrapeOf(hour * 3_600, await ofService(metrics), target))
  }
  const [count] = await bank.database.query<{ returned: number; sent: number }>(
    `select count(*) filter (where status = 'Returned')::int as returned, count(*) filter (where status = 'Sent')::int as sent from payment`,
  )
  expect(count?.returned).toBeGreaterThan(0)
  expect(count?.sent).toBeGreaterThan(PAYMENTS_A_DAY * 2)
  expect(firing(rules, scrapes)).toEqual([])
  await bank.close()
})

describe('an expression', () => {
  const at = (seconds: number, text: string) => scrapeOf(seconds, text, {})

  test('is evaluated as Prometheus does', () => {
    const scrapes = [
      at(0, 'c{a="x"} 1\nc{a="y"} 5\ng 3'),
      at(60, 'c{a="x"} 4\nc{a="y"} 2\ng 9'),
      at(120, 'c{a="x"} 4\ng 7'),
    ]
    expect(evaluate('c', scrapes)).toEqual([{ labels: { a: 'x' }, value: 4 }])
    expect(evaluate('sum(increase(c[5m]))', scrapes)).toEqual([{ labels: {}, value: 5 }])
    expect(evaluate('sum by (a) (increase(c{a!="y"}[5m])) > 2', scrapes)).toEqual([{ labels: { a: 'x' }, value: 3 }])
    expect(evaluate('max_over_time(g[2m]) > 8', scrapes)).toEqual([{ labels: {}, value: 9 }])
    expect(evaluate('changes(g[5m]) > 2', scrapes)).toEqual([])
    expect(evaluate('sum(g) / sum(g) > 0.5', scrapes)).toEqual([{ labels: {}, value: 1 }])
    const buckets = [at(0, 'h_bucket{le="1"} 98\nh_bucket{le="5"} 100\nh_bucket{le="+Inf"} 100')]
    expect(evaluate('histogram_quantile(0.99, sum by (le) (h_bucket)) > 1', buckets)).toEqual([
      { labels: {}, value: 5 },
    ])
    expect(() => evaluate('g offset 5m', scrapes)).toThrow('is not understood')
  })

  test('fires when it has held for as long as its rule asks', () => {
    const [rule] = rulesIn('  - alert: A\n    expr: g > 1\n    for: 2m\n')
    const seen = (...values: number[]) => values.map((value, minute) => at(minute * 60, `g ${value}`))
    expect(firing(rule ? [rule] : [], seen(2, 2, 2))).toEqual(['A'])
    expect(firing(rule ? [rule] : [], seen(2, 2, 0, 2, 2))).toEqual([])
  })
})
