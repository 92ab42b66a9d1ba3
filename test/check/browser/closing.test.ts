import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkCertificate } from '../../../src/bank/closing/certificate.ts'
import type { TestBank } from '../../support/harness.ts'
import { advanceTo, openRailBank, sendPayments } from '../../support/rails/leaving.ts'
import { type BankDay, baiFile } from '../../support/rails/statements.ts'
import { closeBrowser, openConsole, screenFaults, type Variant } from './support/console-page.ts'

let bank: TestBank
let url: string

beforeAll(async () => {
  bank = await openRailBank()
  await bank.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(bank.app.server.address() as AddressInfo).port}`
  // On Tuesday money comes, and on Wednesday a file leaves.
  await sendPayments(bank, [20_00, 30_00])
  await advanceTo(bank, '2030-02-07T15:00:00Z')
})
afterAll(async () => {
  await closeBrowser()
  await bank?.close()
})

const tuesday: BankDay = {
  ...{ asOf: '2030-02-05', opening: 10_000_00 },
  lines: [{ amount: 500_00, code: '142', text: 'ACH RECEIVED' }],
}
/** A zero of the settlement is missing, and there is a fee. */
const wednesday: BankDay = {
  ...{ asOf: '2030-02-06', opening: 10_500_00, fileId: '2' },
  lines: [
    { amount: -5_00, code: '466', text: 'ACH SETTLEMENT' },
    { amount: -3_50, code: '698', text: 'FEES' },
  ],
}
const corrected = {
  ...wednesday,
  fileId: '3',
  lines: wednesday.lines.with(0, { amount: -50_00, code: '466', text: 'ACH' }),
}

async function take(page: Page, day: BankDay, replace?: string): Promise<void> {
  await page.getByRole('button', { name: 'Take statement…' }).click()
  const dialog = page.getByRole('dialog')
  const file = { name: `${day.asOf}.bai`, mimeType: 'text/plain', buffer: Buffer.from(baiFile(day)) }
  await dialog.getByLabel('File').setInputFiles(file)
  if (replace) await dialog.getByLabel(/Reason to replace/).fill(replace)
  await dialog.getByRole('button', { name: 'Take' }).click()
  await dialog.getByText(/1 statement of the account/).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
}

async function decide(page: Page, text: string, choose: (dialog: ReturnType<Page['getByRole']>) => Promise<void>) {
  await page.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Decide…' }).click()
  const dialog = page.getByRole('dialog')
  await choose(dialog)
  await dialog.getByLabel('Reason').fill('By the letter of the bank')
  await dialog.locator('button[type=submit]').click()
  await dialog.waitFor({ state: 'detached' })
}

test('a person closes days by the console alone, and finds the cents that the bank has wrong', {
  timeout: 200_000,
}, async (context) => {
  const { page, faults, close } = await openConsole(context, { url, key: bank.key })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Closing' }).click()
  await take(page, tuesday)
  await take(page, wednesday)
  await page.getByRole('link', { name: /Feb 5, 2030: Open \$10,000\.00/ }).click()
  await page
    .getByText(/held at the bank before the first statement/)
    .first()
    .waitFor()
  await decide(page, 'held at the bank', (dialog) => dialog.getByLabel('To the account').selectOption('funding').then())
  await page.getByText(/^Booked by hand, key \d+: By the letter of the bank/).waitFor()
  await page.getByText('The day can be closed').waitFor()
  await page.getByRole('button', { name: 'Close day' }).click()
  await page.getByText('Valid').waitFor()

  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download certificate' }).first().click()
  const saved = readFileSync(await (await saving).path(), 'utf8')
  const { faults: wrong, certificate } = checkCertificate(saved, undefined)
  expect([wrong, certificate.day, certificate.settlement.statementItems]).toEqual([[], '2030-02-05', 10_000_00])

  await page.getByRole('link', { name: 'Next record' }).click()
  await page.getByRole('heading', { name: 'Feb 6, 2030' }).waitFor()
  await page.getByText(/^The ledger does not have item \d+ of Feb 6, 2030, −\$5\.00/).waitFor()
  await page.getByText(/^The digits of movement \d+ with other zeros: \$45\.00/).waitFor()
  await page.getByRole('button', { name: 'Close day' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^Feb 6, 2030 stays open: The ledger does not have item \d+ of Feb 6, 2030, −\$5\.00/i)
    .waitFor()
  await page.keyboard.press('Escape')
  await take(page, corrected, 'The bank lost a zero')
  await page.getByText('Same amount and day, and no other like it').waitFor()
  await decide(page, 'FEES', async (dialog) => {
    await dialog.getByLabel('Decision').selectOption('note')
    await dialog.getByLabel('Owner').fill('Ada')
  })
  await page.getByText('Ada: By the letter of the bank').waitFor()
  await page.getByRole('button', { name: 'Close day' }).click()
  await page.getByText('Valid').waitFor()
  // The refused attempt to close the day is an answer that browsers report.
  expect(faults.filter((fault) => !/status of 409/.test(fault))).toEqual([])
  await close()
})

const variants: Variant[] = [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 390 },
  { scheme: 'dark', width: 1440 },
  { scheme: 'light', width: 390 },
]
const paths = [
  '/closing?month=2030-02',
  '/closing?month=2030-01',
  '/closing/days/2030-02-06',
  '/closing/days/2030-02-07',
]
const screens = [...paths, '/closing/items', '/closing/statements']

const shown = process.env.SOAK || process.env.PICTURES ? variants : variants.slice(0, 2)

describe.each(shown)('in $scheme at $width px', (variant) => {
  test('the screens are accessible and fit the window, also with many items', {
    timeout: 200_000,
  }, async (context) => {
    const lines = Array.from({ length: 60 }, (_, at) => ({ amount: -1_000_00 - at, code: '699', text: `LINE ${at}` }))
    const file = baiFile({ asOf: '2030-02-07', opening: 10_446_50, lines, fileId: '4' })
    const body = { name: 'many.bai', file: Buffer.from(file).toString('base64') }
    await bank.call('POST', '/v0/closing/statements', { body })
    const console = await openConsole(context, { url, key: bank.key }, variant)
    const found: Record<string, string[]> = {}
    for (const path of screens) {
      await console.show(path)
      const wrong = await screenFaults(console)
      if (wrong.length > 0) found[path] = wrong
      if (process.env.PICTURES) {
        const name = `${path.replace(/\W+/g, '-')}-${variant.scheme}-${variant.width}.png`
        await console.page.screenshot({ path: `${process.env.PICTURES}/${name}` })
      }
    }
    expect(found).toEqual({})
    await console.close()
  })
})
