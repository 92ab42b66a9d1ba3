import { startPurser } from 'purser/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payRent } from '../rent.js'
import { ReturnedPayments } from '../returned-payments.js'
import { handleWebhook } from '../webhooks/web.js'

/** @type {import('purser/testing').Bank} */
let bank

beforeAll(async () => {
  bank = await startPurser()
})
afterAll(() => bank.stop())

/** A bank of its own for one test, with a tenant who has money and knows the account of a landlord. */
async function tenant() {
  const organisation = await bank.organisation()
  const { accountId, externalAccountId } = await organisation.purser.sandbox.scenarios.create({ seed: 1 })
  return {
    organisation,
    purser: organisation.purser,
    rent: { accountId, landlordId: externalAccountId, amount: 50_000 },
  }
}

test('the rent of a month is paid once', async () => {
  const { purser, rent } = await tenant()
  const first = await payRent(purser, { ...rent, month: '2027-02' })
  const again = await payRent(purser, { ...rent, month: '2027-02' })
  expect(first).toMatchObject({ paid: true })
  expect(again).toEqual(first)
})

test('rent is not paid without the money for it', async () => {
  const { purser, rent } = await tenant()
  const outcome = await payRent(purser, { ...rent, amount: 90_000_000, month: '2027-02' })
  expect(outcome).toMatchObject({ paid: false })
})

test('a returned payment gets onto the list', async () => {
  const { organisation, purser, rent } = await tenant()
  const returned = new ReturnedPayments()
  const hooks = await organisation.webhooks({
    events: ['payment.*'],
    handler: (request, secret) => handleWebhook(request, returned, secret),
  })
  const { paymentId = '' } = await payRent(purser, { ...rent, month: '2027-02' })
  await purser.sandbox.payments.return(paymentId, { returnCode: 'R01' })
  await hooks.next('payment.returned')
  expect(returned.list()).toEqual([{ id: paymentId, amount: 50_000, description: 'Rent' }])
})
