import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { setNoon } from '../support/bank-time.ts'
import { openTestBank, type TestBank } from '../support/harness.ts'
import { expectSoundLedger } from '../support/ledger.ts'
import { localOffer, merchant, nationalOffer } from '../support/offers.ts'
import { makeAccount, newUserId } from '../support/world.ts'

const market = merchant('Tamberly Market')
const coffee = merchant('Quillbrook Coffee')
const toys = merchant('Jetquill Toys')

const offers = [
  nationalOffer({ key: 'market', merchant: market, commission: 5, totalCommission: 8 }),
  nationalOffer({ key: 'market-less', merchant: market, commission: 2, totalCommission: 9 }),
  nationalOffer({
    key: 'market-large',
    merchant: market,
    commission: 20,
    totalCommission: 20,
    minimumSpend: 500_00,
    maximumReward: 30_00,
  }),
  localOffer({ key: 'coffee', merchant: coffee, commission: 10, totalCommission: 10 }),
  nationalOffer({ key: 'toys', merchant: toys, commission: 10, totalCommission: 15, redeemableOnce: true }),
]

let bank: TestBank
let delayed: TestBank
/** Runs once, after a refund has read the purchases that it may have to claw back. */
let afterPlan: (() => Promise<unknown>) | undefined

const around = (database: Database): Database => ({
  ...database,
  query: async <Row>(text: string, values?: unknown[], use?: 'prepared' | 'once') => {
    const rows = await database.query<Row>(text, values, use)
    const then = text.includes('where b.authorization_id = $1::bigint') ? afterPlan : undefined
    if (then) afterPlan = undefined
    await then?.()
    return rows
  },
})

beforeAll(async () => {
  bank = await openTestBank({ catalogue: offers, around })
  delayed = await openTestBank({ catalogue: offers, payoutDelayMs: 3 * 86_400_000 })
  await setNoon(bank)
})
afterAll(async () => {
  await Promise.all([bank.close(), delayed.close()])
})

interface Shopper {
  accountId: string
  cardId: string
  partnerUserId: number
  linkId: number
}

async function made(on: TestBank, path: string, body: unknown, status = 201) {
  const reply = await on.call('POST', path, { body })
  expect(reply.status, `${path}: ${reply.text}`).toBe(status)
  return reply.json.data
}

async function shopper(on: TestBank): Promise<Shopper> {
  const accountId = await makeAccount(on)
  await made(on, `/v0/sandbox/accounts/${accountId}/receive-ach`, { amount: 10_000_00, companyName: 'Sample Payroll' })
  const cardId = (await made(on, '/v0/banking/cards', { type: 'individualVirtualDebitCard', accountId })).id
  const partnerUserId = (await made(on, '/v0/rewards/partner-users', { userId: newUserId() })).id
  const linkId = (await made(on, '/v0/rewards/partner-user-cards', { partnerUserId, bankCardId: cardId })).id
  return { accountId, cardId, partnerUserId, linkId }
}

async function authorize(on: TestBank, { cardId }: Shopper, amount: number, name: string, location?: string) {
  const body = { amount, merchant: { name, ...(location && { location }) } }
  return (await made(on, `/v0/sandbox/cards/${cardId}/authorizations`, body)).id
}

/** Buys and settles; returns the authorization and the settlement's transaction. */
async function buy(on: TestBank, by: Shopper, amount: number, name: string, location?: string) {
  const authorizationId = await authorize(on, by, amount, name, location)
  const { id } = await made(on, `/v0/sandbox/authorizations/${authorizationId}/settle`, {})
  return { authorizationId, transactionId: id as string }
}

const read = async (on: TestBank, path: string) => (await on.call('GET', path)).json.data
const balanceOf = async (on: TestBank, { accountId }: Shopper) =>
  (await read(on, `/v0/banking/accounts/${accountId}`)).balance
const filter = (column: string, value: string | number) =>
  `whereClause=${encodeURIComponent('$C1 = $V1')}&columnNames=${column}&values=[${value}]`
