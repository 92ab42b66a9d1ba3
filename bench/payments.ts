import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, measure } from './desk.ts'
import { meanOf } from './figures.ts'
import { pssBytes } from './machine.ts'
import { runTpcb } from './tpcb.ts'
import { administer } from './world.ts'

export const paymentConnections = [64, 128, 256]
export const barePostConnections = 128

/** One round of payments over HTTP, and of a server that only does HTTP, between two runs of TPC-B on the same database. */
export async function paymentRound(bench: Bench): Promise<void> {
  const { service, figures, options, say } = bench
  async function runReference(): Promise<number> {
    const tps = await runTpcb(service, options.seconds)
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
