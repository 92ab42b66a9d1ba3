import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { clientFiles } from '../../scripts/client/files.ts'
import { operations } from '../../src/operations.ts'
import { openTestBank, root, type TestBank } from '../../test/support/harness.ts'
import { sampleRequest, urlOf } from '../../test/support/schemas/samples.ts'
import { makeWorld, type World } from '../../test/support/world.ts'
import { isProblem, type PurserProblem } from './errors.ts'
import type { EventOf } from './follow.ts'
import type { Event, Operations, PartnerUser, Payment, PaymentReturnedEvent, Reward } from './generated/types.ts'
import { Purser } from './purser.ts'

let bank: TestBank
let world: World
let url: string
let purser: Purser

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  world = await makeWorld(bank)
  url = await bank.app.listen({ port: 0, host: '127.0.0.1' })
  purser = new Purser({ url, apiKey: bank.key })
})
afterAll(() => bank.close())

function pay(description: string, amount = 100): ReturnType<Purser['payments']['create']> {
  const body = { amount, counterpartyAccountId: world.externalAccount, originalType: 'ACH', description } as const
  return purser.payments.create(world.account, body)
}

describe('the generated part', () => {
  test('is current: `npm run client` would change nothing', () => {
    for (const [path, text] of Object.entries(clientFiles())) {
      expect(readFileSync(join(root, path), 'utf8') === text, path).toBe(true)
    }
  })

  test('has a method for every operation, which sends method, address and body', async () => {
    const sent: [string, string, unknown][] = []
    const recording = (address: string, { method, body }: RequestInit) => {
      sent.push([method ?? '', address, body && JSON.parse(String(body))])
      return Promise.resolve(answer)
    }
    let answer: Response
    const client = new Purser({ url: 'http://bank.test', apiKey: 'k', fetch: recording as typeof fetch })
    for (const operation of operations) {
      const { params, query, body } = sampleRequest(operation, world)
      answer = new Response(operation.status === 204 ? null : '{"data": []}', { status: operation.status })
      const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, name = '']) => params[name])
      const group = operation.resource
        .split('.')
        .reduce((parent, name) => parent[name] as Record<string, unknown>, client as unknown as Record<string, unknown>)
      const method = group[operation.verb] as (...values: unknown[]) => Promise<unknown> & { page?: () => unknown }
      const called = method(...names, ...(operation.query ? [query] : operation.body ? [body] : []))
      await (called.page ? called.page() : called)
      const expected = [operation.method, `http://bank.test${urlOf(operation.path, { params, query })}`, body]
      expect(sent.pop(), operation.id).toEqual(expected)
      if (!operation.signature) continue
      answer = new Response('{"data": {"state": "Waiting"}}', { status: 202 })
      expect(await method(...names, ...(operation.body ? [body] : []))).toEqual({ state: 'Waiting' })
    }
  })
})

test('the reference names every method', () => {
  const reference = readFileSync(join(root, 'client/api.md'), 'utf8')
  const methods = methodsOf(purser as unknown as Record<string, unknown>, 'purser')
  expect(methods.length).toBeGreaterThan(operations.length + 3)
  expect([...methods, 'purser.call'].filter((method) => !reference.includes(`\`${method}(`))).toEqual([])
})

function methodsOf(group: Record<string, unknown>, path: string): string[] {
  return Object.entries(group).flatMap(([name, member]) => {
    if (typeof member === 'function') return [`${path}.${name}`]
    return methodsOf(member as Record<string, unknown>, `${path}.${name}`)
  })
}

