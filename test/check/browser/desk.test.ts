import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Purser } from '../../../client/src/index.ts'
import { openConsumer } from '../../support/consumer.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { type ConsolePage, closeBrowser, openConsole } from './support/console-page.ts'

/** The tasks of people at a desk, in as few clicks as they may take. */
let bank: TestBank
let url: string
let purser: Purser
let open: ConsolePage
let made: { accountId: string; externalAccountId: string; cardId: string }
let returned: string

const PAYMENTS = 5_000

beforeAll(async () => {
  bank = await openTestBank({ own: true, webhooks: { delaysMs: [3_600_000] } })
  await bank.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(bank.app.server.address() as AddressInfo).port}`
  purser = new Purser({ url, apiKey: bank.key })
  made = (await purser.sandbox.scenarios.create({})) as typeof made
  returned = await pay('Rent May')
  await purser.sandbox.payments.return(returned, { returnCode: 'R02' })
})
afterEach(() => open?.close())
afterAll(async () => {
  await closeBrowser()
  await bank?.close()
})

async function pay(description: string, amount = 12_34): Promise<string> {
  const { accountId, externalAccountId: counterpartyAccountId } = made
  const body = { amount, counterpartyAccountId, description, originalType: 'ACH' } as const
  return (await purser.payments.create(accountId, body)).id
}

/** Opens the console, and counts the clicks on it: a key that presses a button is none. */
async function desk(context: Parameters<typeof openConsole>[0]): Promise<ConsolePage & { clicks(): Promise<unknown> }> {
  open = await openConsole(context, { url, key: bank.key })
  await open.page.evaluate(
    `globalThis.clicks = 0; addEventListener('click', ({ detail }) => (clicks += detail > 0), true)`,
  )
  return { ...open, clicks: () => open.page.evaluate('clicks') }
}

test('the list says whose a payment is, and one click why it was returned', async (context) => {
  const { page, show, clicks, faults } = await desk(context)
  await show('/payments')
  const row = page.getByRole('row', { name: /\$12\.34/ })
  const { name } = (await purser.customers.list({ limit: 1 }).page()).data[0] ?? {}
  await row.getByText(String(name)).waitFor()
  await row.getByText('R02').waitFor()
  await row.getByRole('link').first().click()
  await page
    .getByText(/Account closed \(R02\)/)
    .first()
    .waitFor()
  await page
    .getByRole('link', { name: /Rent May, -\$12\.34$/ })
    .first()
    .waitFor()
  expect([await clicks(), faults]).toEqual([1, []])
})

test('the delivery that failed is found and sent again in two clicks', async (context) => {
  const consumer = await openConsumer()
  consumer.answer = () => ({ status: 500 })
  const { id } = await purser.webhookEndpoints.create({ url: consumer.url, events: ['payment.created'] })
  await pay('Delivered', 5_00)
  await expect.poll(() => consumer.received.length).toBe(1)
  consumer.answer = () => ({})
  const { page, show, clicks, faults } = await desk(context)
  await show('/webhooks')
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await deliveries
    .getByRole('row', { name: /payment\.created/ })
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => consumer.received.length).toBe(2)
  expect([await clicks(), faults]).toEqual([2, []])
  await purser.webhookEndpoints.delete(id)
  await consumer.close()
})

test('a delivery that failed at several endpoints is sent again from its record in two clicks: to one, or to all', async (context) => {
  const [first, second] = [await openConsumer(), await openConsumer()]
  const received = () => [first.received.length, second.received.length]
  const made: string[] = []
  for (const consumer of [first, second]) {
    consumer.answer = () => ({ status: 500 })
    made.push((await purser.webhookEndpoints.create({ url: consumer.url, events: ['payment.created'] })).id)
  }
  await pay('Two hooks', 8_00)
  await expect.poll(received).toEqual([1, 1])
  const { page, show, clicks, faults } = await desk(context)
  await show('/payments')
  await page
    .getByRole('row', { name: /Two hooks/ })
    .getByRole('link')
    .first()
    .click()
  const failing = page.getByRole('region', { name: 'Deliveries that were not accepted' })
  const ofFirst = failing.filter({ has: page.getByRole('link', { name: first.url }) })
  await ofFirst.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(received).toEqual([2, 1])
  expect(await clicks()).toBe(2)
  for (const consumer of [first, second]) consumer.answer = () => ({})
  await page.getByRole('button', { name: 'Send again to all 2 endpoints' }).click()
  await expect.poll(received).toEqual([3, 2])
  await failing.first().waitFor({ state: 'detached' })
  expect([await clicks(), faults]).toEqual([3, []])
  for (const id of made) await purser.webhookEndpoints.delete(id)
  for (const consumer of [first, second]) await consumer.close()
})

test('an endpoint that fails is named on Home, and its event is sent again from there in one click', async (context) => {
  const consumer = await openConsumer()
  consumer.answer = () => ({ status: 500 })
  const { id } = await purser.webhookEndpoints.create({ url: consumer.url, events: ['payment.created'] })
  await pay('From Home', 6_00)
  await expect.poll(() => consumer.received.length).toBe(1)
  consumer.answer = () => ({})
  const { page, clicks, faults } = await desk(context)
  const item = page.getByRole('listitem').filter({ hasText: '1 webhook endpoint does not accept' })
  await item.getByRole('link', { name: consumer.url }).waitFor()
  await item.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => consumer.received.length).toBe(2)
  await item.waitFor({ state: 'detached' })
  expect([await clicks(), faults]).toEqual([1, []])
  await purser.webhookEndpoints.delete(id)
  await consumer.close()
})

test('all declines of today are found in two clicks', async (context) => {
  await purser.sandbox.authorizations.create(made.cardId, {
    amount: 9_999_999_99,
    merchant: { name: 'Quarry Tools', category: '5251', location: 'Reno' },
  })
  const { page, clicks, faults } = await desk(context)
  await page.getByRole('link', { name: 'Authorizations' }).click()
  await page.getByRole('button', { name: 'Declined today 1' }).click()
  await page.getByRole('row', { name: /Quarry Tools.*Insufficient funds/ }).waitFor()
  expect([await clicks(), faults]).toEqual([2, []])
})

test('the payments of the month are saved in two clicks, or by keys', async (context) => {
  await bank.database.query(`update payment set created_at = created_at - interval '40 days' where id = $1::bigint`, [
    await pay('Last month', 7_77),
  ])
  const { page, show, clicks, faults } = await desk(context)
  await show('/payments')
  await page.getByRole('button', { name: /^Export/ }).click()
  const month = page.getByRole('button', { name: 'Save this month as CSV' })
  const [download] = await Promise.all([page.waitForEvent('download'), month.click()])
  await month.waitFor({ state: 'detached' })
  expect(await clicks()).toBe(2)
  const saved = readFileSync(await download.path(), 'utf8')
  expect([saved.includes('Rent May'), saved.includes('Last month')]).toEqual([true, false])
  const save = page.getByRole('button', { name: 'Save as CSV' })
  await page.keyboard.press('e')
  await save.waitFor()
  expect(faults).toEqual([])
})

test('“Find” needs no mouse: an amount leads to the payment, a merchant to the purchase, a customer’s card is frozen', async (context) => {
  const { page, clicks, faults } = await desk(context)
  const find = page.getByRole('combobox', { name: /^Find/ })
  const best = (text: string | RegExp) => page.getByRole('option', { selected: true, name: text }).waitFor()
  await page.keyboard.press('/')
  await find.fill('12.34')
  await best(/Rent May, \$12\.34/)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/console/payments/${returned}`)

  const { last4Digits } = await purser.cards.get(made.cardId)
  await page.keyboard.press('Control+k')
  await find.fill(last4Digits)
  await best(new RegExp(`ending in ${last4Digits}`))
  const freeze = page.getByRole('dialog', { name: 'Find' }).getByRole('button', { name: /^Freeze/ })
  await freeze.waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.closest("section").ariaLabel')).toBe('Actions')
  await freeze.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Done: Freeze').waitFor()
  expect((await purser.cards.get(made.cardId)).status).toBe('Frozen')
  await page.keyboard.press('Escape')
  expect([await clicks(), faults]).toEqual([0, []])
})

