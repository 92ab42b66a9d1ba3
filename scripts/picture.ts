import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { launchBrowser } from '../test/check/browser/support/browser.ts'
import { startPurser } from '../testing/index.ts'

/** Makes docs/console.png, the picture of the README: a payment in the console, from its request to its delivery. */
const target = join(import.meta.dirname, '../docs/console.png')

/** An app whose first answer to a webhook is an error. */
async function openApp(): Promise<{ url: string; close(): void }> {
  let answered = 0
  const server = createServer((request, response) => {
    request.resume()
    response.statusCode = answered++ === 0 ? 500 : 200
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`, close: () => server.close() }
}

const browser = await launchBrowser()
if (!browser) throw new Error('the picture is made in a browser, and there is none: install Chromium or Chrome')
const bank = await startPurser()
const app = await openApp()
try {
  const { purser, apiKey } = await bank.organisation({ name: 'Example Bank', now: '2026-01-31T12:00:00Z' })
  const { accountId, externalAccountId } = await purser.sandbox.scenarios.create({ seed: 1 })
  await purser.webhookEndpoints.create({ url: app.url, events: ['payment.*'] })
  const { id } = await purser.payments.create(
    accountId,
    { amount: 2_500, counterpartyAccountId: externalAccountId, originalType: 'ACH', description: 'Dinner' },
    { idempotencyKey: 'dinner-2026-01-31' },
  )
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 }, colorScheme: 'light' })
  await page.goto(`${bank.url}/console/payments/${id}#key=${apiKey}`)
  await page.getByText('2 attempts').waitFor({ timeout: 60_000 })
  await page.screenshot({ path: target })
} finally {
  app.close()
  await browser.close()
  await bank.stop()
}
