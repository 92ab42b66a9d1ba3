import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { menu, recordPath } from '../../console/routes.ts'
import { closeBrowser, openConsole, screenFaults, type Variant } from '../support/browser/console-page.ts'
import { openTestBank, type TestBank } from '../support/harness.ts'
import { smallCatalogue } from '../support/offers.ts'

let bank: TestBank
let url: string
let paths: string[]

beforeAll(async () => {
  bank = await openTestBank({ catalogue: smallCatalogue() })
  await bank.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(bank.app.server.address() as AddressInfo).port}`
  paths = [...menu.flatMap(({ items }) => items.map(({ path }) => path)), ...(await recordPaths())]
})
afterAll(async () => {
  await closeBrowser()
  await bank?.close()
})

/** The screens of one record of each type. */
async function recordPaths(): Promise<string[]> {
  const { json: made } = await bank.call('POST', '/v0/sandbox/scenarios', { body: { seed: 1 } })
  const ids = made.data as Record<string, string>
  const { json: endpoint } = await bank.call('POST', '/v0/webhook-endpoints', {
    body: { url: 'http://127.0.0.1:9/hooks', events: ['payment.*'] },
  })
  const first = async (path: string) => (await bank.call('GET', path)).json.data[0]?.id as string
  const records: Record<string, string | undefined> = {
    account: ids.accountId,
    application: ids.applicationId,
    authorization: ids.authorizationId,
    card: ids.cardId,
    customer: ids.customerId,
    document: ids.documentId,
    externalAccount: ids.externalAccountId,
    partnerUser: ids.partnerUserId,
    payment: ids.paymentId,
    statement: ids.statementId,
    transaction: ids.transactionId,
    webhookEndpoint: endpoint.data.id,
    apiKey: await first('/v0/api-keys'),
    event: await first('/v0/events'),
    request: await first('/v0/requests'),
    reward: await first('/v0/rewards/rewards'),
  }
  return Object.entries(records).map(([type, id]) => {
    expect(id, `the scenario has a record of the type ${type}`).toBeDefined()
    return recordPath(type, id ?? '')
  })
}

/** Screens that another screen leads to. */
const inner = [
  '/ledger/accounts',
  '/ledger/journal',
  '/offers?zip=10001',
  '/offers/national',
  '/rewards/payments',
  '/rewards/users',
  '/rewards/cards',
  '/rewards/purchases',
  '/rewards/reconciliation',
]

const all: Variant[] = [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 390 },
  { scheme: 'dark', width: 1440 },
  { scheme: 'light', width: 390 },
]

describe.each(process.env.SOAK ? all : all.slice(0, 2))('in $scheme at $width px', (variant) => {
  test('every screen is accessible, fits the window, loads nothing from elsewhere and reports no error', async (context) => {
    const console = await openConsole(context, { url, key: bank.key }, variant)
    const found: Record<string, string[]> = {}
    for (const path of [
      ...paths,
      ...inner,
      '/reference/createPayment',
      '/no-such-screen',
      '/payments?status=Sent',
      '/payments/9',
    ]) {
      await console.show(path)
      const faults = await screenFaults(console)
      // Browsers report the request for a record that does not exist.
      const own = path === '/payments/9' ? faults.filter((fault) => !/status of 404/.test(fault)) : faults
      if (own.length > 0) found[path] = own
    }
    expect(found).toEqual({})
    await console.close()
  })
})
