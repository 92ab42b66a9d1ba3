import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { atLast } from '../../../test/support/bank/at-last.ts'
import { setNoon } from '../../../test/support/bank-time.ts'
import {
  advance,
  advanceTo,
  ask,
  authorize,
  bankNow,
  charge,
  getAuthorization,
  later,
  makeCardIn,
  makeFunded,
  makeOrganisation,
  makeVirtualCard,
  moneyOf,
  refund,
  refusalOf,
  reverse,
  sendMessage,
  settle,
  shippingAddress,
  times,
} from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { newMessageId } from '../../../test/support/world.ts'
import { verifyLedger } from '../../ledger/verify.ts'

let bank: TestBank
let account: string
let card: string

beforeAll(async () => {
  bank = await openTestBank()
  await setNoon(bank)
})
beforeEach(async () => {
  account = await makeFunded(bank, 10_000_00)
  card = (await makeVirtualCard(bank, account)).id
})
afterAll(async () => {
  expect(await verifyLedger(bank.database)).toEqual([])
  await bank.close()
})

const limitsPath = (id = card) => `/v0/banking/cards/${id}/limits`
const limit = (body: object, id = card) => ask(bank, 'PUT', limitsPath(id), body)
const shown = (id = card) => ask(bank, 'GET', limitsPath(id))
/** The reason of a decline, or the status of an approval. */
const buy = async (amount: number, category?: string) => {
  const merchant = { name: 'Sample Hotel', ...(category !== undefined && { category }) }
  const { reason, status } = (await charge(bank, card, amount, { merchant })).json.data
  return reason ?? status
}

