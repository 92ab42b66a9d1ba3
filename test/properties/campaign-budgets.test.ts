import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyRecords } from '../../src/bank/proof/verify-records.ts'
import { settle, times } from '../support/cards.ts'
import { createDatabase, openTestBank, type TestBank, type TestDatabase } from '../support/harness.ts'
import { expectSoundLedger } from '../support/ledger.ts'
import { type Choices, choicesOfTest } from '../support/random.ts'
import { makeCampaign, makeCampaignOffer, makeShopper, rewardsOf, type Shopper } from '../support/rewards.ts'
import { newMerchantName } from '../support/world.ts'
import { type ModelBudget, type ModelOffer, openCampaignModel } from './campaign-model.ts'

const LIVES = process.env.SOAK ? 60 : 3
const STEPS = process.env.SOAK ? 60 : 25

let place: TestDatabase
/** Two services on one database. */
let banks: [TestBank, TestBank]
beforeAll(async () => {
  place = await createDatabase()
  banks = [await openTestBank({ on: place }), await openTestBank({ on: place })]
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

function randomBudget({ below, pick }: Choices, scale: number): ModelBudget | null {
  if (below(2) === 0) return null
  const limit = () => pick<object>({ amount: 1 + below(scale) }, { count: 1 + below(4) }, { amount: scale, count: 3 })
  return pick<ModelBudget>(
    { total: limit() },
    { day: limit() },
    { month: limit(), day: limit() },
    { day: limit(), total: limit() },
  )
}

/** Offers of two campaigns at two merchants. */
async function randomOffers(choices: Choices): Promise<ModelOffer[]> {
  const { below, pick } = choices
  const merchants = [newMerchantName(), newMerchantName()]
  const campaigns = await times(2, async () => {
    const budgets = { budget: randomBudget(choices, 30_00), userBudget: randomBudget(choices, 20_00) }
    return { campaignId: await makeCampaign(banks[0], budgets), campaign: budgets }
  })
  const offers: ModelOffer[] = []
  for (let made = 0; made < 5; made++) {
    const { campaignId, campaign } = pick(...campaigns)
    const terms = {
      merchantName: pick(...merchants),
      ...(below(3) === 0 ? { amount: 1 + below(12_00) } : { commission: (1 + below(2_000)) / 100 }),
      minimumSpend: pick(0, 0, 40_00),
      maximumReward: pick(null, null, 3_00),
      activation: pick(null, null, { days: 1 }, { days: 2, uses: 2 }),
      budget: randomBudget(choices, 20_00),
      userBudget: randomBudget(choices, 10_00),
    }
    const { id } = await makeCampaignOffer(banks[0], { campaignId, ...terms })
    offers.push({ id, campaignId, campaign, ...terms })
  }
  return offers
}

async function live(choices: Choices): Promise<void> {
  const { below, pick } = choices
  const offers = await randomOffers(choices)
  const model = openCampaignModel(offers)
  const shoppers = await times(2, () => makeShopper(banks[0]))
  const bought: { id: string; shopper: Shopper; rewardId: number | null }[] = []
  const newest = async (shopper: Shopper) => (await rewardsOf(banks[0], shopper)).at(-1)

  const steps: Record<string, () => Promise<void>> = {
    async buy() {
      const shopper = pick(...shoppers)
      const merchantName = pick(...offers).merchantName
      const amount = 1 + below(150_00)
      const id = await authorize(shopper, merchantName, amount)
      const before = (await rewardsOf(banks[0], shopper)).length
      await post(`/v0/sandbox/authorizations/${id}/settle`, {}, pick(...banks))
      const reward = (await rewardsOf(banks[0], shopper)).length > before ? await newest(shopper) : undefined
      const { createdAt } = await read(`/v0/banking/authorizations/${id}`)
      const [purchase] = await read(
        '/v0/rewards/rewardable-transactions?columnNames=id&orderByClause=$C1%20DESC&limit=1',
      )
      const user = shopper.partnerUserId
      const expected = model.buy({ id, user, merchantName, amount, at: createdAt, settledAt: purchase.createdAt })
      expect([reward?.offerId, reward?.userAmount]).toEqual([expected.offerId, expected.userAmount])
      const explained = await read(`/v0/rewards/purchases/${purchase.bankTransactionId}/explanation`)
      const outcomes = explained.offers.map((each: Record<string, unknown>) => `${each.offerId} ${each.outcome}`)
      expect(outcomes.sort()).toEqual(expected.outcomes.sort())
      bought.push({ id, shopper, rewardId: reward?.id ?? null })
    },
    async refund() {
      const one = pick(...bought)
      const amount = 1 + below(80_00)
      const { status } = await post(`/v0/sandbox/authorizations/${one.id}/refund`, { amount }, pick(...banks))
      const expected = model.refund(one.id, amount)
      // More than is left is refused, whether anything is left or not.
      expect(expected === undefined ? [409, 422] : [201]).toContain(status)
      if (one.rewardId === null || expected === undefined) return
      expect((await read(`/v0/rewards/rewards/${one.rewardId}`)).userAmount).toBe(expected)
    },
    async activate() {
      const [offer, { partnerUserId }] = [pick(...offers), pick(...shoppers)]
      const { status, json } = await post(`/v0/rewards/offers/${offer.id}/activations`, { partnerUserId })
      expect(status).toBe(model.activate(offer.id, partnerUserId, json.data ?? (await now())) ? 201 : 409)
    },
    async cancel() {
      const list = await read(`/v0/rewards/activations?partnerUserId=${pick(...shoppers).partnerUserId}&limit=1`)
      if (!list[0]) return
      await post(`/v0/rewards/activations/${list[0].id}/cancel`)
      model.cancel(list[0].id)
    },
    async advance() {
      await post('/v0/sandbox/clock/advance', { by: pick('PT2H', 'PT14H', 'P1D', 'P9D') })
    },
    async pause() {
      const { campaignId } = pick(...offers)
      const status = pick('Active', 'Paused')
      await banks[0].call('PATCH', `/v0/rewards/campaigns/${campaignId}`, { body: { status } })
      model.setStatus(campaignId, status)
    },
  }
  const now = async () => ({ createdAt: (await read('/v0/sandbox/clock')).now })
  for (let step = 0; step < STEPS; step++) {
    const does = pick(
      'buy',
      'buy',
      'buy',
      'buy',
      'refund',
      'refund',
      'activate',
      'activate',
      'cancel',
      'advance',
      'pause',
    )
    if (does === 'refund' && bought.length === 0) continue
    await steps[does]?.()
  }
  for (const { campaignId } of offers) {
    const { used } = await read(`/v0/rewards/campaigns/${campaignId}`)
    expect(used).toEqual(model.used(campaignId))
  }
}

test('whatever is set up, activated, bought and refunded, each purchase earns what the model says', async () => {
  const choices = choicesOfTest()
  for (let each = 0; each < LIVES; each++) await live(choices)
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
