import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { unwrap } from '../client/src/index.ts'
import { type Bank, startPurser, type TestOrganisation } from './index.ts'

let bank: Bank

beforeAll(async () => {
  bank = await startPurser()
})
afterAll(() => bank.stop())

async function scenario(organisation: TestOrganisation) {
  return organisation.purser.sandbox.scenarios.create({ seed: 1 })
}

describe('an organisation', () => {
  test('is a bank of its own: 100 at once, and nothing is seen across them', async () => {
    const organisations = await Promise.all(Array.from({ length: 100 }, () => bank.organisation()))
    expect(new Set(organisations.map(({ id }) => id)).size).toBe(100)
    const customers = await Promise.all(
      organisations.map(({ purser, id }) => purser.sandbox.customers.create({ name: `Customer of ${id}` })),
    )
    for (const [at, { purser }] of organisations.entries()) {
      const { data } = await purser.customers.list().page()
      expect(data.map(({ id }) => id)).toEqual([customers[at]?.id])
      const other = customers[(at + 1) % 100]?.id ?? ''
      await expect(purser.customers.get(other)).rejects.toMatchObject({ code: 'customer_not_found' })
    }
  })

  test('starts at a time and stands still', async () => {
    const { purser } = await bank.organisation({ now: '2027-01-31T12:00:00Z', frozen: true })
    const customer = await purser.sandbox.customers.create({ name: 'Ada Example' })
    expect(customer.createdAt).toBe('2027-01-31T12:00:00.000Z')
    await purser.sandbox.clock.advance('P1D')
    const account = await purser.accounts.create({ customerId: customer.id })
    expect(account.createdAt).toBe('2027-02-01T12:00:00.000Z')
  })

  test('waits for an event, past or future, and says which came instead', async () => {
    const organisation = await bank.organisation()
    const { paymentId } = await scenario(organisation)
    const created = await organisation.event('payment.created', ({ data }) => data.id === paymentId)
    expect(created.data.id).toBe(paymentId)
    const returned = organisation.event('payment.returned')
    await organisation.purser.sandbox.payments.return(paymentId, { returnCode: 'R01' })
    expect((await returned).data.id).toBe(paymentId)
    const never = organisation.event('card.replaced', undefined, { timeoutMs: 300 })
    await expect(never).rejects.toThrow(/no card.replaced .* the latest were .*payment.returned/)
  })

  test('has campaigns, whose offers a partner user activates if asked', async () => {
    const organisation = await bank.organisation()
    const { purser } = organisation
    const plain = await organisation.campaign({ name: 'Autumn', offer: { amount: 300, merchantName: 'Osprey Tea' } })
    expect(plain.offer).toMatchObject({ amount: 300, commission: null, activation: null, merchantName: 'Osprey Tea' })
    expect((await purser.campaigns.get(plain.campaignId)).name).toBe('Autumn')
    const { id: partnerUserId } = await purser.partnerUsers.create({ userId: 1 })
    const { offer } = await organisation.campaign({ activatedBy: partnerUserId })
    const { data } = await purser.partnerUsers.listOffers(partnerUserId).page()
    expect(data.find(({ id }) => id === offer.id)).toMatchObject({
      eligibility: 'Eligible',
      offer: { merchantName: 'Sample Bistro', commission: 10 },
    })
  })

  test('ends with `delete`', async () => {
    const organisation = await bank.organisation()
    await organisation.delete()
    await expect(organisation.purser.me.get()).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

describe('webhooks', () => {
  test('are received and verified without a port of the test', async () => {
    const organisation = await bank.organisation()
    const hooks = await organisation.webhooks({ events: ['payment.*'] })
    const { paymentId } = await scenario(organisation)
    expect((await hooks.next('payment.created', ({ data }) => data.id === paymentId)).data.id).toBe(paymentId)
    expect(hooks.received.every(({ event }) => event.type.startsWith('payment.'))).toBe(true)
    await expect(hooks.next('payment.returned', undefined, { timeoutMs: 200 })).rejects.toThrow(
      /delivered were .*payment.created/,
    )
  })

  test('go to a handler, whose refusal is retried in bank time', async () => {
    const organisation = await bank.organisation()
    const seen: string[] = []
    const hooks = await organisation.webhooks({
      events: ['customer.created'],
      handler: async (request, secret) => {
        const event = await unwrap(await request.text(), request.headers, secret)
        seen.push(event.id)
        if (seen.length === 1) throw new Error('the app is not ready')
        return new Response(null, { status: 200 })
      },
    })
    await organisation.purser.sandbox.customers.create({ name: 'Ada Example' })
    await vi.waitFor(() => expect(hooks.received.length).toBe(1), { timeout: 20_000 })
    await vi.waitFor(
      async () => {
        await organisation.purser.sandbox.clock.advance('PT1M')
        expect(hooks.received.map(({ status }) => status)).toEqual([500, 200])
      },
      { timeout: 20_000 },
    )
    expect(seen[1]).toBe(seen[0])
  })
})

test('a handler that throws or returns nothing is listed with its error', async () => {
  const organisation = await bank.organisation()
  const nothing = (() => undefined) as unknown as () => Response
  const hooks = await organisation.webhooks({ events: ['customer.created'], handler: nothing })
  await organisation.purser.sandbox.customers.create({ name: 'Ada Example' })
  await hooks.next('customer.created')
  expect(hooks.received[0]).toMatchObject({ status: 500, error: { message: expect.stringContaining('no Response') } })
})

describe('startPurser', () => {
  test('joins a service that runs', async () => {
    const joined = await startPurser({ url: bank.url, apiKey: bank.apiKey })
    const { purser } = await joined.organisation()
    expect((await purser.me.get()).mode).toBe('sandbox')
    await joined.stop()
    expect((await bank.purser.me.get()).mode).toBe('sandbox')
    await expect(startPurser({ url: bank.url, apiKey: 'another-key' })).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('a PURSER_URL that does not answer, or answers in live mode, is named', async () => {
    vi.stubEnv('PURSER_URL', 'http://127.0.0.1:1')
    vi.stubEnv('PURSER_API_KEY', '')
    await expect(startPurser()).rejects.toThrow(/unset PURSER_URL to start one. Purser needs an API key/)
    vi.stubEnv('PURSER_API_KEY', 'k')
    await expect(startPurser()).rejects.toThrow(/unset PURSER_URL to start one. .*cannot be reached/)
    vi.unstubAllEnvs()
    const live = createServer((_request, response) => response.end('{"data": {"mode": "live"}}')).listen(0, '127.0.0.1')
    await once(live, 'listening')
    const { port } = live.address() as AddressInfo
    await expect(startPurser({ url: `http://127.0.0.1:${port}`, apiKey: 'k' })).rejects.toThrow(/need a sandbox/)
    live.close()
  })
})
