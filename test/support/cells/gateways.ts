import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply, TestBank } from '../harness.ts'
import type { Service } from '../service.ts'
import type { Routed } from './routed.ts'

/** A caller of an organisation at several services, who repeats a call at the next one if the first has no answer. */
export interface Gateways extends Routed {
  /** Answers that no caller may get, whatever the cells do. */
  wrong: string[]
}

/** `isDead` names the services that a test has killed. */
export function openGateways(services: Service[], key: string, isDead: (service: Service) => boolean): Gateways {
  const wrong: string[] = []
  let refusals = 0
  let turn = 0

  async function attempt(
    service: Service,
    method: string,
    path: string,
    options: Parameters<TestBank['call']>[2] = {},
  ) {
    const idempotencyKey = options.headers?.['idempotency-key']
    const call = { key, body: options.body, ...(idempotencyKey && { idempotencyKey }) }
    const reply = await service.call(method, path, call)
    return { ...reply, headers: Object.fromEntries(reply.headers) } as unknown as Reply
  }

  const call: TestBank['call'] = async (method, path, options) => {
    for (;;) {
      const service = services[turn++ % services.length] as Service
      const reply = await attempt(service, method, path, options).catch((error: unknown) => {
        if (!isDead(service)) wrong.push(`${method} ${path}: ${error}`)
      })
      if (reply && reply.status < 300) return reply
      if (reply?.status === 503 && Number(reply.headers['retry-after']) > 0) refusals++
      else if (reply) wrong.push(`${method} ${path}: ${reply.status} ${reply.text}`)
      await sleep(20)
    }
  }
  return { bank: { call, key } as TestBank, key, wrong, refused: () => refusals }
}
