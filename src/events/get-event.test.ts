import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makePayer, pay } from '../../test/support/ledger.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const get = (id: string, key = bank.key) => bank.call('GET', `/v0/events/${id}`, { key })

describe('get event', () => {
  test('answers the event as the list shows it, with the record at that time and the request that changed it', async () => {
    const payer = await makePayer(bank, 50_00)
    const headers = { 'idempotency-key': 'lunch', 'x-request-id': 'request-of-lunch' }
    const payment = (await pay(bank, payer, { amount: 20_00 }, { headers })).json.data
    const listed = (await bank.call('GET', '/v0/events?type=payment.created')).json.data.at(-1)
    const { status, json } = await get(listed.id)
    expect(status).toBe(200)
    expect(json.data).toEqual(listed)
    expect(json.data).toEqual({
      id: expect.stringMatching(/^evt_\d{7,}_\d+$/),
      type: 'payment.created',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      apiVersion: 'v0',
      sequence: expect.any(Number),
      entity: { type: 'payment', id: payment.id, version: 1 },
      data: payment,
      request: { id: 'request-of-lunch', idempotencyKey: 'lunch' },
    })
  })

  test('answers 404 for events of another organisation and for unknown ids', async () => {
    const [{ id, sequence }] = (await bank.call('GET', '/v0/events')).json.data
    const next = id.replace(/_\d+$/, '_999999')
    for (const reply of [
      await get(id, bank.otherKey),
      await get(next),
      await get(String(sequence)),
      await get(`${id}0x`),
    ]) {
      expect([reply.status, reply.json.code]).toEqual([404, 'event_not_found'])
    }
  })
})
