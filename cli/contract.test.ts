import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeKard, openFakeKard } from '../test/support/fakes/kard.ts'
import { type FakeUnit, openFakeUnit } from '../test/support/fakes/unit.ts'
import { runInProcess } from '../test/support/run/command-line.ts'
import { endServices, preparedDataDir, type Service, startService } from '../test/support/service.ts'

let unit: FakeUnit
let kard: FakeKard
let service: Service

beforeAll(async () => {
  unit = await openFakeUnit()
  kard = await openFakeKard()
  service = await startService({
    PURSER_BANKING_PROVIDER: 'unit',
    PURSER_UNIT_URL: unit.url,
    PURSER_UNIT_TOKEN: unit.token,
    PURSER_REWARDS_PROVIDER: 'kard',
    PURSER_KARD_URL: kard.api.url,
    PURSER_KARD_TOKEN_URL: kard.tokenUrl,
    PURSER_KARD_CLIENT_ID: kard.clientId,
    PURSER_KARD_CLIENT_SECRET: kard.clientSecret,
    PURSER_KARD_ORGANIZATION_ID: kard.organizationId,
    PURSER_DATA_DIR: await preparedDataDir(),
  })
})
afterAll(async () => {
  await endServices()
  await unit?.close()
  await kard?.close()
})

/** The outcome and the detail of each operation, and the exit code. */
async function contract(...words: string[]) {
  const environment = { PURSER_URL: service.url, PURSER_API_KEY: service.key }
  const { code, stdout, stderr } = await runInProcess(['contract', ...words], { environment })
  const findings = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  const by = (member: string) => Object.fromEntries(findings.map((each) => [each.operation, each[member]]))
  return { code, stderr, outcomes: by('outcome'), details: by('detail') }
}

test('the answers of Unit are compared with what the connector expects', async () => {
  const customer = unit.addCustomer()
  const account = await service.call('POST', '/v0/banking/accounts', { body: { customerId: customer.id } })
  unit.fund(account.json.data.id, 250_000)
  const agreed = await contract('unit', '--write')
  expect(agreed).toMatchObject({ code: 0, stderr: expect.stringContaining('8 operations agree, 0 differ') })
  expect(agreed.stderr).toContain('9 had no record to compare')
  expect(agreed.outcomes).toMatchObject({
    ...{ listCustomers: 'agrees', getCustomer: 'agrees', listAccounts: 'agrees', getAccount: 'agrees' },
    ...{ listTransactions: 'agrees', getTransaction: 'agrees', listCards: 'empty' },
    ...{ createExternalAccount: 'agrees', deleteExternalAccount: 'agrees' },
  })
})

test('a record of Unit that differs is named with its member', async () => {
  const [one, other] = [unit.addCustomer(), unit.addCustomer()]
  delete one.attributes.createdAt
  delete other.attributes.createdAt
  const differing = await contract('unit')
  expect(differing).toMatchObject({ code: 1, stderr: expect.stringContaining('1 differ or are refused') })
  expect(differing.outcomes).toMatchObject({ listCustomers: 'differs', listAccounts: 'agrees' })
  expect(differing.outcomes).not.toHaveProperty('createExternalAccount')
  expect(differing.details.listCustomers).toMatch(/^individualCustomer \d+: createdAt .* \(and 1 more, which the log/)
})

test('an offer of Kard that differs is named with its member', async () => {
  expect(await contract('kard')).toMatchObject({ code: 0, outcomes: { listNationalOffers: 'empty' } })
  kard.current.offers.push({
    type: 'standardOffer',
    id: 'planted',
    attributes: {
      purchaseChannel: ['ONLINE'],
      startDate: '2020-01-01T00:00:00Z',
      expirationDate: '2099-01-01T00:00:00Z',
    },
  })
  // Another user, because a list is kept for half a minute.
  const differing = await contract('kard', '--user', '2')
  expect(differing).toMatchObject({ code: 1, outcomes: { listNationalOffers: 'differs', listLocalOffers: 'empty' } })
  expect(differing.details.listNationalOffers).toMatch(/^standardOffer planted: .+/)

  kard.instead.api = () => ({ status: 200, body: { offers: [] } })
  const unread = await contract('kard', '--user', '3')
  expect(unread).toMatchObject({ code: 1, outcomes: { listNationalOffers: 'differs', listLocalOffers: 'differs' } })
  expect(unread.details.listNationalOffers).toContain('does not understand')
})

test('a service without the connector is refused, and a dry run lists the operations', async () => {
  const builtin = await startService({ PURSER_DATA_DIR: await preparedDataDir() })
  const environment = { PURSER_URL: builtin.url, PURSER_API_KEY: builtin.key }
  expect(await runInProcess(['contract', 'kard'], { environment })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('uses builtin, not kard'),
  })
  const { code, outcomes } = await contract('kard', '--dry-run')
  expect([code, Object.keys(outcomes)]).toEqual([0, ['listNationalOffers', 'listLocalOffers']])
})
