import { launchBrowser, type Page } from '../../test/check/browser/support/browser.ts'
import { type Bank, startPurser } from '../../testing/index.ts'
import type { Desk } from '../desk.ts'
import { medianOf } from '../figures.ts'

export const listedPayments = 10_000
const SHOWN_PAYMENTS = 20
/** Payments that are sent at the same time, to fill the list. */
const AT_ONCE = 64
const SCROLL_PX = 4_000

type Purser = Bank['purser']

/** The console in a browser: how soon a payment is on screen, and how smooth a long list scrolls. */
export async function consoleRounds({ figures, options, say, fault }: Desk): Promise<void> {
  const browser = await launchBrowser()
  if (!browser) return fault('the console is measured in a browser, and there is none: install Chromium or Chrome')
  const bank = await startPurser()
  try {
    for (let round = 1; round <= options.rounds; round++) {
      const { apiKey, purser } = await bank.organisation()
      const page = await browser.newPage({ viewport: { width: 1_440, height: 1_000 } })
      await page.goto(`${bank.url}/console/payments#key=${apiKey}`)
      await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor()
      const pay = await payer(purser)
      const times = await shownTimes(page, pay)
      figures.add('console payment', medianOf(times) ?? Number.NaN)
      figures.add('console payment slowest', Math.max(...times))
      for (let sent = 0; sent < listedPayments; sent += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, () => pay('Rent')))
      }
      const longest = await longestTask(page, `${bank.url}/console/payments#key=${apiKey}`)
      figures.add('console task', longest)
      say(
        `a payment on screen after ${Math.round(medianOf(times) ?? 0)} ms, the longest task ${Math.round(longest)} ms`,
      )
      await page.close()
    }
  } finally {
    await browser.close()
    await bank.stop()
  }
}

/** A function that pays one dollar from a funded account. */
async function payer(purser: Purser): Promise<(description: string) => Promise<void>> {
  const { id: customerId } = await purser.sandbox.customers.create({ name: 'Ada Example' })
  const { id: accountId } = await purser.accounts.create({ customerId })
  const { id: counterpartyAccountId } = await purser.externalAccounts.create(customerId, {
    name: 'Grace Sample',
    routingNumber: '021000021',
    accountNumber: '9876543210',
    accountType: 'Checking',
    type: 'Person',
  })
  await purser.sandbox.accounts.receiveAch(accountId, { amount: 10_000_000, companyName: 'Example Payroll' })
  return async (description) => {
    await purser.payments.create(accountId, { amount: 100, counterpartyAccountId, originalType: 'ACH', description })
  }
}

async function shownTimes(page: Page, pay: (description: string) => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let number = 0; number < SHOWN_PAYMENTS; number++) {
    const name = `Seen ${number}`
    const shown = page.getByRole('cell', { name, exact: true }).waitFor()
    await pay(name)
    const answeredMs = performance.now()
    await shown
    times.push(performance.now() - answeredMs)
  }
  return times
}

/** The longest task of the browser in ms, while the list is scrolled until all its rows were read. */
async function longestTask(page: Page, address: string): Promise<number> {
  await page.goto(address)
  await page.locator('tbody tr').nth(50).waitFor()
  await page.evaluate(`globalThis.tasks = [0]
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })`)
  await page.mouse.move(700, 600)
  // A row counts the rows before it, so that the last one says how many were read.
  for (let rows = 0; rows < listedPayments; ) {
    await page.mouse.wheel(0, SCROLL_PX)
    await page.waitForTimeout(50)
    rows = Number(await page.locator('table').getAttribute('aria-rowcount'))
  }
  return Number(await page.evaluate('Math.max(...tasks)'))
}
