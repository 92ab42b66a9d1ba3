import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, charge, makeFunded, makeVirtualCard, settle } from '../support/cards.ts'
import { openTestBank, type TestBank } from '../support/harness.ts'
import { expectSoundLedger } from '../support/ledger.ts'
import { merchant, nationalOffer } from '../support/offers.ts'
import { listRecords, makeLink, makePartnerUser } from '../support/rewards.ts'
import { newMessageId } from '../support/world.ts'

const diner = merchant('Fennimoor Diner')
const namesake = { ...merchant('Fennimoor Diner'), key: 'another-diner' }
const store = merchant('Tamberly Market')
const rate = (commission: number) => ({ commission, totalCommission: 10 })

/** Offers by their titles, which say how they find their purchases. */
const offers = [
  nationalOffer({ merchant: diner, title: 'by id', ...rate(3), merchantIds: ['M-1', 'M-2'] }),
  nationalOffer({ merchant: diner, title: 'of the same merchant', ...rate(2) }),
  nationalOffer({ merchant: namesake, title: 'of a namesake', ...rate(9) }),
  nationalOffer({ merchant: store, title: 'all trades', ...rate(1) }),
  nationalOffer({ merchant: store, title: 'fuel', ...rate(8), categoryCodes: ['5541', '5542'] }),
  nationalOffer({ merchant: merchant('Jetquill Toys'), title: 'minimum', ...rate(10), minimumSpend: 50_00 }),
]

let bank: TestBank
let cardId: string
let partnerUserId: number
beforeAll(async () => {
  bank = await openTestBank({ catalogue: offers })
  await newShopper()
})
afterAll(() => bank.close())

async function newShopper(): Promise<void> {
  cardId = (await makeVirtualCard(bank, await makeFunded(bank, 10_000_00))).id
  partnerUserId = (await makePartnerUser(bank)).id
  await makeLink(bank, partnerUserId, cardId)
}

/** The rewards of the partner user, oldest first. */
async function rewardsOf() {
  const texts = { whereClause: '$C1 = $V1', columnNames: 'partnerUserId', values: `[${partnerUserId}]` }
  return (await listRecords(bank, 'rewards', texts)).json.data
}

const explain = (id: number) => ask(bank, 'GET', `/v0/rewards/rewards/${id}/explanation`)

/** The outcome of each offer for a purchase, by title. */
async function outcomesOf(purchase: Record<string, unknown>): Promise<Record<string, string>> {
  const { json } = await charge(bank, cardId, 100_00, { merchant: purchase })
  await settle(bank, json.data.id)
  const explanation = await explain((await rewardsOf()).at(-1).id)
  expect([explanation.merchantId, explanation.categoryCode]).toEqual([
    purchase.id ?? null,
    purchase.categoryCode ?? (purchase.category === '5541' ? '5541' : null),
  ])
  return Object.fromEntries(
    explanation.offers.map((one: { title: string; outcome: string }) => [one.title, one.outcome]),
  )
}

describe('offers match', () => {
  const name = 'Fennimoor Diner'
  test.each([
    [
      'by the name if the purchase has no merchant id',
      { name },
      { 'of a namesake': 'Won', 'by id': 'LowerCashBack', 'of the same merchant': 'LowerCashBack' },
    ],
    [
      'by the name if no offer names the merchant id',
      { name, id: 'M-9' },
      { 'of a namesake': 'Won', 'by id': 'OtherMerchant', 'of the same merchant': 'LowerCashBack' },
    ],
    [
      'by the merchant id, and not a namesake',
      { name, id: 'M-2' },
      { 'by id': 'Won', 'of the same merchant': 'LowerCashBack', 'of a namesake': 'OtherMerchant' },
    ],
    [
      'by the merchant id whatever the name is',
      { name: 'FD HOLDINGS 0042', id: 'M-1' },
      { 'by id': 'Won', 'of the same merchant': 'LowerCashBack' },
    ],
    [
      'by the category code',
      { name: 'Tamberly Market', categoryCode: '5542' },
      { fuel: 'Won', 'all trades': 'LowerCashBack' },
    ],
    [
      'by a category that is a code',
      { name: 'Tamberly Market', category: '5541' },
      { fuel: 'Won', 'all trades': 'LowerCashBack' },
    ],
    [
      'not with another category code',
      { name: 'Tamberly Market', categoryCode: '5411' },
      { 'all trades': 'Won', fuel: 'OtherCategory' },
    ],
    ['if the category code is not known', { name: 'Tamberly Market' }, { fuel: 'Won', 'all trades': 'LowerCashBack' }],
  ])('%s', async (_how, purchase, outcomes) => {
    expect(await outcomesOf(purchase)).toEqual(outcomes)
  })

  test('what a caller hands in, as far as the authorization does not say it', async () => {
    const { id: card } = await makeVirtualCard(bank, await makeFunded(bank, 1_000_00))
    const bought: string[] = []
    for (const purchase of [{ name: 'FD HOLDINGS' }, { name: 'FD HOLDINGS', id: 'M-9' }]) {
      const { json } = await charge(bank, card, 100_00, { merchant: purchase })
      bought.push((await settle(bank, json.data.id)).json.data.id)
    }
    partnerUserId = (await makePartnerUser(bank)).id
    await makeLink(bank, partnerUserId, card)
    for (const bankTransactionId of bought) {
      const body = { bankCardId: card, bankTransactionId, merchant: { id: 'M-1', categoryCode: '5812' } }
      await ask(bank, 'POST', '/v0/rewards/rewardable-transactions', body)
    }
    const rewards = await rewardsOf()
    expect(rewards).toMatchObject([{ userAmount: 3_00 }])
    expect(await explain(rewards[0].id)).toMatchObject({ merchantId: 'M-1', categoryCode: '5812' })
  })
})

