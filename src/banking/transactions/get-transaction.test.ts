import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeOwnBankAccount,
  makePayer,
  type Payer,
  pay,
  receiveAch,
  returnPayment,
  transactionsOf,
} from '../../../test/support/ledger.ts'

let bank: TestBank
let ada: Payer
let grace: Payer
let organisationId: string

beforeAll(async () => {
  bank = await openTestBank()
  ada = await makePayer(bank, 100_00)
  grace = await makePayer(bank)
  const [row] = await bank.database.query<{ id: number }>(`select organisation_id as id from account where id = $1`, [
    ada.accountId,
  ])
  organisationId = String(row?.id)
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const get = (id: string | undefined, accountId: string, key = bank.key) =>
  bank.call('GET', `/v0/banking/transactions/${id}?accountId=${accountId}`, { key })

const newestOf = async (accountId: string) => (await transactionsOf(bank, accountId)).at(-1)

const relation = (type: string, id: string) => ({ data: { type, id } })
const relationsOf = ({ accountId, customerId }: Payer) => ({
  account: relation('account', accountId),
  customer: relation('customer', customerId),
  customers: { data: [{ type: 'customer', id: customerId }] },
  org: relation('org', organisationId),
})

describe('get transaction', () => {
  test('answers the attributes that a list shows, and the related records', async () => {
    const { json } = await pay(bank, ada, { amount: 20_00 })
    const listed = await newestOf(ada.accountId)
    const { status, json: answer } = await get(listed?.id, ada.accountId)
    expect(status).toBe(200)
    const adas = await accountOf(bank, ada.accountId)
    expect(answer).toEqual({
      data: {
        type: 'bookTransaction',
        id: listed?.id,
        attributes: {
          createdAt: json.data.createdAt,
          amount: 20_00,
          direction: 'Debit',
          balance: adas.balance,
          summary: 'Grace Sample  |  Rent',
          counterparty: json.data.counterparty,
          tags: { originalType: 'ACH', paymentId: json.data.id },
        },
        relationships: {
          ...relationsOf(ada),
          payment: relation('payment', json.data.id),
          counterpartyAccount: relation('counterparty', ada.externalAccountId),
        },
      },
    })
    const { type, id, attributes } = answer.data
    expect({ type, id, accountId: ada.accountId, ...attributes }).toEqual(listed)
  })

  test('answers no payment and no counterparty account for incoming money', async () => {
    const { json } = await receiveAch(bank, ada.accountId, { amount: 1_00 })
    const { data } = (await get(json.data.id, ada.accountId)).json
    expect(data.relationships).toEqual(relationsOf(ada))
    expect(data.attributes).toMatchObject({ direction: 'Credit', tags: { originalType: 'ACH' } })
  })

  test('answers the returned payment for a return', async () => {
    const { json } = await pay(bank, ada, { amount: 1_00 })
    await returnPayment(bank, json.data.id)
    const { data } = (await get((await newestOf(ada.accountId))?.id, ada.accountId)).json
    expect(data.attributes).toMatchObject({ direction: 'Credit', amount: 1_00 })
    expect(data.relationships).toEqual({
      ...relationsOf(ada),
      payment: relation('payment', json.data.id),
      counterpartyAccount: relation('counterparty', ada.externalAccountId),
    })
  })

  test('answers the account and customer on the other side for a payment within the bank', async () => {
    const own = await makeOwnBankAccount(bank, ada.customerId, grace.accountId)
    const { json } = await pay(bank, { ...ada, externalAccountId: own }, { amount: 3_00 })
    for (const [one, other, direction] of [
      [ada, grace, 'Debit'],
      [grace, ada, 'Credit'],
    ] as const) {
      const { data } = (await get((await newestOf(one.accountId))?.id, one.accountId)).json
      const { accountNumber, routingNumber } = await accountOf(bank, other.accountId)
      expect(data.attributes).toMatchObject({ direction, counterparty: { accountNumber, routingNumber } })
      expect(data.relationships).toEqual({
        ...relationsOf(one),
        payment: relation('payment', json.data.id),
        counterpartyAccount: relation('account', other.accountId),
        counterpartyCustomer: relation('customer', other.customerId),
      })
    }
  })

  test('finds a transaction only under its own account', async () => {
    const own = await makeOwnBankAccount(bank, ada.customerId, grace.accountId)
    await pay(bank, { ...ada, externalAccountId: own }, { amount: 1_00 })
    const debit = await newestOf(ada.accountId)
    const credit = await newestOf(grace.accountId)
    const [{ id: clearing } = { id: 0 }] = await bank.database.query<{ id: number }>(
      'select id from account where id < 0',
    )
    for (const [id, accountId] of [
      [debit?.id, grace.accountId],
      [credit?.id, ada.accountId],
      [debit?.id, '1000'],
      [debit?.id, 'abc'],
      [debit?.id, String(clearing)],
      [debit?.id, ada.customerId],
      ['1000', ada.accountId],
      ['abc', ada.accountId],
      [ada.accountId, ada.accountId],
      ['99999999999999999999', ada.accountId],
    ]) {
      const { status, json } = await get(id, accountId ?? '')
      expect([status, json.code], `${id} of ${accountId}`).toEqual([404, 'transaction_not_found'])
    }
    const foreign = await get(debit?.id, ada.accountId, bank.otherKey)
    expect([foreign.status, foreign.json.code]).toEqual([404, 'transaction_not_found'])
  })

  test('requires the account in the query', async () => {
    const { status, json } = await bank.call('GET', '/v0/banking/transactions/1000000')
    expect([status, json.errors[0].parameter]).toEqual([400, 'accountId'])
  })
})
