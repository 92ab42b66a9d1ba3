import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { menu, recordPath } from '../../../console/routes.ts'
import { keyScopes as scopes } from '../../../src/base/operation.ts'
import { bankingDaysAfter, daysAfter } from '../../../src/rails/ach/calendar.ts'
import { openUnitBanking } from '../../support/banking-providers.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { smallCatalogue } from '../../support/offers.ts'
import { testAch } from '../../support/rails/ach.ts'
import { receiveEntry } from '../../support/rails/incoming.ts'
import { makeCampaign, makeCampaignOffer } from '../../support/rewards.ts'
import { insertProposal } from '../../support/sets/records.ts'
import { applicant } from '../../support/world.ts'
import { type ConsolePage, closeBrowser, openConsole, screenFaults, type Variant } from './support/console-page.ts'

let bank: TestBank
/** A key with every scope, also those that a key has only by name. */
let key: string
let url: string
let paths: string[]

beforeAll(async () => {
  bank = await openTestBank({ catalogue: smallCatalogue(), ach: testAch(), review: 'manual' })
  key = await bank.makeKey('first', [...scopes])
  url = await addressOf(bank)
  paths = [...ofMenu, ...(await recordPaths())]
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
  await makeRailRecords(ids.accountId ?? '', ids.externalAccountId ?? '')
  drawn.push(...(await makeLargeRecords()))
  const first = async (path: string) => (await bank.call('GET', path)).json.data[0]?.id as string
  const offer = await makeOffer()
  const body = { partnerUserId: Number(ids.partnerUserId) }
  const { json: activation } = await bank.call('POST', `/v0/rewards/offers/${offer.id}/activations`, { body })
  const records: Record<string, string | undefined> = {
    account: ids.accountId,
    accountHold: await first(`/v0/banking/accounts/${ids.accountId}/holds`),
    achBatch: await first('/v0/banking/ach-batches'),
    achFile: await first('/v0/sandbox/ach-files'),
    application: ids.applicationId,
    authorization: ids.authorizationId,
    campaign: offer.campaignId,
    campaignOffer: offer.id,
    card: ids.cardId,
    customer: ids.customerId,
    document: ids.documentId,
    externalAccount: ids.externalAccountId,
    offerActivation: activation.data.id,
    partnerUser: ids.partnerUserId,
    payment: ids.paymentId,
    proposal: await insertProposal(bank, ids.accountId ?? ''),
    receivedPayment: await first('/v0/banking/received-payments'),
    statement: ids.statementId,
    transaction: ids.transactionId,
    webhookEndpoint: endpoint.data.id,
    apiKey: await first('/v0/api-keys'),
    event: await first('/v0/events'),
    request: await first('/v0/requests'),
    reward: await first('/v0/rewards/rewards'),
    recurringPayment: await makeRecurringPayment(ids.accountId ?? '', ids.externalAccountId ?? ''),
  }
  inner.push(`/recurring-payments/calendar?accountId=${ids.accountId}`)
  return Object.entries(records).map(([type, id]) => {
    expect(id, `the scenario has a record of the type ${type}`).toBeDefined()
    return recordPath(type, id ?? '')
  })
}

/** An offer of a campaign with all that its screen shows. */
async function makeOffer(): Promise<{ id: string; campaignId: string }> {
  const limits = { day: { amount: 50_00 }, month: { count: 1_000 }, total: { amount: 99_999_999_99, count: 9_999 } }
  const budgets = { budget: limits, userBudget: limits }
  return makeCampaignOffer(bank, {
    campaignId: await makeCampaign(bank, budgets),
    ...{ title: '10% cash back at the Constantinople-Montgomery Delicatessen of Featherstonehaugh', ...budgets },
    ...{ merchantIds: ['445012345678', '445012345679'], categoryCodes: ['5814'], days: ['saturday', 'sunday'] },
    ...{ minimumSpend: 10_00, maximumReward: 25_00, settlementDelayDays: 14, activation: { days: 14, uses: 3 } },
    ...{ validFrom: '2020-01-01', expirationDate: '2099-01-01' },
    condition: { whereClause: '$C1 IS NULL OR $C1 = $V1', columnNames: 'plan', values: '[gold]' },
  })
}

/** A payment that left with a file, one that waits for a reviewer, a received payment, and an application that waits. */
async function makeRailRecords(accountId: string, externalAccountId: string): Promise<void> {
  const account = `/v0/banking/accounts/${accountId}`
  const payment = { amount: 12_34, counterpartyAccountId: externalAccountId, description: 'Rent', originalType: 'ACH' }
  const send = async (method: string, path: string, body: unknown) => {
    const { status, text } = await bank.call(method, path, { body })
    expect(status, text).toBeLessThan(300)
  }
  await send('POST', `${account}/payments`, payment)
  const { json: clock } = await bank.call('GET', '/v0/sandbox/clock')
  await receiveEntry(bank, accountId, { settlesOn: bankingDaysAfter(clock.data.now.slice(0, 10), 0) })
  await send('POST', '/v0/sandbox/clock/advance', { by: 'P5D' })
  await send('PUT', `${account}/limits`, { payment: { soft: 0 } })
  await send('POST', `${account}/payments`, payment)
  await send('POST', `${account}/holds`, { amount: 5_00, reason: 'LegalOrder', description: 'Levy 2026-0042' })
  await send('POST', '/v0/banking/applications', { ...applicant, ssn: '000000003' })
}

/** Screens of records with long names and large amounts, one of them a payment that came back. */
const drawn: string[] = []

async function makeLargeRecords(): Promise<string[]> {
  const send = async (path: string, body: unknown) => {
    const { status, text, json } = await bank.call('POST', path, { body })
    expect(status, text).toBeLessThan(300)
    return json.data.id as string
  }
  const name = 'Maximiliana Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh Example'
  const customerId = await send('/v0/sandbox/customers', { name, email: `${'maximiliana.'.repeat(4)}m@example.com` })
  const accountId = await send('/v0/banking/accounts', { customerId })
  const account = `/v0/banking/accounts/${accountId}`
  for (let time = 0; time < 3; time++)
    await send(`/v0/sandbox/accounts/${accountId}/receive-ach`, {
      amount: 9_999_999_999,
      companyName: 'Example Payroll',
    })
  const payee = await send(`/v0/banking/customers/${customerId}/external-accounts`, {
    ...{ name: 'Bartholomew Constantinople-Montgomery Holdings', routingNumber: '021000021' },
    ...{ accountNumber: '12345678901234567', accountType: 'Checking', type: 'Business' },
  })
  const pay = { amount: 8_888_888_888, counterpartyAccountId: payee, description: 'Bldg WWWWW', originalType: 'ACH' }
  const paymentId = await send(`${account}/payments`, pay)
  await send('/v0/sandbox/clock/advance', { by: 'P5D' })
  await send(`/v0/sandbox/payments/${paymentId}/return`, { returnCode: 'R02' })
  return [
    ...['/', '/accounts', '/payments', '/ledger', '/ledger/journal', recordPath('account', accountId)],
    ...[recordPath('payment', paymentId), recordPath('customer', customerId), recordPath('externalAccount', payee)],
  ]
}

/** A recurring payment with a run that failed, one due date to be skipped and another amount later. */
async function makeRecurringPayment(accountId: string, counterpartyAccountId: string): Promise<string> {
  const { json: clock } = await bank.call('GET', '/v0/sandbox/clock')
  const startDate = daysAfter(clock.data.now.slice(0, 10), 1)
  const body = { type: 'achPayment', accountId, counterpartyAccountId, amount: 9_000_000_00, description: 'Rent' }
  const made = await bank.call('POST', '/v0/banking/recurring-payments', {
    body: { ...body, interval: 'Weekly', startDate },
  })
  expect(made.status, made.text).toBe(201)
  const path = `/v0/banking/recurring-payments/${made.json.data.id}`
  await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P5D' } })
  await bank.call('POST', `${path}/skip`)
  await bank.call('POST', `${path}/amount`, { body: { amount: 1, from: daysAfter(startDate, 28) } })
  return made.json.data.id
}

/** Screens that another screen leads to. */
const inner = [
  '/payments/batch',
  '/ledger/accounts',
  '/ledger/journal',
  '/rails/received',
  '/rails/files',
  '/rails/reconciliation',
  '/rails/return-rates',
  '/review/external-accounts',
  '/review/payments',
  '/review/proposals',
  '/offers?zip=10001',
  '/offers/national',
  '/rewards/payments',
  '/rewards/users',
  '/rewards/cards',
  '/rewards/purchases',
  '/rewards/funnel',
  '/rewards/bills',
  '/rewards/campaigns',
  '/rewards/campaign-offers',
  '/rewards/activations',
  '/rewards/reconciliation',
]

const all: Variant[] = [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 390 },
  { scheme: 'dark', width: 1440 },
  { scheme: 'light', width: 390 },
]

