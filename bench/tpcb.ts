import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { onPath } from './machine.ts'
import type { Service } from './service.ts'
import { administer } from './world.ts'

/** The yardstick: PostgreSQL's own TPC-B on the service's database server, in a database beside the service's. */

const CLIENTS = 32
const database = 'tpcb'
const pgbench = onPath('pgbench')
export const tpcbName = pgbench
  ? `pgbench TPC-B, prepared, ${CLIENTS} clients`
  : `our own TPC-B driver, ${CLIENTS} connections`
export const tpcbAdvice = pgbench
  ? undefined
  : 'no pgbench on the PATH: our own TPC-B driver is slower, the bars mean pgbench (Debian: apt install postgresql-contrib)'

/** The tables as `pgbench -i` makes them. */
export async function createTpcb(service: Service, scale: number): Promise<void> {
  await administer(service, (client) => client.query(`create database ${database}`))
  const statements = [
    'begin',
    'create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22))',
    'create table pgbench_tellers (tid int not null, bid int, tbalance int, filler char(84))',
    'create table pgbench_accounts (aid int not null, bid int, abalance int, filler char(84))',
    'create table pgbench_branches (bid int not null, bbalance int, filler char(88))',
    `insert into pgbench_branches select i, 0, '' from generate_series(1, ${scale}) i`,
    `insert into pgbench_tellers select i, (i - 1) / 10 + 1, 0, '' from generate_series(1, ${scale} * 10) i`,
    `insert into pgbench_accounts select i, (i - 1) / 100000 + 1, 0, '' from generate_series(1, ${scale} * 100000) i`,
    'alter table pgbench_branches add primary key (bid)',
    'alter table pgbench_tellers add primary key (tid)',
    'alter table pgbench_accounts add primary key (aid)',
    'commit',
    'vacuum analyze',
    'checkpoint',
  ]
  await administer(
    service,
    async (client) => {
      for (const statement of statements) await client.query(statement)
    },
    database,
  )
}

/** Transactions a second. */
export async function runTpcb(service: Service, scale: number, seconds: number): Promise<number> {
  return pgbench ? runPgbench(pgbench, service, seconds) : runDriver(service, scale, seconds)
}

async function runPgbench(program: string, { connection }: Service, seconds: number): Promise<number> {
  const { stdout } = await promisify(execFile)(program, [
    ...['-h', connection.host, '-p', String(connection.port), '-U', connection.user],
    ...['-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(seconds), database],
  ])
  const [, tps] = /tps = ([\d.]+) \(without initial connection time\)/.exec(stdout) ?? []
  if (tps === undefined || !/number of failed transactions: 0 /.test(stdout)) throw new Error(stdout)
  return Number(tps)
}

async function runDriver({ connection }: Service, scale: number, seconds: number): Promise<number> {
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client({ ...connection, database }))
  await Promise.all(clients.map((client) => client.connect()))
  let transactions = 0
  const startedMs = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - startedMs < seconds * 1000) {
        await transact(client, scale)
        transactions++
      }
    }),
  )
  const tookSeconds = (performance.now() - startedMs) / 1000
  await Promise.all(clients.map((client) => client.end()))
  return transactions / tookSeconds
}

async function transact(client: pg.Client, scale: number): Promise<void> {
  const [aid, tid, bid] = [upTo(100_000 * scale), upTo(10 * scale), upTo(scale)]
  const delta = upTo(10_001) - 5_001
  const statements: [string, unknown[]][] = [
    ['begin', []],
    ['update pgbench_accounts set abalance = abalance + $1 where aid = $2', [delta, aid]],
    ['select abalance from pgbench_accounts where aid = $1', [aid]],
    ['update pgbench_tellers set tbalance = tbalance + $1 where tid = $2', [delta, tid]],
    ['update pgbench_branches set bbalance = bbalance + $1 where bid = $2', [delta, bid]],
    [
      'insert into pgbench_history (tid, bid, aid, delta, mtime) values ($1, $2, $3, $4, current_timestamp)',
      [tid, bid, aid, delta],
    ],
    ['end', []],
  ]
  for (const [number, [text, values]] of statements.entries()) {
    await client.query({ name: `tpcb${number}`, text, values })
  }
}

function upTo(most: number): number {
  return 1 + Math.floor(Math.random() * most)
}
