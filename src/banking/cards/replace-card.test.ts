import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ask,
  authorize,
  cardStatuses,
  getCard,
  makeCard,
  makeCardIn,
  makeFunded,
  makeVirtualCard,
  moneyOf,
  moveCard,
  settle,
  shippingAddress,
  timestamp,
} from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount } from '../../../test/support/world.ts'
import { verifyLedger } from '../../ledger/verify.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const replace = (id: string, body: unknown = { shippingAddress }, key = bank.key) =>
  bank.call('POST', `/v0/banking/cards/${id}/replace`, { body, key })
const statusOf = async (id: string) => (await getCard(bank, id)).status

describe('B6 replace card', () => {
  test('creates an inactive card of the same account and design with other digits', async () => {
    const accountId = await makeAccount(bank)
    const body = { type: 'individualDebitCard', accountId, design: 'gold', shippingAddress }
    const old = await ask(bank, 'POST', '/v0/banking/cards', body)
    await moveCard(bank, old.id, 'activate')
    const elsewhere = { ...shippingAddress, street: '2 Other Street' }
    const { status, json } = await replace(old.id, { shippingAddress: elsewhere })
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        accountId,
        createdAt: expect.stringMatching(timestamp),
        last4Digits: expect.stringMatching(/^\d{4}$/),
        expirationDate: expect.stringMatching(/^\d{4}-\d\d$/),
        status: 'Inactive',
        type: 'individualDebitCard',
        design: 'gold',
        shippingAddress: elsewhere,
      },
    })
    expect(json.data.id).not.toBe(old.id)
    expect(json.data.last4Digits).not.toBe(old.last4Digits)
    expect(await getCard(bank, json.data.id)).toEqual(json.data)
    expect(await getCard(bank, old.id)).toEqual({ ...old, status: 'Active' })
  })

  test('replaces a card that is Inactive, Active, Lost or Stolen, and no other', async () => {
    for (const from of cardStatuses) {
      const old = await makeCardIn(bank, from)
      const { status, json } = await replace(old.id)
      if (['Inactive', 'Active', 'Lost', 'Stolen'].includes(from)) expect(status, from).toBe(201)
      else expect(json, from).toMatchObject({ status: 409, code: 'card_wrong_state' })
      expect(await getCard(bank, old.id)).toEqual(old)
    }
  })

  test('lets the old card work until the new one is activated', async () => {
    const account = await makeFunded(bank, 100_00)
    const old = await makeCardIn(bank, 'Active', account)
    const { id } = (await replace(old.id)).json.data
    const late = await authorize(bank, old.id, 10_00)
    expect(late.status).toBe('Authorized')
    expect(await authorize(bank, id, 1_00)).toMatchObject({ status: 'Declined', reason: 'CardNotActive' })
    await moveCard(bank, id, 'activate')
    expect([await statusOf(old.id), await statusOf(id)]).toEqual(['ClosedByCustomer', 'Active'])
    expect(await authorize(bank, old.id, 1_00)).toMatchObject({ status: 'Declined', reason: 'CardNotActive' })
    expect(await authorize(bank, id, 1_00)).toMatchObject({ status: 'Authorized' })
    expect((await settle(bank, late.id)).status).toBe(201)
    expect(await moneyOf(bank, account)).toEqual({ balance: 90_00, hold: 1_00, available: 89_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('ends an old card that was inactive, or was frozen meanwhile', async () => {
    const inactive = await makeCardIn(bank, 'Inactive')
    const frozen = await makeCardIn(bank, 'Active')
    const [one, two] = [(await replace(inactive.id)).json.data, (await replace(frozen.id)).json.data]
    await moveCard(bank, frozen.id, 'freeze')
    for (const { id } of [one, two]) await moveCard(bank, id, 'activate')
    expect([await statusOf(inactive.id), await statusOf(frozen.id)]).toEqual(['ClosedByCustomer', 'ClosedByCustomer'])
  })

  test('keeps the state of an old card that is lost or stolen', async () => {
    for (const from of ['Lost', 'Stolen'] as const) {
      const old = await makeCardIn(bank, from)
      const { id } = (await replace(old.id)).json.data
      await moveCard(bank, id, 'activate')
      expect([await statusOf(old.id), await statusOf(id)]).toEqual([from, 'Active'])
    }
  })

  test('ends every card of the chain when a replacement was itself replaced before its activation', async () => {
    const first = await makeCardIn(bank, 'Active')
    const second = (await replace(first.id)).json.data
    await moveCard(bank, second.id, 'report-lost')
    const third = (await replace(second.id)).json.data
    expect(await statusOf(first.id)).toBe('Active')
    await moveCard(bank, third.id, 'activate')
    expect([await statusOf(first.id), await statusOf(second.id), await statusOf(third.id)]).toEqual([
      'ClosedByCustomer',
      'Lost',
      'Active',
    ])
  })

  test('refuses a virtual card', async () => {
    const { id } = await makeVirtualCard(bank, await makeAccount(bank))
    expect((await replace(id)).json).toMatchObject({ status: 409, code: 'card_wrong_state' })
  })

  test('works on a frozen account and not on a closed one', async () => {
    const account = await makeAccount(bank)
    const { id } = await makeCardIn(bank, 'Lost', account)
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/freeze`)
    expect((await replace(id)).status).toBe(201)
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/close`, { reason: 'ByCustomer' })
    expect((await replace(id)).json).toMatchObject({ status: 409, code: 'account_not_open' })
    const cards = await ask(bank, 'GET', `/v0/banking/cards?accountId=${account}`)
    expect(cards.map(({ status }: { status: string }) => status)).toEqual(['ClosedByCustomer', 'Lost'])
  })

  test('checks the address like the creation of a card', async () => {
    const { id } = await makeCard(bank, await makeAccount(bank))
    const { street, city, state, postalCode } = shippingAddress
    const least = { street, city, state, postalCode }
    expect((await replace(id, { shippingAddress: { ...least, street2: null } })).json.data.shippingAddress).toEqual({
      ...least,
      country: 'US',
    })
    const { status, json } = await replace(id, { shippingAddress: { street, postalCode } })
    expect(status).toBe(400)
    expect(json.errors).toMatchObject([
      { pointer: '/shippingAddress/city', code: 'required' },
      { pointer: '/shippingAddress/state', code: 'required' },
    ])
    for (const body of [{}, null, { shippingAddress: null }]) {
      expect((await replace(id, body)).json).toMatchObject({ status: 400, errors: [{ pointer: '/shippingAddress' }] })
    }
    expect((await replace(id, { shippingAddress, design: 'gold' })).json.errors).toMatchObject([
      { pointer: '/design', code: 'unknown' },
    ])
  })

  test('refuses an unknown card and one of another organisation', async () => {
    const { id } = await makeCard(bank, await makeAccount(bank))
    for (const reply of [await replace('1000'), await replace(id, { shippingAddress }, bank.otherKey)]) {
      expect(reply.json).toMatchObject({ status: 404, code: 'card_not_found' })
    }
  })
})

describe('closing an account', () => {
  test('ends every live card, and reopening the account leaves them ended', async () => {
    const account = await makeAccount(bank)
    const cards: { id: string }[] = []
    for (const status of cardStatuses) cards.push(await makeCardIn(bank, status, account))
    const virtual = await makeVirtualCard(bank, account)
    const other = await makeVirtualCard(bank, await makeAccount(bank))
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/close`, { reason: 'ByCustomer' })
    const now = async () => Promise.all([...cards, virtual].map(({ id }) => statusOf(id)))
    const ended = [
      'ClosedByCustomer',
      'ClosedByCustomer',
      'ClosedByCustomer',
      'Lost',
      'Stolen',
      'ClosedByCustomer',
      'ClosedByCustomer',
      'ClosedByCustomer',
    ]
    expect(await now()).toEqual(ended)
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/reopen`)
    expect(await now()).toEqual(ended)
    expect(await statusOf(other.id)).toBe('Active')
  })
})