/** The faults of screens by their paths. */
async function faultsOf(
  console: ConsolePage,
  paths: readonly string[],
  name: string,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const path of paths) {
    await console.show(path)
    const faults = await screenFaults(console, `${name}${path.replaceAll(/\W+/g, '-')}`)
    // Browsers report the request for a record that does not exist.
    const own = path === '/payments/9' ? faults.filter((fault) => !/status of 404/.test(fault)) : faults
    if (own.length > 0) found[path] = own
  }
  return found
}

test('every screen of the menu is in order without a record', async (context) => {
  const console = await openConsole(context, { url, key: bank.otherKey })
  expect(await faultsOf(console, [...ofMenu, ...inner.filter((path) => !path.includes('?'))], 'none')).toEqual({})
  await console.close()
})

const MANY = 5_001

/** Accounts with their holders, of whom the first to come made the latest payment. */
async function plantMany({ database }: TestBank): Promise<void> {
  const of = `from generate_series(1, ${MANY}) n cross join (select id as organisation from organisation where name = 'first') o`
  const at = (seconds: string) => `timestamptz '2026-01-01' + ${seconds} * interval '1 second'`
  await database.query(
    `insert into customer (id, organisation_id, created_at, name, status)
     select 20000000 + n, organisation, ${at('n')}, 'Holder ' || n, 'Active' ${of}`,
  )
  await database.query(
    `insert into account (id, organisation_id, customer_id, created_at, name, status)
     select 30000000 + n, organisation, 20000000 + n, ${at('n')}, 'Holder ' || n, 'Open' ${of}`,
  )
  await database.query(
    `insert into payment (id, organisation_id, account_id, customer_id, type, direction, status, amount, description,
       original_type, created_at, counterparty_name, counterparty_routing_number, counterparty_account_number,
       counterparty_account_type)
     select 40000000 + n, organisation, 30000000 + n, 20000000 + n, 'achPayment', 'Credit', 'Sent', 100 * n, 'Rent', 'ACH',
       ${at('-n')}, 'Grace Sample', '021000021', '9876543210', 'Checking' ${of}`,
  )
  await database.query('analyze')
}

