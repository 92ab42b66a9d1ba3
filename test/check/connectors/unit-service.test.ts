import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openFakeUnit } from '../../support/fakes/unit.ts'
import { endServices, type Service, scratchFolder, startService, until } from '../../support/service.ts'

const fake = await openFakeUnit()
afterAll(async () => {
  await endServices()
  await fake.close()
})

async function must(service: Service, method: string, path: string, body?: unknown) {
  const { status, json, text } = await service.call(method, path, { body })
  expect(status, text).toBeLessThan(300)
  return json.data
}

test('a service with Unit receives a purchase, grants a reward, and pays it with Unit', async () => {
  const secret = 'secret-of-the-webhooks'
  const customerId = fake.addCustomer().id
  const environment = {
    PURSER_DATA_DIR: join(scratchFolder(), 'data'),
    PURSER_BANKING_PROVIDER: 'unit',
    PURSER_UNIT_URL: fake.url,
    PURSER_UNIT_TOKEN: fake.token,
    PURSER_UNIT_WEBHOOK_SECRET: secret,
    LOG_LEVEL: 'trace',
  }
  const first = await startService(environment)
  const open = async () => (await must(first, 'POST', '/v0/banking/accounts', { customerId })).id
  const [accountId, fundingAccountId] = [await open(), await open()]
  expect(fake.server.calls.at(-1)?.headers['user-agent']).toMatch(/^Purser\/\d/)
  fake.fund(accountId, 1_000_00)
  fake.fund(fundingAccountId, 1_000_00)
  await first.stop()

  const service = await startService({ ...environment, PURSER_UNIT_FUNDING_ACCOUNT_ID: fundingAccountId })
  const card = { type: 'individualVirtualDebitCard', accountId }
  const { id: bankCardId } = await must(service, 'POST', '/v0/banking/cards', card)
  const { id: partnerUserId } = await must(service, 'POST', '/v0/rewards/partner-users', { userId: 1 })
  await must(service, 'POST', '/v0/rewards/partner-user-cards', { partnerUserId, bankCardId })
  const path = '/v0/rewards/reward-offers/national-reward-offers?userId=1&page=0'
  const [offer] = (await must(service, 'GET', path)).nationalRewardOffers

  const purchase = fake.purchase(bankCardId, 100_00, { name: offer.merchant.name })
  const relationships = { transaction: { data: { id: purchase.id } }, account: { data: { id: accountId } } }
  const raw = JSON.stringify({ data: [{ id: '1', type: 'transaction.created', relationships }] })
  const signature = createHmac('sha1', secret).update(raw).digest('base64')
  for (let time = 0; time < 2; time++) {
    const headers = { 'x-unit-signature': signature, 'content-type': 'application/json' }
    const { status } = await fetch(`${service.url}/v0/inbound/unit`, { method: 'POST', body: raw, headers })
    expect(status).toBe(200)
  }

  const reward = await until('a reward that is paid', async () => {
    const [found] = await must(service, 'GET', '/v0/rewards/rewards')
    return found?.state === 'PAID' && found
  })
  expect(reward).toMatchObject({ amount: 100_00, partnerUserId, merchantName: offer.merchant.name })
  const payments = fake.books.records.payments.filter(({ type }) => type === 'bookPayment')
  expect(payments.map(({ attributes }) => attributes.amount)).toEqual([reward.userAmount])
  expect((await must(service, 'GET', `/v0/banking/accounts/${accountId}`)).balance).toBe(900_00 + reward.userAmount)

  const sandbox = await service.call('POST', '/v0/sandbox/customers', { body: { name: 'Ada' } })
  expect(sandbox.json.code).toBe('route_not_found')
  await service.stop()
  expect([...fake.undescribed, ...fake.misshapen]).toEqual([])
  for (const told of [first.output(), first.errors(), service.output(), service.errors()]) {
    expect(told).not.toContain(fake.token)
    expect(told).not.toContain(secret)
  }
})
