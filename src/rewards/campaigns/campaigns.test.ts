import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { organisationNamed, setBankTime } from '../../../test/support/bank-time.ts'
import { charge, refund, refusalOf, settle, times } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger } from '../../../test/support/ledger.ts'
import { merchant, nationalOffer } from '../../../test/support/offers.ts'
import {
  buy,
  campaignOffer,
  listRecords,
  makeCampaign,
  makeCampaignOffer,
  makeShopper,
  rewardsOf,
  type Shopper,
} from '../../../test/support/rewards.ts'
import { newMerchantName } from '../../../test/support/world.ts'

let bank: TestBank
let ada: Shopper
const shared = merchant('Tamberly Market')

beforeAll(async () => {
  const over = { title: 'over', merchant: merchant('Yarrowick Books'), expirationDate: '2029-01-01' }
  const catalogue = [nationalOffer({ merchant: shared, commission: 3, totalCommission: 5 }), nationalOffer(over)]
  bank = await openTestBank({ catalogue })
  // A Monday.
  await setBankTime(bank, await organisationNamed(bank, 'first'), '2030-06-10T12:00:00Z')
  ada = await makeShopper(bank)
})
afterAll(() => bank.close())

const patch = (path: string, body: unknown) => bank.call('PATCH', path, { body })

/** Buys, and returns the cents that the purchase earned. */
async function earned(by: Shopper, merchantName: string, amount: number): Promise<number> {
  const before = (await rewardsOf(bank, by)).length
  await buy(bank, by, merchantName, amount)
  const [reward] = (await rewardsOf(bank, by)).slice(before)
  return reward?.userAmount ?? 0
}

/** Buys for 100 dollars by a new offer with these members, and returns the cents that the purchase earned. */
async function earnedBy(own: Record<string, unknown>, by = ada, amount = 100_00): Promise<number> {
  const { merchantName } = await makeCampaignOffer(bank, own)
  return earned(by, merchantName, amount)
}

