import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, makeVirtualCard, refund, settle } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import {
  expectSoundLedger,
  makeOwnBankAccount,
  makePayer,
  type Payer,
  pay,
  receiveAch,
  returnPayment,
} from '../../test/support/ledger.ts'
import { merchant, nationalOffer } from '../../test/support/offers.ts'
import { makeLink, makePartnerUser } from '../../test/support/rewards.ts'
import type { LedgerTransfer } from './ledger-transfer.ts'

const market = merchant('Tamberly Market')
let bank: TestBank
let ada: Payer
let grace: Payer
let returned: string
let gift: string
let authorizationId: string
let rewardId: string
let payoutId: string

beforeAll(async () => {
  const offers = [nationalOffer({ merchant: market, commission: 5, totalCommission: 8 })]
  bank = await openTestBank({ catalogue: offers })
  ada = await makePayer(bank, 100_00, { headers: { 'x-request-id': 'salary' } })
  grace = await makePayer(bank)
  returned = (await pay(bank, ada, { amount: 20_00 }, { headers: { 'x-request-id': 'rent' } })).json.data.id
  await returnPayment(bank, returned)
  const own = await makeOwnBankAccount(bank, ada.customerId, grace.accountId)
  gift = (await pay(bank, { ...ada, externalAccountId: own }, { amount: 5_00, description: 'Gift' })).json.data.id
  const card = await makeVirtualCard(bank, ada.accountId)
  await makeLink(bank, (await makePartnerUser(bank)).id, card.id)
  authorizationId = await authorizeAt(bank, card.id, 10_00)
  await settle(bank, authorizationId)
  await refund(bank, authorizationId, { amount: 4_00 })
  await receiveAch(bank, grace.accountId, { amount: 1_00, direction: 'Debit' })
  const [reward] = (await bank.call('GET', '/v0/rewards/rewards')).json.data
  rewardId = String(reward.id)
  const [row] = await bank.database.query<{ id: number }>('select payout_payment_id as id from reward')
  payoutId = String(row?.id)
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

async function authorizeAt(on: TestBank, cardId: string, amount: number): Promise<string> {
  const body = { amount, merchant: { name: market.name } }
  return (await ask(on, 'POST', `/v0/sandbox/cards/${cardId}/authorizations`, body)).id
}

const list = (query = '', key = bank.key) => bank.call('GET', `/v0/ledger/transfers${query}`, { key })
async function found(query = ''): Promise<LedgerTransfer[]> {
  const { status, text, json } = await list(query)
  expect(status, `${query}: ${text}`).toBe(200)
  return json.data
}
const kindsAt = async (query = '') => (await found(query)).map(({ kind, amount }) => `${kind} ${amount}`)
const amountsAt = async (query = '') => (await found(query)).map(({ amount }) => amount)

/** Every page of a query by its Link headers. */
async function paged(query: string): Promise<string[]> {
  const ids: string[] = []
  for (let next: string | undefined = query; next; ) {
    const { status, text, json, headers } = await list(next)
    expect(status, text).toBe(200)
    ids.push(...json.data.map(({ id }: { id: string }) => id))
    next = /<\/v0\/ledger\/transfers([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
  }
  return ids
}

const everything = [
  'receivedAch 100',
  'rewardClawback 20',
  'cardRefund 400',
  'reward 50',
  'cardSettlement 1000',
  'payment 500',
  'paymentReturn 2000',
  'payment 2000',
  'receivedAch 10000',
]

describe('list ledger transfers', () => {
  test('answers every movement of money once, newest first', async () => {
    expect(await kindsAt()).toEqual(everything)
    expect(await kindsAt('?sort=createdAt')).toEqual(everything.toReversed())
  })

  test('shows both sides, the source and the request', async () => {
    const [payment] = (await found(`?sourceId=${returned}`)).filter(({ kind }) => kind === 'payment')
    const [clearing] = (await bank.call('GET', '/v0/ledger/accounts?kind=achClearing')).json.data
    expect(payment).toEqual({
      id: expect.stringMatching(/^\d*[02468]$/),
      kind: 'payment',
      amount: 20_00,
      debit: {
        accountId: ada.accountId,
        kind: 'deposit',
        name: 'Ada Example',
        transactionId: payment?.id,
        sequence: 2,
        balance: 80_00,
      },
      credit: {
        accountId: clearing.id,
        kind: 'achClearing',
        name: 'ACH clearing',
        transactionId: null,
        sequence: 2,
        balance: -80_00,
      },
      source: { type: 'payment', id: returned },
      description: 'Rent',
      requestId: 'rent',
      createdAt: expect.stringMatching(/Z$/),
    })
    const [salary] = (await found(`?accountId=${ada.accountId}&sort=createdAt`)).slice(0, 1)
    expect(salary).toMatchObject({ source: null, requestId: 'salary', description: 'ACH credit' })
    expect(salary?.credit.transactionId).toBe(String(Number(salary?.id) + 1))
    for (const { requestId, id } of await found()) expect(requestId, id).not.toBeNull()
  })

  test('finds the transfers of a payment, an authorization and a reward', async () => {
    const own = { type: 'payment', id: returned }
    expect((await found(`?sourceType=payment&sourceId=${returned}`)).map(({ source }) => source)).toEqual([own, own])
    expect(await kindsAt(`?sourceId=${gift}`)).toEqual(['payment 500'])
    expect(await kindsAt(`?sourceType=authorization&sourceId=${authorizationId}`)).toEqual([
      'cardRefund 400',
      'cardSettlement 1000',
    ])
    const earned = ['rewardClawback 20', 'reward 50']
    for (const query of [`sourceType=reward&sourceId=${rewardId}`, `sourceId=${rewardId}`, `sourceId=${payoutId}`]) {
      expect(await kindsAt(`?${query}`), query).toEqual(earned)
      const sources = (await found(`?${query}`)).map(({ source }) => source)
      expect(sources, query).toEqual([0, 1].map(() => ({ type: 'reward', id: rewardId })))
    }
    expect(await kindsAt(`?sourceType=payment&sourceId=${payoutId}&sort=createdAt`)).toEqual(earned.toReversed())
    for (const [type, id] of [
      ['authorization', returned],
      ['reward', returned],
      ['payment', authorizationId],
      ['payment', 'abc'],
      ['reward', '0'],
    ]) {
      expect(await found(`?sourceType=${type}&sourceId=${id}`), `${type} ${id}`).toEqual([])
    }
  })

  test('finds the transfers of a source along an account and between two times', async () => {
    const [back, out] = await found(`?sourceId=${returned}`)
    expect(await amountsAt(`?sourceId=${returned}&accountId=${ada.accountId}`)).toEqual([20_00, 20_00])
    expect(await found(`?sourceId=${returned}&accountId=${grace.accountId}`)).toEqual([])
    expect(await paged(`?sourceId=${returned}&limit=1`)).toEqual([back?.id, out?.id])
    expect(await paged(`?sourceId=${returned}&limit=1&sort=createdAt`)).toEqual([out?.id, back?.id])
    expect(await found(`?sourceId=${returned}&until=2020-01-01`)).toEqual([])
  })

  test('finds the transfers of a kind of source', async () => {
    expect(await kindsAt('?sourceType=payment')).toEqual(everything.filter((text) => /^(payment|reward)/.test(text)))
    expect(await kindsAt('?sourceType=authorization')).toEqual(['cardRefund 400', 'cardSettlement 1000'])
    expect(await kindsAt('?sourceType=REWARD&sort=createdAt')).toEqual(['reward 50', 'rewardClawback 20'])
    expect(await kindsAt(`?sourceType=payment&accountId=${grace.accountId}`)).toEqual(['payment 500'])
    expect(await paged('?sourceType=payment&limit=2')).toHaveLength(5)
  })

  test('lists one account in the order of posting, an internal one too', async () => {
    expect(await amountsAt(`?accountId=${grace.accountId}`)).toEqual([1_00, 5_00])
    const internal = (await bank.call('GET', '/v0/ledger/accounts?kind=cardSettlement')).json.data
    const moved = []
    for (const { id } of internal) moved.push(...(await amountsAt(`?accountId=${id}`)))
    expect(moved.sort()).toEqual([10_00, 4_00])
    for (const limit of [1, 2, 3, 100]) {
      for (const sort of ['createdAt', '-createdAt']) {
        const query = `?accountId=${ada.accountId}&sort=${sort}`
        expect(await paged(`${query}&limit=${limit}`)).toEqual((await found(query)).map(({ id }) => id))
      }
    }
  })

  test('keeps since and until, both exclusive', async () => {
    const rows = await found()
    for (const account of ['', `&accountId=${ada.accountId}`]) {
      for (const { createdAt: since } of rows) {
        for (const { createdAt: until } of rows) {
          const expected = rows.filter(
            ({ createdAt, debit, credit }) =>
              createdAt > since &&
              createdAt < until &&
              (account === '' || [debit.accountId, credit.accountId].includes(ada.accountId)),
          )
          const query = `?since=${since}&until=${until}${account}`
          expect(
            (await found(query)).map(({ id }) => id),
            query,
          ).toEqual(expected.map(({ id }) => id))
        }
      }
    }
  })

  test('pages by the transfer before, and new transfers shift no page', async () => {
    const whole = (await found()).map(({ id }) => id)
    for (const limit of [1, 2, 4]) {
      expect(await paged(`?limit=${limit}`)).toEqual(whole)
      expect(await paged(`?limit=${limit}&sort=createdAt`)).toEqual(whole.toReversed())
    }
    const { headers } = await list('?limit=3')
    const next = /<\/v0\/ledger\/transfers([^>]+)>/.exec(String(headers.link))?.[1] ?? ''
    const before = await found(next)
    await receiveAch(bank, ada.accountId, { amount: 1 })
    expect(await found(next)).toEqual(before)
  })

  test('finds nothing after a transfer that is unknown, foreign or of another account', async () => {
    const [newest] = await found()
    for (const after of ['1000', 'abc', returned, String(Number(newest?.id) + 1)]) {
      expect(await found(`?after=${after}`), after).toEqual([])
    }
    expect((await list(`?after=${newest?.id}`, bank.otherKey)).json).toEqual({ data: [] })
    const [salary] = await found(`?accountId=${ada.accountId}&sort=createdAt&limit=1`)
    expect(await found(`?accountId=${grace.accountId}&sort=createdAt&after=${salary?.id}`)).toEqual([])
  })

  test('shows nothing of another organisation', async () => {
    const queries = ['', `?accountId=${ada.accountId}`, `?sourceId=${returned}`, `?sourceId=${rewardId}`]
    for (const query of queries) expect((await list(query, bank.otherKey)).json, query).toEqual({ data: [] })
  })

  test('has no request where the bank made the transfer by itself', async () => {
    const later = await openTestBank({
      catalogue: [nationalOffer({ merchant: market, commission: 5, totalCommission: 8 })],
      payoutDelayMs: 60_000,
    })
    const { accountId } = await makePayer(later, 100_00)
    const card = await makeVirtualCard(later, accountId)
    await makeLink(later, (await makePartnerUser(later)).id, card.id)
    await settle(later, await authorizeAt(later, card.id, 10_00))
    await later.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'PT1H' } })
    const { json } = await later.call('GET', '/v0/ledger/transfers?sourceType=reward')
    expect(json.data).toMatchObject([{ kind: 'reward', requestId: null }])
    await later.close()
  })
})
