import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Purser } from '../../../client/src/index.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { smallCatalogue } from '../../support/offers.ts'
import { closeBrowser, openConsole } from './support/console-page.ts'

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

test("the README's story can be clicked: a scenario, a payment, its return, and a week later", async (context) => {
  const { page, faults, close } = await openConsole(context, { url, key: bank.key })
  const menu = page.getByRole('navigation', { name: 'Main' })
  const purser = new Purser({ url, apiKey: bank.key })

  await menu.getByRole('link', { name: 'Sandbox' }).click()
  await page.getByRole('button', { name: 'Create a scenario' }).click()
  await page.getByRole('link', { name: /^\d+$/ }).first().waitFor()
  const [account] = (await purser.accounts.list({ status: 'Open' }).page()).data
  const [rent] = (await purser.payments.list({ type: ['achPayment'] }).page()).data

  await menu.getByRole('link', { name: 'Accounts' }).click()
  await page.locator(`a[href="/console/accounts/${account?.id}"]`).first().click()
  await page.getByRole('button', { name: 'Pay…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('20.00')
  await dialog.getByLabel(/Description|Purpose/).fill('Lunch')
  await dialog.getByRole('button', { name: 'Pay' }).click()
  await dialog.waitFor({ state: 'detached' })

  await menu.getByRole('link', { name: 'Payments' }).click()
  await page.getByRole('cell', { name: 'Lunch' }).waitFor()
  await page.locator(`a[href="/console/payments/${rent?.id}"]`).click()
  await page.getByRole('button', { name: 'Return…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Return' }).click()
  await page.getByText('payment.returned').first().waitFor()
  expect((await purser.payments.get(rent?.id ?? '')).status).toBe('Returned')

  await menu.getByRole('link', { name: 'Clock' }).click()
  await page.getByRole('button', { name: '+1 week' }).click()
  await page
    .getByText(/Authorization (expired|canceled)/)
    .first()
    .waitFor()
  expect(faults).toEqual([])
  await close()
})
