import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/operations.ts'
import { openTestBank, type TestBank } from '../support/harness.ts'
import { answers, appScopes } from '../support/schemas/app-keys.ts'
import { sampleRequest, urlOf } from '../support/schemas/samples.ts'
import type { World } from '../support/world.ts'

let live: TestBank
let app: string

beforeAll(async () => {
  live = await openTestBank({ mode: 'live' })
  app = await live.makeKey('first', appScopes)
})
afterAll(() => live.close())

/** Ids that name nothing: the key is judged before them. */
const nowhere = new Proxy({}, { get: () => '0' }) as World

async function answerTo(id: string): Promise<[status: number, code: string | undefined]> {
  const operation = operations.find((each) => each.id === id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  const sample = sampleRequest(operation, nowhere)
  const { status, json } = await live.call(operation.method, urlOf(operation.path, sample), {
    key: app,
    ...(operation.method !== 'GET' && { body: sample.body ?? {} }),
  })
  return [status, json?.code]
}

describe('the key of an app in live mode', () => {
  test('has an answer for every operation, and one', () => {
    expect(Object.values(answers).flat().toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
  })

  test('may not call what decides about its own risk', async () => {
    for (const id of answers.forbidden) expect(await answerTo(id), id).toEqual([403, 'forbidden'])
  })

  test('finds no simulation', async () => {
    for (const id of answers.absent) {
      const [, code] = await answerTo(id)
      expect(['route_not_found', 'method_not_allowed', 'not_supported_by_provider'], id).toContain(code)
    }
  })

  test('may call all others', async () => {
    const { forbidden, absent, ...allowed } = answers
    for (const id of Object.values(allowed).flat()) {
      const [status, code] = await answerTo(id)
      expect([401, 403], id).not.toContain(status)
      expect(code, id).not.toBe('route_not_found')
      expect(status, id).toBeLessThan(500)
    }
  })
})
