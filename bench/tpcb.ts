import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { onPath } from './machine.ts'
import type { Service } from './service.ts'
import { administer } from './world.ts'

/** The yardstick: PostgreSQL's own TPC-B on the service's database server, in a database beside the service's. */

const CLIENTS = 32
const database = 'tpcb'
const pgbench = onPath('pgbench')
export const tpcbName = `pgbench TPC-B, prepared, ${CLIENTS} clients`
export const tpcbAdvice = pgbench
  ? undefined
  : 'no pgbench on the PATH: nothing is compared with PostgreSQL itself (Debian: apt install postgresql-contrib)'

/** The tables as `pgbench -i` makes them. */
export async function createTpcb(service: Service, scale: number): Promise<void> {
  await createDatabase(service, database, [
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
  ])
}

/** A database beside the service's, filled in one transaction. */
export async function createDatabase(service: Service, name: string, statements: string[]): Promise<void> {
  await administer(service, (client) => client.query(`create database ${name}`))
  await administer(
    service,
    async (client) => {
      for (const statement of ['begin', ...statements, 'commit', 'vacuum analyze', 'checkpoint'])
        await client.query(statement)
    },
    name,
  )
}

/** Runs TPC-B and returns transactions a second; NaN without pgbench. */
export function runTpcb(service: Service, seconds: number): Promise<number> {
  return runPgbench(service, database, seconds)
}

/** The same of a script of statements. */
export async function runPgbench(
  { connection }: Service,
  name: string,
  seconds: number,
  script?: string,
): Promise<number> {
  if (!pgbench) return Number.NaN
  const { stdout } = await promisify(execFile)(pgbench, [
    ...['-h', connection.host, '-p', String(connection.port), '-U', connection.user, '-n'],
    ...(script === undefined ? [] : ['-f', script]),
    ...['-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(seconds), name],
  ])
  const [, tps] = /tps = ([\d.]+) \(without initial connection time\)/.exec(stdout) ?? []
  if (tps === undefined || !/number of failed transactions: 0 /.test(stdout)) throw new Error(stdout)
  return Number(tps)
}
