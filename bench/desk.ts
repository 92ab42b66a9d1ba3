import { openSteps, type Steps } from '../src/base/progress.ts'
import type { Database } from '../src/database/database.ts'
import { verifyLedger } from '../src/ledger/verify.ts'
import type { Figures } from './figures.ts'
import { type Load, load, type Measured } from './load.ts'
import type { Service } from './service.ts'
import type { World } from './world.ts'

export interface Options {
  only: string[]
  seconds: number
  rounds: number
  accounts: number
  /** TPC-B's size: 100,000 accounts each. */
  scale: number
  /** A folder for a CPU profile of the service; it costs some speed. */
  profile: string | undefined
  /** The commit that CPU time is compared with. */
  against: string
  /** How many payments the databases of `growth` hold. */
  sizes: number[]
  /** The files that describe other servers for `peers`. */
  peers: string[]
}

/** The context of every part of the benchmark. */
export interface Bench {
  options: Options
  figures: Figures
  service: Service
  bareUrl: string
  world: World
  say(line: string): void
  /** Something was wrong, not slow: the run goes on and ends with exit code 1. */
  fault(line: string): void
}

/** The context of the parts that start services of their own. */
export type Desk = Pick<Bench, 'options' | 'figures' | 'say' | 'fault'>

export async function checkLaws(database: Database): Promise<void> {
  say('the laws of the ledger are checked')
  for (const { law, rows } of await verifyLedger(database)) fault(`broken: ${law}, ${JSON.stringify(rows[0])}`)
}

/** One run of load, noted under its name and its number of connections. */
export async function measure(
  { figures, options, world, fault }: Desk & Pick<Bench, 'world'>,
  name: string,
  order: Pick<Load, 'kind' | 'url' | 'connections'>,
): Promise<Measured> {
  const measured = await load({ ...order, seconds: options.seconds, world })
  const { requests, seconds, p50Ms, p99Ms, bad } = measured
  const label = `${name} ${order.connections}`
  figures.add(label, requests / seconds)
  figures.add(`${label} p50`, p50Ms)
  figures.add(`${label} p99`, p99Ms)
  say(
    `${label} connections ${Math.round(requests / seconds)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  )
  if (bad > 0) fault(`${label}: ${bad} of ${requests} answers were not 2xx`)
  return measured
}

let bar: Steps | undefined

/** On a terminal a bar shows how many of the steps are done. */
export function expectSteps(count: number): void {
  bar = openSteps(count)
}

/** Runs a part of the measurements, as one step of the bar. */
export function step<T>(label: string, work: () => Promise<T>): Promise<T> {
  return bar ? bar.run(label, work) : work()
}

export function say(line: string): void {
  if (bar) bar.say(line)
  else process.stdout.write(`${line}\n`)
}

export function fault(line: string): void {
  if (bar && process.stderr.isTTY) bar.say(`WRONG: ${line}`)
  else process.stderr.write(`WRONG: ${line}\n`)
  process.exitCode = 1
}