const rewardsOf = (on: TestBank, { partnerUserId }: Shopper) =>
  read(on, `/v0/rewards/rewards?${filter('partnerUserId', partnerUserId)}`)

describe('a purchase with a linked card', () => {
  test('earns at once, and the whole story can be read', async () => {
    const ada = await shopper(bank)
    const { authorizationId, transactionId } = await buy(bank, ada, 100_00, 'SQ *TAMBERLY MARKET #042')
    expect(await balanceOf(bank, ada)).toBe(10_000_00 - 100_00 + 5_00)

    const [payout] = await read(bank, `/v0/banking/transactions?accountId=${ada.accountId}&limit=1`)
    expect(payout).toMatchObject({ amount: 5_00, direction: 'Credit', summary: 'Tamberly Market  |  Cash back' })
    expect(payout.tags.originalType).toBe('REWARD')
    const payment = await read(bank, `/v0/banking/payments/${payout.tags.paymentId}`)
    expect(payment).toMatchObject({ type: 'bookPayment', amount: 5_00, originalType: 'REWARD', direction: 'Debit' })
    expect(await read(bank, `/v0/banking/payments?accountId=${ada.accountId}`)).toEqual([])
    expect(await read(bank, `/v0/banking/payments?accountId=${ada.accountId}&type=bookPayment`)).toHaveLength(1)

    const [purchase] = await read(
      bank,
      `/v0/rewards/rewardable-transactions?${filter('partnerUserCardId', ada.linkId)}`,
    )
    expect(purchase).toMatchObject({ bankTransactionId: transactionId, updatedAt: null })
    const [reward] = await rewardsOf(bank, ada)
    expect(reward).toMatchObject({
      rewardableTransactionId: purchase.id,
      amount: 100_00,
      userAmount: 5_00,
      state: 'PAID',
    })
    const [record] = await read(bank, `/v0/rewards/reward-payments?${filter('rewardId', reward.id)}`)
    expect(record.paymentId).toBe(Number(payment.id))

    await made(bank, `/v0/sandbox/authorizations/${authorizationId}/refund`, { amount: 40_00 })
    expect(await balanceOf(bank, ada)).toBe(10_000_00 - 60_00 + 3_00)
    expect((await rewardsOf(bank, ada))[0]).toMatchObject({ userAmount: 3_00, state: 'PAID' })
    await made(bank, `/v0/sandbox/authorizations/${authorizationId}/refund`, {})
    expect(await balanceOf(bank, ada)).toBe(10_000_00)
    expect((await rewardsOf(bank, ada))[0]).toMatchObject({ userAmount: 0, state: 'CLAWED_BACK' })
    await expectSoundLedger(bank)
  })

  test('that settles while a refund is on its way is refunded with its reward', async () => {
    const ada = await shopper(bank)
    const id = await authorize(bank, ada, 100_00, 'Tamberly Market')
    const settle = (amount: number) => made(bank, `/v0/sandbox/authorizations/${id}/settle`, { amount, final: false })
    await settle(60_00)
    // The refund knows of one purchase when the second one settles.
    afterPlan = () => settle(40_00)
    await made(bank, `/v0/sandbox/authorizations/${id}/refund`, { amount: 100_00 })
    expect(afterPlan).toBeUndefined()
    expect(await balanceOf(bank, ada)).toBe(10_000_00)
    const rewards = await rewardsOf(bank, ada)
    expect(rewards).toHaveLength(2)
    for (const reward of rewards) expect(reward).toMatchObject({ userAmount: 0, state: 'CLAWED_BACK' })
    await expectSoundLedger(bank)
  })

  test('stays clawed back when the last of it is refunded, and says when it was changed', async () => {
    const ada = await shopper(bank)
    const { authorizationId, transactionId } = await buy(bank, ada, 100_00, 'Tamberly Market')
    await made(bank, `/v0/sandbox/authorizations/${authorizationId}/refund`, { amount: 99_90 })
    expect((await rewardsOf(bank, ada))[0]).toMatchObject({ userAmount: 0, state: 'CLAWED_BACK' })
    await made(bank, `/v0/sandbox/authorizations/${authorizationId}/refund`, {})
    expect((await rewardsOf(bank, ada))[0]).toMatchObject({ userAmount: 0, state: 'CLAWED_BACK' })

    const again = { bankCardId: ada.cardId, bankTransactionId: transactionId }
    const [listed] = await read(bank, `/v0/rewards/rewardable-transactions?${filter('partnerUserCardId', ada.linkId)}`)
    expect(listed.updatedAt).not.toBeNull()
    expect(await made(bank, '/v0/rewards/rewardable-transactions', again)).toEqual(listed)
    await expectSoundLedger(bank)
  })

  test('earns by the offer with the highest cash back, at most its maximum, and asks its minimum', async () => {
    const ada = await shopper(bank)
    await buy(bank, ada, 499_99, 'Tamberly Market')
    await buy(bank, ada, 500_00, 'Tamberly Market')
    expect((await rewardsOf(bank, ada)).map(({ userAmount }: { userAmount: number }) => userAmount)).toEqual([
      24_99, 30_00,
    ])
  })

  test('at a local offer earns only in its city', async () => {
    const ada = await shopper(bank)
    await buy(bank, ada, 10_00, 'Quillbrook Coffee')
    await buy(bank, ada, 10_00, 'Quillbrook Coffee', 'Springfield, IL')
    expect(await rewardsOf(bank, ada)).toEqual([])
    await buy(bank, ada, 10_00, 'quillbrook  coffee', 'new york, ny')
    expect(await rewardsOf(bank, ada)).toMatchObject([{ userAmount: 1_00 }])
  })

  test('is rewardable without an offer but earns nothing', async () => {
    const ada = await shopper(bank)
    await buy(bank, ada, 10_00, 'Nobody knows it')
    expect(
      await read(bank, `/v0/rewards/rewardable-transactions?${filter('partnerUserCardId', ada.linkId)}`),
    ).toHaveLength(1)
    expect(await rewardsOf(bank, ada)).toEqual([])
  })

  test.each(['partner-users', 'partner-user-cards'])('earns nothing once removed: %s', async (table) => {
    const ada = await shopper(bank)
    const id = table === 'partner-users' ? ada.partnerUserId : ada.linkId
    await bank.call('PATCH', `/v0/rewards/${table}/${id}`, { body: { isRemoved: true } })
    await buy(bank, ada, 100_00, 'Tamberly Market')
    expect(await balanceOf(bank, ada)).toBe(9_900_00)
    expect(await rewardsOf(bank, ada)).toEqual([])
  })

  test('earns once by an offer that is redeemable once, and again when that reward has died', async () => {
    const ada = await shopper(bank)
    const first = await buy(bank, ada, 50_00, 'Jetquill Toys')
    await buy(bank, ada, 50_00, 'Jetquill Toys')
    expect(await rewardsOf(bank, ada)).toHaveLength(1)
    await made(bank, `/v0/sandbox/authorizations/${first.authorizationId}/refund`, {})
    await buy(bank, ada, 50_00, 'Jetquill Toys')
    const states = (await rewardsOf(bank, ada)).map(({ state }: { state: string }) => state)
    expect(states).toEqual(['CLAWED_BACK', 'PAID'])
  })

  test('redeemable once pays once under fifty settlements at the same time', async () => {
    const ada = await shopper(bank)
    const authorizations = await Promise.all(
      Array.from({ length: 50 }, () => authorize(bank, ada, 20_00, 'Jetquill Toys')),
    )
    const settle = (id: string) => bank.call('POST', `/v0/sandbox/authorizations/${id}/settle`)
    expect((await Promise.all(authorizations.map(settle))).map(({ status }) => status)).toEqual(Array(50).fill(201))
    expect(await rewardsOf(bank, ada)).toHaveLength(1)
    expect(await balanceOf(bank, ada)).toBe(10_000_00 - 50 * 20_00 + 2_00)
    await expectSoundLedger(bank)
  })

  test('settled in parts earns for each part; a refund takes from the newest first', async () => {
    const ada = await shopper(bank)
    const id = await authorize(bank, ada, 100_00, 'Tamberly Market')
    await made(bank, `/v0/sandbox/authorizations/${id}/settle`, { amount: 60_00, final: false })
    await made(bank, `/v0/sandbox/authorizations/${id}/settle`, {})
    await made(bank, `/v0/sandbox/authorizations/${id}/refund`, { amount: 50_00 })
    const rewards = await rewardsOf(bank, ada)
    expect(rewards.map(({ userAmount, state }: Record<string, unknown>) => [userAmount, state])).toEqual([
      [2_50, 'PAID'],
      [0, 'CLAWED_BACK'],
    ])
    await expectSoundLedger(bank)
  })

  test('replayed with its key earns once', async () => {
    const ada = await shopper(bank)
    const id = await authorize(bank, ada, 100_00, 'Tamberly Market')
    const headers = { 'idempotency-key': `settle-${id}` }
    const path = `/v0/sandbox/authorizations/${id}/settle`
    const replies = await Promise.all([1, 2, 3].map(() => bank.call('POST', path, { headers })))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(await rewardsOf(bank, ada)).toHaveLength(1)
  })
})

