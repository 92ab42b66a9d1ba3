import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceTo, ask, makeFunded, makeOrganisation, makeVirtualCard } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger } from '../../../test/support/ledger.ts'
import { merchant, nationalOffer } from '../../../test/support/offers.ts'
import { newUserId } from '../../../test/support/world.ts'

const namesake = { ...merchant('Tamberly Market'), key: 'another-market' }
const rate = { commission: 5, totalCommission: 8 }
const offers = [
  nationalOffer({ merchant: merchant('Tamberly Market'), ...rate, merchantIds: ['M-1'] }),
  nationalOffer({ merchant: namesake, ...rate, merchantIds: ['M-2'] }),
  nationalOffer({ merchant: merchant('Quillbrook Coffee'), commission: 10, totalCommission: 10, maximumReward: 5_00 }),
]
const delayMs = 10 * 86_400_000

let bank: TestBank
let key: string
let cardId: string
beforeAll(async () => {
  bank = await openTestBank({ catalogue: offers, payoutDelayMs: delayMs })
  key = await makeOrganisation(bank, 'billed')
  cardId = (await makeVirtualCard(bank, await makeFunded(bank, 10_000_00, key), key)).id
  const user = await ask(bank, 'POST', '/v0/rewards/partner-users', { userId: newUserId() }, key)
  await ask(bank, 'POST', '/v0/rewards/partner-user-cards', { partnerUserId: user.id, bankCardId: cardId }, key)
})
afterAll(() => bank.close())

async function buy(amount: number, purchase: Record<string, unknown>): Promise<string> {
  const path = `/v0/sandbox/cards/${cardId}/authorizations`
  const { id } = await ask(bank, 'POST', path, { amount, merchant: purchase }, key)
  await ask(bank, 'POST', `/v0/sandbox/authorizations/${id}/settle`, {}, key)
  return id
}

const refund = (id: string, amount: number) =>
  ask(bank, 'POST', `/v0/sandbox/authorizations/${id}/refund`, { amount }, key)
const bills = (month: string, query = '') =>
  ask(bank, 'GET', `/v0/rewards/merchant-bills?month=${month}${query}`, undefined, key)
const now = async () => (await ask(bank, 'GET', '/v0/sandbox/clock', undefined, key)).now as string
const following = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}

test('a bill has what was earned, taken back, paid and is due, each in its month', async () => {
  const first = (await now()).slice(0, 7)
  const market = await buy(100_00, { name: 'Tamberly Market', id: 'M-1' })
  await buy(50_00, { name: 'Tamberly Market', id: 'M-2' })
  const coffee = await buy(200_00, { name: 'Quillbrook Coffee' })
  // The cash back stays at its maximum, and the issuer bears the loss.
  await refund(coffee, 100_00)
  await advanceTo(bank, `${first}-15T00:00:00.000Z`, key)
  await refund(market, 40_00)
  const second = following(first)
  const at = (month: string) => ({ month, merchantId: expect.stringMatching(/^\d+$/) })
  const coffeeBill = { ...at(first), merchantName: 'Quillbrook Coffee', purchases: 1, purchaseAmount: 200_00 }
  const expected = [
    { ...coffeeBill, earned: 20_00, clawedBack: 10_00, due: 10_00, paid: 5_00 },
    {
      ...{ ...at(first), merchantName: 'Tamberly Market', purchases: 1, purchaseAmount: 100_00 },
      ...{ earned: 8_00, clawedBack: 3_20, due: 4_80, paid: 5_00 },
    },
    {
      ...{ ...at(first), merchantName: 'Tamberly Market', purchases: 1, purchaseAmount: 50_00 },
      ...{ earned: 4_00, clawedBack: 0, due: 4_00, paid: 2_50 },
    },
  ]
  const byName = (list: { merchantName: string; purchaseAmount: number }[]) =>
    [...list].sort((a, b) => a.merchantName.localeCompare(b.merchantName) || b.purchaseAmount - a.purchaseAmount)
  expect(byName(await bills(first))).toEqual(expected)
  expect(await bills(second)).toEqual([])

  await advanceTo(bank, `${second}-01T00:00:00.000Z`, key)
  await refund(market, 60_00)
  expect(byName(await bills(first))).toEqual(expected)
  expect(await bills(second)).toEqual([
    {
      ...{ ...at(second), merchantName: 'Tamberly Market', purchases: 0, purchaseAmount: 0 },
      ...{ earned: 0, clawedBack: 4_80, due: -4_80, paid: 0 },
    },
  ])
  await expectSoundLedger(bank)
})

test('bills come in pages, as a file, and to their organisation alone', async () => {
  const month = (await now()).slice(0, 7)
  await buy(10_00, { name: 'Quillbrook Coffee' })
  const all = await bills(month)
  expect(all).toHaveLength(2)
  expect(await bills(month, '&limit=1&offset=1')).toEqual(all.slice(1))
  const { text } = await bank.call('GET', `/v0/exports/merchant-bills?month=${month}`, { key })
  const [head, ...lines] = text.trim().split('\r\n')
  expect(head).toBe('month,merchantId,merchantName,purchases,purchaseAmount,earned,clawedBack,due,paid')
  expect(lines).toEqual(all.map((bill: Record<string, unknown>) => Object.values(bill).join()))
  expect((await bank.call('GET', `/v0/rewards/merchant-bills?month=${month}`)).json.data).toEqual([])
})

test.each(['', '0000-01', '2026', '2026-13', '2026-1', '2026-01-01'])('the month %j is refused', async (month) => {
  expect((await bank.call('GET', `/v0/rewards/merchant-bills?month=${month}`)).status).toBe(400)
})
