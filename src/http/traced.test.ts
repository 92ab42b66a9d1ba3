import { SpanKind } from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { listenToSpans, seenSpans } from '../../test/support/spans.ts'
import { inSpan, isTraced } from '../base/span.ts'

test('without an SDK nobody listens, and work is done as without a span', async () => {
  expect(isTraced()).toBe(false)
  expect(await inSpan('work', {}, async () => 42)).toBe(42)
  await expect(inSpan('work', {}, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})

describe('with an SDK', () => {
  let bank: TestBank
  let end: () => void
  beforeAll(async () => {
    end = listenToSpans()
    bank = await openTestBank({ own: true })
  })
  afterAll(async () => {
    await bank.close()
    end()
  })

  test('every request that is let in has a span, with its route and its status, and no id in it', async () => {
    expect(isTraced()).toBe(true)
    const headers = { 'x-request-id': 'mine', traceparent: 'theirs' }
    expect((await bank.call('GET', '/v0/banking/accounts/1234567', { headers })).status).toBe(404)
    expect(seenSpans.splice(0)).toEqual([
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
    expect(seenSpans.splice(0)[0]?.attributes['http.response.status_code']).toBe(200)
  })

  test('what fails says so', async () => {
    const broken = await openTestBank({ around: (database) => ({ ...database, query: brokenQuery(database.query) }) })
    try {
      expect((await broken.call('GET', '/v0/banking/customers')).status).toBe(500)
      expect(seenSpans.splice(0)).toMatchObject([{ failed: true, attributes: { 'http.response.status_code': 500 } }])
    } finally {
      await broken.close()
    }
  })

  test('spans that are made meanwhile belong to it', async () => {
    await inSpan('outer', {}, () => inSpan('inner', { kind: SpanKind.CLIENT }, async () => undefined))
    expect(seenSpans.splice(0)).toMatchObject([
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