describe('with a payout delay', () => {
  test('a reward waits, and the clock pays it out', async () => {
    const ada = await shopper(delayed)
    await buy(delayed, ada, 100_00, 'Tamberly Market')
    expect(await balanceOf(delayed, ada)).toBe(9_900_00)
    const [reward] = await rewardsOf(delayed, ada)
    expect(reward).toMatchObject({ state: 'PENDING', userAmount: 5_00 })
    // A month may end meanwhile, with a statement.
    const happensWithin = async (by: string) =>
      (await made(delayed, '/v0/sandbox/clock/advance', { by }, 200)).happened.filter(
        ({ type }: { type: string }) => type !== 'statement.created',
      )
    expect(await happensWithin('P2DT23H')).toEqual([])
    expect(await happensWithin('PT2H')).toMatchObject([{ type: 'reward.paid', id: String(reward.id) }])
    expect(await balanceOf(delayed, ada)).toBe(9_905_00)
    expect((await rewardsOf(delayed, ada))[0]).toMatchObject({ state: 'PAID' })
    await expectSoundLedger(delayed)
  })

  test('a refund before the payout reverses it', async () => {
    const ada = await shopper(delayed)
    const { authorizationId } = await buy(delayed, ada, 100_00, 'Tamberly Market')
    await made(delayed, `/v0/sandbox/authorizations/${authorizationId}/refund`, {})
    expect((await rewardsOf(delayed, ada))[0]).toMatchObject({ state: 'REVERSED', userAmount: 0 })
    await made(delayed, '/v0/sandbox/clock/advance', { by: 'P4D' }, 200)
    expect(await balanceOf(delayed, ada)).toBe(10_000_00)
    await expectSoundLedger(delayed)
  })
})

describe('the books of the rewards', () => {
  beforeEach(() => expectSoundLedger(bank))

  test('the funding accounts equal minus payouts plus claw-backs, and the day is balanced', async () => {
    const ada = await shopper(bank)
    const { authorizationId } = await buy(bank, ada, 100_00, 'Tamberly Market')
    await made(bank, `/v0/sandbox/authorizations/${authorizationId}/refund`, { amount: 50_00 })
    const { now } = await read(bank, '/v0/sandbox/clock')
    const day = await read(bank, `/v0/rewards/reconciliations/daily?date=${now.slice(0, 10)}`)
    expect(day.balanced).toBe(true)
    expect(day.payouts.amount).toBe(day.ledger.payouts)
    expect(day.ledger.fundingBalance).toBe(day.ledger.clawBacks - day.ledger.payouts)
    expect(day.purchases.count).toBeGreaterThanOrEqual(day.rewards.count)
  })
})
