import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyRecords } from '../../src/bank/proof/verify-records.ts'
import { settle, times } from '../support/cards.ts'
import { createDatabase, openTestBank, type TestBank, type TestDatabase } from '../support/harness.ts'
import { expectSoundLedger } from '../support/ledger.ts'
import { merchant, nationalOffer } from '../support/offers.ts'
import { choicesOfTest } from '../support/random.ts'
import { makeCampaign, makeCampaignOffer, makeShopper, rewardsOf, type Shopper } from '../support/rewards.ts'
import { newMerchantName } from '../support/world.ts'
import { liveCampaigns } from './campaign-life.ts'
import type { ModelOffer } from './campaign-model.ts'

const LIVES = process.env.SOAK ? 60 : 4
const STEPS = process.env.SOAK ? 80 : 25

/** The offers of the catalogue, at a merchant of each life. */
const terms = [
  { commission: 4, minimumSpend: 0, maximumReward: null },
  { commission: 7.5, minimumSpend: 50_00, maximumReward: 6_00 },
]
const merchants = Array.from({ length: LIVES }, () => newMerchantName())

let place: TestDatabase
/** Two services on one database. */
let banks: [TestBank, TestBank]
beforeAll(async () => {
  place = await createDatabase()
  const catalogue = merchants.flatMap((name) =>
    terms.map(({ maximumReward, ...own }) =>
      nationalOffer({ merchant: merchant(name), totalCommission: 10, ...own, ...(maximumReward && { maximumReward }) }),
    ),
  )
  banks = [await openTestBank({ on: place, catalogue }), await openTestBank({ on: place })]
})
afterAll(async () => {
  await expectSoundLedger(banks[0])
  for (const bank of banks) await bank.close()
  await place.drop()
})

const read = async (path: string) => (await banks[0].call('GET', path)).json.data
const post = (path: string, body: unknown = {}, bank = banks[0]) => bank.call('POST', path, { body, key: banks[0].key })

async function authorize({ cardId }: Shopper, name: string, amount: number): Promise<string> {
  const { json } = await post(`/v0/sandbox/cards/${cardId}/authorizations`, { amount, merchant: { name } })
  return json.data.id
}

/** The offers of a merchant in the catalogue as the model has them. */
async function sharedOffers(merchantName: string): Promise<ModelOffer[]> {
  const query = new URLSearchParams({ userId: '1', page: '0', search: merchantName })
  const { nationalRewardOffers } = await read(`/v0/rewards/reward-offers/national-reward-offers?${query}`)
  const none = { campaignId: null, days: null, isForGold: false, activation: null, budget: null, userBudget: null }
  return terms.map((own) => {
    const { id } = nationalRewardOffers.find((one: ModelOffer) => one.commission === own.commission)
    return { id, merchantName, ...none, ...own }
  })
}

test('whatever is set up, activated, bought and refunded, each purchase earns what the model says', async () => {
  const choices = choicesOfTest()
  const send = (method: string, path: string, body?: unknown) =>
    choices.pick(...banks).call(method, path, { body, key: banks[0].key })
  for (const merchantName of merchants) {
    const shared = { merchantName, offers: await sharedOffers(merchantName) }
    await liveCampaigns({ send, shared, choices, steps: STEPS })
  }
  await expectSoundLedger(banks[0])
  const encryptionKeys = [Buffer.alloc(32, 7)]
  expect(await verifyRecords(banks[0].database, { encryptionKeys, keepAnswersMs: 0 })).toEqual([])
})

describe('200 purchases at once on two services', () => {
  test.each([
    ['of a campaign', (budget: object) => ({ campaign: { budget } })],
    ['of an offer', (budget: object) => ({ offer: { budget } })],
    ['of each user', (budget: object) => ({ campaign: { userBudget: budget } })],
  ] as [string, (budget: object) => { campaign?: Record<string, object>; offer?: Record<string, object> }][])(
    'use a budget %s up, and no cent more; refunds give all of it back',
    async (_, budgetOf) => {
      const { campaign = {}, offer = {} } = budgetOf({ day: { amount: 24_99 } })
      const campaignId = await makeCampaign(banks[0], campaign)
      const { merchantName } = await makeCampaignOffer(banks[0], { campaignId, ...offer })
      const shoppers = await times('userBudget' in campaign ? 1 : 4, () => makeShopper(banks[0]))
      const ids = await times(200, (at) => authorize(shoppers[at % shoppers.length] as Shopper, merchantName, 10_00))
      await times(200, (at) => post(`/v0/sandbox/authorizations/${ids[at]}/settle`, {}, banks[at % 2]))
      const { used, budgetLeft } = await read(`/v0/rewards/campaigns/${campaignId}`)
      expect(used).toEqual({ amount: 24_50, count: 49 })
      if ('budget' in campaign) expect(budgetLeft.day.amount).toBe(49)
      const rewards = (await Promise.all(shoppers.map((shopper) => rewardsOf(banks[0], shopper)))).flat()
      expect(rewards).toHaveLength(49)
      const refunds = await times(400, (at) =>
        post(`/v0/sandbox/authorizations/${ids[at % 200]}/refund`, { amount: 5_00 }, banks[at % 2]),
      )
      expect(refunds.every(({ status }) => status === 201)).toBe(true)
      expect((await read(`/v0/rewards/campaigns/${campaignId}`)).used).toEqual({ amount: 0, count: 0 })
      await expectSoundLedger(banks[0])
    },
    60_000,
  )

  test('are stopped by a budget that is set meanwhile', async () => {
    const campaignId = await makeCampaign(banks[0])
    const { merchantName } = await makeCampaignOffer(banks[0], { campaignId })
    const shoppers = await times(4, () => makeShopper(banks[0]))
    const ids = await times(200, (at) => authorize(shoppers[at % 4] as Shopper, merchantName, 10_00))
    const settled = times(200, (at) => settle(banks[0], ids[at] ?? ''))
    const body = { budget: { total: { count: 1 } } }
    const { json } = await banks[1].call('PATCH', `/v0/rewards/campaigns/${campaignId}`, { body, key: banks[0].key })
    await settled
    const { used } = await read(`/v0/rewards/campaigns/${campaignId}`)
    expect(used.count).toBe(Math.max(1, json.data.used.count))
    await expectSoundLedger(banks[0])
  })
})
