import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { amountsSeen, attest, collect, giveMandate, startedAmounts } from '../../../test/support/bank/debits.ts'
import { advance } from '../../../test/support/cards.ts'
import { openTestBank, type Reply, type TestBank } from '../../../test/support/harness.ts'
import { makeExternalAccount, makePayer } from '../../../test/support/ledger.ts'

let bank: TestBank
let customerId: string
beforeAll(async () => {
  bank = await openTestBank()
  customerId = (await makePayer(bank)).customerId
})
afterAll(() => bank.close())

const path = '/v0/banking/external-accounts'
let numbers = 100_000
/** Each account has a number of its own. */
const make = (body: Record<string, unknown> = {}) =>
  makeExternalAccount(bank, customerId, { accountNumber: String(numbers++), ...body })
const start = (id: string, method: unknown = 'MicroEntries') =>
  bank.call('POST', `${path}/${id}/verification`, { body: { method } })
const confirm = (id: string, amounts: unknown) =>
  bank.call('POST', `${path}/${id}/verification/confirm`, { body: { amounts } })
const listed = async (id: string) => {
  const { json } = await bank.call('GET', `/v0/banking/customers/${customerId}/external-accounts?limit=1000`)
  return json.data.find((each: { id: string }) => each.id === id)
}
const codeOf = ({ status, json }: Reply) => [status, json.code]
const nobody = '9999999'

describe('startVerification', () => {
  test('sends micro-entries, which the holder of the account sees', async () => {
    const id = await make()
    const { status, text, json } = await start(id)
    expect(status, text).toBe(201)
    const verification = {
      ...{ method: 'MicroEntries', status: 'Sent', startedAt: expect.any(String), endsAt: expect.any(String) },
      attemptsLeft: 3,
    }
    expect(json.data).toEqual({ ...(await listed(id)), permissions: 'CreditOnly', verification })
  })

  test('is refused while a verification of the number is under way, also for another record', async () => {
    const accountNumber = String(numbers++)
    const [id, other] = [await make({ accountNumber }), await make({ accountNumber })]
    await start(id)
    expect(codeOf(await start(id))).toEqual([409, 'verification_under_way'])
    expect(codeOf(await start(other, 'Prenote'))).toEqual([409, 'verification_under_way'])
    await bank.call('DELETE', `${path}/${id}`)
    expect((await start(other)).status).toBe(201)
    expect((await start(await make({ accountNumber, routingNumber: '011000015' }))).status).toBe(201)
  })

  test('is refused for accounts that are verified, loans, accounts of this bank, and unknown ones', async () => {
    const verified = await make()
    await attest(bank, verified)
    expect(codeOf(await start(verified))).toEqual([409, 'external_account_verified'])
    const loan = await make({ accountType: 'Loan' })
    expect(codeOf(await start(loan))).toEqual([422, 'external_account_not_debitable'])
    const own = await make({ routingNumber: '812345678' })
    expect(codeOf(await start(own))).toEqual([422, 'external_account_not_debitable'])
    expect(codeOf(await start(nobody))).toEqual([404, 'external_account_not_found'])
    expect(codeOf(await start(await make(), 'Attestation'))).toEqual([400, 'invalid_request'])
  })

  test('a prenote verifies the account on the third banking day', async () => {
    const id = await make()
    const { verification } = (await start(id, 'Prenote')).json.data
    const shown = { method: 'Prenote', startedAt: verification.startedAt }
    expect(verification).toEqual({ ...shown, status: 'Sent', endsAt: expect.any(String) })
    expect(codeOf(await confirm(id, [1, 2]))).toEqual([409, 'verification_not_confirmable'])
    await advance(bank, { by: 'P7D' })
    expect(await listed(id)).toMatchObject({ permissions: 'CreditAndDebit' })
    expect((await listed(id)).verification).toEqual({ ...shown, status: 'Verified', verifiedAt: verification.endsAt })
  })
})