describe('A campaign', () => {
  test('is created, read, listed, changed and ended; another organisation knows nothing of it', async () => {
    const id = await makeCampaign(bank)
    const path = `/v0/rewards/campaigns/${id}`
    const rest = { amount: null, count: null }
    const campaign = {
      ...{ id, name: 'Spring', status: 'Active', createdAt: expect.any(String), updatedAt: null },
      ...{ budget: null, userBudget: null, used: { amount: 0, count: 0 } },
      budgetLeft: { day: rest, month: rest, total: rest },
    }
    expect((await bank.call('GET', path)).json.data).toEqual(campaign)
    expect((await bank.call('GET', '/v0/rewards/campaigns?limit=1')).json.data).toEqual([campaign])
    const offer = await makeCampaignOffer(bank, { campaignId: id })
    const key = await bank.makeKey('others', null)
    for (const foreign of [path, `/v0/rewards/offers/${offer.id}`])
      expect((await bank.call('GET', foreign, { key })).status, foreign).toBe(404)
    for (const list of ['campaigns', 'offers', `offers?campaignId=${id}`])
      expect((await bank.call('GET', `/v0/rewards/${list}`, { key })).json.data, list).toEqual([])
    const others = { key, body: campaignOffer() }
    expect(refusalOf(await bank.call('POST', `${path}/offers`, others))).toEqual([404, 'campaign_not_found'])

    const renamed = await patch(path, { name: 'Summer', status: 'Ended' })
    expect(renamed.json.data).toMatchObject({ name: 'Summer', status: 'Ended', updatedAt: expect.any(String) })
    expect((await bank.call('GET', '/v0/rewards/campaigns?status=Ended')).json.data).toEqual([renamed.json.data])
    expect(refusalOf(await patch(path, { status: 'Active' }))).toEqual([409, 'campaign_ended'])
    const late = await bank.call('POST', `${path}/offers`, { body: campaignOffer() })
    expect(refusalOf(late)).toEqual([409, 'campaign_ended'])
  })

  test('has offers with all their terms', async () => {
    const own = {
      ...{ title: 'Weekend', terms: 'At weekends.', commission: 4.25, minimumSpend: 5_00, maximumReward: 9_00 },
      ...{ days: ['sunday'], validFrom: '2030-01-01T00:00:00.000Z', expirationDate: '2031-01-01T00:00:00.000Z' },
      ...{ settlementDelayDays: 3, condition: { whereClause: '$C1 IS NULL', columnNames: 'plan' } },
    }
    const offer = await makeCampaignOffer(bank, own)
    expect(offer).toMatchObject({ ...own, amount: null, status: 'Active', updatedAt: null })
    const path = `/v0/rewards/offers/${offer.id}`
    expect((await bank.call('GET', path)).json.data).toEqual(offer)
    expect((await bank.call('GET', `/v0/rewards/offers?campaignId=${offer.campaignId}`)).json.data).toEqual([offer])
    const { json } = await patch(path, { amount: 2_00, days: null, condition: null, expirationDate: '2032-01-01' })
    expect(json.data).toMatchObject({ commission: null, amount: 2_00, days: null, condition: null, title: 'Weekend' })
    expect(json.data.expirationDate).toBe('2032-01-01T00:00:00.000Z')
    expect((await patch(path, { status: 'Ended' })).status).toBe(200)
    expect(refusalOf(await patch(path, { title: 'Again' }))).toEqual([409, 'campaign_ended'])
  })

  test.each([
    ['two rates', { amount: 5_00, commission: 5 }, '/amount'],
    ['no rate', { commission: undefined }, '/commission'],
    ['three decimals', { commission: 1.125 }, '/commission'],
    ['an end before its beginning', { expirationDate: '2030-01-01T00:00:00Z' }, '/expirationDate'],
    ['a faulty condition', { condition: { whereClause: '$C1 =' } }, '/condition/whereClause'],
    ['a day twice', { days: ['monday', 'monday'] }, '/days'],
    ['a merchant id of no characters', { merchantIds: [''] }, '/merchantIds/0'],
    ['more than 1,000 merchant ids', { merchantIds: Array.from({ length: 1_001 }, String) }, '/merchantIds'],
    ['a category code of three digits', { categoryCodes: ['581'] }, '/categoryCodes/0'],
  ])('refuses an offer with %s', async (_, own, pointer) => {
    const path = `/v0/rewards/campaigns/${await makeCampaign(bank)}/offers`
    const { status, json } = await bank.call('POST', path, { body: campaignOffer({ commission: 5, ...own }) })
    expect([status, json.code, json.errors?.[0]?.pointer]).toEqual([400, 'invalid_request', pointer])
  })

  test('refuses more than 50 offers of a merchant', async () => {
    const [campaignId, merchantName] = [await makeCampaign(bank), newMerchantName()]
    const path = `/v0/rewards/campaigns/${campaignId}/offers`
    const body = campaignOffer({ merchantName })
    const made = await Promise.all(Array.from({ length: 53 }, () => bank.call('POST', path, { body })))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(50)
    const [refused, ...others] = made.filter(({ status }) => status === 409)
    expect([refused?.json.code, others.length]).toEqual(['too_many_offers', 2])
    expect(await earned(ada, merchantName, 100_00)).toBe(5_00)
  })
})

test.each([
  ['getCampaign', 'GET', 'campaigns/1', 'campaign_not_found', undefined],
  ['updateCampaign', 'PATCH', 'campaigns/1', 'campaign_not_found', { name: 'Summer' }],
  ['createCampaignOffer', 'POST', 'campaigns/1/offers', 'campaign_not_found', campaignOffer()],
  ['getCampaignOffer', 'GET', 'offers/1', 'campaign_offer_not_found', undefined],
  ['updateCampaignOffer', 'PATCH', 'offers/1', 'campaign_offer_not_found', { title: 'Summer' }],
  ['activateOffer', 'POST', 'offers/1/activations', 'campaign_offer_not_found', { partnerUserId: 1 }],
  ['cancelActivation', 'POST', 'activations/1/cancel', 'offer_activation_not_found', undefined],
  ['listPartnerUserOffers', 'GET', 'partner-users/999999/offers', 'partner_user_not_found', undefined],
])('%s answers 404 for an unknown id', async (_, method, path, code, body) => {
  expect(refusalOf(await bank.call(method, `/v0/rewards/${path}`, { body }))).toEqual([404, code])
})

