import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openRecordIds } from '../../../src/database/record-ids.ts'
import { invite } from '../../../src/people/manage-people.ts'
import { advance, ask } from '../../support/cards.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { makePayer, pay } from '../../support/ledger.ts'
import { type SignedInPerson, signIn } from '../../support/people/sign-in.ts'
import { insertSettlementItem } from '../../support/sets/records.ts'
import { addDevice, type ConsolePage, closeBrowser, openConsole, screenFaults } from './support/console-page.ts'

let bank: TestBank
let url: string
/** Persons who propose and sign by calls. */
let proposer: SignedInPerson
let signer: SignedInPerson
const open: ConsolePage[] = []

beforeAll(async () => {
  const from = { paymentApproval: 5_000_00, limits: 0, holdRelease: 0, writeOff: 0, personalExport: 0, personRights: 0 }
  bank = await openTestBank({ own: true, signatures: { from, expiryMs: 7 * 86_400_000 } })
  await bank.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://localhost:${(bank.app.server.address() as AddressInfo).port}`
  proposer = await signIn(bank, { first: 'risk' }, { name: 'Mary Second' })
  signer = await signIn(bank, { first: 'risk' }, { name: 'Grace Hopper' })
})
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})
afterAll(async () => {
  await closeBrowser()
  await bank?.close()
})

/** A person at a browser, who has registered a passkey. */
async function at(
  context: Parameters<typeof openConsole>[0],
  name: string,
  role: 'risk' | 'administrator' | 'auditor' = 'risk',
): Promise<ConsolePage> {
  const people = { database: bank.database, ids: openRecordIds(bank.database) }
  const { secret } = await invite(people, { name, roles: { first: role } })
  const console = await openConsole(context, { url, fragment: `invitation=${secret}` })
  open.push(console)
  await addDevice(console)
  await console.page.getByRole('button', { name: 'Register a passkey' }).click()
  await console.page.getByRole('navigation', { name: 'Main' }).waitFor()
  return console
}

/** Payments of an account that wait for a review. */
async function reviewedPayments(...amounts: number[]) {
  const payer = await makePayer(bank, 100_000_00)
  const { id } = await call('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, {
    ...{ payment: { soft: 1 }, debits: { dayCount: 3 } },
  })
  await signer.call('POST', `/v0/proposals/${id}/approve`, { body: {} })
  const ids: string[] = []
  for (const amount of amounts) ids.push((await pay(bank, payer, { amount, description: 'Invoice 42' })).json.data.id)
  return { ...payer, ids }
}

const call = async (method: string, path: string, body: object) => {
  const { status, text, json } = await proposer.call(method, path, { body })
  expect(status, text).toBeLessThan(300)
  return json.data
}

