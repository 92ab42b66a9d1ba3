import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentSet } from '../../test/support/sets/payments.ts'
import { post } from '../payers.ts'

/** Payments a second. Each starts at its time, whether those before it have been answered or not. */
const RATE = 50

export interface Measured {
  answers: number
  p99Ms: number
  slowestMs: number
  bad: string[]
}

/** Single payments at a steady rate from random accounts of a set, each with a key of its own. */
export function startSteadyPayments(url: string, set: Pick<PaymentSet, 'accounts' | 'firstAccount' | 'firstExternal'>) {
  const agent = new Agent({ keepAlive: true })
  const name = `steady-${process.pid}-${Date.now()}`
  const stopping = new AbortController()
  const underWay = new Set<Promise<void>>()
  let times: number[] = []
  let bad: string[] = []

  async function pay(number: number, dueMs: number): Promise<void> {
    const account = Math.floor(Math.random() * set.accounts)
    const path = `/v0/banking/accounts/${set.firstAccount + account}/payments`
    const counterpartyAccountId = String(set.firstExternal + account)
    const body = { amount: 1_00, counterpartyAccountId, description: 'Rent', originalType: 'ACH' }
    const { status, text } = await post(agent, `${url}${path}`, `${name}-${number}`, body)
    times.push(performance.now() - dueMs)
    if (status !== 201) bad.push(`${status} ${text}`)
  }

  async function run(): Promise<void> {
    const startedMs = performance.now()
    for (let number = 0; !stopping.signal.aborted; number++) {
      const dueMs = startedMs + (number * 1_000) / RATE
      const waitMs = dueMs - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      // A delay of this process is not the service's.
      const payment = pay(number, Math.max(dueMs, performance.now())).finally(() => underWay.delete(payment))
      underWay.add(payment)
    }
    await Promise.all(underWay)
  }

  const running = run()
  return {
    /** Forgets the answers so far. Those that are under way count from here on. */
    forget(): void {
      ;[times, bad] = [[], []]
    },
    /** The answers since then, those under way included. */
    async measured(): Promise<Measured> {
      await Promise.all(underWay)
      const sorted = times.toSorted((a, b) => a - b)
      return {
        answers: sorted.length,
        p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN,
        slowestMs: sorted.at(-1) ?? Number.NaN,
        bad,
      }
    },
    async stop(): Promise<void> {
      stopping.abort()
      await running
      agent.destroy()
    },
  }
}
