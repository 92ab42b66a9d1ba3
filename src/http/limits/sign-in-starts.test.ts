import { describe, expect, test } from 'vitest'
import { openTestBank } from '../../../test/support/harness.ts'
import { openSignInStarts } from './sign-in-starts.ts'

describe('the sign-ins that an address begins', () => {
  test('are 60 together and one a second, of each address', () => {
    let nowMs = 0
    const begun = openSignInStarts(() => nowMs)
    const refused = (address: string) => {
      try {
        begun(address)
        return false
      } catch (error) {
        return error
      }
    }
    for (let time = 0; time < 60; time++) expect(refused('192.0.2.1')).toBe(false)
    expect(refused('192.0.2.1')).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '1' } })
    expect(refused('192.0.2.2')).toBe(false)
    nowMs += 1_000
    expect(refused('192.0.2.1')).toBe(false)
    expect(refused('192.0.2.1')).toMatchObject({ code: 'rate_limited' })
    // A subscriber chooses from 64 bits of IPv6.
    for (let time = 0; time < 60; time++) expect(refused(`2001:db8::${time}`)).toBe(false)
    expect(refused('2001:db8::ffff')).toMatchObject({ code: 'rate_limited' })
  })

  test('are refused with 429 and Retry-After in live mode', async () => {
    const origin = 'https://bank.example'
    const rates = { reads: 1_000, writes: 1_000 }
    const live = await openTestBank({ own: true, mode: 'live', rates, people: { origin }, hosts: ['bank.example'] })
    const headers = { host: 'bank.example', origin, 'sec-fetch-site': 'same-origin' }
    const begin = () => live.call('POST', '/session/challenge', { key: null, body: {}, headers })
    const replies = await Promise.all(Array.from({ length: 70 }, begin))
    const refused = replies.find(({ status }) => status !== 200)
    expect([refused?.status, refused?.json.code, refused?.headers['retry-after']]).toEqual([429, 'rate_limited', '1'])
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(60)
    await live.close()
  })
})
