import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { KeyHolder } from './authenticate-key.ts'
import { openRememberedKeys } from './remembered-keys.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const holder = (organisationId: number, keyId = 1): KeyHolder => ({
  organisationId,
  keyId,
  scopes: null,
  decidesRisk: true,
  hash: Buffer.alloc(32),
  inGrace: false,
  place: 0,
  epoch: 0,
})

describe('remembered keys', () => {
  test('are found until their time is over, and count as keys that worked after it', () => {
    const keys = openRememberedKeys()
    keys.remember('good', holder(1), 100)
    keys.remember('bad', undefined, 100)
    expect([keys.find('good'), keys.find('bad'), keys.find('new')]).toEqual([holder(1), null, undefined])
    vi.advanceTimersByTime(100)
    expect([keys.find('good'), keys.find('bad')]).toEqual([undefined, undefined])
    expect([keys.worked('good'), keys.worked('bad')]).toEqual([true, false])
    keys.remember('good', undefined, 100)
    expect([keys.find('good'), keys.worked('good')]).toEqual([null, false])
    keys.remember('bad', holder(1), 100)
    expect(keys.find('bad')).toEqual(holder(1))
  })

  test('are not displaced by a flood of keys that do not work', () => {
    const keys = openRememberedKeys()
    keys.remember('good', holder(1), 100)
    for (let number = 0; number < 20_000; number++) keys.remember(`made-up-${number}`, undefined, 100)
    expect(keys.find('good')).toEqual(holder(1))
    expect([keys.find('made-up-0'), keys.find('made-up-19999')]).toEqual([undefined, null])
  })

  test('of one organisation are at most 1,000, and displace none of another', () => {
    const keys = openRememberedKeys()
    keys.remember('good', holder(1), 100)
    for (let number = 0; number < 20_000; number++) keys.remember(`own-${number}`, holder(2), 100)
    expect(keys.find('good')).toEqual(holder(1))
    expect([keys.worked('own-18999'), keys.worked('own-19000')]).toEqual([false, true])
  })

  test('are at most 10,000 in all, of which the oldest goes first', () => {
    const keys = openRememberedKeys()
    for (let number = 0; number < 10_001; number++) keys.remember(`key-${number}`, holder(number % 50), 100)
    expect([keys.worked('key-0'), keys.worked('key-1'), keys.worked('key-10000')]).toEqual([false, true, true])
    // A key that is remembered again is not the oldest any more.
    keys.remember('key-1', holder(1), 100)
    keys.remember('another', holder(1), 100)
    expect([keys.worked('key-1'), keys.worked('key-2')]).toEqual([true, false])
  })

  test('are forgotten with all secrets of a key', () => {
    const keys = openRememberedKeys()
    keys.remember('old', holder(1, 7), 100)
    keys.remember('new', holder(1, 7), 100)
    keys.remember('other', holder(1, 8), 100)
    keys.forget(7)
    expect([keys.worked('old'), keys.worked('new'), keys.worked('other')]).toEqual([false, false, true])
  })
})