describe('lists', () => {
  test('a list is read record by record, over all pages', async () => {
    for (let made = 0; made < 5; made++) await pay('Listed')
    const ids: string[] = []
    for await (const payment of purser.payments.list({ accountId: world.account, limit: 2 })) ids.push(payment.id)
    const all = await purser.payments.list({ accountId: world.account, limit: 1000 }).page()
    expect(ids).toEqual(all.data.map(({ id }) => id))
    expect(ids.length).toBeGreaterThan(5)
    expect(all.next).toBeUndefined()
  })

  test('records that arrive while a list is read do not repeat others', async () => {
    const seen: string[] = []
    for await (const { id } of purser.payments.list({ accountId: world.account, limit: 2 })) {
      seen.push(id)
      if (seen.length < 5) await pay('Arriving')
    }
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('a page gives the parameters of the next one', async () => {
    const first = await purser.payments.list({ limit: 1 }).page()
    const second = await purser.payments.list(first.next).page()
    expect(second.data[0]?.id).not.toBe(first.data[0]?.id)
    expect(first.response.requestId).toBeDefined()
  })
})

describe('the feed', () => {
  /** Makes payments until a feed gives its first event: a busy machine may begin to read after the first of them. */
  async function paidUntil(next: Promise<unknown>, description: string): Promise<string[]> {
    const ids: string[] = []
    do ids.push((await pay(description)).id)
    while (!(await Promise.race([next, sleep(50)])))
    return ids
  }

  test('follow gives events in order, those there are and those that come', async () => {
    const ended = new AbortController()
    const [latest] = (await purser.events.list({ sort: '-sequence', limit: 1 }).page()).data
    const before = await pay('Before')
    const feed = purser.events.follow({ after: latest?.sequence ?? 0, types: ['payment.*'], signal: ended.signal })
    expect((await feed.next()).value?.data.id).toBe(before.id)
    const next = feed.next()
    const after = await pay('After')
    expect((await next).value?.data.id).toBe(after.id)
    const last = feed.next()
    ended.abort()
    expect((await last).done).toBe(true)
  })

  test('follow begins with the events that come after its first read', async () => {
    const feed = purser.events.follow({ types: ['payment.created'] })
    const next = feed.next()
    expect(await paidUntil(next, 'Latest')).toContain((await next).value?.data.id)
    await feed.return(undefined)
  })

  test('the loop ends at once: by `return` while it waits, and by the signal amid a page', async () => {
    const waiting = purser.events.follow({ types: ['card.replaced'] })
    const arrived = once(bank.app.server, 'request')
    const next = waiting.next()
    await arrived
    const startedMs = performance.now()
    await waiting.return(undefined)
    expect((await next).done).toBe(true)
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    const ended = new AbortController()
    const seen: number[] = []
    for await (const { sequence } of purser.events.follow({ after: 0, signal: ended.signal })) {
      seen.push(sequence)
      ended.abort()
    }
    expect(seen).toEqual([1])
  })

  test('the time limit of other calls does not end a read that waits', async () => {
    const hasty = new Purser({ url, apiKey: bank.key, timeoutMs: 300, retries: 0 })
    const feed = hasty.events.follow({ types: ['payment.created'] })
    const next = feed.next()
    await sleep(1_000)
    expect(await paidUntil(next, 'Late')).toContain((await next).value?.data.id)
    await feed.return(undefined)
  })

  test('follow goes on by itself behind the latest event of a service that was restored', async () => {
    const [latest] = (await purser.events.list({ sort: '-sequence', limit: 1 }).page()).data
    const feed = purser.events.follow({ after: (latest?.sequence ?? 0) + 1_000, types: ['payment.created'] })
    const next = feed.next()
    expect(await paidUntil(next, 'Restored')).toContain((await next).value?.data.id)
    await feed.return(undefined)
  })

  test('an error that will not pass ends the loop', async () => {
    const stranger = new Purser({ url, apiKey: 'another-key' })
    await expect(stranger.events.follow().next()).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

describe('the log of requests', () => {
  test('is followed with the filters of its list', async () => {
    const feed = purser.requests.follow({ operation: 'getCard', status: '4xx' })
    const next = feed.next()
    // Requests until the log is followed.
    const first = await (async () => {
      for (;;) {
        await purser.cards.get('9').catch(() => undefined)
        await purser.cards.get(world.card)
        const entry = await Promise.race([next, sleep(50)])
        if (entry) return entry.value
      }
    })()
    expect(first).toMatchObject({ operation: 'getCard', status: 404, code: 'card_not_found' })
    const ended = await feed.return(undefined)
    expect(ended.done).toBe(true)
  })

  test('is found by an idempotency key', async () => {
    await purser.sandbox.customers.create({ name: 'Ada Example' }, { idempotencyKey: 'a-customer' })
    const { data } = await purser.requests.list({ idempotencyKey: 'a-customer' }).page()
    expect(data.map(({ operation, idempotencyKey }) => [operation, idempotencyKey])).toEqual([
      ['createCustomer', 'a-customer'],
    ])
  })
})

describe('calls', () => {
  test('the same key pays once', async () => {
    const body = {
      amount: 1,
      counterpartyAccountId: world.externalAccount,
      originalType: 'ACH',
      description: 'Once',
    } as const
    const once = () => purser.payments.create(world.account, body, { idempotencyKey: 'once' }).withResponse()
    const [first, second] = [await once(), await once()]
    expect(second.data).toEqual(first.data)
    expect([first.response.replayed, second.response.replayed]).toEqual([false, true])
  })

  test('any operation is called by its id', async () => {
    const account = await purser.call('getAccount', { params: { accountId: world.account } })
    expect(account.id).toBe(world.account)
  })

  test('a refusal is narrowed by its code', async () => {
    const error = await pay('Too much', 900_000_000_00).catch((caught: unknown) => caught)
    expect(isProblem(error, 'insufficient_funds', 'account_not_open')).toBe(true)
    if (isProblem(error, 'insufficient_funds')) expectTypeOf(error.code).toEqualTypeOf<'insufficient_funds'>()
  })

  test('the clock is advanced by a duration, to a time, or by a body', async () => {
    const { now } = await purser.sandbox.clock.advance('PT1H')
    const later = new Date(Date.parse(now) + 3_600_000).toISOString()
    expect((await purser.sandbox.clock.advance(later)).now >= later).toBe(true)
    expect((await purser.sandbox.clock.advance({ by: 'PT1M' })).total).toBeTypeOf('number')
  })

  test('an answer without content and a file are returned as such', async () => {
    const { externalAccount, statement } = world
    expect(await purser.externalAccounts.delete(externalAccount)).toBeUndefined()
    const pdf = await purser.statements.getPdf(statement)
    expect(new TextDecoder().decode(pdf.subarray(0, 5))).toBe('%PDF-')
  })
})

test('types follow the schemas', () => {
  type Follow = Awaited<ReturnType<ReturnType<typeof purser.events.follow<'payment.returned'>>['next']>>
  expectTypeOf<Extract<Follow, { done?: false }>['value']>().toEqualTypeOf<PaymentReturnedEvent>()
  expectTypeOf<Extract<Event, { type: 'payment.returned' }>['data']>().toEqualTypeOf<Payment>()
  expectTypeOf<Operations['createPayment']['problems']>().extract<'insufficient_funds'>().not.toBeNever()
  expectTypeOf<Operations['createPayment']['problems']>().extract<'card_not_found'>().toBeNever()
  expectTypeOf<PurserProblem<Operations['getMe']['problems']>['code']>().extract<'unauthorized'>().not.toBeNever()
  expectTypeOf<EventOf<'*'>>().toEqualTypeOf<Event>()
  // A record's id can be handed back as it is.
  expectTypeOf<Reward['id']>().toExtend<Parameters<Purser['rewards']['explain']>[0]>()
  expectTypeOf<PartnerUser['id']>().toExtend<Parameters<Purser['partnerUsers']['update']>[0]>()
  expectTypeOf<Parameters<Purser['payments']['get']>[0]>().toEqualTypeOf<string>()
  // @ts-expect-error a physical card needs an address to be shipped to
  const unshipped = () => purser.cards.create({ type: 'individualDebitCard', accountId: '1' })
  expect(unshipped).toBeTypeOf('function')
})