test('the request of a step is replayed, and copied as a test and as curl, from the history', async (context) => {
  const id = await pay('Again', 7_77)
  const { page, show, faults } = await desk(context)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await show(`/payments/${id}`)
  const copied = () => page.evaluate('navigator.clipboard.readText()')
  await page.getByRole('button', { name: 'Copy as test' }).click()
  await expect.poll(copied).toMatch(/test\(.*Again/s)
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await expect.poll(copied).toMatch(/\ncurl .*Again/s)
  await page.getByRole('button', { name: 'Replay…' }).click()
  await page.getByRole('button', { name: 'Replay with the same key' }).click()
  await page.getByText('The service repeated the answer of the first request').waitFor()
  await page.getByRole('button', { name: 'Replay with a new key' }).click()
  await page.getByText('The request was carried out again').waitFor()
  const { data } = await purser.payments.list({ search: 'Again' }).page()
  expect([data.length, faults]).toEqual([2, []])
})

test('a record on screen is not read again while nothing happens', async (context) => {
  const { id: endpointId } = await purser.webhookEndpoints.create({
    url: 'http://127.0.0.1:9/hooks',
    events: ['payment.created'],
  })
  await pay('No hook', 9_00)
  await expect
    .poll(async () => (await purser.webhookEndpoints.list({ failing: true }).page()).data.map(({ id }) => id))
    .toEqual([endpointId])
  const { page, show } = await desk(context)
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/v0/') && !/[?&]wait=/.test(search)) calls.push(`${request.method()} ${pathname}${search}`)
  })
  await page.clock.install()
  for (const path of [`/accounts/${made.accountId}`, `/payments/${returned}`, `/webhooks/${endpointId}`]) {
    await show(path)
    await page.waitForFunction('document.querySelector("main h1")')
    await expect.poll(() => calls.splice(0)).toEqual([])
    for (let minute = 0; minute < 5; minute++) await page.clock.fastForward(60_000)
    expect(calls, path).toEqual([])
  }
  await purser.webhookEndpoints.delete(endpointId)
})

