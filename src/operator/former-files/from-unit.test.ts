import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OpenedUnit, openUnitBanking } from '../../../test/support/banking-providers.ts'
import { ask } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger } from '../../../test/support/ledger.ts'
import { operate, runInProcess } from '../../../test/support/run/command-line.ts'
import { databaseUrl } from '../../../test/support/service.ts'

const root = mkdtempSync(join(tmpdir(), 'purser-unit-'))
let unit: OpenedUnit
let target: TestBank
let customerId: string
let accountId: string
let folders = 0
let folder: string

beforeAll(async () => {
  unit = await openUnitBanking()
  target = await openTestBank({ own: true })
})
afterAll(async () => {
  await expectSoundLedger(target)
  await unit.close()
  await target.close()
  rmSync(root, { recursive: true })
})
beforeEach(async () => {
  unit.fake.books.records.transactions.length = 0
  for (const name of ['customers', 'accounts', 'cards', 'counterparties'] as const)
    unit.fake.books.records[name].length = 0
  customerId = await unit.arrange.customer()
  accountId = (await ask(unit.bank, 'POST', '/v0/banking/accounts', { customerId })).id
  await unit.arrange.fund(accountId, 10_000)
  folder = join(root, `former-${folders++}`)
})

const ofUnit = () => ({
  PURSER_BANKING_PROVIDER: 'unit',
  PURSER_UNIT_URL: unit.fake.url,
  PURSER_UNIT_TOKEN: unit.fake.token,
  PURSER_DATA_DIR: root,
})
const ofTarget = () => ({
  DATABASE_URL: databaseUrl(target.server),
  PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  PURSER_DATA_DIR: root,
  PURSER_ROUTING_NUMBER: '812345678',
})
const rowsOf = (name: string) =>
  readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('an organisation at Unit moves in with its cents, and Unit is only read', async () => {
  const external = await ask(unit.bank, 'POST', `/v0/banking/customers/${customerId}/external-accounts`, {
    ...{ name: 'Grace Sample', type: 'Person', routingNumber: '021000021' },
    ...{ accountNumber: '9876543210', accountType: 'Checking' },
  })
  const address = { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701' }
  const card = await ask(unit.bank, 'POST', '/v0/banking/cards', {
    ...{ accountId, type: 'individualDebitCard', shippingAddress: address },
  })
  await unit.arrange.activate(card.id)
  unit.fake.purchase(card.id, 450, { name: 'Sample Coffee' })
  const empty = (await ask(unit.bank, 'POST', '/v0/banking/accounts', { customerId })).id
  const closed = (await ask(unit.bank, 'POST', '/v0/banking/accounts', { customerId })).id
  await ask(unit.bank, 'POST', `/v0/banking/accounts/${closed}/close`, { reason: 'ByCustomer' })
  const before = unit.fake.server.calls.length

  const [result] = await operate(['export', 'unit', '--to', folder], ofUnit())
  expect(result).toEqual({
    folder,
    ...{ customers: 1, accounts: 3, 'external-accounts': 1, cards: 1, history: 2 },
    ...{ balance: 9_550, differences: 0 },
  })
  const calls = unit.fake.server.calls.slice(before)
  expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['GET']))
  expect(unit.faults()).toEqual([])
  expect(statSync(folder).mode & 0o777).toBe(0o700)

  const key = await target.makeKey('Unit', null)
  expect(await operate(['import', folder, '--organisation', 'Unit'], ofTarget())).toMatchObject([{ state: 'imported' }])
  const formers = await operate(['organisations', 'former-ids', 'Unit'], ofTarget())
  const idOf = (former: string) => formers.find((each) => each.former === former)?.id
  const get = (path: string) => ask(target, 'GET', path, undefined, key)
  expect(await get(`/v0/banking/accounts/${idOf(accountId)}`)).toMatchObject({ balance: 9_550, status: 'Open' })
  expect(await get(`/v0/banking/accounts/${idOf(empty)}`)).toMatchObject({ balance: 0, status: 'Open' })
  expect(await get(`/v0/banking/accounts/${idOf(closed)}`)).toMatchObject({ balance: 0, status: 'Closed' })
  expect(await get(`/v0/banking/cards/${idOf(card.id)}`)).toMatchObject({ status: 'Active', shippingAddress: address })
  expect(await get(`/v0/banking/customers/${idOf(customerId)}/external-accounts`)).toMatchObject([
    { id: idOf(external.id), accountNumber: '9876543210' },
  ])
  const transactions = await get(`/v0/banking/transactions?accountId=${idOf(accountId)}&sort=createdAt`)
  expect(transactions.map((each: { summary: string; balance: number }) => [each.summary, each.balance])).toEqual([
    ['Sample Payroll  |  Salary', 10_000],
    ['Sample Coffee  |  Purchase', 9_550],
  ])
  // The number at Unit leads to the account, too.
  const [{ accountNumber }] = rowsOf('accounts')
  expect(await operate(['organisations', 'former-ids', 'Unit', '--former', accountNumber], ofTarget())).toEqual([
    { kind: 'account', former: accountNumber, id: idOf(accountId), number: expect.stringMatching(/^\d{10}$/) },
  ])
})

