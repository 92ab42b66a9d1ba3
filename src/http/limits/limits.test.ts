import type { FastifyReply } from 'fastify'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../base/problem.ts'
import { networkOf, openLimits, type Rates } from './limits.ts'

/** Limits on a clock of the test's own. */
function limited(rates: Rates = { reads: 100, writes: 25 }) {
  const clock = { ms: 1_000 }
  const limits = openLimits(rates, () => clock.ms)
  const spend = (keyId: number, kind: keyof Rates) => {
    const headers: Record<string, string> = {}
    const raw = { setHeader: (name: string, value: string) => Object.assign(headers, { [name]: value }) }
    try {
      limits.spend(keyId, kind, { raw } as unknown as FastifyReply)
      return { headers, refusal: undefined }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { headers, refusal: error }
    }
  }
  return { clock, limits, spend }
}

describe('a key', () => {
  test('may make twice its rate at once, and one more when the time for it has passed', () => {
    for (const [kind, burst, ms] of [
      ['reads', 200, 10],
      ['writes', 50, 40],
    ] as const) {
      const { clock, spend } = limited()
      for (let count = 1; count <= burst; count++) expect(spend(1, kind).refusal, `${kind} ${count}`).toBeUndefined()
      const refused = spend(1, kind)
      expect([refused.refusal?.code, refused.refusal?.headers]).toEqual(['rate_limited', { 'Retry-After': '1' }])
      expect(refused.headers.ratelimit).toBe(`"${kind}";r=0;t=2`)
      clock.ms += ms - 1
      expect(spend(1, kind).refusal).toBeDefined()
      clock.ms += 1
      expect(spend(1, kind).refusal).toBeUndefined()
    }
  })

  test('is shown its policy and what is left of it', () => {
    const { spend } = limited()
    expect(spend(1, 'reads').headers).toEqual({
      'ratelimit-policy': '"reads";q=200;w=2',
      ratelimit: '"reads";r=199;t=1',
    })
    expect(spend(1, 'writes').headers).toEqual({
      'ratelimit-policy': '"writes";q=50;w=2',
      ratelimit: '"writes";r=49;t=1',
    })
  })

  test('has reads and writes of its own', () => {
    const { spend } = limited({ reads: 1, writes: 1 })
    const results = [
      [1, 'reads'],
      [1, 'reads'],
      [1, 'reads'],
      [1, 'writes'],
      [2, 'reads'],
    ] as const
    const refused = results.map(([keyId, kind]) => spend(keyId, kind).refusal !== undefined)
    expect(refused).toEqual([false, false, true, false, false])
  })

  test('is one of ten thousand that are remembered', () => {
    const { spend } = limited({ reads: 1, writes: 1 })
    const spent = (keyId: number) => spend(keyId, 'reads').headers.ratelimit
    for (let keyId = 0; keyId < 10_000; keyId++) spend(keyId, 'reads')
    expect(spent(0)).toContain('r=0')
    spend(10_000, 'reads')
    expect([spent(0), spent(10_000)]).toEqual([expect.stringContaining('r=1'), expect.stringContaining('r=0')])
  })
})

describe('an address', () => {
  test('may fail ten times in a minute, and is refused until the minute is over', () => {
    const { clock, limits } = limited()
    for (let count = 0; count < 9; count++) limits.failed('192.0.2.1')
    expect(limits.lockout('192.0.2.1')).toBeUndefined()
    clock.ms += 10_000
    limits.failed('192.0.2.1')
    const refusal = limits.lockout('192.0.2.1')
    expect([refusal?.code, refusal?.headers]).toEqual(['rate_limited', { 'Retry-After': '50' }])
    expect(limits.lockout('192.0.2.2')).toBeUndefined()
    clock.ms += 49_999
    expect(limits.lockout('192.0.2.1')?.headers).toEqual({ 'Retry-After': '1' })
    clock.ms += 1
    expect(limits.lockout('192.0.2.1')).toBeUndefined()
    limits.failed('192.0.2.1')
    expect(limits.lockout('192.0.2.1')).toBeUndefined()
  })

  test('of IPv6 counts by its network, since a subscriber has a whole one', () => {
    const { limits } = limited()
    for (let count = 0; count < 10; count++) limits.failed(`2001:db8:1:2::${count}`)
    expect(limits.lockout('2001:db8:1:2:ffff::1')).toBeDefined()
    expect(limits.lockout('2001:db8:1:3::1')).toBeUndefined()
  })

  test('is one of ten thousand that are remembered', () => {
    const { limits } = limited()
    const fail = (address: string) => {
      for (let count = 0; count < 10; count++) limits.failed(address)
    }
    fail('192.0.2.1')
    for (let count = 0; count < 9_999; count++) limits.failed(`10.0.${count >> 8}.${count & 255}`)
    expect(limits.lockout('192.0.2.1')).toBeDefined()
    limits.failed('10.1.0.0')
    expect(limits.lockout('192.0.2.1')).toBeUndefined()
  })

  test('has ten unknown keys looked up at a time, and after ten failures none', async () => {
    const { limits } = limited()
    let running = 0
    let most = 0
    const guess = (found: object | undefined) =>
      limits
        .lookUp('192.0.2.1', async () => {
          most = Math.max(most, ++running)
          await new Promise((resolve) => setImmediate(resolve))
          running--
          return found
        })
        .catch((error) => error.code)
    const good = await Promise.all(Array.from({ length: 50 }, () => guess({})))
    expect([good.filter((found) => typeof found === 'object').length, most]).toEqual([50, 10])
    const bad = await Promise.all(Array.from({ length: 200 }, () => guess(undefined)))
    expect(bad.filter((found) => found === undefined)).toHaveLength(10)
    expect(bad.filter((found) => found === 'rate_limited')).toHaveLength(190)
  })

  test('stands for a network as follows', () => {
    const table: Record<string, string> = {
      '192.0.2.1': '192.0.2.1',
      '::ffff:192.0.2.1': '192.0.2.1',
      '::1': '0:0:0:0',
      '2001:db8::1': '2001:db8:0:0',
      '2001:db8:1:2:3:4:5:6': '2001:db8:1:2',
      'fe80::1%eth0': 'fe80:0:0:0',
      '::': '0:0:0:0',
    }
    expect(Object.fromEntries(Object.keys(table).map((address) => [address, networkOf(address)]))).toEqual(table)
  })
})
