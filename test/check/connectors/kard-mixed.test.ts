import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { NationalOffer } from '../../../src/rewards/offers/offer.ts'
import { type FakeKard, openFakeKard } from '../../support/fakes/kard.ts'
import { addToKard } from '../../support/fakes/kard-records.ts'
import { createDatabase } from '../../support/harness.ts'
import { localOffer, merchant, nationalOffer } from '../../support/offers.ts'
import { listRecords, makeLink, makePartnerUser } from '../../support/rewards.ts'
import { type OpenedKard, openKardRewards } from '../../support/rewards-providers.ts'
import { ask, databaseUrl, endServices, launchService, scratchFolder, startService } from '../../support/service.ts'
import { makeAccount } from '../../support/world.ts'

const localPath = '/v0/rewards/reward-offers/local-reward-offers?userId=1&page=0&zipCode=10001'
const nationalPath = '/v0/rewards/reward-offers/national-reward-offers?userId=1&page=0'

describe('built-in banking with offers from Kard', () => {
  let opened: OpenedKard
  beforeAll(async () => {
    const shown = [
      localOffer({ merchant: merchant('Kard Shop') }),
      nationalOffer({ merchant: merchant('Kard Online') }),
    ]
    const own = nationalOffer({ merchant: merchant('Tamberly Market'), commission: 5, totalCommission: 8 })
    opened = await openKardRewards(shown, {}, { catalogue: [own] })
  })
  afterAll(() => opened.close())

  test("serves Kard's offers by R1 and R2, and none of the catalogue", async () => {
    const { bank } = opened
    const names = async (path: string, list: string) =>
      (await bank.call('GET', path)).json.data[list].map((offer: NationalOffer) => offer.merchant.name)
    expect(await names(localPath, 'localRewardOffers')).toEqual(['Kard Shop'])
    expect(await names(nationalPath, 'nationalRewardOffers')).toEqual(['Kard Online'])
  })

  test('serves R3 to R5 and the reward engine by itself', async () => {
    const { bank, fake } = opened
    async function made(path: string, body: unknown = {}) {
      const reply = await bank.call('POST', path, { body })
      expect(reply.status, reply.text).toBe(201)
      return reply.json.data
    }
    const accountId = await makeAccount(bank)
    await made(`/v0/sandbox/accounts/${accountId}/receive-ach`, { amount: 500_00, companyName: 'Sample Payroll' })
    const { id: cardId } = await made('/v0/banking/cards', { type: 'individualVirtualDebitCard', accountId })
    const partnerUser = await makePartnerUser(bank)
    await makeLink(bank, partnerUser.id, cardId)
    const before = fake.api.calls.length
    const purchase = { amount: 100_00, merchant: { name: 'Tamberly Market' } }
    const { id: authorizationId } = await made(`/v0/sandbox/cards/${cardId}/authorizations`, purchase)
    const settled = await made(`/v0/sandbox/authorizations/${authorizationId}/settle`)

    const records = async (list: 'partner-users' | 'rewardable-transactions' | 'rewards' | 'reward-payments') =>
      (await listRecords(bank, list)).json.data
    const { tags, ...listed } = partnerUser
    expect([tags, await records('partner-users')]).toEqual([{}, [listed]])
    expect(await records('rewardable-transactions')).toMatchObject([{ bankTransactionId: settled.id }])
    expect(await records('rewards')).toMatchObject([
      { merchantName: 'Tamberly Market', userAmount: 5_00, state: 'PAID' },
    ])
    expect(await records('reward-payments')).toHaveLength(1)
    const account = (await bank.call('GET', `/v0/banking/accounts/${accountId}`)).json.data
    expect(account.balance).toBe(500_00 - 100_00 + 5_00)
    expect(fake.api.calls).toHaveLength(before)
  })
})