describe('confirmVerification', () => {
  test('lets money be collected after the right amounts, in any order', async () => {
    const payer = await makePayer(bank)
    const id = await makeExternalAccount(bank, payer.customerId, { accountNumber: String(numbers++) })
    await startedAmounts(bank, id)
    await giveMandate(bank, id)
    const debit = { ...payer, externalAccountId: id }
    expect(codeOf(await collect(bank, debit))).toEqual([422, 'debit_not_permitted'])
    const { status, json } = await confirm(id, (await amountsSeen(bank, id)).toReversed())
    expect(status).toBe(200)
    expect(json.data.permissions).toBe('CreditAndDebit')
    const verified = { method: 'MicroEntries', status: 'Verified', startedAt: expect.any(String) }
    expect(json.data.verification).toEqual({ ...verified, verifiedAt: expect.any(String) })
    expect((await collect(bank, debit)).json.data.status).toBe('Sent')
    expect(codeOf(await confirm(id, [1, 2]))).toEqual([409, 'verification_not_confirmable'])
  })

  test('takes three wrong answers for a number in all, over several records', async () => {
    const accountNumber = String(numbers++)
    const first = await make({ accountNumber })
    const [wrong = [], other = []] = await startedAmounts(bank, first)
    const once = (await confirm(first, wrong)).json.data
    expect(once).toMatchObject({ permissions: 'CreditOnly', verification: { status: 'Sent', attemptsLeft: 2 } })
    // The same amounts again say nothing new.
    expect((await confirm(first, wrong.toReversed())).json.data).toEqual(once)
    expect((await confirm(first, other)).json.data.verification.attemptsLeft).toBe(1)
    await bank.call('DELETE', `${path}/${first}`)
    const second = await make({ accountNumber: `00${accountNumber}` })
    const [last = []] = await startedAmounts(bank, second)
    expect((await listed(second)).verification.attemptsLeft).toBe(1)
    const failed = (await confirm(second, last)).json.data
    expect(failed.permissions).toBe('CreditOnly')
    const shown = { method: 'MicroEntries', status: 'Failed', startedAt: expect.any(String), reason: 'WrongAmounts' }
    expect(failed.verification).toEqual(shown)
    expect(codeOf(await confirm(second, await amountsSeen(bank, second)))).toEqual([
      409,
      'verification_not_confirmable',
    ])
    for (const id of [second, await make({ accountNumber })]) {
      expect(codeOf(await start(id))).toEqual([422, 'verification_locked'])
    }
    await attest(bank, second)
    expect((await listed(second)).permissions).toBe('CreditAndDebit')
  })

  test('two confirmations at once count once', async () => {
    const id = await make()
    const [wrong = [], ...others] = await startedAmounts(bank, id)
    const same = await Promise.all([confirm(id, wrong), confirm(id, wrong)])
    expect(same.map(({ json }) => json.data.verification.attemptsLeft)).toEqual([2, 2])
    const many = await Promise.all([...others, [98, 99], [97, 99], [96, 99]].map((amounts) => confirm(id, amounts)))
    const counted = many.filter(({ status }) => status === 200)
    expect(counted.length).toBe(2)
    expect((await listed(id)).verification).toMatchObject({ status: 'Failed', reason: 'WrongAmounts' })
  })

  test('right amounts twice at once verify once', async () => {
    const id = await make()
    await startedAmounts(bank, id)
    const amounts = await amountsSeen(bank, id)
    const both = await Promise.all([confirm(id, amounts), confirm(id, amounts)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('is refused after the end, with amounts out of range, and without micro-entries', async () => {
    const id = await make()
    expect(codeOf(await confirm(id, [1, 2]))).toEqual([409, 'verification_not_confirmable'])
    await startedAmounts(bank, id)
    for (const amounts of [[0, 1], [1, 100], [1], [1, 2, 3], [1.5, 2], ['1', 2], null]) {
      expect(codeOf(await confirm(id, amounts)), JSON.stringify(amounts)).toEqual([400, 'invalid_request'])
    }
    const amounts = await amountsSeen(bank, id)
    await advance(bank, { by: 'P10D' })
    expect(codeOf(await confirm(id, amounts))).toEqual([409, 'verification_not_confirmable'])
    const shown = { method: 'MicroEntries', status: 'Failed', startedAt: expect.any(String), reason: 'Expired' }
    expect((await listed(id)).verification).toEqual(shown)
    expect((await start(id)).status).toBe(201)
    expect(codeOf(await confirm(nobody, [1, 2]))).toEqual([404, 'external_account_not_found'])
  })

  test('an attestation ends it', async () => {
    const id = await make()
    await startedAmounts(bank, id)
    await attest(bank, id)
    expect((await listed(id)).verification).toMatchObject({ method: 'Attestation', status: 'Verified' })
    await advance(bank, { by: 'P12D' })
    expect((await listed(id)).permissions).toBe('CreditAndDebit')
  })
})
