import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, context, propagation, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/harness.ts'
import { inSpan, isTraced } from '../base/span.ts'

interface Seen {
  name: string
  kind: number | undefined
  attributes: Record<string, unknown>
  parent: string | undefined
  failed: boolean
  ended: boolean
}

const seen: Seen[] = []

/** As much of an SDK as it takes to see what it is told. */
function listen(): void {
  const store = new AsyncLocalStorage<Context>()
  context.setGlobalContextManager({
    active: () => store.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...args) => store.run(active, () => work.call(self, ...args)),
    bind: (_active, target) => target,
    enable: () => context as never,
    disable: () => context as never,
  })
  propagation.setGlobalPropagator({
    inject: () => undefined,
    extract: (active, carrier) => {
      const traceparent = (carrier as Record<string, string>).traceparent
      return traceparent === undefined ? active : active.setValue(remote, traceparent)
    },
    fields: () => ['traceparent'],
  })
  const startSpan = (name: string, options: { kind?: number; attributes?: object } = {}, parent = context.active()) => {
    const above = trace.getSpan(parent) as (Span & { record: Seen }) | undefined
    const record: Seen = {
      name,
      kind: options.kind,
      attributes: { ...options.attributes },
      parent: above?.record.name ?? (parent.getValue(remote) as string | undefined),
      failed: false,
      ended: false,
    }
    seen.push(record)
    return {
      record,
      setAttribute: (key: string, value: unknown) => Object.assign(record.attributes, { [key]: value }),
      setStatus: () => Object.assign(record, { failed: true }),
      recordException: () => undefined,
      end: () => Object.assign(record, { ended: true }),
    } as unknown as Span
  }
  type Work = (span: Span) => unknown
  const startActiveSpan = (name: string, options: object, parent: Context, work: Work) => {
    const span = startSpan(name, options, parent)
    return context.with(trace.setSpan(parent, span), work, undefined, span)
  }
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) as never })
}

const remote = Symbol('remote')

test('without an SDK nobody listens, and work is done as without a span', async () => {
  expect(isTraced()).toBe(false)
  expect(await inSpan('work', {}, async () => 42)).toBe(42)
  await expect(inSpan('work', {}, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})

describe('with an SDK', () => {
  let bank: TestBank
  beforeAll(async () => {
    listen()
    bank = await openTestBank()
  })
  afterAll(async () => {
    await bank.close()
    trace.disable()
    context.disable()
    propagation.disable()
  })

  test('every request that is let in has a span, with its route and its status, and no id in it', async () => {
    expect(isTraced()).toBe(true)
    const headers = { 'x-request-id': 'mine', traceparent: 'theirs' }
    expect((await bank.call('GET', '/v0/banking/accounts/1234567', { headers })).status).toBe(404)
    expect(seen.splice(0)).toEqual([
      {
        name: 'GET /v0/banking/accounts/:accountId',
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': 'GET',
          'http.route': '/v0/banking/accounts/:accountId',
          'http.response.status_code': 404,
          'purser.operation': 'getAccount',
          'purser.request_id': 'mine',
        },
        parent: 'theirs',
        failed: false,
        ended: true,
      },
    ])
    const { status, json } = await bank.call('GET', '/v0/banking/accounts')
    expect([status, json.data]).toEqual([200, []])
    expect(seen.splice(0)[0]?.attributes['http.response.status_code']).toBe(200)
  })

  test('what fails says so', async () => {
    const broken = await openTestBank({ around: (database) => ({ ...database, query: brokenQuery(database.query) }) })
    try {
      expect((await broken.call('GET', '/v0/banking/customers')).status).toBe(500)
      expect(seen.splice(0)).toMatchObject([{ failed: true, attributes: { 'http.response.status_code': 500 } }])
    } finally {
      await broken.close()
    }
  })

  test('spans that are made meanwhile belong to it', async () => {
    await inSpan('outer', {}, () => inSpan('inner', { kind: SpanKind.CLIENT }, async () => undefined))
    expect(seen.splice(0)).toMatchObject([
      { name: 'outer', parent: undefined },
      { name: 'inner', parent: 'outer', kind: SpanKind.CLIENT, ended: true },
    ])
  })
})

type Query = TestBank['database']['query']

function brokenQuery(query: Query): Query {
  return (text, values, use) =>
    text.includes('from customer') ? Promise.reject(new TypeError('bug')) : query(text, values, use)
}
