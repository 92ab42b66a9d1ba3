import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, bankNow, timestamp } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

describe('get clock', () => {
  test('answers bank time, which is real time until it is advanced', async () => {
    const { status, json } = await bank.call('GET', '/v0/sandbox/clock')
    expect(status).toBe(200)
    expect(json).toEqual({ data: { now: expect.stringMatching(timestamp) } })
    expect(Math.abs(Date.parse(json.data.now) - Date.now())).toBeLessThan(60_000)
  })

  test('answers a later time at every call', async () => {
    const before = await bankNow(bank)
    await expect.poll(() => bankNow(bank)).not.toBe(before)
    expect((await bankNow(bank)) > before).toBe(true)
  })

  test('answers the time that an advance led to, and counts on from there', async () => {
    const { now } = await advance(bank, { by: 'P100D' })
    const read = await bankNow(bank)
    expect(read >= now).toBe(true)
    expect(Date.parse(read) - Date.parse(now)).toBeLessThan(60_000)
  })
})