describe('a message of the processor', () => {
  test('shows the merchant id and the category code, and is compared with both', async () => {
    const content = { processorId: newMessageId(), merchant: { name: 'Sample Hotel', id: 'M-5', categoryCode: '7011' } }
    const { json } = await charge(bank, cardId, 1_00, content)
    const shown = { name: 'Sample Hotel', category: '', location: '', id: 'M-5', categoryCode: '7011' }
    expect(json.data.merchant).toEqual(shown)
    expect((await ask(bank, 'GET', `/v0/banking/authorizations/${json.data.id}`)).merchant).toEqual(shown)
    expect((await charge(bank, cardId, 1_00, content)).json.data.id).toBe(json.data.id)
    const other = { ...content, merchant: { ...content.merchant, id: 'M-6' } }
    expect((await charge(bank, cardId, 1_00, other)).json.code).toBe('processor_id_reused')
  })

  test.each([{ id: '' }, { id: 'x'.repeat(101) }, { categoryCode: '541' }, { categoryCode: 'food' }])(
    'is refused with %j',
    async (facts) => {
      expect((await charge(bank, cardId, 1_00, { merchant: { name: 'Sample Hotel', ...facts } })).status).toBe(400)
    },
  )

  test.each([
    ['blockedCategories', 'Declined'],
    ['allowedCategories', 'Authorized'],
  ])('with a code in %s of the card is %s', async (list, status) => {
    const { id } = await makeVirtualCard(bank, await makeFunded(bank, 100_00))
    await ask(bank, 'PUT', `/v0/banking/cards/${id}/limits`, { [list]: ['7995'] })
    const { json } = await charge(bank, id, 1_00, { merchant: { name: 'Sample Club', categoryCode: '7995' } })
    expect(json.data.status).toBe(status)
  })
})

describe('the parts of a purchase', () => {
  const parts = async (amounts: number[]) => {
    const { json } = await charge(bank, cardId, 200_00, { merchant: { name: 'Jetquill Toys' } })
    for (const amount of amounts) expect((await settle(bank, json.data.id, { amount, final: false })).status).toBe(201)
    return json.data.id as string
  }
  const earned = async () =>
    (await rewardsOf()).map(({ amount, userAmount }: Record<string, number>) => [amount, userAmount])

  test('count together for the minimum, and all of them earn once it is reached', async () => {
    await newShopper()
    await parts([20_00, 29_99])
    expect(await earned()).toEqual([])
    await parts([20_00, 29_99, 1, 30_00])
    expect(await earned()).toEqual([
      [20_00, 2_00],
      [29_99, 2_99],
      [30_00, 3_00],
    ])
    const [first] = await rewardsOf()
    expect(await explain(first.id)).toMatchObject({ amount: 20_00, countedAmount: 50_00, catalogueChanged: false })
    await expectSoundLedger(bank)
  })

  test('that settle at the same time earn as those that follow each other', async () => {
    await newShopper()
    const id = await parts([])
    await Promise.all([10_00, 20_00, 25_00].map((amount) => settle(bank, id, { amount, final: false })))
    expect((await earned()).sort()).toEqual([
      [10_00, 1_00],
      [20_00, 2_00],
      [25_00, 2_50],
    ])
    await expectSoundLedger(bank)
  })

  test('count without what was refunded', async () => {
    await newShopper()
    const id = await parts([30_00])
    await ask(bank, 'POST', `/v0/sandbox/authorizations/${id}/refund`, { amount: 10_00 })
    await settle(bank, id, { amount: 29_99, final: false })
    expect(await earned()).toEqual([])
    await settle(bank, id, { amount: 1_00 })
    // Refunds were taken off the first part, which earns by what is left of it.
    expect((await earned()).sort()).toEqual([
      [1_00, 10],
      [29_99, 2_99],
      [30_00, 2_00],
    ])
    await expectSoundLedger(bank)
  })
})
