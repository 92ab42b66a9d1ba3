import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Desk } from '../desk.ts'
import type { Figures } from '../figures.ts'
import { load, type Measured } from '../load.ts'
import { amount, latency, type Row, shown } from '../report/format.ts'
import { type Service, scratchFolder, startService } from '../service.ts'
import { type OtherServer, runSockets } from '../sockets.ts'
import { createDatabase, createTpcb, runPgbench, runTpcb, tpcbName } from '../tpcb.ts'
import { createWorld, type World } from '../world.ts'

const CONNECTIONS = 128
/** All accounts pay equally often, or one of them makes three fifths of the payments. */
const shapes = [
  { name: 'uniform', skew: undefined },
  { name: 'Zipf 2.0', skew: 2 },
] as const
type Shape = (typeof shapes)[number]
/** The least that payments of a hot account may be, in times of those of all accounts. */
export const hotBar = 0.8

const plainDatabase = 'plain'
const plainName = 'one PostgreSQL transaction a payment'

/**
 * Payments of Purser beside the same written by hand: one transaction a payment, which takes the money from one account, gives it to
 * another, and notes the transfer and the key. It has no HTTP, no events, no limits and no history. Other servers are those of `--peers`.
 */
export async function peerRounds(desk: Desk): Promise<void> {
  const { options, figures, say } = desk
  const service = await startService(scratchFolder())
  const world = await createWorld(service, options.accounts)
  await createTpcb(service, options.scale)
  await createPlain(service, world.count)
  const others = options.peers.map((file) => JSON.parse(readFileSync(file, 'utf8')) as OtherServer)
  for (let round = 0; round <= options.rounds; round++) {
    // The first round warms up.
    const noted = round > 0
    const note = (name: string, perSecond: number) => {
      if (noted) figures.add(`peers ${name}`, perSecond)
      say(`${name} ${Math.round(perSecond)}/s`)
    }
    for (const shape of shapes) {
      await payTo(desk, { service, world, shape, noted, note })
      const script = plainScript(world.count, shape)
      note(`${plainName}, ${shape.name}`, await runPgbench(service, plainDatabase, options.seconds, script))
      for (const other of others) await payToOther(desk, other, world, { shape, noted, note })
    }
    note(tpcbName, await runTpcb(service, options.seconds))
  }
  await service.stop()
}

interface Turn {
  shape: Shape
  noted: boolean
  note(name: string, perSecond: number): void
}

async function payTo(desk: Desk, { service, world, shape, ...turn }: Turn & { service: Service; world: World }) {
  const order = { kind: 'payments', url: service.url, connections: CONNECTIONS, world, skew: shape.skew } as const
  const measured = await load({ ...order, seconds: desk.options.seconds })
  noteRequests(desk, `Purser, ${shape.name}`, measured, { shape, ...turn })
}

async function payToOther(desk: Desk, other: OtherServer, world: World, turn: Turn): Promise<void> {
  const order = { kind: 'payments', url: other.url, connections: CONNECTIONS, world, skew: turn.shape.skew } as const
  const measured = await runSockets(
    `peer-${process.pid}-${Date.now()}`,
    { ...order, seconds: desk.options.seconds },
    other,
  )
  noteRequests(desk, `${other.name}, ${turn.shape.name}`, measured, turn)
}

function noteRequests({ figures, fault }: Desk, name: string, measured: Measured, { noted, note }: Turn): void {
  const { requests, seconds, p50Ms, p99Ms, bad } = measured
  note(name, requests / seconds)
  if (bad > 0) fault(`${name}: ${bad} of ${requests} answers were not 2xx`)
  if (!noted) return
  figures.add(`peers ${name} p50`, p50Ms)
  figures.add(`peers ${name} p99`, p99Ms)
}

/** Accounts that pay, and as many others that are paid: no two transactions lock two accounts in different orders. */
async function createPlain(service: Service, count: number): Promise<void> {
  await createDatabase(service, plainDatabase, [
    'create table account (id bigint not null, balance bigint not null)',
    `create table transfer (id bigint generated always as identity primary key, debit_id bigint not null, credit_id bigint not null,
       amount bigint not null, created_at timestamptz not null)`,
    'create table answer (key uuid primary key, transfer_id bigint not null)',
    `insert into account select i, 1000000000 from generate_series(1, ${2 * count}) i`,
    'alter table account add primary key (id)',
  ])
}

function plainScript(count: number, { skew }: Shape): string {
  const file = join(scratchFolder(), 'plain.sql')
  const payer = skew === undefined ? `random(1, ${count})` : `random_zipfian(1, ${count}, ${skew.toFixed(1)})`
  const lines = [
    `\\set payer ${payer}`,
    `\\set payee random(${count + 1}, ${2 * count})`,
    'begin;',
    'update account set balance = balance - 1000 where id = :payer and balance >= 1000;',
    'update account set balance = balance + 1000 where id = :payee;',
    `with made as (
       insert into transfer (debit_id, credit_id, amount, created_at) values (:payer, :payee, 1000, now()) returning id)
     insert into answer (key, transfer_id) select gen_random_uuid(), id from made;`.replaceAll(/\s+/g, ' '),
    'end;',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

export function peerRows(figures: Figures, peers: string[]): Row[] {
  const others = peers.map((file) => (JSON.parse(readFileSync(file, 'utf8')) as OtherServer).name)
  const served = ['Purser', ...others].flatMap((server) =>
    shapes.map(({ name }): Row => {
      const label = `peers ${server}, ${name}`
      const against = shown(figures.ratio(label, `peers ${plainName}, ${name}`), 'that')
      return [`${server}, ${name}`, amount(figures.median(label), '/s'), against, latency(figures, label)]
    }),
  )
  const plain = shapes.map(({ name }): Row => {
    const label = `${plainName}, ${name}`
    return [label, amount(figures.median(`peers ${label}`), '/s')]
  })
  return [...plain, ...served, [tpcbName, amount(figures.median(`peers ${tpcbName}`), '/s')]]
}

/** Payments of the hot accounts against those of all. */
export function hotShare(figures: Figures): number | undefined {
  return figures.ratio('peers Purser, Zipf 2.0', 'peers Purser, uniform')?.median
}
