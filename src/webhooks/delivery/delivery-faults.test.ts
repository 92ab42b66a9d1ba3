import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Consumer, deliveriesOf, makeEndpoint, openConsumer } from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../../test/support/ledger.ts'
import { makeFaultRule } from '../../../test/support/organisations.ts'

let bank: TestBank
let payer: Payer
let consumer: Consumer

beforeAll(async () => {
  // A lease that bounds the time of holding back to half a second.
  bank = await openTestBank({ webhooks: { leaseMs: 2_000 } })
  payer = await makePayer(bank, 10_000_00)
})
beforeEach(async () => {
  consumer = await openConsumer()
})
afterEach(async () => {
  await bank.call('DELETE', '/v0/sandbox/faults')
  await consumer.close()
})
afterAll(() => bank.close())

const payOnce = async (): Promise<string> => (await pay(bank, payer, { amount: 1_00 })).json.data.id
const ids = () => consumer.received.map(({ event }) => event.entity.id)

describe('a fault rule for webhooks', () => {
  test('sends a delivery twice, with the same id', async () => {
    const { id } = await makeEndpoint(bank, consumer.url)
    await makeFaultRule(bank, { match: { eventType: 'payment.created' }, effect: { duplicate: true }, times: 1 })
    const [first, second] = [await payOnce(), await payOnce()]
    await expect.poll(() => ids().sort()).toEqual([first, first, second].sort())
    const [one, two] = consumer.received.filter(({ event }) => event.entity.id === first)
    expect(one?.headers['webhook-id']).toBe(two?.headers['webhook-id'])
    const attempts = async () =>
      (await deliveriesOf(bank, id)).map((delivery: { attempts: unknown[] }) => delivery.attempts.length)
    await expect.poll(attempts).toEqual([1, 1])
    await bank.call('DELETE', `/v0/webhook-endpoints/${id}`)
  })

  test('sends a delivery after its successor, and without one after a while', async () => {
    const { id } = await makeEndpoint(bank, consumer.url)
    await makeFaultRule(bank, { match: { eventType: 'payment.*' }, effect: { reorder: true }, times: 1 })
    const [first, second] = [await payOnce(), await payOnce()]
    await expect.poll(ids).toEqual([second, first])
    await makeFaultRule(bank, { match: { eventType: '*' }, effect: { reorder: true }, times: 1 })
    const third = await payOnce()
    await expect.poll(ids).toEqual([second, first, third])
    await bank.call('DELETE', `/v0/webhook-endpoints/${id}`)
  })

  test('leaves other types of events and other organisations alone', async () => {
    await makeEndpoint(bank, consumer.url)
    await makeFaultRule(bank, { match: { eventType: 'card.*' }, effect: { duplicate: true } })
    await makeFaultRule(bank, { match: { eventType: '*' }, effect: { duplicate: true } }, bank.otherKey)
    const made = [await payOnce(), await payOnce()]
    await expect.poll(() => ids().length).toBe(2)
    expect(ids().sort()).toEqual(made.sort())
  })
})