test('lists of 5,001 records are in order, and name the holders of the oldest accounts', async (context) => {
  const large = await openTestBank({ own: true })
  await plantMany(large)
  const console = await openConsole(context, { url: await addressOf(large), key: large.key })
  const { page } = console
  expect(await faultsOf(console, ['/accounts', '/customers', '/cards', '/transactions', '/payments'], 'many')).toEqual(
    {},
  )
  await page.getByText('5,001', { exact: true }).waitFor()
  const [newest] = await page
    .getByRole('table', { name: 'Payments' })
    .getByRole('row')
    .filter({ hasText: '$1.00' })
    .all()
  expect(await newest?.innerText()).toMatch(/Holder 1 ··\d{4}/)
  await console.show('/payments?fromAmount=5000&toAmount=5001')
  await page.getByRole('row', { name: /Holder 5001 / }).waitFor()
  expect(await page.getByRole('table', { name: 'Payments' }).getByRole('row').count()).toBe(3)
  await page.getByRole('button', { name: 'Export 2…' }).waitFor()
  // An empty list says which of its filters hides the records.
  await console.show('/payments?search=rent&status=Returned&fromAmount=5000')
  await page.getByText('Nothing matches these filters').waitFor()
  await page.getByRole('button', { name: /^Remove State: Returned ?, 2 without it$/ }).waitFor()
  await page.getByRole('button', { name: /^Remove From \$: 5,000\.00 ?, 0 without it$/ }).click()
  await page.getByRole('button', { name: /^Remove State: Returned ?, 5,001 without it$/ }).click()
  await page.getByRole('row', { name: /Holder 1 / }).waitFor()
  await console.close()
  await large.close()
})

/** The address at which a bank answers browsers. */
async function addressOf({ app }: TestBank): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

const ofMenu = menu.flatMap(({ items }) => items.map(({ path }) => path))

test('every screen of the menu is in order in live mode', async (context) => {
  const live = await openTestBank({ own: true, mode: 'live' })
  const console = await openConsole(context, { url: await addressOf(live), key: live.key })
  await console.page.getByLabel('API key').fill(live.key)
  await console.page.keyboard.press('Enter')
  await console.page.getByText('LIVE', { exact: true }).waitFor()
  expect(await faultsOf(console, ofMenu, 'live')).toEqual({})
  await console.close()
  await live.close()
})

test('every screen of the menu and of records is in order over a connector', async (context) => {
  const { bank: unit, arrange, close } = await openUnitBanking()
  const customerId = await arrange.customer()
  const made = await unit.call('POST', '/v0/banking/accounts', { body: { customerId } })
  expect(made.status, made.text).toBe(201)
  const console = await openConsole(context, { url: await addressOf(unit), key: unit.key })
  const records = [recordPath('customer', customerId), recordPath('account', made.json.data.id)]
  // The provider refuses the filters that only the built-in bank has.
  await console.show('/payments')
  const filters = console.page.getByRole('search')
  await filters.getByRole('combobox', { name: 'State' }).waitFor()
  expect(await filters.getByLabel('Name or description').count()).toBe(0)
  expect(await faultsOf(console, [...ofMenu, ...records], 'connector')).toEqual({})
  await console.close()
  await close()
})

describe.each(process.env.SOAK ? all : all.slice(0, 2))('in $scheme at $width px', (variant) => {
  test('every screen is accessible, fits the window, loads nothing from elsewhere and reports no error', {
    timeout: 400_000,
  }, async (context) => {
    const console = await openConsole(context, { url, key }, variant)
    const others = ['/reference/createPayment', '/no-such-screen', '/payments?status=Sent', '/payments/9']
    expect(await faultsOf(console, [...paths, ...inner, ...drawn, ...others], variant.scheme)).toEqual({})
    await console.page.keyboard.press('.')
    await console.page.getByRole('heading', { name: 'Developer' }).waitFor()
    expect(await faultsOf(console, drawn, `${variant.scheme}-drawer`)).toEqual({})
    await console.close()
  })
})
