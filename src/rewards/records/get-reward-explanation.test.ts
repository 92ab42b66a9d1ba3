import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../../test/support/bank/catalogue.ts'
import { ask, makeFunded, makeVirtualCard, settle } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { localOffer, merchant, nationalOffer } from '../../../test/support/offers.ts'
import { insertReward, makeLink, makePartnerUser } from '../../../test/support/rewards.ts'
import type { CatalogueOffer } from '../offers/catalogue.ts'

const market = merchant('Tamberly Market')
const at = { merchant: market }
const offers = {
  won: nationalOffer({ ...at, title: 'won', commission: 6, totalCommission: 8 }),
  older: nationalOffer({ ...at, title: 'older', commission: 5, totalCommission: 8 }),
  expired: nationalOffer({
    ...at,
    title: 'expired',
    commission: 20,
    totalCommission: 20,
    expirationDate: '2021-01-01T00:00:00.000Z',
  }),
  future: nationalOffer({
    ...at,
    title: 'future',
    commission: 20,
    totalCommission: 20,
    validFrom: '2098-01-01T00:00:00.000Z',
  }),
  elsewhere: localOffer({ ...at, title: 'elsewhere', commission: 20, totalCommission: 20 }),
  minimum: nationalOffer({ ...at, title: 'minimum', commission: 20, totalCommission: 20, minimumSpend: 1_000_00 }),
  once: nationalOffer({ ...at, title: 'once', commission: 10, totalCommission: 10, redeemableOnce: true }),
  capped: nationalOffer({ ...at, title: 'capped', commission: 9, totalCommission: 9, maximumReward: 1 }),
}

let bank: TestBank
let cardId: string
beforeAll(async () => {
  bank = await openTestBank({ catalogue: Object.values(offers) })
  cardId = await linkedCard()
})
afterAll(() => bank.close())

async function linkedCard(): Promise<string> {
  const { id } = await makeVirtualCard(bank, await makeFunded(bank, 100_000_00))
  await makeLink(bank, (await makePartnerUser(bank)).id, id)
  return id
}

/** The reward of a purchase, and its explanation. */
async function buy(amount: number, name = 'TAMBERLY MARKET #42') {
  const body = { amount, merchant: { name } }
  const { id } = await ask(bank, 'POST', `/v0/sandbox/cards/${cardId}/authorizations`, body)
  expect((await settle(bank, id)).status).toBe(201)
  const [latest] = await bank.database.query<{ id: number }>('select max(id) as id from reward')
  const reward = await ask(bank, 'GET', `/v0/rewards/rewards/${latest?.id}`)
  return { reward, explanation: await explain(reward.id) }
}

const explain = async (id: number) => (await bank.call('GET', `/v0/rewards/rewards/${id}/explanation`)).json.data

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
const outcomes = (explanation: any): Record<string, [number, string]> =>
  Object.fromEntries(
    explanation.offers.map((offer: { title: string; userAmount: number; outcome: string }) => [
      offer.title,
      [offer.userAmount, offer.outcome],
    ]),
  )

