import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, openTestBank, type TestBank } from '../../support/harness.ts'
import { expectSoundLedger, makePayer, pay } from '../../support/ledger.ts'
import { signIn } from '../../support/people/sign-in.ts'

// Two services on one database that do not know of each other, as on two machines.

const LEAST = 50_00
let place: Awaited<ReturnType<typeof createDatabase>>
let services: TestBank[] = []

beforeAll(async () => {
  place = await createDatabase()
  const signatures = { from: { paymentApproval: LEAST }, expiryMs: 86_400_000 }
  services = [await openTestBank({ on: place, signatures }), await openTestBank({ on: place, signatures })]
  for (const { app } of services) await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  for (const bank of services) await bank.close()
  await place?.drop()
})

test('of 50 persons who sign a payment at once, over HTTP and at two services, one lets it leave', async () => {
  const [bank] = services as [TestBank]
  const payer = await makePayer(bank, 1_000_00)
  await bank.call('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, { body: { payment: { soft: 1 } } })
  const { id } = (await pay(bank, payer, { amount: LEAST })).json.data
  const ada = await signIn(bank, { first: 'reviewer' })
  const body = { reason: 'The invoice was checked' }
  const proposed = await ada.call('POST', `/v0/review/payments/${id}/approve`, { body })
  expect(proposed.status, proposed.text).toBe(202)
  const people = []
  for (let number = 0; number < 50; number++) people.push(await signIn(bank, { first: 'reviewer' }))
  const urls = services.map(({ app }) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
  const sign = async ({ token }: { token: string }, number: number) => {
    const response = await fetch(`${urls[number % urls.length]}/v0/proposals/${proposed.json.data.id}/approve`, {
      method: 'POST',
      headers: {
        cookie: `__Host-purser=${token}`,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      body: '{}',
    })
    const { data, code } = (await response.json()) as { data?: { state: string }; code?: string }
    return data?.state ?? code
  }
  const outcomes = await Promise.all(people.map(sign))
  expect(outcomes.filter((outcome) => outcome === 'Executed')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'proposal_not_waiting')).toHaveLength(49)
  const events = (await bank.call('GET', '/v0/events?limit=1000&after=0')).json.data as { type: string }[]
  const count = (type: string) => events.filter((event) => event.type === type).length
  expect(['proposal.approved', 'payment.sent', 'proposal.executed'].map(count)).toEqual([1, 1, 1])
  const { balance } = (await bank.call('GET', `/v0/banking/accounts/${payer.accountId}`)).json.data
  expect(balance).toBe(1_000_00 - LEAST)
  await expectSoundLedger(bank)
})
