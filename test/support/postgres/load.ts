import { setTimeout as sleep } from 'node:timers/promises'
import type { Service, ServiceReply } from '../service.ts'

/** Clients that pay without pause at two services, and repeat each payment under its key until it is acknowledged. */
export interface Load {
  /** The text of the acknowledgement of each key. */
  acknowledged: Map<string, string>
  /** Every request that was answered, in the order of answers. */
  answers: Answer[]
  /** Answers that no client may get. */
  wrong: string[]
  stop(): Promise<void>
}

export interface Answer {
  service: number
  sentMs: number
  ms: number
  status: number
}

/** A payment as a client sends it. */
export type Pay = (service: Service, key: string) => Promise<ServiceReply>

const PAUSE_MS = 20

export function startLoad(services: Service[], clients: number, pay: Pay): Load {
  const load: Load = { acknowledged: new Map(), answers: [], wrong: [], stop }
  let stopping = false
  const running = services.flatMap((service, number) =>
    Array.from({ length: clients }, async (_, client) => {
      for (let payment = 0; !stopping; payment++)
        await payUntilAcknowledged(service, number, `${number}-${client}-${payment}`)
    }),
  )

  async function payUntilAcknowledged(service: Service, number: number, key: string): Promise<void> {
    for (;;) {
      const sentMs = performance.now()
      const reply = await pay(service, key).catch((error: unknown) => String(error))
      const status = typeof reply === 'string' ? 0 : reply.status
      load.answers.push({ service: number, sentMs, ms: performance.now() - sentMs, status })
      if (typeof reply !== 'string' && status === 201) {
        load.acknowledged.set(key, reply.text)
        return void (await sleep(PAUSE_MS))
      }
      const code = typeof reply === 'string' ? reply : reply.json?.code
      if (status !== 503 && code !== 'idempotency_in_progress') load.wrong.push(`${status} ${code}`)
      await sleep(100)
    }
  }

  async function stop(): Promise<void> {
    stopping = true
    await Promise.all(running)
  }
  return load
}
