import { Agent, request } from 'node:http'
import type { Bench } from './desk.ts'
import { apiKey, call } from './service.ts'
import { administer, type World } from './world.ts'

export const turnConnections = 32

/** One month's turn while payments run, beside the same payments before it. */
export async function turnRound(bench: Bench): Promise<void> {
  const { service, figures, options, world, say, fault } = bench
  const payments = startPayments(service.url, world)
  await payments.during(() => new Promise((resolve) => setTimeout(resolve, 1_000)))
  const before = await payments.during(() => new Promise((resolve) => setTimeout(resolve, options.seconds * 1_000)))
  const { now } = await call(service.url, 'GET', '/v0/sandbox/clock')
  const to = new Date(Date.UTC(Number(now.slice(0, 4)), Number(now.slice(5, 7)), 1)).toISOString()
  const during = await payments.during(() => call(service.url, 'POST', '/v0/sandbox/clock/advance', { to }))
  await payments.stop()
  for (const [name, { seconds, answers, p99Ms, gapMs, bad }] of Object.entries({
    'before the turn': before,
    turn: during,
  })) {
    figures.add(`${name} seconds`, seconds)
    figures.add(name, answers / seconds)
    figures.add(`${name} p99`, p99Ms)
    figures.add(`${name} gap`, gapMs)
    say(
      `${name} ${seconds.toFixed(1)} s, payments ${Math.round(answers / seconds)}/s, p99 ${p99Ms.toFixed(1)} ms, ` +
        `worst gap ${gapMs.toFixed(1)} ms`,
    )
    if (bad.length > 0) fault(`${name}: ${bad.length} payments of ${answers} did not succeed, ${bad[0]}`)
  }
  await checkStatements(bench, now.slice(0, 7))
}

interface Stretch {
  seconds: number
  answers: number
  p99Ms: number
  slowestMs: number
  /** The longest time between two consecutive answers of any connection. */
  gapMs: number
  bad: string[]
}

/** Payments over so many connections, one after the other on each, from random accounts, each with a key of its own. */
export function startPayments(url: string, world: World) {
  const agent = new Agent({ keepAlive: true, maxSockets: turnConnections })
  const name = `turn-${process.pid}-${Date.now()}`
  let counter = 0
  let stopped = false
  let times: number[] = []
  let lastMs = performance.now()
  let gapMs = 0
  let bad: string[] = []

  async function pay(): Promise<void> {
    while (!stopped) {
      const number = Math.floor(Math.random() * world.count)
      const counterpartyAccountId = String(world.firstExternal + number)
      const startedMs = performance.now()
      const path = `/v0/banking/accounts/${world.firstAccount + number}/payments`
      const body = { amount: 10_00, counterpartyAccountId, description: 'Rent', originalType: 'ACH' }
      const { status, text } = await post(agent, `${url}${path}`, `${name}-${counter++}`, body)
      const answeredMs = performance.now()
      times.push(answeredMs - startedMs)
      gapMs = Math.max(gapMs, answeredMs - lastMs)
      lastMs = answeredMs
      if (status !== 201) bad.push(`${status} ${text}`)
    }
  }

  const workers = Promise.all(Array.from({ length: turnConnections }, pay))
  return {
    /** Measures the answers while `work` runs. */
    async during(work: () => Promise<unknown>): Promise<Stretch> {
      ;[times, gapMs, bad] = [[], 0, []]
      const startedMs = performance.now()
      await work()
      const endedMs = performance.now()
      const sorted = times.toSorted((a, b) => a - b)
      return {
        seconds: (endedMs - startedMs) / 1_000,
        answers: sorted.length,
        p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN,
        slowestMs: sorted.at(-1) ?? Number.NaN,
        // Silence that lasts until the end counts as well.
        gapMs: Math.max(gapMs, endedMs - lastMs),
        bad,
      }
    },
    async stop(): Promise<void> {
      stopped = true
      await workers
      agent.destroy()
    },
  }
}

/** One payment or another write with a key of its own. A connection that breaks is status 0. */
export function post(
  agent: Agent,
  address: string,
  key: string,
  body: unknown,
  holder = apiKey,
): Promise<{ status: number; text: string }> {
  const headers = { 'X-Service-API-Key': holder, 'Content-Type': 'application/json', 'Idempotency-Key': key }
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, text: error.message })
    const sent = request(address, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text })).on('error', failed)
    })
    sent.on('error', failed).end(JSON.stringify(body))
  })
}

async function checkStatements({ service, world, fault }: Bench, period: string): Promise<void> {
  const { rows } = await administer(service, (client) =>
    client.query<{ statements: string; accounts: string }>(
      `select count(*) as statements, count(distinct account_id) as accounts from statement
       where period = $1 and account_id between $2 and $3`,
      [period, world.firstAccount, world.firstAccount + world.count - 1],
    ),
  )
  const [found] = rows
  if (Number(found?.statements) !== world.count || Number(found?.accounts) !== world.count)
    fault(`${world.count} accounts have ${found?.statements} statements of ${period}, ${found?.accounts} of them one`)
}