test('a compliance officer finds on Home what waits, signs as the second person, and sees who decided what', async (context) => {
  const { ids } = await reviewedPayments(6_000_00)
  const ada = await at(context, 'Ada Lovelace')
  await ada.show('/review/payments')
  await ada.page.getByRole('button', { name: 'Approve…' }).click()
  const dialog = ada.page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('The invoice was checked')
  await dialog.locator('button[type=submit]').click()
  await dialog.getByRole('status').getByText('Waits for a second signature.').waitFor()
  expect(await screenFaults(ada, 'proposed')).toEqual([])
  const isWhole = '(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector("dialog"))'
  expect(await ada.page.evaluate(isWhole)).toBe(true)
  await dialog.getByRole('link', { name: 'Open the proposal' }).click()
  await ada.page.getByText(/You proposed it, so another person has to sign/).waitFor()
  const buttons = (page: ConsolePage['page']) =>
    page.locator('main').getByRole('button', { name: /^(Approve…|Reject…|Withdraw)$/ })
  expect(await buttons(ada.page).allTextContents()).toEqual(['Withdraw'])
  expect(await screenFaults(ada, 'proposal-own')).toEqual([])

  const grace = await at(context, 'Grace Hopper')
  const { page } = grace
  const item = page
    .getByRole('listitem')
    .filter({ hasText: '1 decision waits for a second signature, $6,000.00 in all' })
  expect(await screenFaults(grace, 'home')).toEqual([])
  await item.getByRole('link', { name: 'Show' }).click()
  await page.waitForURL(`${url}/console/review/proposals?state=Waiting`)
  const row = page.getByRole('row', { name: /Approve a payment.*Ada Lovelace/ })
  await row.waitFor()
  expect(await screenFaults(grace, 'proposals')).toEqual([])
  await row.getByRole('link').first().click()
  await page.getByText('You can be the second signature').waitFor()
  await page
    .getByRole('link', { name: /Invoice 42, \$6,000\.00 to Grace Sample/ })
    .first()
    .waitFor()
  expect(await buttons(page).allTextContents()).toEqual(['Approve…', 'Reject…'])
  expect(await screenFaults(grace, 'proposal')).toEqual([])
  await page.getByRole('button', { name: 'Approve…' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('I called the payee')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Approved by Grace Hopper: I called the payee' }).waitFor()
  expect((await ask(bank, 'GET', `/v0/banking/payments/${ids[0]}`)).status).toBe('Sent')
  // The screen of the first person follows.
  await ada.page.getByRole('heading', { name: 'Approved by Grace Hopper: I called the payee' }).waitFor()
  expect(await screenFaults(grace, 'proposal-executed')).toEqual([])
  await grace.show('/review/proposals')
  await page.getByRole('row', { name: /Ada Lovelace.*Executed.*Grace Hopper/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Waiting 0' }).count()).toBe(1)
})

test('limits, the release of a hold, a booking, an export and several payments at once say that they wait', async (context) => {
  const { accountId, ids } = await reviewedPayments(6_000_00, 7_000_00, 1_000_00)
  const { id: holdId } = await ask(bank, 'POST', `/v0/banking/accounts/${accountId}/holds`, {
    ...{ amount: 5_00, reason: 'LegalOrder', description: 'Levy 2026-0042' },
  })
  const ada = await at(context, 'Ada Lovelace')
  const { page, show } = ada
  const dialog = page.getByRole('dialog')
  const proposed = () => dialog.getByRole('status').getByText('Waits for a second signature.').waitFor()

  await show(`/accounts/${accountId}`)
  await page.getByRole('region', { name: 'Limits' }).getByRole('button', { name: 'Change…' }).click()
  await dialog.getByLabel('Overdraft').fill('25.00')
  await dialog.getByRole('button', { name: 'Set the limits' }).click()
  await proposed()
  await dialog.getByRole('link', { name: 'Open the proposal' }).click()
  await page.getByText('$25.00, now none').waitFor()
  // The form does not show the limits of debits, and keeps them.
  const decision = page.getByRole('region', { name: 'The decision' })
  expect(await decision.locator('dl > div').allInnerTexts()).toContainEqual(
    expect.stringMatching(/^Debits, day count\s+3$/),
  )
  expect(await screenFaults(ada, 'proposal-limits')).toEqual([])

  await show(`/account-holds/${holdId}`)
  await page.getByRole('button', { name: 'Release' }).click()
  await dialog.locator('button[type=submit]').click()
  await proposed()
  await dialog.getByRole('link', { name: 'Open the proposal' }).click()
  await page.getByRole('link', { name: 'Hold of $5.00, Levy 2026-0042' }).first().waitFor()

  await insertSettlementItem(bank)
  await show('/closing/items')
  await page.getByRole('button', { name: 'Decide…' }).click()
  await dialog.getByLabel('To the account').selectOption('write-off')
  await dialog.getByLabel('Reason').fill('By the letter of the bank')
  await dialog.getByRole('button', { name: 'Book it' }).click()
  await proposed()
  expect(await screenFaults(ada, 'proposed-booking')).toEqual([])
  await dialog.getByRole('link', { name: 'Open the proposal' }).click()
  await decision.getByText('Write off').waitFor()
  expect(await screenFaults(ada, 'proposal-booking')).toEqual([])

  await show('/customers')
  await page.getByRole('button', { name: /^Export/ }).click()
  await dialog.getByRole('button', { name: 'Save as CSV' }).click()
  await dialog.getByLabel('Reason').fill('For the auditor')
  // The browser reports the export that was refused.
  expect(ada.faults.splice(0)).toEqual([expect.stringContaining('status of 409')])
  await dialog.getByRole('button', { name: 'Propose the export' }).click()
  await proposed()
  await dialog.getByRole('link', { name: 'Open the proposal' }).click()
  await decision.getByText('Customers').waitFor()
  expect(await screenFaults(ada, 'proposal-export')).toEqual([])

  await show('/review/payments')
  for (const id of ids) await page.getByRole('checkbox', { name: `Select ${id}` }).check()
  await page.getByRole('button', { name: 'Approve 3…' }).click()
  await dialog.getByLabel('Reason').fill('Checked')
  await dialog.locator('button[type=submit]').click()
  const outcomes = dialog.getByRole('list', { name: 'Outcomes' })
  await outcomes.getByText('Done').waitFor()
  expect(await outcomes.getByRole('link', { name: 'Waits for a second signature' }).count()).toBe(2)
  expect(await screenFaults(ada, 'proposed-several')).toEqual([])
  await outcomes.getByRole('link').first().click()
  await page
    .getByRole('link', { name: /Invoice 42/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Waits for a second signature' }).waitFor()
})

test('rights are proposed where they are refused, and the signer sees whose they are; an auditor reads who decided', async (context) => {
  const kim = await signIn(bank, { first: 'support' }, { name: 'Kim Support' })
  const ada = await at(context, 'Ada Lovelace', 'administrator')
  const dialog = ada.page.getByRole('dialog')
  const change = async () => {
    await ada.show(`/access/people/${kim.id}`)
    await ada.page.getByRole('button', { name: 'Change the role…' }).click()
    await dialog.getByLabel('Role').selectOption('risk')
    await dialog.getByRole('button', { name: 'Change the role' }).click()
  }
  await change()
  await dialog.getByText('A role with such rights needs a second person.').waitFor()
  // The browser reports the change that was refused.
  expect(ada.faults.splice(0)).toEqual([expect.stringContaining('status of 409')])
  expect(await screenFaults(ada, 'rights-refused')).toEqual([])
  await dialog.getByLabel('Reason').fill('Kim joins the risk desk')
  await dialog.getByRole('button', { name: 'Propose the role risk' }).click()
  await dialog.getByRole('link', { name: 'Open the proposal' }).click()
  await ada.page.getByText(/You proposed it, so another person has to sign/).waitFor()

  const grace = await at(context, 'Grace Hopper', 'administrator')
  await grace.show(new URL(ada.page.url()).pathname.replace('/console', ''))
  const decision = grace.page.getByRole('region', { name: 'The decision' })
  await decision.getByRole('link', { name: 'Kim Support' }).waitFor()
  expect(await decision.locator('dl > div').allInnerTexts()).toEqual([
    expect.stringMatching(/^Person\s+Kim Support$/),
    expect.stringMatching(/^Role\s+risk$/),
    expect.stringMatching(/^Role now\s+support$/),
  ])
  await grace.page.getByRole('button', { name: 'Approve…' }).click()
  await grace.page.keyboard.press('Enter')
  await ada.page.getByText('The proposer can give the role, or make a new link, for a day.').waitFor()
  expect(await screenFaults(ada, 'rights-approved')).toEqual([])
  await change()
  await ada.page.getByRole('region', { name: 'Rights' }).getByText('risk', { exact: true }).waitFor()

  const mary = await at(context, 'Mary Auditor', 'auditor')
  await mary.page.getByRole('link', { name: 'Keys and audit' }).click()
  for (const entry of [/Proposal approved.*Grace Hopper/, /Proposal created.*Ada Lovelace/])
    await mary.page.getByRole('row', { name: entry }).first().waitFor()
  expect(await mary.page.getByRole('region', { name: 'API keys' }).count()).toBe(0)
  expect(await screenFaults(mary, 'audit-of-an-auditor')).toEqual([])
})

test('a proposal says in words what became of it, and why a key cannot sign', async (context) => {
  const { accountId, ids } = await reviewedPayments(6_000_00, 7_000_00, 8_000_00, 9_000_00)
  const body = { reason: 'The invoice was checked' }
  const proposals: string[] = []
  for (const id of ids) proposals.push((await call('POST', `/v0/review/payments/${id}/approve`, body)).id)
  const [rejected, withdrawn, failed, waiting] = proposals as [string, string, string, string]
  const decide = (id: string, verb: string, content: object) =>
    signer.call('POST', `/v0/proposals/${id}/${verb}`, { body: content })
  await decide(rejected, 'reject', { reason: 'The payee is not known' })
  await call('POST', `/v0/proposals/${withdrawn}/withdraw`, {})
  await ask(bank, 'POST', `/v0/review/payments/${ids[2]}/reject`, body, await bank.makeKey('first', ['review:write']))
  await decide(failed, 'approve', {})
  const { id: limits } = await call('PUT', `/v0/banking/accounts/${accountId}/limits`, { day: { hard: 1_00 } })

  const byKey = await openConsole(context, {
    url,
    key: await bank.makeKey('first', ['review:write', 'risk:write', 'banking:read', 'events:read']),
  })
  open.push(byKey)
  const said = async (id: string, words: string | RegExp) => {
    await byKey.show(`/review/proposals/${id}`)
    await byKey.page
      .getByRole('region', { name: /^(Reason|Outcome)$/ })
      .getByText(words)
      .waitFor()
    return screenFaults(byKey)
  }
  expect(await said(waiting, /An API key is no person/)).toEqual([])
  const main = byKey.page.locator('main')
  expect(await main.getByRole('button', { name: 'Approve…' }).count()).toBe(0)
  expect(await main.getByRole('button', { name: 'Reject…' }).count()).toBe(1)
  expect(await said(rejected, 'Rejected by Grace Hopper: The payee is not known')).toEqual([])
  expect(await said(withdrawn, 'Withdrawn by Mary Second')).toEqual([])
  expect(await said(failed, 'Approved by Grace Hopper, but no longer possible: payment not in review')).toEqual([])
  await byKey.show(`/review/proposals/${limits}`)
  await byKey.page.getByText('None, now $0.01').waitFor()
  await advance(bank, { by: 'P7D' })
  expect(await said(waiting, 'Expired: nobody decided in time')).toEqual([])
})
