import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { Problem } from '../base/problem.ts'
import { hmacCheck, type InboundSource } from './inbound.ts'

let bank: TestBank
/** The reports that were fetched and applied, in order; those named below fail. */
const fetched: string[] = []
const taken: string[] = []
let failing: string | undefined
let missing: string | undefined

const source: InboundSource = {
  provider: 'sample',
  signatureHeader: 'x-sample',
  isAuthentic: (_body, signature) => signature === 'yes',
  read: (content) =>
    (content as string[]).map((upstreamId) => ({
      upstreamId,
      type: 'sample.happened',
      async fetch() {
        fetched.push(upstreamId)
        if (upstreamId === missing) throw new Problem('upstream_error')
        return async (_transaction, _organisationId) => {
          if (upstreamId === failing) throw new Problem('unavailable')
          taken.push(upstreamId)
          return [{ type: 'reward.created', id: upstreamId, version: 1, data: { id: upstreamId } }]
        }
      },
    })),
}

beforeAll(async () => {
  bank = await openTestBank({ inbound: [source] })
})
afterAll(() => bank.close())

const send = async (ids: string[]) =>
  (await bank.call('POST', '/v0/inbound/sample', { key: null, body: ids, headers: { 'x-sample': 'yes' } })).status
const emitted = async (ids: string[]) => {
  const rows = await bank.database.query<{ id: string }>(
    'select entity_id as id from event where entity_id = any($1) order by sequence',
    [ids],
  )
  return rows.map(({ id }) => id)
}

describe('The reports of a provider', () => {
  test('are applied in their order, each once', async () => {
    expect(await send(['b', 'a', 'b', 'c'])).toBe(200)
    expect(await send(['c', 'd', 'a'])).toBe(200)
    expect(taken).toEqual(['b', 'a', 'c', 'd'])
    expect(await emitted(taken)).toEqual(['b', 'a', 'c', 'd'])
  })

  test('are not fetched again once they were applied', async () => {
    await send(['once'])
    const before = fetched.length
    expect(await send(['once', 'new', 'once'])).toBe(200)
    expect(fetched.slice(before)).toEqual(['new'])
  })

  test('that cannot be fetched do not hold up others, and are applied when they are repeated', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `held-${index}`)
    missing = 'held-7'
    expect(await send(ids)).toBe(502)
    const rest = ids.filter((id) => id !== missing)
    expect(await emitted(ids)).toEqual(rest)
    missing = undefined
    const before = fetched.length
    expect(await send(ids)).toBe(200)
    expect(fetched.slice(before)).toEqual(['held-7'])
    expect(await emitted(ids)).toEqual([...rest, 'held-7'])
  })

  test('are fetched and committed twenty at a time', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `few-${index}`)
    failing = 'few-59'
    expect(await send(ids)).toBe(503)
    failing = undefined
    // Those before the last twenty were applied already.
    const before = fetched.length
    expect(await send(ids)).toBe(200)
    expect(fetched.length - before).toBeLessThanOrEqual(20)
    expect(await emitted(ids)).toEqual(ids)
  })

  test('that fail leave the rest of the body to be applied', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `rest-${index}`)
    failing = 'rest-3'
    expect(await send(ids)).toBe(503)
    expect(await emitted(ids)).toEqual(ids.slice(20))
    failing = undefined
    expect(await send(ids)).toBe(200)
    expect((await emitted(ids)).toSorted()).toEqual(ids.toSorted())
  })

  test('that are committed together are applied all or none, and can be repeated', async () => {
    failing = 'f'
    expect(await send(['e', 'f', 'g'])).toBe(503)
    expect(await emitted(['e', 'f', 'g'])).toEqual([])
    failing = undefined
    expect(await send(['e', 'f', 'g'])).toBe(200)
    expect(await emitted(['e', 'f', 'g'])).toEqual(['e', 'f', 'g'])
  })

  test('can come many times at once in any order', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `many-${index}`)
    const orders = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? ids : ids.toReversed()))
    expect(await Promise.all(orders.map(send))).toEqual(orders.map(() => 200))
    expect((await emitted(ids)).toSorted()).toEqual(ids.toSorted())
  })

  test('can be none', async () => {
    expect(await send([])).toBe(200)
  })
})

test.each(['sha1', 'sha256'] as const)('A signature by %s depends on every byte of the body', (algorithm) => {
  const check = hmacCheck(algorithm, 'key')
  // Computed elsewhere.
  const vectors = { sha1: '3nybhbi3iqa8ino29wqQcBydtNk=', sha256: '97yD9DBThCSxMpjmqm+xQ+9NWaFJRhdZl0edvC0aPNg=' }
  const body = Buffer.from('The quick brown fox jumps over the lazy dog')
  expect(check(body, vectors[algorithm])).toBe(true)
  expect(check(body.subarray(1), vectors[algorithm])).toBe(false)
})
