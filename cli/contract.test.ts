import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeUnit, openFakeUnit } from '../test/support/fakes/unit.ts'
import { runInProcess } from '../test/support/run/command-line.ts'
import { endServices, preparedDataDir, type Service, startService } from '../test/support/service.ts'

let unit: FakeUnit
let service: Service

beforeAll(async () => {
  unit = await openFakeUnit()
  service = await startService({
    PURSER_BANKING_PROVIDER: 'unit',
    PURSER_UNIT_URL: unit.url,
    PURSER_UNIT_TOKEN: unit.token,
    PURSER_DATA_DIR: await preparedDataDir(),
  })
})
afterAll(async () => {
  await endServices()
  await unit?.close()
})

/** The outcome of each operation, and the exit code. */
async function contract(...words: string[]) {
  const environment = { PURSER_URL: service.url, PURSER_API_KEY: service.key }
  const { code, stdout, stderr } = await runInProcess(['contract', ...words], { environment })
  const findings = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  return { code, stderr, outcomes: Object.fromEntries(findings.map(({ operation, outcome }) => [operation, outcome])) }
}

test('the answers of a provider are compared with what the connector expects', async () => {
  const customer = unit.addCustomer()
  const account = await service.call('POST', '/v0/banking/accounts', { body: { customerId: customer.id } })
  unit.fund(account.json.data.id, 250_000)
  const agreed = await contract('unit', '--write')
  expect(agreed).toMatchObject({ code: 0, stderr: expect.stringContaining('had no record to compare') })
  expect(agreed.outcomes).toMatchObject({
    ...{ listCustomers: 'agrees', getCustomer: 'agrees', listAccounts: 'agrees', getAccount: 'agrees' },
    ...{ listTransactions: 'agrees', getTransaction: 'agrees', listCards: 'empty' },
    ...{ createExternalAccount: 'agrees', deleteExternalAccount: 'agrees' },
  })

  // A record of another shape than Unit describes.
  delete unit.addCustomer().attributes.createdAt
  const differing = await contract('unit')
  expect(differing.code).toBe(1)
  expect(differing.outcomes).toMatchObject({ listCustomers: 'differs', listAccounts: 'agrees' })
  expect(differing.outcomes).not.toHaveProperty('createExternalAccount')
})

test('a service without the connector is refused, and a dry run lists the operations', async () => {
  expect(await contract('kard')).toMatchObject({ code: 1, stderr: expect.stringContaining('uses builtin, not kard') })
  const { code, outcomes } = await contract('kard', '--dry-run')
  expect([code, Object.keys(outcomes)]).toEqual([0, ['listNationalOffers', 'listLocalOffers']])
})