test.each([
  ['listCampaigns', 'campaigns'],
  ['listCampaignOffers', 'offers'],
  ['listActivations', 'activations'],
])('%s leads to the next page', async (_, list) => {
  const { id } = await makeCampaignOffer(bank, { activation: { days: 1 } })
  for (const { partnerUserId } of [ada, await makeShopper(bank)])
    await bank.call('POST', `/v0/rewards/offers/${id}/activations`, { body: { partnerUserId } })
  const whole = await bank.call('GET', `/v0/rewards/${list}?sort=createdAt`)
  const first = await bank.call('GET', `/v0/rewards/${list}?sort=createdAt&limit=1`)
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(first.headers.link)) ?? []
  const second = await bank.call('GET', next)
  expect([...first.json.data, ...second.json.data]).toEqual(whole.json.data.slice(0, 2))
})

test.each([
  ['createCampaign', 'a name of no characters', { name: '' }],
  ['createCampaign', 'a limit of nothing', { name: 'Spring', budget: { day: { amount: 0 } } }],
])('%s refuses %s', async (_, __, body) => {
  expect(refusalOf(await bank.call('POST', '/v0/rewards/campaigns', { body }))).toEqual([400, 'invalid_request'])
})

describe('A purchase earns by the offer of a campaign', () => {
  test.each([
    ['a percentage', { commission: 4.25 }, 4_25],
    ['an amount', { amount: 7_77 }, 7_77],
    ['an amount above the purchase', { amount: 200_00 }, 100_00],
    ['a maximum', { commission: 50, maximumReward: 12_34 }, 12_34],
    ['its minimum', { minimumSpend: 100_00 }, 5_00],
    ['too high a minimum', { minimumSpend: 100_01 }, 0],
    ['the day', { days: ['sunday', 'monday'] }, 5_00],
    ['another day', { days: ['sunday', 'tuesday'] }, 0],
    ['a later beginning', { validFrom: '2030-06-11' }, 0],
    ['an end that is over', { validFrom: '2030-06-01', expirationDate: '2030-06-09' }, 0],
  ])('with %s', async (_, own, cents) => {
    expect(await earnedBy(own)).toBe(cents)
  })

  test.each([
    ['$C1 = $V1', 'plan', '[gold]', true],
    ['$C1 = $V1', 'plan', '[silver]', false],
    ['$C1 <> $V1', 'absent', '[silver]', false],
    ['$C1 IS NULL AND NOT $C2 IS NULL', 'absent,plan', '', true],
    ['$C1 NOT IN ($V1)', 'plan', '[silver, bronze]', true],
    ['$C1 LIKE $V1 OR $C1 IN ($V2)', 'plan', "['g%'], [silver]", true],
    ['$C1 BETWEEN $V1 AND $V2', 'plan', '[goat, golf]', true],
  ])('for a user who meets the condition %s', async (whereClause, columnNames, values, isMet) => {
    const gold = await makeShopper(bank, { plan: 'gold' })
    const condition = { whereClause, columnNames, values }
    expect(await earnedBy({ condition }, gold)).toBe(isMet ? 5_00 : 0)
  })

  describe('by the merchant', () => {
    /** The outcomes of offers for a purchase, by their titles. */
    async function outcomesOf(purchase: Record<string, unknown>): Promise<Record<string, string>> {
      const user = await makeShopper(bank)
      const settled = await settle(bank, (await charge(bank, user.cardId, 100_00, { merchant: purchase })).json.data.id)
      const { json } = await bank.call('GET', `/v0/rewards/purchases/${settled.json.data.id}/explanation`)
      return Object.fromEntries(json.data.offers.map((one: Record<string, string>) => [one.title, one.outcome]))
    }

    const name = newMerchantName()
    const [ownId, otherId] = ['C-1', 'C-2']
    beforeAll(async () => {
      const offers = [
        { merchantName: name, title: 'by id', commission: 3, merchantIds: [ownId] },
        { merchantName: name, title: 'by name', commission: 2 },
        { merchantName: newMerchantName(), title: 'another name', commission: 1, merchantIds: [ownId, otherId] },
        { merchantName: name, title: 'by code', commission: 4, categoryCodes: ['5814'] },
      ]
      for (const offer of offers) await makeCampaignOffer(bank, offer)
    })

    test.each([
      ['by names without an id', { name }, { 'by code': 'Won', 'by id': 'LowerCashBack', 'by name': 'LowerCashBack' }],
      [
        'by its id, whatever its name',
        { name: 'HOLDINGS 0042', id: ownId },
        { 'by id': 'Won', 'another name': 'LowerCashBack' },
      ],
      [
        'by its id before its name',
        { name, id: otherId, categoryCode: '5814' },
        { 'another name': 'Won', 'by id': 'OtherMerchant', 'by name': 'OtherMerchant', 'by code': 'OtherMerchant' },
      ],
      [
        'by its name if no offer names the id',
        { name, id: 'C-9' },
        { 'by code': 'Won', 'by id': 'OtherMerchant', 'by name': 'LowerCashBack' },
      ],
      [
        'by its category code',
        { name, id: ownId, categoryCode: '5411' },
        { 'by id': 'Won', 'by name': 'LowerCashBack', 'by code': 'OtherCategory', 'another name': 'LowerCashBack' },
      ],
    ])('%s', async (_, purchase, outcomes) => {
      expect(await outcomesOf(purchase)).toEqual(outcomes)
    })

    test('and the explanation also names offers of the catalogue that do not match', async () => {
      await makeCampaignOffer(bank, { merchantName: 'Yarrowick Books', title: 'own' })
      expect(await outcomesOf({ name: 'Yarrowick Books' })).toEqual({ own: 'Won', over: 'NotLive' })
    })

    test('which has at most 50 offers by an id, too', async () => {
      const campaignId = await makeCampaign(bank)
      const merchantIds = ['C-50']
      for (let made = 0; made < 50; made++) await makeCampaignOffer(bank, { campaignId, merchantIds })
      const path = `/v0/rewards/campaigns/${campaignId}/offers`
      expect(refusalOf(await bank.call('POST', path, { body: campaignOffer({ merchantIds }) }))).toEqual([
        409,
        'too_many_offers',
      ])
      const { id } = await makeCampaignOffer(bank, { campaignId })
      expect(refusalOf(await patch(`/v0/rewards/offers/${id}`, { merchantIds }))).toEqual([409, 'too_many_offers'])
      expect((await patch(`/v0/rewards/offers/${id}`, { merchantIds: ['C-51'] })).json.data.merchantIds).toEqual([
        'C-51',
      ])
    })
  })

  describe('in parts', () => {
    /** Settles parts of a purchase at a new offer, and returns the cash back of each reward. */
    async function earnedInParts(own: Record<string, unknown>, amounts: number[]) {
      const { id, merchantName } = await makeCampaignOffer(bank, own)
      const user = await makeShopper(bank)
      const authorization = await authorize(bank, user.cardId, 100_00, merchantName)
      for (const amount of amounts) await settle(bank, authorization, { amount, final: false })
      const rewards = await rewardsOf(bank, user)
      const { used } = (await bank.call('GET', `/v0/rewards/offers/${id}`)).json.data
      expect(used.amount).toBe(rewards.reduce((sum, { userAmount }) => sum + userAmount, 0))
      await refund(bank, authorization)
      expect((await bank.call('GET', `/v0/rewards/offers/${id}`)).json.data.used).toEqual({ amount: 0, count: 0 })
      return rewards.map(({ userAmount }) => userAmount)
    }

    test.each([
      ['a percentage of each', { commission: 10 }, [20_00, 30_00], [2_00, 3_00]],
      ['an amount once', { amount: 7_00 }, [5_00, 40_00, 20_00], [5_00, 2_00]],
      ['a maximum once', { commission: 10, maximumReward: 5_00 }, [30_00, 40_00, 20_00], [3_00, 2_00]],
      ['all of them once the minimum is reached', { minimumSpend: 60_00 }, [20_00, 30_00, 20_00], [1_00, 1_50, 1_00]],
      ['an amount once the minimum is reached', { amount: 5_00, minimumSpend: 60_00 }, [20_00, 50_00, 10_00], [5_00]],
    ])('earns %s', async (_, own, amounts, rewards) => {
      expect((await earnedInParts(own, amounts)).sort()).toEqual(rewards.sort())
      await expectSoundLedger(bank)
    })

    test('uses the budget of the day on which the minimum is reached', async () => {
      const own = { minimumSpend: 50_00, budget: { day: { amount: 4_00 } } }
      const { id, merchantName } = await makeCampaignOffer(bank, own)
      const user = await makeShopper(bank)
      const authorization = await authorize(bank, user.cardId, 100_00, merchantName)
      await settle(bank, authorization, { amount: 30_00, final: false })
      await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P1D' } })
      await settle(bank, authorization, { amount: 40_00, final: false })
      expect((await rewardsOf(bank, user)).map(({ userAmount }) => userAmount).sort()).toEqual([1_50, 2_00])
      expect((await bank.call('GET', `/v0/rewards/offers/${id}`)).json.data.budgetLeft.day.amount).toBe(50)
      await expectSoundLedger(bank)
    })
  })

  test('by the tags that the user has now', async () => {
    const { merchantName } = await makeCampaignOffer(bank, {
      condition: { whereClause: '$C1 = $V1', columnNames: 'plan', values: '[gold]' },
    })
    const user = await makeShopper(bank)
    expect(await earned(user, merchantName, 100_00)).toBe(0)
    const { json } = await patch(`/v0/rewards/partner-users/${user.partnerUserId}`, { tags: { plan: 'gold' } })
    expect(json.data).toMatchObject({ id: user.partnerUserId, isRemoved: false, tags: { plan: 'gold' } })
    expect(await earned(user, merchantName, 100_00)).toBe(5_00)
  })

  test('unless the offer or its campaign is paused or has ended', async () => {
    const { id, campaignId, merchantName } = await makeCampaignOffer(bank)
    const [offer, campaign] = [`/v0/rewards/offers/${id}`, `/v0/rewards/campaigns/${campaignId}`]
    for (const path of [offer, campaign]) {
      await patch(path, { status: 'Paused' })
      expect(await earned(ada, merchantName, 100_00)).toBe(0)
      await patch(path, { status: 'Active' })
      expect(await earned(ada, merchantName, 100_00)).toBe(5_00)
    }
    await patch(campaign, { status: 'Ended' })
    expect(await earned(ada, merchantName, 100_00)).toBe(0)
  })

  test('if it gives more than those of the catalogue', async () => {
    const { id } = await makeCampaignOffer(bank, { merchantName: 'Tamberly Market', amount: 4_00 })
    expect(await earned(ada, 'SQ *TAMBERLY MARKET #042', 100_00)).toBe(4_00)
    expect(await earned(ada, 'Tamberly Market', 200_00)).toBe(6_00)
    const rewards = await rewardsOf(bank, ada)
    expect(rewards.map(({ offerId }) => offerId === id).slice(-2)).toEqual([true, false])
    expect(rewards.at(-2)).toMatchObject({ merchantName: 'Tamberly Market', state: 'PAID' })
  })

  test('and the explanation says of every offer what became of it', async () => {
    const merchantName = newMerchantName()
    const made = async (own: object) => (await makeCampaignOffer(bank, { merchantName, ...own })).id
    const condition = { whereClause: '$C1 = $V1', columnNames: 'plan', values: '[gold]' }
    const outcomes = [
      [await made({ commission: 6 }), 'Won', 6_00],
      [await made({ commission: 4 }), 'LowerCashBack', 4_00],
      [await made({ commission: 9, days: ['sunday'] }), 'OtherDay', 9_00],
      [await made({ commission: 8, condition }), 'NotEligible', 8_00],
      [await made({ amount: 9_00, minimumSpend: 200_00 }), 'BelowMinimumSpend', 9_00],
      [await made({ commission: 7, validFrom: '2031-01-01' }), 'NotLive', 7_00],
    ]
    const user = await makeShopper(bank)
    await buy(bank, user, merchantName, 100_00)
    const [reward] = await rewardsOf(bank, user)
    const explained = async (path: string) => (await bank.call('GET', `/v0/rewards/${path}/explanation`)).json.data
    const byReward = await explained(`rewards/${reward.id}`)
    const shown = byReward.offers.map((each: Record<string, unknown>) => [each.offerId, each.outcome, each.userAmount])
    expect(shown[0]).toEqual(outcomes[0])
    expect(shown.toSorted()).toEqual(outcomes.toSorted())
    expect(byReward).toMatchObject({ offerId: outcomes[0]?.[0], complete: true, catalogueChanged: false })
    const texts = { orderByClause: '$C1 DESC', columnNames: 'id', limit: '1' }
    const newest = async () => (await listRecords(bank, 'rewardable-transactions', texts)).json.data[0]
    const byPurchase = await explained(`purchases/${(await newest()).bankTransactionId}`)
    expect(byPurchase.offers).toEqual(byReward.offers)

    const least = await makeCampaignOffer(bank, { minimumSpend: 11 })
    await buy(bank, user, least.merchantName, 10)
    const nothing = await explained(`purchases/${(await newest()).bankTransactionId}`)
    expect(nothing).toMatchObject({ rewardId: null, amount: 10, merchantName: least.merchantName })
    expect(nothing.offers).toMatchObject([{ offerId: least.id, title: 'Cash back', outcome: 'BelowMinimumSpend' }])
  })

  test('is paid after its delay, and taken back in proportion', async () => {
    const flat = await makeCampaignOffer(bank, { amount: 9_99 })
    const capped = await makeCampaignOffer(bank, { commission: 20, maximumReward: 9_99, settlementDelayDays: 2 })
    const user = await makeShopper(bank)
    const bought = [await buy(bank, user, flat.merchantName, 30_00), await buy(bank, user, capped.merchantName, 90_00)]
    const amounts = async () => (await rewardsOf(bank, user)).map(({ userAmount }) => userAmount)
    expect((await rewardsOf(bank, user)).map(({ state }) => state)).toEqual(['PAID', 'PENDING'])
    await Promise.all(bought.map((id) => refund(bank, id, { amount: 10_00 })))
    expect(await amounts()).toEqual([6_66, 9_99])
    await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P2D' } })
    expect((await rewardsOf(bank, user)).map(({ state }) => state)).toEqual(['PAID', 'PAID'])
    await Promise.all(bought.map((id) => refund(bank, id, { amount: 15_01 })))
    expect(await amounts()).toEqual([1_66, 9_99])
    await Promise.all(bought.map((id) => refund(bank, id)))
    expect(await amounts()).toEqual([0, 0])
    expect((await rewardsOf(bank, user)).map(({ state }) => state)).toEqual(['CLAWED_BACK', 'CLAWED_BACK'])
    await expectSoundLedger(bank)
  })
})