describe('get explanation of a reward', () => {
  test('lists every offer of the merchant with its cash back and why it did not win', async () => {
    expect(outcomes((await buy(100_00)).explanation).once).toEqual([10_00, 'Won'])
    const { reward, explanation } = await buy(100_00)
    expect(explanation).toMatchObject({
      rewardId: reward.id,
      offerId: reward.offerId,
      merchantName: 'TAMBERLY MARKET #42',
      amount: 100_00,
      complete: true,
      catalogueChanged: false,
    })
    expect(explanation.offers[0]).toEqual({ offerId: reward.offerId, title: 'won', userAmount: 6_00, outcome: 'Won' })
    expect(outcomes(explanation)).toEqual({
      won: [6_00, 'Won'],
      older: [5_00, 'LowerCashBack'],
      expired: [20_00, 'NotLive'],
      future: [20_00, 'NotLive'],
      elsewhere: [20_00, 'OtherPlace'],
      minimum: [20_00, 'BelowMinimumSpend'],
      once: [10_00, 'AlreadyRedeemed'],
      capped: [1, 'LowerCashBack'],
    })
  })

  test.each([17, 20, 33, 1_99, 999_99, 1_000_00])(
    'names the offer of the reward as the winner of %i cents',
    async (amount) => {
      const { reward, explanation } = await buy(amount)
      const winners = explanation.offers.filter(({ outcome }: { outcome: string }) => outcome === 'Won')
      expect(
        winners.map(({ offerId, userAmount }: { offerId: string; userAmount: number }) => [offerId, userAmount]),
      ).toEqual([[reward.offerId, reward.userAmount]])
      expect(explanation.catalogueChanged).toBe(false)
    },
  )

  test('says so where the catalogue has changed since, and keeps the winner', async () => {
    const { reward, explanation } = await buy(50_00)
    const better: CatalogueOffer = { ...offers.older, commission: 7.5, totalCommission: 8 }
    await loadCatalogue(bank.database, [better])
    const later = await explain(reward.id)
    expect([later.offerId, later.catalogueChanged]).toEqual([explanation.offerId, true])
    expect(outcomes(later)).toMatchObject({ won: [3_00, 'Won'], older: [3_75, 'ChangedSince'] })
    await loadCatalogue(bank.database, [offers.older, { ...offers.won, commission: 5.5 }])
    const changed = await explain(reward.id)
    expect([changed.offers[0].userAmount, changed.catalogueChanged]).toEqual([3_00, true])
  })

  test('shows the winner alone where its purchase and its offer are not known', async () => {
    const explanation = await explain(await insertReward(bank))
    expect(explanation.offers).toEqual([{ offerId: '1000042', title: null, userAmount: 50, outcome: 'Won' }])
    expect(explanation.catalogueChanged).toBe(true)
  })

  test("refuses an unknown id, and another organisation's", async () => {
    const id = await insertReward(bank)
    const get = (of: number, key = bank.key) => bank.call('GET', `/v0/rewards/rewards/${of}/explanation`, { key })
    for (const reply of [await get(id, bank.otherKey), await get(id + 1)]) {
      expect([reply.status, reply.json.code]).toEqual([404, 'reward_not_found'])
    }
  })
})

describe('getPurchaseExplanation', () => {
  test('says why a purchase earned nothing, offer by offer', async () => {
    const buyOnly = async (card: string, amount: number, name = 'TAMBERLY MARKET #42') => {
      const { id } = await ask(bank, 'POST', `/v0/sandbox/cards/${card}/authorizations`, { amount, merchant: { name } })
      return (await settle(bank, id)).json.data.id as string
    }
    const explained = (id: string, key = bank.key) =>
      bank.call('GET', `/v0/rewards/purchases/${id}/explanation`, { key }).then(({ json }) => json.data ?? json.code)
    const none = await explained(await buyOnly(await linkedCard(), 4))
    expect(none).toMatchObject({
      outcome: 'NothingEarned',
      rewardId: null,
      amount: 4,
      countedAmount: 4,
      complete: true,
    })
    expect(outcomes(none)).toEqual({
      won: [0, 'NoCashBack'],
      older: [0, 'NoCashBack'],
      expired: [0, 'NotLive'],
      future: [0, 'NotLive'],
      elsewhere: [0, 'OtherPlace'],
      minimum: [0, 'BelowMinimumSpend'],
      once: [0, 'NoCashBack'],
      capped: [0, 'NoCashBack'],
    })
    const { id: unlinked } = await makeVirtualCard(bank, await makeFunded(bank, 100_00))
    const notLinked = await explained(await buyOnly(unlinked, 10_00))
    expect([notLinked.outcome, outcomes(notLinked).once]).toEqual(['NotLinked', [1_00, 'Won']])
    const transaction = await buyOnly(cardId, 50_00)
    const { rewardId, outcome, offers: considered } = await explained(transaction)
    expect([outcome, considered]).toEqual(['Earned', (await explain(rewardId)).offers])
    expect(await explained(transaction, bank.otherKey)).toBe('transaction_not_found')
    expect(await explained(unlinked)).toBe('transaction_not_found')
  })
})