describe('the service with Kard', () => {
  let fake: FakeKard
  const drops: (() => Promise<void>)[] = []
  beforeAll(async () => {
    fake = await openFakeKard()
    addToKard(fake, [localOffer({ merchant: merchant('Kard Shop') }), nationalOffer()])
  })
  afterEach(async () => {
    await endServices()
    for (const drop of drops.splice(0)) await drop()
  })
  afterAll(() => fake.close())

  async function environment() {
    const { server, drop } = await createDatabase()
    drops.push(drop)
    return {
      server,
      variables: {
        PURSER_DATA_DIR: join(scratchFolder(), 'data'),
        DATABASE_URL: databaseUrl(server),
        PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
        PURSER_REWARDS_PROVIDER: 'kard',
        PURSER_KARD_URL: fake.api.url,
        PURSER_KARD_TOKEN_URL: fake.tokenUrl,
        PURSER_KARD_ORGANIZATION_ID: fake.organizationId,
        PURSER_KARD_CLIENT_ID: fake.clientId,
        PURSER_KARD_CLIENT_SECRET: fake.clientSecret,
        PURSER_KARD_WEBHOOK_SECRET: 'key-of-the-notifications',
        LOG_LEVEL: 'trace',
      },
    }
  }

  test('serves its offers, creates no sample catalogue, and logs no secret', async () => {
    const { server, variables } = await environment()
    const service = await startService(variables)
    expect(service.output()).toContain(`offers: Kard at ${fake.api.url}, webhooks to /v0/inbound/kard\n`)
    const local = await service.call('GET', localPath)
    expect([local.status, local.json.data.localRewardOffers[0].merchant.name]).toEqual([200, 'Kard Shop'])
    expect((await service.call('GET', nationalPath)).json.data.nationalRewardOffers).toHaveLength(1)
    const agents = [...fake.tokens.calls, ...fake.api.calls].map(({ headers }) => headers['user-agent'])
    expect(new Set(agents)).toEqual(new Set([expect.stringMatching(/^Purser\/\d+\.\d+\.\d+$/)]))
    expect((await service.call('POST', '/v0/sandbox/scenarios')).status).toBe(201)
    expect(await ask(server, 'select 1 from offer')).toEqual([])
    const { raw, headers } = fake.notification('key-of-the-notifications', { data: { id: 'n1', type: 'sample' } })
    const notified = await fetch(`${service.url}/v0/inbound/kard`, { method: 'POST', body: raw, headers })
    expect(notified.status).toBe(200)
    fake.api.misbehave(500, 500, 500, 500)
    expect((await service.call('GET', nationalPath.replace('userId=1', 'userId=2'))).status).toBe(502)
    const { code, stdout, stderr } = await service.stop()
    expect(code).toBe(0)
    expect(stdout).toContain('upstream call failed')
    for (const secret of [fake.clientSecret, 'key-of-the-notifications', headers['notify-signature'] ?? '']) {
      expect(stdout + stderr).not.toContain(secret)
    }
    expect(stdout + stderr).not.toMatch(/token-\d/)
  })

  test('serves the offers of the legacy API with a token of the former token host', async () => {
    const { variables } = await environment()
    const service = await startService({
      ...variables,
      PURSER_KARD_API: 'legacy',
      PURSER_KARD_TOKEN: 'query',
      PURSER_KARD_TOKEN_URL: fake.formerTokenUrl,
      PURSER_KARD_ORGANIZATION_ID: '',
      PURSER_KARD_WEBHOOK_SECRET: '',
    })
    expect(service.output()).toContain(`${fake.api.url}, no webhooks without PURSER_KARD_WEBHOOK_SECRET\n`)
    const before = fake.api.calls.length
    const local = await service.call('GET', localPath)
    expect([local.status, local.json.data.localRewardOffers[0].merchant.name]).toEqual([200, 'Kard Shop'])
    expect((await service.call('GET', nationalPath)).json.data.nationalRewardOffers).toHaveLength(1)
    const paths = fake.api.calls.slice(before).map(({ path }) => path.split('/')[1])
    expect(new Set(paths)).toEqual(new Set(['rewards']))
    expect(fake.misfits).toEqual([])
  })

  test('refuses to start if there are several organisations', async () => {
    const { server, variables } = await environment()
    await ask(
      server,
      `insert into organisation (id, name, created_at) select n, 'organisation ' || n, now() from generate_series(1, 2) n`,
    )
    const { code, stderr } = await launchService(variables).exited
    expect(code).toBe(1)
    expect(stderr).toMatch(/^purser: a connector serves one organisation/)
  })
})