test('a list of 5,000 is left for a record, the next one and back, to the same place', async (context) => {
  await bank.database.query(
    `insert into payment (id, organisation_id, account_id, customer_id, type, direction, status, amount, description,
       original_type, created_at, external_account_id, counterparty_name, counterparty_routing_number,
       counterparty_account_number, counterparty_account_type)
     select id + 100000 + n, organisation_id, account_id, customer_id, type, direction, 'Sent', 100 + n, 'Many ' || n,
       original_type, created_at - n * interval '1 minute', external_account_id, counterparty_name,
       counterparty_routing_number, counterparty_account_number, counterparty_account_type
     from payment cross join generate_series(1, ${PAYMENTS}) n where id = $1::bigint`,
    [returned],
  )
  const { page, show, faults } = await desk(context)
  await show('/payments?search=many')
  await page.getByText('5,000', { exact: true }).first().waitFor()
  const far = page.getByRole('row', { name: /Many 560\b/ })
  // Turns of a wheel are queued, and would still move the page after the click. Rows appear a frame after a step.
  const step = `new Promise((done) => {
    scrollBy({ top: innerHeight / 2, behavior: 'instant' })
    requestAnimationFrame(() => requestAnimationFrame(done))
  })`
  while (!(await far.isVisible())) await page.evaluate(step)
  await far.scrollIntoViewIfNeeded()
  const place = await page.evaluate('scrollY')
  await far.getByRole('link').first().click()
  await page.getByText('560 of ').waitFor()
  await page.keyboard.press(']')
  await page.getByText('561 of ').waitFor()
  await page.keyboard.press('Escape')
  await far.waitFor()
  expect(await page.evaluate('location.search')).toBe('?search=many')
  await expect.poll(() => page.evaluate('scrollY')).toBe(place)
  // `show` led here from Home.
  await page.keyboard.press('Escape')
  await page.waitForURL(`${url}/console`)
  expect(faults).toEqual([])
})

test('the drawer pauses the events of a record, counts those that come, and goes on', async (context) => {
  const { page, show, faults } = await desk(context)
  const { customerId } = await purser.accounts.get(made.accountId)
  const { id } = await purser.accounts.create({ customerId })
  await show(`/accounts/${id}`)
  await page.keyboard.press('.')
  const events = page.getByRole('region', { name: 'Events of this record' })
  const names = () => events.getByRole('link').allTextContents()
  await expect.poll(names).toEqual(['account.created'])
  await events.getByRole('button', { name: 'Pause' }).click()
  await purser.accounts.freeze(id)
  await events.getByText('Paused, 1 new').waitFor()
  expect(await names()).toEqual(['account.created'])
  await events.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(names).toEqual(['account.frozen', 'account.created'])
  await purser.accounts.unfreeze(id)
  await expect.poll(names).toEqual(['account.unfrozen', 'account.frozen', 'account.created'])
  expect(faults).toEqual([])
})

