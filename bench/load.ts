import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onPath } from './machine.ts'
import { apiKey, root } from './service.ts'
import { runSockets } from './sockets.ts'
import type { World } from './world.ts'

/** Requests against one server for a while: each to a random account, each payment with a key of its own. */
export interface Load {
  kind: 'payments' | 'accounts' | 'paths'
  /** The paths to GET, one of them at random, if the kind is `paths`. */
  paths?: string[] | undefined
  /** The exponent of Zipf's law, by which few accounts get most of the requests; all are alike without it. */
  skew?: number | undefined
  url: string
  connections: number
  seconds: number
  world: World
}

export interface Measured {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** Answers other than 2xx, and connections that failed. */
  bad: number
}

const wrk = onPath('wrk')
export const generator = wrk ? 'wrk' : 'sockets of this process'
export const generatorAdvice = wrk
  ? undefined
  : 'no wrk on the PATH: the load takes three times its CPU time from the service, and the bars mean wrk (Debian: apt install wrk)'

let runs = 0

export function load(order: Load): Promise<Measured> {
  const name = `bench-${process.pid}-${Date.now()}-${runs++}`
  return wrk ? runWrk(wrk, name, order) : runSockets(name, order)
}

/** Runs wrk with one thread, which is enough to saturate any server of the benchmark and leaves it the other cores. */
async function runWrk(program: string, name: string, order: Load) {
  const { kind, paths = [], skew = 0, url, connections, seconds, world } = order
  const { count, firstAccount, firstExternal } = world
  const { stdout } = await promisify(execFile)(program, [
    ...['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '20s'],
    ...['-s', join(root, 'bench/load.lua'), url, '--'],
    ...[kind, name, apiKey, count, firstAccount, firstExternal, skew, ...paths].map(String),
  ])
  return JSON.parse(stdout.slice(stdout.lastIndexOf('{'))) as Measured
}
