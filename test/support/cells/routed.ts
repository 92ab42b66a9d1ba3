import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply, TestBank } from '../harness.ts'
import type { TwoCells } from './two-cells.ts'

/** A caller of one organisation, wherever it is, that repeats what is refused for a moment. */
export interface Routed {
  /** With the calls of a bank, by the key of the organisation. */
  bank: TestBank
  key: string
  /** How many calls were refused because the organisation moved. */
  refused(): number
}

/** Calls the cell that knew the key last, then the other one. A gateway does so by itself. */
export async function openRouted(cells: TwoCells, organisation: string): Promise<Routed> {
  const key = await cells.home.bank.makeKey(organisation, null)
  let [last, other] = [cells.home.bank, cells.east.bank]
  let refusals = 0
  const call: TestBank['call'] = async (method, path, options = {}) => {
    for (;;) {
      const reply: Reply = await last.call(method, path, { key, ...options })
      if (reply.status === 401) [last, other] = [other, last]
      else if (reply.status !== 503) return reply
      else refusals++
      await sleep(reply.status === 503 ? 20 : 5)
    }
  }
  return { bank: { ...cells.home.bank, call, key }, key, refused: () => refusals }
}

/** Payments one after the other from several clients, each with a key of its own, until it is stopped. */
export function startPayments(
  { bank }: Routed,
  pay: (bank: TestBank, key: string) => Promise<Reply>,
  { clients, restMs }: { clients: number; restMs: number },
) {
  const paid = new Map<string, string>()
  let stopped = false
  const run = async (client: number) => {
    for (let number = 0; !stopped; number++) {
      const key = `client-${client}-${number}`
      const { status, text, json } = await pay(bank, key)
      if (status !== 201) throw new Error(`a payment was answered ${status}: ${text}`)
      paid.set(key, json.data.id)
      await sleep(restMs)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, client) => run(client)))
  running.catch(() => undefined)
  return {
    /** The ids of the payments that were acknowledged, by their idempotency keys. */
    paid,
    stop: async () => {
      stopped = true
      await running
    },
  }
}

/** Follows the feed from its beginning with long polls, as an app does. */
export function followFeed({ bank }: Routed) {
  const events: { sequence: number; type: string; entityId: string }[] = []
  let stopped = false
  const run = async () => {
    for (let after = 0; !stopped; ) {
      const { status, text, json } = await bank.call('GET', `/v0/events?after=${after}&wait=1&limit=200`)
      if (status !== 200) throw new Error(`the feed was answered ${status}: ${text}`)
      for (const { sequence, type, data } of json.data) events.push({ sequence, type, entityId: data.id })
      after = events.at(-1)?.sequence ?? 0
    }
  }
  const running = run()
  running.catch(() => undefined)
  return {
    events,
    stop: async () => {
      stopped = true
      await running
    },
  }
}
