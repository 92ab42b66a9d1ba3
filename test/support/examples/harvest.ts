import { expect, vi } from 'vitest'
import type { Operation } from '../../../src/base/operation.ts'
import type { Event } from '../../../src/events/event.ts'
import type { EventTypeInfo } from '../../../src/events/list-event-types.ts'
import { operations } from '../../../src/operations.ts'
import type { TestBankOptions } from '../bank/options.ts'
import { type Consumer, openConsumer } from '../consumer.ts'
import { openTestBank, type TestBank } from '../harness.ts'
import { smallCatalogue } from '../offers.ts'
import { testAch } from '../rails/ach.ts'
import { sampleRequest, schemaOf } from '../schemas/samples.ts'
import type { World } from '../world.ts'
import { type Example, openRecorder, type Recorder } from './recorder.ts'
import { Stability } from './stable.ts'
import { tellStory } from './story/story.ts'

const DAY_MS = 86_400_000

/** The address of the consumer in examples. */
export const WEBHOOK_URL = 'https://example.com/webhooks'

export interface Harvest {
  /** An example of each operation, by its id. */
  operations: Record<string, Example>
  /** An event of each type that the story emits. */
  events: Record<string, Event>
  /** The refusals of requests with a fault in the body and in a parameter. */
  invalid: Record<string, { detail: string; errors: unknown[] }>
}

/** A bank, and a receiver of its webhooks. */
export interface Stage {
  bank: TestBank
  consumer: Consumer
}

/** A bank in which every operation was called, and one record of each resource. */
export interface Told extends Stage {
  recorder: Recorder
  world: World
}

/** Calls every operation of a new bank once, and keeps the requests, the answers and the events in a stable form. */
export function harvest(): Promise<Harvest> {
  const stability = new Stability()
  return tellAll(
    async (bank) => openRecorder(bank),
    async ({ bank, recorder, world, consumer }) => {
      const events = await firstOfEachType(bank, recorder)
      stability.replace(consumer.url, WEBHOOK_URL)
      for (const [id, example] of recorder.examples) {
        stability.hideSecrets(id, example)
        shorten(example)
      }
      renewSamples(recorder.examples.get('listEventTypes'), events)
      return {
        operations: stability.of(Object.fromEntries(recorder.examples)),
        events: stability.of(Object.fromEntries(events)),
        invalid: await invalidRequests(bank, recorder, world),
      }
    },
  )
}

/** Calls every operation of a new bank by a recorder: the story first, then the operations that it leaves out. */
export function tellAll<Outcome>(
  open: (bank: TestBank, consumer: Consumer) => Promise<Recorder>,
  use: (told: Told) => Promise<Outcome>,
): Promise<Outcome> {
  return onStage(async ({ bank, consumer }) => {
    const recorder = await open(bank, consumer)
    return use({ bank, consumer, recorder, world: await tellTo(recorder, { bank, consumer }) })
  })
}

/** A new bank and a receiver of its webhooks. */
export async function onStage<Outcome>(use: (stage: Stage) => Promise<Outcome>): Promise<Outcome> {
  const consumer = await openConsumer()
  const bank = await openTestBank({
    catalogue: smallCatalogue(),
    payoutDelayMs: DAY_MS,
    webhooks: {},
    lane: { batches: 1 },
  })
  try {
    return await use({ bank, consumer })
  } finally {
    await bank.close()
    await consumer.close()
  }
}

/** Calls every operation once by a recorder, in an organisation of its own, and returns one record of each resource. */
export async function tellTo(recorder: Recorder, { bank, consumer }: Stage): Promise<World> {
  const world = await tellStory(recorder, {
    url: consumer.url,
    delivered: (endpointId, count) => delivered(bank, recorder, endpointId, count),
    // Payments of the first service are sent at once.
    withFiles: beside(bank, { ach: testAch() }),
    // It cannot be reached: all that it would screen needs a review.
    withScreening: beside(bank, { screening: 'http://127.0.0.1:9/' }),
    withSignatures: beside(bank, { signatures: { from: { paymentApproval: 0 }, expiryMs: 7 * DAY_MS } }),
  })
  for (const operation of untold(recorder)) await callBySchema(recorder, operation, world)
  return world
}

/** A second service on the same database with other settings. */
function beside({ server }: TestBank, options: TestBankOptions) {
  const on = { name: '', server, drop: async () => undefined }
  return async <Outcome>(work: (bank: TestBank) => Promise<Outcome>): Promise<Outcome> => {
    const bank = await openTestBank({ on, ...options, lane: { batches: 1 } })
    try {
      return await work(bank)
    } finally {
      await bank.close()
    }
  }
}

/** The operations that the story leaves out, deletions last. */
function untold({ examples }: Recorder): Operation[] {
  const left = operations.filter(({ id }) => !examples.has(id))
  return [...left.filter(({ method }) => method !== 'DELETE'), ...left.filter(({ method }) => method === 'DELETE')]
}

/** Calls an operation with a request made from its schemas. A list answers two records at most. */
async function callBySchema({ call }: Recorder, operation: Operation, world: World): Promise<void> {
  const { params, query, body } = sampleRequest(operation, world)
  const takesLimit = 'limit' in (schemaOf(operation.query).properties ?? {})
  await call(operation.id, {
    ...(Object.keys(params).length > 0 && { params }),
    ...((takesLimit || Object.keys(query).length > 0) && { query: { ...query, ...(takesLimit && { limit: 2 }) } }),
    ...(body && { body }),
  })
}

async function invalidRequests(bank: TestBank, { key }: Recorder, world: World): Promise<Harvest['invalid']> {
  const refused = async (method: string, path: string, body?: unknown) =>
    (await bank.call(method, path, { key: key(), ...(body !== undefined && { body }) })).json
  const payment = { counterpartyAccountId: world.externalAccount, description: 'Rent', originalType: 'ACH' }
  return {
    invalid_request: await refused('POST', `/v0/banking/accounts/${world.account}/payments`, payment),
    invalid_request_parameter: await refused('GET', '/v0/banking/accounts?limit=0'),
  }
}

/** Cuts a list without a limit: the document shows one or two records. */
function shorten({ response }: Example): void {
  const { data } = (response ?? {}) as { data?: unknown }
  if (Array.isArray(data)) data.splice(2)
}

/** Puts the events of this run in place of the stored samples, so that one run renews both. */
function renewSamples(example: Example | undefined, events: Map<string, Event>): void {
  const { data } = (example?.response ?? { data: [] }) as { data: EventTypeInfo[] }
  for (const kind of data) kind.sample = events.get(kind.type) ?? kind.sample
}

/** Waits until so many deliveries to a webhook endpoint have succeeded. */
async function delivered(bank: TestBank, { key }: Recorder, endpointId: string, count: number): Promise<void> {
  const path = `/v0/webhook-endpoints/${endpointId}/deliveries`
  const allSucceeded = async () => {
    const { json } = await bank.call('GET', path, { key: key() })
    const statuses = json.data.map(({ status }: { status: string }) => status)
    expect(statuses).toEqual(Array(count).fill('Succeeded'))
  }
  await vi.waitFor(allSucceeded, { timeout: 20_000 })
}

async function firstOfEachType(bank: TestBank, { key }: Recorder): Promise<Map<string, Event>> {
  const first = new Map<string, Event>()
  for (const reader of [bank.key, key()]) {
    const { json } = await bank.call('GET', '/v0/events?limit=1000', { key: reader })
    for (const event of json.data) if (!first.has(event.type)) first.set(event.type, event)
  }
  return first
}
