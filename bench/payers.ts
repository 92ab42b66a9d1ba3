import { Agent, request } from 'node:http'
import { apiKey } from './service.ts'
import type { World } from './world.ts'

const CONNECTIONS = 32

export interface Stretch {
  seconds: number
  answers: number
  p99Ms: number
  slowestMs: number
  bad: string[]
}

/** Payments over so many connections, one after the other on each, from random accounts, each with a key of its own. */
export function startPayments(url: string, world: World) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const name = `payers-${process.pid}-${Date.now()}`
  let counter = 0
  let stopped = false
  let times: number[] = []
  let bad: string[] = []

  async function pay(): Promise<void> {
    while (!stopped) {
      const number = Math.floor(Math.random() * world.count)
      const counterpartyAccountId = String(world.firstExternal + number)
      const startedMs = performance.now()
      const path = `/v0/banking/accounts/${world.firstAccount + number}/payments`
      const body = { amount: 10_00, counterpartyAccountId, description: 'Rent', originalType: 'ACH' }
      const { status, text } = await post(agent, `${url}${path}`, `${name}-${counter++}`, body)
      times.push(performance.now() - startedMs)
      if (status !== 201) bad.push(`${status} ${text}`)
    }
  }

  const workers = Promise.all(Array.from({ length: CONNECTIONS }, pay))
  return {
    /** Measures the answers while `work` runs. */
    async during(work: () => Promise<unknown>): Promise<Stretch> {
      ;[times, bad] = [[], []]
      const startedMs = performance.now()
      await work()
      const endedMs = performance.now()
      const sorted = times.toSorted((a, b) => a - b)
      return {
        seconds: (endedMs - startedMs) / 1_000,
        answers: sorted.length,
        p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN,
        slowestMs: sorted.at(-1) ?? Number.NaN,
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