test('columns are chosen and ordered by keys, and a view keeps them', async (context) => {
  const { page, show, faults } = await desk(context)
  const heads = () => page.getByRole('columnheader').allTextContents()
  const dialog = page.getByRole('dialog')
  await show('/payments?status=Returned')
  await page.getByRole('button', { name: 'Columns…' }).click()
  await dialog.getByRole('button', { name: 'Amount up' }).press('Enter')
  await dialog.getByRole('button', { name: 'Amount up' }).press('Enter')
  for (const name of ['Reason', 'Id']) await dialog.getByRole('checkbox', { name }).press('Space')
  await page.keyboard.press('Escape')
  const own = ['Select', 'Amount', 'From', 'To', 'State', 'For', 'Created', 'Id']
  expect(await heads()).toEqual(own)
  await show('/rewards/payments')
  await page.getByRole('button', { name: 'Columns…' }).click()
  await expect.poll(() => dialog.getByRole('checkbox', { checked: true }).count()).toBe(4)
  await page.keyboard.press('Escape')
  await show('/payments?status=Returned&fromAmount=1')
  await page.getByRole('button', { name: 'Save as a view…' }).click()
  await dialog.getByLabel('Name').fill('By amount')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'By amount 1' }).waitFor()
  await page.getByRole('button', { name: 'Columns…' }).click()
  await dialog.getByRole('button', { name: 'As at first' }).click()
  await page.keyboard.press('Escape')
  expect(await heads()).not.toEqual(own)
  await page.getByRole('button', { name: 'By amount 1' }).click()
  await expect.poll(heads).toEqual(own)
  expect(faults).toEqual([])
})

test('on a phone a payment is a card with whole texts, and several are selected and returned', async (context) => {
  const name = 'Bartholomew Constantinople-Montgomery Holdings'
  const { customerId } = await purser.accounts.get(made.accountId)
  const payee = await purser.externalAccounts.create(customerId, {
    ...{ name, routingNumber: '021000021', accountNumber: '9876500777' },
    ...{ accountType: 'Checking', type: 'Business' },
  })
  const ids: string[] = []
  for (const amount of [1_23, 4_56]) {
    const body = { amount, counterpartyAccountId: payee.id, description: 'By phone', originalType: 'ACH' } as const
    ids.push((await purser.payments.create(made.accountId, body)).id)
  }
  open = await openConsole(context, { url, key: bank.key }, { scheme: 'light', width: 390 })
  const { page, show, faults } = open
  await show('/payments?search=by%20phone')
  const row = page.getByRole('row', { name: /\$4\.56/ })
  const box = async (text: string | RegExp) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await row.getByText(text).first().boundingBox()) ?? {}
    return { x, y, right: x + width, bottom: y + height }
  }
  const [payer, amount, to, state] = [await box(/··\d{4}/), await box('$4.56'), await box(name), await box('Sent')]
  // The amount is beside who pays, who is paid below, and the state under them.
  expect(amount.x).toBeGreaterThan(payer.right)
  expect(to.y).toBeGreaterThan(amount.y)
  expect(state.y).toBeGreaterThanOrEqual(to.bottom)
  for (const { right } of [payer, amount, to, state]) expect(right).toBeLessThanOrEqual(390)
  const cut = `[...document.querySelectorAll('tbody td')].flatMap(({ scrollWidth, clientWidth, innerText }) =>
    scrollWidth > clientWidth + 1 ? [innerText] : [])`
  expect(await page.evaluate(cut)).toEqual([])

  // The filters are folded, so that the list is on the first screen.
  expect(payer.y).toBeLessThan(500)
  expect(await page.getByLabel('Name or description').isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Filters (1)', expanded: false }).click()
  expect(await page.getByLabel('Name or description').inputValue()).toBe('by phone')

  for (const id of ids) await page.getByRole('checkbox', { name: `Select ${id}` }).check()
  const selection = page.getByRole('region', { name: 'Selection' })
  await selection.getByText('2 selected').waitFor()
  await selection.getByRole('button', { name: 'Return 2…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Return 2' }).click()
  await page.getByRole('dialog').getByText('Done').nth(1).waitFor()
  for (const id of ids) expect((await purser.payments.get(id)).status).toBe('Returned')
  expect(faults).toEqual([])
})
