import { parseConfig } from '../../src/config.ts'
import { openRetention } from '../../src/retention/retention.ts'
import { checkLaws, type Desk } from '../desk.ts'
import { medianOf } from '../figures.ts'
import { load } from '../load.ts'
import { cpuMs } from '../machine.ts'
import { type Stretch, startPayments } from '../payers.ts'
import { apiKey } from '../service.ts'
import { type Bank, diskOf, keepAll, makeBank, restart } from './bank.ts'

export const growthConnections = 128
const REQUESTS = 60
const WARM_UP_REQUESTS = 10
/** A large set of rows has just been written: its pages are still on their way to the disk, and are logged whole at their first change. */
const WARM_UP_SECONDS = 60
const retention = { PURSER_KEEP_EVENTS: 'P90D' }
/** Old rows are deleted for so many times as long as another measurement takes, after some seconds in which the service starts. */
const PRUNED_TIMES = 4
const START_SECONDS = 5
const { keep } = parseConfig(retention)

/**
 * The requests of which the time may hardly depend on the number of payments. Each finds as many records in every database:
 * the accounts are the same, and each has a payment at least.
 */
const paths: Record<string, (bank: Bank, number: number) => string> = {
  'list of payments': () => '/v0/banking/payments?limit=100',
  'payments until an earlier day': ({ set, size }) =>
    `/v0/banking/payments?limit=100&until=${set.timeOf(Math.floor(size / 2))}`,
  'payments of an account': ({ set }, number) => `/v0/banking/payments?accountId=${set.firstAccount + number}&limit=1`,
  'transactions of an account': ({ set }, number) =>
    `/v0/banking/transactions?accountId=${set.firstAccount + number}&limit=2`,
  'search for the id of a payment': ({ set, size }, number) => `/v0/search?q=${set.paymentId(size - 1 - number)}`,
  'search for a name': (_bank, number) => `/v0/search?q=customer%20${number}`,
  'feed, newest first': () => '/v0/events?sort=-sequence&limit=100',
  'feed after a number': ({ set, size }) => `/v0/events?after=${set.firstEvent + size}&limit=100`,
  'events of a payment': ({ set, size }, number) =>
    `/v0/events?entityType=payment&entityId=${set.paymentId(Math.floor(size / 2) + number)}`,
  'one event': ({ set, size }, number) => `/v0/events/evt_${set.organisationId}_${set.firstEvent + size + number}`,
}
export const growthReads = Object.keys(paths)

/** Databases of different sizes, each with a service, measured in turn; afterwards old rows are deleted in each. */
export async function growthRounds(desk: Desk): Promise<void> {
  const banks: Bank[] = []
  for (const size of desk.options.sizes) {
    const bank = await makeBank(desk, size)
    banks.push(bank)
    const { files } = await diskOf(bank)
    desk.figures.add(`growth disk ${size}`, files)
    desk.say(`${size} payments: ${Math.round(files)} B a payment in all`)
  }
  for (let round = 0; round <= desk.options.rounds; round++) {
    // To and fro, so that none has the better place. The first round warms up.
    for (const bank of round % 2 === 1 ? banks : banks.toReversed()) await payIn(desk, bank, round > 0)
  }
  for (let round = 1; round <= desk.options.rounds; round++) await readFrom(desk, banks)
  for (const bank of banks) {
    await pruneIn(desk, bank)
    await checkLaws(bank.database)
    await bank.database.close()
    await bank.service.stop()
  }
}

async function payIn({ figures, options, say, fault }: Desk, { size, service, world }: Bank, noted: boolean) {
  const before = cpuMs(service.pid)
  const order = { kind: 'payments', url: service.url, connections: growthConnections, world } as const
  const { requests, seconds, bad } = await load({ ...order, seconds: noted ? options.seconds : WARM_UP_SECONDS })
  const after = cpuMs(service.pid)
  if (bad > 0) fault(`${size} payments stored: ${bad} of ${requests} answers were not 2xx`)
  if (!noted) return
  figures.add(`growth payments ${size}`, requests / seconds)
  const cpu = before && after && ((after.own + after.started - before.own - before.started) * 1_000) / requests
  if (cpu) figures.add(`growth cpu ${size}`, cpu)
  say(`${size} payments stored: ${Math.round(requests / seconds)}/s, CPU ${cpu?.toFixed(0)} µs a payment`)
}