describe('An offer that needs an activation', () => {
  const activate = (offerId: string, { partnerUserId }: Shopper) =>
    bank.call('POST', `/v0/rewards/offers/${offerId}/activations`, { body: { partnerUserId } })
  const cancel = (id: string) => bank.call('POST', `/v0/rewards/activations/${id}/cancel`)
  const offersOf = async ({ partnerUserId }: Shopper, offerId: string) => {
    const { json } = await bank.call('GET', `/v0/rewards/partner-users/${partnerUserId}/offers?limit=1000`)
    return json.data.find(({ id }: { id: string }) => id === offerId)
  }

  test('gives nothing before, its uses while it is good, and a use back for a refund', async () => {
    const { id, merchantName } = await makeCampaignOffer(bank, { activation: { days: 2, uses: 2 } })
    const user = await makeShopper(bank)
    expect(await earned(user, merchantName, 100_00)).toBe(0)
    expect(await offersOf(user, id)).toMatchObject({ eligibility: 'NotActivated', activation: null })
    const { status, json } = await activate(id, user)
    expect([status, json.data]).toMatchObject([201, { offerId: id, uses: 2, used: 0, status: 'Active' }])
    expect(await offersOf(user, id)).toMatchObject({ eligibility: 'Eligible', activation: json.data })
    expect(refusalOf(await activate(id, user))).toEqual([409, 'offer_activated'])
    expect(await earned(user, merchantName, 100_00)).toBe(5_00)
    const second = await buy(bank, user, merchantName, 100_00)
    expect(await earned(user, merchantName, 100_00)).toBe(0)
    expect((await offersOf(user, id)).activation.used).toBe(2)
    await refund(bank, second, { amount: 50_00 })
    expect(await earned(user, merchantName, 100_00)).toBe(0)
    await refund(bank, second)
    expect((await offersOf(user, id)).activation.used).toBe(1)
    expect(await earned(user, merchantName, 100_00)).toBe(5_00)
    await expectSoundLedger(bank)
  })

  test('is shown to each user with the first reason why a purchase now would earn nothing', async () => {
    const day = async () => (await bank.call('GET', '/v0/sandbox/clock')).json.data.now.slice(0, 10)
    const weekday = new Date(await day())
      .toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
      .toLowerCase()
    const others = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].filter(
      (each) => each !== weekday,
    )
    const condition = { whereClause: '$C1 = $V1', columnNames: 'plan', values: '[gold]' }
    const [user, gold] = [await makeShopper(bank), await makeShopper(bank, { plan: 'gold' })]
    const shown = async (own: Record<string, unknown>, of = user) =>
      (await offersOf(of, (await makeCampaignOffer(bank, own)).id)).eligibility
    expect(await shown({ days: [weekday] })).toBe('Eligible')
    expect(await shown({ days: others })).toBe('OtherDay')
    expect(await shown({ validFrom: '2040-01-01' })).toBe('NotLive')
    expect(await shown({ condition })).toBe('NotEligible')
    expect(await shown({ condition }, gold)).toBe('Eligible')
    const { id, merchantName } = await makeCampaignOffer(bank, { userBudget: { month: { count: 1 } } })
    await buy(bank, user, merchantName, 100_00)
    expect(await offersOf(user, id)).toMatchObject({ eligibility: 'BudgetSpent', left: { month: { count: 0 } } })
    expect(await offersOf(gold, id)).toMatchObject({ eligibility: 'Eligible', left: { month: { count: 1 } } })
    await patch(`/v0/rewards/partner-users/${gold.partnerUserId}`, { isRemoved: true })
    expect((await offersOf(gold, id)).eligibility).toBe('NotEligible')
  })

  test('gives nothing for a purchase before it or after its end; one that settles later counts by its time', async () => {
    const { id, merchantName } = await makeCampaignOffer(bank, { activation: { days: 1 } })
    const user = await makeShopper(bank)
    const early = await authorize(bank, user.cardId, 100_00, merchantName)
    await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'PT1S' } })
    await activate(id, user)
    const within = await authorize(bank, user.cardId, 100_00, merchantName)
    await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P1D' } })
    const late = await authorize(bank, user.cardId, 100_00, merchantName)
    for (const authorization of [early, within, late]) await settle(bank, authorization)
    expect((await rewardsOf(bank, user)).map(({ userAmount }) => userAmount)).toEqual([5_00])
    expect((await activate(id, user)).status).toBe(201)
  })

  test('is canceled; one that was used cannot be activated again until its time is over', async () => {
    const { id, merchantName } = await makeCampaignOffer(bank, { activation: { days: 1, uses: 1 } })
    const user = await makeShopper(bank)
    const { json } = await activate(id, user)
    const path = `/v0/rewards/activations?partnerUserId=${user.partnerUserId}&offerId=${id}`
    expect((await bank.call('GET', path)).json.data).toEqual([json.data])
    expect((await cancel(json.data.id)).json.data).toMatchObject({ status: 'Canceled' })
    expect((await cancel(json.data.id)).json.data).toMatchObject({ status: 'Canceled' })
    expect(await earned(user, merchantName, 100_00)).toBe(0)
    const again = await activate(id, user)
    expect(await earned(user, merchantName, 100_00)).toBe(5_00)
    await cancel(again.json.data.id)
    expect(refusalOf(await activate(id, user))).toEqual([409, 'offer_activated'])
    const key = await bank.makeKey('others', null)
    expect(refusalOf(await bank.call('POST', `/v0/rewards/activations/${json.data.id}/cancel`, { key }))).toEqual([
      404,
      'offer_activation_not_found',
    ])
  })

  test('is used as often as it may be by purchases at once', async () => {
    const { id, merchantName } = await makeCampaignOffer(bank, { activation: { days: 1, uses: 3 } })
    const user = await makeShopper(bank)
    await activate(id, user)
    const authorizations = await times(12, () => authorize(bank, user.cardId, 10_00, merchantName))
    await times(12, (at) => settle(bank, authorizations[at] ?? ''))
    expect(await rewardsOf(bank, user)).toHaveLength(3)
    await times(12, (at) => refund(bank, authorizations[at] ?? ''))
    expect((await offersOf(user, id)).activation.used).toBe(0)
  })

  test.each([
    ['needs none', {}],
    ['is not live', { activation: { days: 1 }, validFrom: '2040-01-01' }],
    [
      'is for others',
      { activation: { days: 1 }, condition: { whereClause: '$C1 = $V1', columnNames: 'a', values: '[b]' } },
    ],
  ])('is not activated if it %s', async (_, own) => {
    const { id } = await makeCampaignOffer(bank, own)
    expect(refusalOf(await activate(id, ada))).toEqual([409, 'offer_not_available'])
  })
})

/** Authorizes a purchase at a merchant, and returns the authorization. */
async function authorize(on: TestBank, cardId: string, amount: number, name: string): Promise<string> {
  const body = { amount, merchant: { name } }
  return (await on.call('POST', `/v0/sandbox/cards/${cardId}/authorizations`, { body })).json.data.id
}