test('every cent that differs is named with its account and transaction, and the files are refused', async () => {
  const [first] = unit.fake.books.records.transactions
  await unit.arrange.fund(accountId, 500)
  const account = unit.fake.books.get('accounts', accountId)
  // The balance after the second transaction is three cents too many, and that of the account has two less.
  const second = unit.fake.books.records.transactions[1]
  if (second) second.attributes.balance += 3
  account.attributes.balance += 1
  const found = await operate(['export', 'unit', '--to', folder], ofUnit())
  expect(found.slice(0, 2)).toEqual([
    { accountId, transactionId: second?.id, stated: 10_503, made: 10_500, cents: 3 },
    { accountId, stated: 10_501, made: 10_503, cents: -2 },
  ])
  expect(found.at(-1)).toMatchObject({ differences: 2, balance: 10_501 })
  const { code, stdout } = await runInProcess(['import', folder, '--organisation', 'first', '--check'], {
    environment: ofTarget(),
  })
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/"accounts.jsonl","line":1,.*make 10500/) })
  expect(rowsOf('history').map(({ id }) => id)).toEqual([first?.id, second?.id])
})

test('an account whose history at Unit begins late has an opening balance', async () => {
  await unit.arrange.fund(accountId, 500)
  unit.fake.books.records.transactions.shift()
  const [result] = await operate(['export', 'unit', '--to', folder], ofUnit())
  expect(result).toMatchObject({ history: 1, balance: 10_500, differences: 0 })
  expect(rowsOf('accounts')).toMatchObject([{ id: accountId, openingBalance: 10_000, balance: 10_500 }])
})

test('records that are left out are counted with the reason', async () => {
  const [customer] = unit.fake.books.records.customers
  if (customer) customer.attributes.createdAt = 'yesterday'
  const { code, stdout } = await runInProcess(['export', 'unit', '--to', folder], { environment: ofUnit() })
  expect(code).toBe(1)
  const reasons = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).reason)
  expect(reasons).toEqual([
    expect.stringMatching(/^individualCustomer \d+: createdAt/),
    'accounts of customers that are not in the files',
    'transactions of accounts that are not deposit accounts, or not in the files',
    undefined,
  ])
})

test.each([
  ['a refusal of Unit', { PURSER_UNIT_TOKEN: 'wrong' }, 1, /Unit refused/],
  ['settings of another bank', { PURSER_BANKING_PROVIDER: 'builtin' }, 1, /PURSER_BANKING_PROVIDER=unit/],
])('%s leaves no folder', async (_what, settings, expected, message) => {
  const { code, stderr } = await runInProcess(['export', 'unit', '--to', folder], {
    environment: { ...ofUnit(), ...settings },
  })
  expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringMatching(message) })
  expect([existsSync(folder), existsSync(`${folder}.part`)]).toEqual([false, false])
})

test('a folder that is there is not touched', async () => {
  await expect(operate(['export', 'unit', '--to', root], ofUnit())).rejects.toThrow('is there already')
  const { code, stderr } = await runInProcess(['export', 'unit'], { environment: ofUnit() })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--to') })
})
