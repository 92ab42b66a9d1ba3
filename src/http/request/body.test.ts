import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../base/problem.ts'
import { type BodyRequest, bodyReader, isLarge, releaseBody } from './body.ts'
import { openBodyBudget } from './body-budget.ts'
import { openTurns } from './turns.ts'

const MIB = 1024 * 1024
/** The event loop turns often enough for a body to be read and parsed. */
const turn = async () => {
  for (let time = 0; time < 10; time++) await nextTurn()
}

function opened({ slowAfterMs = 60_000 } = {}) {
  const load = { running: 0, max: 100 }
  const budget = openBodyBudget({ bytes: 8 * MIB, largest: MIB })
  const read = bodyReader({ load, turns: openTurns(), accountOf: () => ({ budget, owner: 1 }), slowAfterMs })
  const results: unknown[] = []
  const send = (headers: Record<string, string>, bodyLimit = MIB) => {
    const payload = new PassThrough()
    const request = {
      headers: { 'content-type': 'application/json', ...headers },
      routeOptions: { bodyLimit },
      raw: {},
    } as unknown as BodyRequest
    read(request, payload as never, (error, body) => results.push(error ?? body))
    return { payload, request }
  }
  return { load, budget, results, send }
}

const code = (result: unknown) => (result instanceof Problem ? result.code : result)

describe('the body reader', () => {
  test('takes up bodies that end in one turn of the event loop in their order, a malformed one among them too', async () => {
    const { results, send } = opened()
    const bodies = [send({}), send({}), send({})]
    for (const [index, text] of ['{"number":1}', '{"number":', '{"number":3}'].entries())
      bodies[index]?.payload.end(text)
    expect(results).toEqual([])
    await turn()
    expect(results).toEqual([{ number: 1 }, expect.any(Problem), { number: 3 }])
    send({}).payload.end('{"number":4}')
    await turn()
    expect(results.slice(3)).toEqual([{ number: 4 }])
  })

  test('counts a request as in progress while its body arrives', async () => {
    const { load, send } = opened()
    const { payload } = send({})
    payload.write('{')
    await turn()
    expect(load.running).toBe(1)
    payload.end('}')
    await turn()
    expect(load.running).toBe(0)
    send({}).payload.destroy(new Error('gone'))
    await turn()
    expect(load.running).toBe(0)
  })

  test('refuses a body past the limit of its route by its declared length, or when it gets there', async () => {
    const { results, send } = opened()
    send({ 'content-length': String(MIB + 1) })
    send({ 'content-length': String(2 * MIB) }, 2 * MIB)
    const { payload } = send({})
    for (let count = 0; count < 33; count++) payload.write(Buffer.alloc(32 * 1024, 32))
    await turn()
    expect(results.map(code)).toEqual(['payload_too_large', 'payload_too_large'])
  })

  test('gives up a large body that stalls, and with it its part of the budget', async () => {
    const { load, results, send } = opened({ slowAfterMs: 50 })
    const large = () => send({ 'content-length': String(3 * MIB) }, 4 * MIB)
    large().payload.write('[')
    await expect.poll(() => results.map(code)).toEqual(['request_timeout'])
    expect(load.running).toBe(0)
    large().payload.end(`"${'a'.repeat(3 * MIB - 2)}"`)
    await expect.poll(() => results.length).toBe(2)
    expect(results[1]).toHaveLength(3 * MIB - 2)
  })

  test('refuses large bodies past the budget before it reads them, and serves them again once others are released', async () => {
    const { load, results, send } = opened()
    const large = () => send({ 'content-length': String(3 * MIB) }, 4 * MIB)
    const first = large()
    large()
    expect(results.map(code)).toEqual(['unavailable'])
    expect((results[0] as Problem).headers).toEqual({ 'Retry-After': '2' })
    expect([load.running, isLarge(first.request as never)]).toEqual([1, true])
    first.payload.end(`"${'a'.repeat(3 * MIB - 2)}"`)
    await turn()
    await turn()
    expect(results).toHaveLength(2)
    large()
    expect(results.slice(2).map(code)).toEqual(['unavailable'])
    releaseBody(first.request)
    large()
    expect([results.length, load.running]).toEqual([3, 1])
  })

  test('counts a body of unknown length as it arrives, and releases it when it is refused or its sender goes away', async () => {
    const { budget, results, send } = opened()
    const [first, second] = [send({}, 8 * MIB), send({}, 8 * MIB)]
    first.payload.write(Buffer.alloc(3 * MIB, 32))
    await turn()
    second.payload.write(Buffer.alloc(2 * MIB, 32))
    await turn()
    expect(results.map(code)).toEqual(['unavailable'])
    expect([isLarge(second.request as never), isLarge(first.request as never)]).toEqual([false, true])
    first.payload.destroy(new Error('gone'))
    await turn()
    expect(budget.take(1, 4 * MIB)).toBe(true)
  })

  test('refuses a large body with too many values before it parses it', async () => {
    const { results, send } = opened()
    send({}).payload.end(`[${'1,'.repeat(40_000)}1]`)
    await turn()
    expect((results[0] as Problem).errors).toEqual([
      { pointer: '', code: 'too_long', message: 'the body has too many values' },
    ])
  })
})
