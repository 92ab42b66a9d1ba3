import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, type Desk, measure } from './desk.ts'
import { meanOf } from './figures.ts'
import type { LaneOrder, LaneResult } from './lane.ts'
import { load } from './load.ts'
import { cpuMs, pssBytes } from './machine.ts'
import { root, type Service, scratchFolder, startProgram, startService, withEvents } from './service.ts'
import { runTpcb } from './tpcb.ts'
import { administer, createWorld, type World } from './world.ts'

export const paymentConnections = [64, 128, 256]
export const barePostConnections = 128
export const outstanding = 500

/** One round of payments over HTTP, and of a server that only does HTTP, between two runs of TPC-B on the same database. */
export async function paymentRound(bench: Bench): Promise<void> {
  const { service, figures, options, say } = bench
  async function runReference(): Promise<number> {
    const tps = await runTpcb(service, options.scale, options.seconds)
    say(`TPC-B ${Math.round(tps)}/s`)
    return tps
  }
  const before = await runReference()
  for (const connections of paymentConnections) {
    const earlier = await standing(bench)
    const { requests } = await measure(bench, 'payments', { kind: 'payments', url: service.url, connections })
    const later = await standing(bench)
    const made = later.payments - earlier.payments
    // Payments in progress when the load ended are committed, too, without an answer.
    if (made < requests || made > requests + connections)
      bench.fault(`${requests} payments were acknowledged, ${made} are in the database`)
    figures.add('disk', (later.databaseBytes - earlier.databaseBytes) / made)
    figures.add('wal', (later.walBytes - earlier.walBytes) / made)
    const pss = pssBytes(service.pid)
    if (pss !== undefined) figures.add('pss', pss)
  }
  await measure(bench, 'bare payments', { kind: 'payments', url: bench.bareUrl, connections: barePostConnections })
  figures.add('tpcb', meanOf([before, await runReference()]))
}

/** One round of the lane without HTTP, and of the same with one payment a transaction. */
export async function laneRound({ service, world, figures, options, say }: Bench): Promise<void> {
  for (const [name, maxInBatch] of [
    ['lane', 500],
    ['unbatched', 1],
  ] as const) {
    const { connection } = service
    const { seconds, entry } = options
    const order: LaneOrder = { connection, world, seconds, outstanding, maxInBatch, events: entry === withEvents }
    const { said, stop } = await startProgram<LaneResult>('lane', order)
    await stop()
    figures.add(name, said.perSecond)
    say(`${name} ${Math.round(said.perSecond)}/s`)
  }
}

async function standing({ service }: Bench) {
  // Long enough for what was under way.
  await sleep(300)
  return administer(service, async (client) => {
    const { rows } = await client.query<Record<'payments' | 'databaseBytes' | 'walBytes', string>>(
      `select (select count(*) from payment) as payments, pg_database_size(current_database()) as "databaseBytes",
         pg_current_wal_insert_lsn() - '0/0' as "walBytes"`,
    )
    const [row] = rows
    return {
      payments: Number(row?.payments),
      databaseBytes: Number(row?.databaseBytes),
      walBytes: Number(row?.walBytes),
    }
  })
}

const comparedConnections = 128

/** A version of the service that runs during the whole comparison. */
interface Version {
  name: 'before' | 'now'
  service: Service
  world: World
}

/** CPU time a payment of this version and of an earlier commit, in turn on one machine. */
export async function cpuRounds(desk: Desk): Promise<void> {
  const { options, say } = desk
  say(`CPU time a payment, against ${options.against}`)
  const versions: Version[] = []
  for (const [name, checkout] of [
    ['before', checkoutOf(options.against)],
    ['now', root],
  ] as const) {
    const service = await startService(scratchFolder(), { checkout })
    versions.push({ name, service, world: await createWorld(service, options.accounts) })
  }
  for (let round = 0; round <= options.rounds; round++) {
    // To and fro, so that none has the better place. The first round warms up.
    for (const version of round % 2 === 1 ? versions : versions.toReversed()) await payFor(desk, version, round > 0)
  }
  for (const { service } of versions) await service.stop()
}

async function payFor({ figures, options, say }: Desk, { name, service, world }: Version, noted: boolean) {
  const before = cpuMs(service.pid)
  const order = { kind: 'payments', url: service.url, connections: comparedConnections } as const
  const { requests } = await load({ ...order, seconds: options.seconds, world })
  const after = cpuMs(service.pid)
  if (!noted || !before || !after) return
  const [own, database] = [after.own - before.own, after.started - before.started].map((ms) => (ms * 1_000) / requests)
  figures.add(`service cpu ${name}`, own ?? 0)
  figures.add(`database cpu ${name}`, database ?? 0)
  say(`${name}: service ${own?.toFixed(0)} µs, database ${database?.toFixed(0)} µs a payment`)
}

/** The files of an earlier commit, with the dependencies of this one. */
function checkoutOf(commit: string): string {
  const folder = join(scratchFolder(), 'checkout')
  mkdirSync(folder)
  const files = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: files })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
