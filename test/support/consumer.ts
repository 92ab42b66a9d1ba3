import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { expect } from 'vitest'
import type { WorkerOptions } from '../../src/webhooks/delivery/worker.ts'
import type { TestBank } from './harness.ts'

export interface Received {
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read events as the JSON they are
  event: any
}

export interface ConsumerAnswer {
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Delay of the answer. */
  ms?: number
}

/** A server that webhooks are sent to. */
export interface Consumer {
  url: string
  /** The requests received, in order. */
  received: Received[]
  /** Makes the answer; 204 unless set. */
  answer: (received: Received) => ConsumerAnswer | Promise<ConsumerAnswer>
  /** Number of open requests, now and at most. */
  open: number
  maxOpen: number
  close(): Promise<void>
}

export async function openConsumer(): Promise<Consumer> {
  const server = createServer(async (request, response) => {
    consumer.maxOpen = Math.max(consumer.maxOpen, ++consumer.open)
    response.on('close', () => consumer.open--)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const received = { headers: request.headers, body, event: JSON.parse(body) }
    consumer.received.push(received)
    const { status = 204, headers = {}, body: text = '', ms = 0 } = await consumer.answer(received)
    if (ms > 0) await sleep(ms)
    response.writeHead(status, headers).end(text)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const consumer: Consumer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received: [],
    answer: () => ({}),
    open: 0,
    maxOpen: 0,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return consumer
}

/** Verifies a delivery with both libraries of the specification; throws for a wrong signature. */
export function verify(secret: string, { headers, body }: Pick<Received, 'headers' | 'body'>): void {
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  )
  new Webhook(secret).verify(body, signed)
  new SvixWebhook(secret).verify(body, signed)
}

export interface Endpoint {
  id: string
  secret: string
}

export async function makeEndpoint(
  bank: TestBank,
  url: string,
  events: string[] = ['payment.*'],
  key = bank.key,
): Promise<Endpoint> {
  const { status, text, json } = await bank.call('POST', '/v0/webhook-endpoints', { key, body: { url, events } })
  expect(status, text).toBe(201)
  return json.data
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
export async function deliveriesOf(bank: TestBank, endpointId: string, query = ''): Promise<any[]> {
  const { status, text, json } = await bank.call('GET', `/v0/webhook-endpoints/${endpointId}/deliveries?${query}`)
  expect(status, text).toBe(200)
  return json.data
}

/** The ends of the turns of a worker, for tests that nothing is sent. The bank is opened with `turns`. */
export interface WatchedWorker {
  turns: NonNullable<WorkerOptions['turns']>
  /** Resolves when the worker has looked once more for events and for due deliveries, and has claimed those there are. */
  lookedAgain(bank: TestBank): Promise<void>
  /** The same, and the outcome of every delivery that was claimed is written. */
  workedOff(bank: TestBank): Promise<void>
}

export function watchWorker(): WatchedWorker {
  const waiting: { resolve(): void; reject(error: Error): void }[] = []
  async function lookedAgain({ worker }: TestBank): Promise<void> {
    const turned = new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }))
    worker.changed()
    await turned
    // The worker reports a turn right before it can begin the next one.
    await new Promise((next) => setImmediate(next))
  }
  return {
    turns: {
      succeeded() {
        for (const { resolve } of waiting.splice(0)) resolve()
      },
      failed(error) {
        for (const { reject } of waiting.splice(0)) reject(error)
      },
    },
    lookedAgain,
    async workedOff(bank) {
      await lookedAgain(bank)
      const leased = () => bank.database.query(`select id from webhook_delivery where lease is not null`)
      await expect.poll(leased).toEqual([])
    },
  }
}
