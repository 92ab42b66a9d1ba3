import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { createDatabase } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import { databaseUrl, endServices, type Service, scratchFolder, startService } from '../../support/service.ts'

const PURCHASES = 50

let pair: [Service, Service]
let server: Awaited<ReturnType<typeof createDatabase>>['server']
let drop: () => Promise<void>

beforeEach(async () => {
  const database = await createDatabase()
  server = database.server
  drop = database.drop
  const environment = {
    PURSER_DATA_DIR: join(scratchFolder(), 'data'),
    DATABASE_URL: databaseUrl(server),
    PURSER_API_KEY: 'key-of-the-first-organisation',
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  pair = await Promise.all([startService(environment), startService(environment)])
})
afterEach(async () => {
  await endServices()
  await drop()
})

async function post(path: string, body: unknown = {}, service = pair[0]) {
  const { status, text, json } = await service.call('POST', path, { body })
  expect(status, text).toBe(201)
  return json.data
}

/** A national offer of the sample catalogue that pays a user once. */
async function offerForOnce() {
  const path = '/v0/rewards/reward-offers/national-reward-offers?userId=1&page=0&pageSize=200'
  const { json } = await pair[0].call('GET', path)
  const offer = json.data.nationalRewardOffers.find(({ redeemableOnce }: { redeemableOnce: boolean }) => redeemableOnce)
  expect(offer).toBeDefined()
  return offer
}

test('an offer that is redeemable once pays once, with fifty settlements at the same time on two processes', async () => {
  const offer = await offerForOnce()
  const { id: customerId } = await post('/v0/sandbox/customers', { name: 'Ada Example' })
  const { id: accountId } = await post('/v0/banking/accounts', { customerId })
  await post(`/v0/sandbox/accounts/${accountId}/receive-ach`, { amount: 10_000_00, companyName: 'Sample Payroll' })
  const { id: bankCardId } = await post('/v0/banking/cards', { type: 'individualVirtualDebitCard', accountId })
  const { id: partnerUserId } = await post('/v0/rewards/partner-users', { userId: 1 })
  await post('/v0/rewards/partner-user-cards', { partnerUserId, bankCardId })

  const purchase = { amount: 100_00, merchant: { name: offer.merchant.name } }
  const authorizations = await Promise.all(
    Array.from({ length: PURCHASES }, () => post(`/v0/sandbox/cards/${bankCardId}/authorizations`, purchase)),
  )
  await Promise.all(
    authorizations.map(({ id }, number) =>
      post(`/v0/sandbox/authorizations/${id}/settle`, {}, number % 2 === 0 ? pair[0] : pair[1]),
    ),
  )

  const rewards = (await pair[1].call('GET', '/v0/rewards/rewards')).json.data
  expect(rewards).toMatchObject([{ offerId: offer.id, state: 'PAID', amount: 100_00 }])
  const { balance } = (await pair[1].call('GET', `/v0/banking/accounts/${accountId}`)).json.data
  expect(balance).toBe(10_000_00 - PURCHASES * 100_00 + rewards[0].userAmount)
  expect((await pair[0].call('GET', '/v0/rewards/rewardable-transactions')).json.data).toHaveLength(PURCHASES)
  const database = openDatabase({ servers: [server], connections: 1, timeouts: plainTimeouts })
  await expectSoundLedger({ database }).finally(() => database.close())
})