describe('set card limits', () => {
  test('replaces all limits and shows them, and an empty body removes them', async () => {
    const purchase = { amount: 50_00 }
    const made = await limit({ purchase, day: { amount: 100_00, count: 10 }, allowedCategories: ['Lodging'] })
    expect(made).toEqual({
      id: card,
      purchase,
      day: { amount: 100_00, count: 10, usedAmount: 0, usedCount: 0 },
      month: { amount: null, count: null, usedAmount: 0, usedCount: 0 },
      allowedCategories: ['Lodging'],
      blockedCategories: null,
    })
    expect(await shown()).toEqual(made)
    const next = await limit({ month: { count: 3 }, blockedCategories: ['Gambling', '7995'] })
    expect(next).toMatchObject({ purchase: { amount: null }, day: { amount: null, count: null }, month: { count: 3 } })
    expect(next).toMatchObject({ allowedCategories: null, blockedCategories: ['Gambling', '7995'] })
    expect(await buy(60_00)).toBe('Authorized')
    expect(await limit({})).toMatchObject({ month: { count: null }, blockedCategories: null })
    const [row] = await bank.database.query<{ limits: unknown }>('select limits from card where id = $1', [card])
    expect(row?.limits).toBeNull()
  })

  test('limits one purchase at its edge, with its increments', async () => {
    await limit({ purchase: { amount: 50_00 } })
    expect([await buy(50_01), await buy(50_00)]).toEqual(['PurchaseLimitExceeded', 'Authorized'])
    const { id } = (await charge(bank, card, 40_00)).json.data
    const more = (amount: number) => sendMessage(bank, `authorizations/${id}/increment`, { amount })
    expect((await more(10_01)).json.data).toMatchObject({ approved: false, reason: 'PurchaseLimitExceeded' })
    expect((await more(10_00)).json.data.approved).toBe(true)
    expect((await more(1)).json.data.reason).toBe('PurchaseLimitExceeded')
    await limit({ purchase: { amount: 0 } })
    expect(await buy(1)).toBe('PurchaseLimitExceeded')
  })

  test('limits the amount and the number of a day and of a month at their edges', async () => {
    await limit({ day: { amount: 100_00 } })
    expect([await buy(60_00), await buy(40_01), await buy(40_00), await buy(1)]).toEqual([
      'Authorized',
      'DailyLimitExceeded',
      'Authorized',
      'DailyLimitExceeded',
    ])
    expect(await shown()).toMatchObject({ day: { amount: 100_00, usedAmount: 100_00, usedCount: 2 } })
    await limit({ day: { count: 3 } })
    expect([await buy(1), await buy(1)]).toEqual(['Authorized', 'DailyLimitExceeded'])
    await limit({ month: { amount: 100_02, count: 5 } })
    expect([await buy(2), await buy(1), await buy(1)]).toEqual([
      'MonthlyLimitExceeded',
      'Authorized',
      'MonthlyLimitExceeded',
    ])
    await limit({ month: { count: 4 } })
    expect(await buy(1)).toBe('MonthlyLimitExceeded')
    await limit({ day: { amount: 0 } })
    expect(await buy(1)).toBe('DailyLimitExceeded')
    await limit({ day: { count: 0 } })
    expect(await buy(1)).toBe('DailyLimitExceeded')
  })

  test('counts what purchases hold and settled: a reversal is free, a refund is not, an advice is not declined', async () => {
    await limit({ day: { amount: 100_00, count: 100 } })
    const { id: reversed } = await authorize(bank, card, 100_00)
    expect(await buy(1)).toBe('DailyLimitExceeded')
    await reverse(bank, reversed)
    expect(await shown()).toMatchObject({ day: { usedAmount: 0, usedCount: 0 } })
    const { id } = await authorize(bank, card, 80_00)
    await settle(bank, id, { amount: 50_00 })
    expect(await shown()).toMatchObject({ day: { usedAmount: 50_00, usedCount: 1 } })
    await refund(bank, id, { amount: 50_00 })
    expect(await shown()).toMatchObject({ day: { usedAmount: 50_00, usedCount: 1 } })
    const { id: part } = await authorize(bank, card, 30_00)
    await settle(bank, part, { amount: 10_00, final: false })
    await reverse(bank, part)
    expect(await shown()).toMatchObject({ day: { usedAmount: 60_00, usedCount: 2 } })
    const { id: advised } = await authorize(bank, card, 1_00)
    expect((await sendMessage(bank, `authorizations/${advised}/advice`, { amount: 500_00 })).status).toBe(200)
    expect(await shown()).toMatchObject({ day: { usedAmount: 560_00, usedCount: 3 } })
    expect((await sendMessage(bank, `authorizations/${advised}/increment`, { amount: 1 })).json.data.reason).toBe(
      'DailyLimitExceeded',
    )
    await sendMessage(bank, `authorizations/${advised}/advice`, { amount: 40_00 })
    expect([await buy(1), (await settle(bank, advised, { amount: 45_00 })).status]).toEqual(['DailyLimitExceeded', 201])
    expect(await shown()).toMatchObject({ day: { usedAmount: 105_00, usedCount: 3 } })
    expect((await getAuthorization(bank, advised)).status).toBe('Completed')
  })

  test('declines by the category of the merchant, without regard to letter case', async () => {
    await limit({ allowedCategories: ['Lodging', '5411'] })
    const reasons = async (...categories: (string | undefined)[]) => {
      const all: string[] = []
      for (const each of categories) all.push(await buy(1, each))
      return all
    }
    const no = 'MerchantCategoryNotAllowed'
    expect(await reasons('LODGING', '5411', 'Lodgings', undefined)).toEqual(['Authorized', 'Authorized', no, no])
    await limit({ blockedCategories: ['Gambling'] })
    expect(await reasons('gambling', 'Lodging', undefined)).toEqual([no, 'Authorized', 'Authorized'])
    const { id } = (await charge(bank, card, 1_00, { merchant: { name: 'Club', category: 'Bars' } })).json.data
    await limit({ blockedCategories: ['Bars'] })
    expect((await sendMessage(bank, `authorizations/${id}/increment`, { amount: 1 })).json.data.reason).toBe(no)
  })

  test('holds for the decision of the bank alone: other cards of the account go on, funds still count', async () => {
    const other = (await makeVirtualCard(bank, account)).id
    await limit({ day: { amount: 1_00 } })
    expect((await charge(bank, other, 500_00)).json.data.status).toBe('Authorized')
    expect(await shown()).toMatchObject({ day: { usedAmount: 0 } })
    await limit({ day: { amount: 999_999_999_999, count: 1_000_000 }, month: { amount: 999_999_999_999 } })
    expect(await buy(10_000_00)).toBe('InsufficientFunds')
    expect(await buy(9_500_00)).toBe('Authorized')
    expect(await moneyOf(bank, account)).toMatchObject({ available: 0 })
  })

  test('is refused for a card that has ended, passes to a replacement, and is not taken in another form', async () => {
    const lost = await makeCardIn(bank, 'Active', account)
    await limit({ purchase: { amount: 7_00 }, blockedCategories: ['Bars'] }, lost.id)
    await ask(bank, 'POST', `/v0/banking/cards/${lost.id}/report-lost`)
    const reply = await bank.call('PUT', limitsPath(lost.id), { body: {} })
    expect(refusalOf(reply)).toEqual([409, 'card_wrong_state'])
    const replacement = await ask(bank, 'POST', `/v0/banking/cards/${lost.id}/replace`, { shippingAddress })
    expect(await shown(replacement.id)).toMatchObject({ purchase: { amount: 7_00 }, blockedCategories: ['Bars'] })
    const categories = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`)
    for (const [body, status] of [
      [{ purchase: { amount: 999_999_999_999 } }, 200],
      [{ purchase: { amount: 1_000_000_000_000 } }, 400],
      [{ purchase: { amount: -1 } }, 400],
      [{ purchase: { amount: 1.5 } }, 400],
      [{ purchase: { amount: null } }, 200],
      [{ purchase: 5 }, 400],
      [{ day: { count: 1_000_000 } }, 200],
      [{ day: { count: 1_000_001 } }, 400],
      [{ month: { count: -1 } }, 400],
      [{ month: { count: '3' } }, 400],
      [{ allowedCategories: categories(100) }, 200],
      [{ allowedCategories: categories(101) }, 400],
      [{ allowedCategories: [] }, 400],
      [{ blockedCategories: ['x'.repeat(100)] }, 200],
      [{ blockedCategories: ['x'.repeat(101)] }, 400],
      [{ blockedCategories: [''] }, 400],
      [{ blockedCategories: 'Bars' }, 400],
      [{ allowedCategories: ['a'], blockedCategories: ['b'] }, 400],
    ] as const) {
      const { status: given, text } = await bank.call('PUT', limitsPath(), { body })
      expect([given, JSON.stringify(body)], text).toEqual([status, JSON.stringify(body)])
    }
    for (const [id, key] of [
      [card, bank.otherKey],
      ['1', bank.key],
    ] as const) {
      expect(refusalOf(await bank.call('PUT', limitsPath(id), { key, body: {} }))).toEqual([404, 'card_not_found'])
    }
  })
})

describe('the days and months of limits', () => {
  test('are those of bank time in UTC, and an increment counts in those of its authorization', async () => {
    const key = await makeOrganisation(bank, 'limited')
    const funded = await makeFunded(bank, 1_000_00, key)
    const { id: cardId } = await makeVirtualCard(bank, funded, key)
    const path = `/v0/banking/cards/${cardId}/limits`
    const set = (body: object) => ask(bank, 'PUT', path, body, key)
    const month = (await bankNow(bank, key)).slice(0, 7)
    const reasonOf = async (amount: number) => {
      const { reason, status } = await authorize(bank, cardId, amount, key)
      return reason ?? status
    }
    const processorKey = await bank.makeKey('limited', ['processor:write'])
    const increment = async (id: string, amount: number) =>
      (await sendMessage(bank, `authorizations/${id}/increment`, { amount }, { key: processorKey })).json.data

    await advance(bank, { to: `${month}-10T23:59:00Z` }, key)
    await set({ day: { amount: 10_00 }, month: { amount: 25_00 } })
    const { id: late } = await authorize(bank, cardId, 9_00, key)
    await advance(bank, { to: `${month}-11T00:00:30Z` }, key)
    expect([await reasonOf(10_01), await reasonOf(10_00)]).toEqual(['DailyLimitExceeded', 'Authorized'])
    // The increment belongs to the day before, which has a dollar left.
    expect(await increment(late, 1_01)).toMatchObject({ approved: false, reason: 'DailyLimitExceeded' })
    expect(await increment(late, 1_00)).toMatchObject({ approved: true })
    await advance(bank, { to: `${month}-12T12:00:00Z` }, key)
    expect([await reasonOf(5_01), await reasonOf(5_00)]).toEqual(['MonthlyLimitExceeded', 'Authorized'])

    const end = later(`${month}-28T00:00:00Z`, 4).slice(0, 7)
    await advanceTo(bank, new Date(Date.parse(`${end}-01T00:00:00Z`) - 60_000).toISOString(), key)
    // The holds of the 10th to the 12th have expired unsettled and count no more.
    expect(await ask(bank, 'GET', path, undefined, key)).toMatchObject({ month: { usedAmount: 0, usedCount: 0 } })
    const { id: last } = await authorize(bank, cardId, 10_00, key)
    await advance(bank, { to: `${end}-01T00:00:30Z` }, key)
    expect(await ask(bank, 'GET', path, undefined, key)).toMatchObject({ month: { usedAmount: 0 } })
    await set({ month: { amount: 12_00 } })
    expect(await reasonOf(12_00)).toBe('Authorized')
    expect([(await increment(last, 2_01)).reason, (await increment(last, 2_00)).approved]).toEqual([
      'MonthlyLimitExceeded',
      true,
    ])
    expect(await reasonOf(1)).toBe('MonthlyLimitExceeded')
  })
})

describe('200 purchases at once, at two services on one database', () => {
  let second: TestBank
  beforeAll(async () => {
    const on = { name: 'shared', server: bank.server, drop: async () => undefined }
    second = await openTestBank({ on })
  })
  afterAll(() => second.close())

  const storm = async (amount: number) => {
    const replies = await times(200, (at) => {
      const processorId = newMessageId()
      return atLast(() => charge(at % 2 ? bank : second, card, amount, { processorId }))
    })
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    const outcomes = replies.map(({ json }) => json.data.reason ?? json.data.status)
    return (word: string) => outcomes.filter((outcome) => outcome === word).length
  }

  test.each([
    ['amount of a day', { day: { amount: 37_99 } }, 'DailyLimitExceeded', 37],
    ['number of a month', { month: { count: 41 } }, 'MonthlyLimitExceeded', 41],
  ])('never pass the %s', async (_kind, body, reason, approved) => {
    await limit(body)
    const count = await storm(1_00)
    expect([count('Authorized'), count(reason)]).toEqual([approved, 200 - approved])
    expect(await shown()).toMatchObject({ day: { usedAmount: approved * 1_00, usedCount: approved } })
    expect(await moneyOf(bank, account)).toMatchObject({ hold: approved * 1_00 })
  })

  test('never pass the balance, with limits beside it', async () => {
    await limit({ day: { amount: 9_999_00 }, month: { count: 150 } })
    const count = await storm(100_00)
    expect(count('Authorized')).toBe(99)
    expect(count('DailyLimitExceeded')).toBe(101)
    await limit({ month: { count: 150 } })
    expect((await storm(1_00))('Authorized')).toBe(51)
    await limit({ day: { count: 1_000 } })
    expect((await storm(1_00))('InsufficientFunds')).toBe(151)
    expect(await moneyOf(bank, account)).toMatchObject({ available: 0, hold: 10_000_00 })
  })

  test('never pass a limit together with increments, reversals and settlements', async () => {
    await limit({ day: { amount: 50_00 } })
    const open = await times(40, async () => (await charge(bank, card, 1_00)).json.data.id as string)
    await times(120, (at) => {
      const service = at % 2 ? bank : second
      const id = open[at % 40] ?? ''
      if (at < 40) return sendMessage(service, `authorizations/${id}/increment`, { amount: 1_00 })
      if (at < 60) return sendMessage(service, `authorizations/${id}/reverse`)
      if (at < 80) return sendMessage(service, `authorizations/${id}/settle`)
      return charge(service, card, 1_00)
    })
    const { day } = await shown()
    expect(day.usedAmount).toBeLessThanOrEqual(50_00)
    const count = await storm(1_00)
    expect(count('Authorized')).toBe((50_00 - day.usedAmount) / 1_00)
    expect(await shown()).toMatchObject({ day: { usedAmount: 50_00 } })
  })
})