/** Each request to each database in turn, one after the other. */
async function readFrom({ figures, options, fault }: Desk, banks: Bank[]): Promise<void> {
  const accounts = Math.min(options.accounts, ...banks.map(({ size }) => size))
  for (const [name, pathOf] of Object.entries(paths)) {
    const times = new Map<number, number[]>(banks.map(({ size }) => [size, []]))
    for (let asked = 0; asked < WARM_UP_REQUESTS + REQUESTS; asked++) {
      const number = (asked * 101) % accounts
      for (const bank of asked % 2 === 0 ? banks : banks.toReversed()) {
        const startedMs = performance.now()
        const response = await fetch(`${bank.service.url}${pathOf(bank, number)}`, {
          headers: { 'X-Service-API-Key': apiKey },
        })
        const { data } = (await response.json()) as { data?: unknown[] | object }
        if (asked >= WARM_UP_REQUESTS) times.get(bank.size)?.push(performance.now() - startedMs)
        if (response.status !== 200 || (Array.isArray(data) && data.length === 0))
          fault(`${name} among ${bank.size} payments answered ${response.status} without a record`)
      }
    }
    for (const [size, own] of times) figures.add(`growth ${name} ${size}`, medianOf(own) ?? Number.NaN)
  }
}

/**
 * Measures payments while nothing is deleted, and while the service deletes old rows at its own pace. Both services have just
 * started. Afterwards the rest is deleted, for the disk that is used then.
 */
async function pruneIn(desk: Desk, bank: Bank): Promise<void> {
  const { size } = bank
  const seconds = desk.options.seconds * PRUNED_TIMES
  const before = await payBeside(desk, bank, keepAll, seconds)
  const during = await payBeside(desk, bank, retention, seconds)
  if (during.deleted === 0) desk.fault(`${size} payments stored: no old rows were left to delete beside payments`)
  desk.figures.add(`growth pruned rows ${size}`, during.deleted / seconds)
  desk.figures.add(`growth slowest before ${size}`, before.slowestMs)
  desk.figures.add(`growth slowest during ${size}`, during.slowestMs)
  await pruneAll(bank.database, desk.say)
  const { files, used } = await diskOf(bank)
  desk.figures.add(`growth disk after ${size}`, used)
  desk.say(
    `${size} payments stored: payments beside nothing p99 ${before.p99Ms.toFixed(1)} ms, slowest ${before.slowestMs.toFixed(1)} ms; ` +
      `while ${Math.round(during.deleted / seconds)} rows/s are deleted p99 ${during.p99Ms.toFixed(1)} ms, ` +
      `slowest ${during.slowestMs.toFixed(1)} ms; ${Math.round(used)} B a payment afterwards, files ${Math.round(files)} B`,
  )
}

/** Payments of a service that was started with an environment, and the rows that it deleted meanwhile. */
async function payBeside(
  { fault }: Desk,
  bank: Bank,
  environment: Record<string, string>,
  seconds: number,
): Promise<Stretch & { deleted: number }> {
  await restart(bank, environment)
  const payments = startPayments(bank.service.url, bank.world)
  const wait = (forSeconds: number) => () => new Promise((resolve) => setTimeout(resolve, forSeconds * 1_000))
  await payments.during(wait(START_SECONDS))
  const before = await rowsOf(bank)
  const measured = await payments.during(wait(seconds))
  await payments.stop()
  const { answers, bad } = measured
  if (bad.length > 0) fault(`${bad.length} payments of ${answers} did not succeed, ${bad[0]}`)
  return { ...measured, deleted: before - (await rowsOf(bank)) }
}

/** The inserted rows that are left, of the kinds that are deleted. */
async function rowsOf({ database, set }: Bank): Promise<number> {
  const [row] = await database.query<{ rows: number }>(
    `select (select count(*) from answer where created_at < now() - interval '1 day')
       + (select count(*) from event_page where organisation_id = $1::bigint and created_at < now() - interval '1 day')
       + (select count(*) from webhook_delivery where created_at < now() - interval '1 day') as rows`,
    [set.organisationId],
    'once',
  )
  return row?.rows ?? 0
}

/** Runs without a pause until every kind of row has been walked through, beside the service. */
async function pruneAll(database: Bank['database'], say: Desk['say']): Promise<void> {
  const failed = ({ message, cause }: Error) => say(`${message}: ${cause}`)
  const { prune } = openRetention({ database, keep, failed, limits: { pause: 0 } })
  const finished = async () => {
    const [row] = await database.query<{ kinds: number }>(
      `select count(*) as kinds from retention_progress
       where kind = any(array['answers', 'deliveries', 'events']) and rested_from is not null`,
    )
    return row?.kinds === 3
  }
  do await prune()
  while (!(await finished()))
}
