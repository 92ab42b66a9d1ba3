import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { onPath } from './machine.ts'
import { apiKey, root } from './service.ts'
import type { World } from './world.ts'

/** Requests against one server for a while: each to a random account, each payment with a key of its own. */
export interface Load {
  kind: 'payments' | 'accounts'
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
export const generator = wrk ? 'wrk' : 'autocannon'
export const generatorAdvice = wrk
  ? undefined
  : 'no wrk on the PATH: autocannon takes a core to itself, the bars mean wrk (Debian: apt install wrk)'

let runs = 0

export function load(order: Load): Promise<Measured> {
  const name = `bench-${process.pid}-${Date.now()}-${runs++}`
  return wrk ? runWrk(wrk, name, order) : runAutocannon(name, order)
}

/** Runs wrk with one thread, which is enough to saturate any server of the benchmark and leaves it the other cores. */
async function runWrk(program: string, name: string, { kind, url, connections, seconds, world }: Load) {
  const { count, firstAccount, firstExternal } = world
  const { stdout } = await promisify(execFile)(program, [
    ...['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '20s'],
    ...['-s', join(root, 'bench/load.lua'), url, '--'],
    ...[kind, name, apiKey, count, firstAccount, firstExternal].map(String),
  ])
  return JSON.parse(stdout.slice(stdout.lastIndexOf('{'))) as Measured
}

async function runAutocannon(name: string, { kind, url, connections, seconds, world }: Load): Promise<Measured> {
  let counter = 0
  const headers = { 'X-Service-API-Key': apiKey, 'Content-Type': 'application/json' }
  const setupRequest = (request: object) => {
    const number = Math.floor(Math.random() * world.count)
    const path = `/v0/banking/accounts/${world.firstAccount + number}`
    if (kind === 'accounts') return { ...request, path }
    const counterpartyAccountId = String(world.firstExternal + number)
    return {
      ...request,
      path: `${path}/payments`,
      headers: { ...headers, 'Idempotency-Key': `${name}-${counter++}` },
      body: JSON.stringify({ amount: 10_00, counterpartyAccountId, description: 'Rent', originalType: 'ACH' }),
    }
  }
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 20,
    headers,
    requests: [{ method: kind === 'payments' ? 'POST' : 'GET', setupRequest }],
  })
  return {
    requests: result['2xx'],
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    bad: result.non2xx + result.errors + result.timeouts,
  }
}
