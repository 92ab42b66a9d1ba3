import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Purser } from '../../../client/src/index.ts'
import { menu, recordPath } from '../../../console/routes.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { smallCatalogue } from '../../support/offers.ts'
import { closeBrowser, openConsole } from './support/console-page.ts'

/** A text that runs a script if it is taken as HTML. */
const hostile = `<img src="x" onerror="globalThis.ran=1">`
const short = '<img src>'
const address = { street: hostile, city: hostile, state: 'NY', postalCode: '10001' }

let bank: TestBank
let url: string

beforeAll(async () => {
  bank = await openTestBank({ catalogue: smallCatalogue() })
  await bank.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(bank.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await closeBrowser()
  await bank?.close()
})

/** Records with the hostile text in every field that takes a text, as the paths of their screens. */
async function hostilePaths(): Promise<string[]> {
  const purser = new Purser({ url, apiKey: bank.key })
  const customer = await purser.sandbox.customers.create({ name: hostile, address })
  const account = await purser.accounts.create({ customerId: customer.id, tags: { [hostile]: hostile } })
  await purser.sandbox.accounts.receiveAch(account.id, { amount: 90_000, companyName: hostile, description: short })
  const payee = await purser.externalAccounts.create(customer.id, {
    name: hostile,
    routingNumber: '021000021',
    accountNumber: '9876543210',
    accountType: 'Checking',
    type: 'Person',
  })
  const payment = await purser.payments.create(
    account.id,
    {
      amount: 100,
      counterpartyAccountId: payee.id,
      originalType: 'ACH',
      description: short,
      addenda: hostile,
      tags: { text: hostile },
    },
    { idempotencyKey: '<img/src=x/onerror=ran=1>', headers: { 'x-request-id': 'hostile' } },
  )
  const card = await purser.cards.create({
    type: 'individualDebitCard',
    accountId: account.id,
    shippingAddress: address,
    tags: { text: hostile },
  })
  await purser.cards.activate(card.id)
  const authorization = await purser.sandbox.authorizations.create(card.id, {
    amount: 500,
    merchant: { name: hostile, category: hostile, location: hostile },
  })
  const key = await purser.apiKeys.create({ name: hostile, scopes: ['banking:read'] })
  const endpoint = await purser.webhookEndpoints.create({
    url: 'http://127.0.0.1:9/%3Cimg%20src=x%20onerror=ran%3E',
    events: ['*'],
    description: hostile,
  })
  const [transaction] = (await purser.transactions.list({ accountId: account.id }).page()).data
  const [request] = (await purser.requests.list({ operation: 'createPayment' }).page()).data
  const [event] = (await purser.events.list({ entityType: 'payment', entityId: payment.id }).page()).data
  const records: [string, string | undefined][] = [
    ['customer', customer.id],
    ['account', account.id],
    ['externalAccount', payee.id],
    ['payment', payment.id],
    ['card', card.id],
    ['authorization', authorization.id],
    ['apiKey', key.id],
    ['webhookEndpoint', endpoint.id],
    ['transaction', transaction?.id],
    ['request', request?.id],
    ['event', event?.id],
  ]
  return records.map(([type, id]) => recordPath(type, id ?? ''))
}

test('texts of records are shown as texts, and run nothing', async (context) => {
  const records = await hostilePaths()
  const { page, faults, show, close } = await openConsole(context, { url, key: bank.key })
  const lists = menu.flatMap(({ items }) => items.map(({ path }) => path))
  let shown = 0
  for (const path of [...records, ...lists]) {
    await show(path)
    if ((await page.locator('main').innerText()).includes('<img src')) shown++
    expect(await page.locator('img[src="x"]').count(), path).toBe(0)
    expect(faults, path).toEqual([])
  }
  expect(shown).toBeGreaterThan(records.length)
  expect(await page.evaluate('globalThis.ran')).toBeUndefined()
  await close()
})
