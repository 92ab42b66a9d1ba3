import { describe, expect, test } from 'vitest'
import { fastestMs } from '../../../test/support/run/fastest.ts'
import type { Operation } from '../../base/operation.ts'
import { SuccessParts } from '../send.ts'
import type { Exchange } from './exchange.ts'
import { openRings, ringLimits } from './rings.ts'

const operation = { id: 'createPayment' } as Operation
const now = () => 1_000_000

const exchange = (changes: Partial<Exchange> = {}): Exchange => ({
  operation,
  requestId: 'request-1',
  atMs: 1_794_835_200_123,
  ms: 1.5,
  method: 'POST',
  url: '/v0/banking/accounts/1000042/payments?x=%F0',
  status: 201,
  code: undefined,
  keyId: 1_000_007,
  idempotencyKey: 'lunch',
  replayed: false,
  firstEvent: 7,
  lastEvent: 8,
  requestHeaders: ['Host', 'purser', 'X-Odd', 'caf\u00e9', 'Empty', ''],
  requestText: '{"amount":1}',
  requestTruncated: false,
  responseHeaders: new SuccessParts('"abc"', 12),
  responseText: '{"data":{}}',
  responseTruncated: false,
  ...changes,
})

const everything = { after: 0, before: Number.MAX_SAFE_INTEGER, descending: false }
const sequences = (kept: Iterable<{ sequence: number }>) => [...kept].map(({ sequence }) => sequence)

describe('A ring', () => {
  test('gives every exchange back as it was written', () => {
    const rings = openRings(now)
    const written = [
      exchange(),
      exchange({ requestText: undefined, responseText: undefined, idempotencyKey: undefined, firstEvent: 0 }),
      exchange({ code: 'invalid_request', status: 400, responseHeaders: { 'content-type': 'x', link: '€' } }),
      exchange({ requestText: '', responseText: '😀€ä', requestTruncated: true, responseTruncated: true }),
      exchange({ replayed: true, url: '/', requestText: 'ä'.repeat(9_999) }),
      ...Array.from({ length: 300 }, (_, number) =>
        exchange({ requestId: `r${number}`, responseText: '€'.repeat((number * 37) % 10_240) }),
      ),
    ]
    for (const one of written) rings.add(1, one)
    expect([...rings.range(1, everything)].map(({ whole }) => whole())).toEqual(written)
    const kept = [...rings.range(1, everything)]
    for (const { sequence } of kept) expect(rings.find(1, sequence)?.sequence).toBe(sequence)
    expect(kept.map(({ requestId }) => requestId)).toEqual(written.map(({ requestId }) => requestId))
  })

  test('numbers exchanges without a gap, and above those of a process that ran before', () => {
    const rings = openRings(now)
    for (let count = 0; count < 3; count++) rings.add(1, exchange())
    expect(sequences(rings.range(1, everything))).toEqual([1_000_000_000, 1_000_000_001, 1_000_000_002])
    expect(rings.head(1)).toBe(1_000_000_002)
    expect(rings.head(2)).toBe(0)
  })

  test('is read between two numbers, in both directions', () => {
    const rings = openRings(now)
    for (let count = 0; count < 500; count++) rings.add(1, exchange())
    const first = 1_000_000_000
    const range = { after: first + 400, before: first + 404 }
    expect(sequences(rings.range(1, { ...range, descending: false }))).toEqual([first + 401, first + 402, first + 403])
    expect(sequences(rings.range(1, { ...range, descending: true }))).toEqual([first + 403, first + 402, first + 401])
    expect(sequences(rings.range(1, { after: first + 499, before: first + 900, descending: false }))).toEqual([])
    expect(sequences(rings.range(2, everything))).toEqual([])
  })

  test('keeps the latest 5,000 exchanges of an organisation', () => {
    const rings = openRings(now)
    const first = 1_000_000_000
    for (let count = 0; count < 5_000; count++) rings.add(1, exchange())
    expect(sequences(rings.range(1, everything)).length).toBe(5_000)
    for (let count = 0; count < 7_001; count++) rings.add(1, exchange())
    const kept = sequences(rings.range(1, everything))
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([5_000, first + 7_001, first + 12_000])
    expect(rings.find(1, first + 7_000)).toBeUndefined()
    expect(rings.find(1, first + 7_001)?.sequence).toBe(first + 7_001)
    expect(rings.find(1, first + 12_001)).toBeUndefined()
    // Some 5,000 exchanges of 300 bytes; those that gave way take no memory.
    expect(rings.bytes()).toBeLessThan(3 * 1024 * 1024)
  })

  test('takes at most 32 MB with all others, whatever is written', () => {
    const rings = openRings(now)
    const odd = ['', 'x', 'x'.repeat(10_240), '€'.repeat(10_240), '😀'.repeat(5_120)]
    let most = 0
    for (let count = 0; count < 6_000; count++) {
      const text = odd[count % odd.length] ?? ''
      const requestHeaders = count % 50 === 0 ? ['X-Long', 'y'.repeat(64 * 1024)] : ['Host', 'purser']
      rings.add(count % 700, exchange({ requestText: text, responseText: text, requestHeaders }))
      most = Math.max(most, rings.bytes())
    }
    expect(most).toBeGreaterThan(30 * 1024 * 1024)
    expect(most).toBeLessThanOrEqual(ringLimits.bytes)
  })

  test('of a busy organisation gives way, not those of the others', () => {
    const rings = openRings(now, { perOrganisation: 5_000, bytes: 1024 * 1024 })
    for (let count = 0; count < 10; count++) for (const quiet of [1, 2, 3]) rings.add(quiet, exchange())
    for (let count = 0; count < 3_000; count++) rings.add(9, exchange({ responseText: 'x'.repeat(5_000) }))
    for (const quiet of [1, 2, 3]) expect(sequences(rings.range(quiet, everything)).length).toBe(10)
    expect(sequences(rings.range(9, everything)).length).toBeGreaterThan(100)
    expect(rings.bytes()).toBeLessThanOrEqual(1024 * 1024)
  })

  test('of 20,000 organisations takes a few microseconds an exchange', async () => {
    const rings = openRings(now)
    const ms = await fastestMs(() => {
      for (let count = 0; count < 30_000; count++) rings.add(count % 20_000, exchange())
    })
    const micros = (ms * 1_000) / 30_000
    process.stdout.write(`${micros.toFixed(1)} µs an exchange with 20,000 organisations\n`)
    expect(micros).toBeLessThan(300)
    expect(rings.bytes()).toBeLessThanOrEqual(ringLimits.bytes)
  })
})
