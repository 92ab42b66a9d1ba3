import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attest, collect, giveMandate, makeDebtor } from '../../../test/support/bank/debits.ts'
import { openTestBank, type Reply, type TestBank } from '../../../test/support/harness.ts'
import { issueKey } from '../../../test/support/keys.ts'
import { makeExternalAccount, makePayer } from '../../../test/support/ledger.ts'

let bank: TestBank
let customerId: string
beforeAll(async () => {
  bank = await openTestBank()
  customerId = (await makePayer(bank)).customerId
})
afterAll(() => bank.close())

const path = '/v0/banking/external-accounts'
const online = { authorization: 'Online', textVersion: '2026-01', authorizedAt: '2025-11-03', address: '203.0.113.7' }
const give = (id: string, body: unknown = online) => bank.call('PUT', `${path}/${id}/mandate`, { body })
const revoke = (id: string) => bank.call('POST', `${path}/${id}/mandate/revoke`)
const attestWith = (id: string, body: unknown, key = bank.key) =>
  bank.call('POST', `${path}/${id}/attest`, { body, key })
const listed = async (id: string) => {
  const { json } = await bank.call('GET', `/v0/banking/customers/${customerId}/external-accounts?limit=1000`)
  return json.data.find((each: { id: string }) => each.id === id)
}
const codeOf = ({ status, json }: Reply) => [status, json.code]
const nobody = '9999999'

describe('giveMandate', () => {
  test('shows the mandate, also in the list, and replaces an earlier one', async () => {
    const id = await makeExternalAccount(bank, customerId)
    const { status, text, json } = await give(id)
    expect(status, text).toBe(200)
    expect(json.data).toEqual({
      ...(await listed(id)),
      permissions: 'CreditOnly',
      mandate: { ...online, authorizedAt: '2025-11-03T00:00:00.000Z' },
    })
    const written = {
      ...online,
      authorization: 'Written',
      authorizedAt: '2025-11-03T10:00:00+02:00',
      address: 'Boston',
    }
    await give(id, written)
    expect((await listed(id)).mandate).toEqual({ ...written, authorizedAt: '2025-11-03T08:00:00.000Z' })
  })

  test('refuses a time that is none, or later than bank time, and a text that is too long', async () => {
    const id = await makeExternalAccount(bank, customerId)
    const pointersOf = ({ status, json }: Reply) => [status, json.errors?.[0]?.pointer]
    expect(pointersOf(await give(id, { ...online, authorizedAt: '2025-02-30' }))).toEqual([400, '/authorizedAt'])
    expect(pointersOf(await give(id, { ...online, authorizedAt: '9999-01-01' }))).toEqual([400, '/authorizedAt'])
    expect((await give(id, { ...online, textVersion: 'v'.repeat(50), address: 'a'.repeat(100) })).status).toBe(200)
    expect(pointersOf(await give(id, { ...online, textVersion: 'v'.repeat(51) }))).toEqual([400, '/textVersion'])
    expect(pointersOf(await give(id, { ...online, address: 'a'.repeat(101) }))).toEqual([400, '/address'])
    expect(codeOf(await give(nobody))).toEqual([404, 'external_account_not_found'])
  })
})

describe('revokeMandate', () => {
  test('keeps the mandate with the time of the revocation, and another one can follow', async () => {
    const id = await makeExternalAccount(bank, customerId)
    expect(codeOf(await revoke(id))).toEqual([422, 'mandate_missing'])
    await give(id)
    const { json } = await revoke(id)
    const mandate = { ...online, authorizedAt: '2025-11-03T00:00:00.000Z', revokedAt: expect.any(String) }
    expect(json.data.mandate).toEqual(mandate)
    expect(codeOf(await revoke(id))).toEqual([422, 'mandate_missing'])
    expect((await give(id)).json.data.mandate).not.toHaveProperty('revokedAt')
    expect(codeOf(await revoke(nobody))).toEqual([404, 'external_account_not_found'])
  })

  test('cancels a debit that waits for a review', async () => {
    const careful = await openTestBank({ reviewFirstPayment: true })
    const of = await makeDebtor(careful)
    const { id, status } = (await collect(careful, of)).json.data
    expect(status).toBe('PendingReview')
    await careful.call('POST', `${path}/${of.externalAccountId}/mandate/revoke`)
    expect((await careful.call('GET', `/v0/banking/payments/${id}`)).json.data.status).toBe('Canceled')
    expect((await careful.call('GET', '/v0/review/payments')).json.data).toEqual([])
    const other = (await collect(careful, await makeDebtor(careful))).json.data
    const deleted = (await careful.call('GET', `/v0/lookup/payment/${other.id}`)).json.data.related.find(
      ({ type }: { type: string }) => type === 'externalAccount',
    )
    await careful.call('DELETE', `${path}/${deleted.id}`)
    expect((await careful.call('GET', `/v0/banking/payments/${other.id}`)).json.data.status).toBe('Canceled')
    await careful.close()
  })
})

describe('attestExternalAccount', () => {
  test('lets money be collected, and keeps the reference', async () => {
    const id = await makeExternalAccount(bank, customerId)
    const { json } = await attestWith(id, { reference: 'r'.repeat(200) })
    expect(json.data).toMatchObject({
      permissions: 'CreditAndDebit',
      verification: {
        method: 'Attestation',
        status: 'Verified',
        verifiedAt: expect.any(String),
        reference: 'r'.repeat(200),
      },
    })
    await attest(bank, id)
    expect((await listed(id)).verification.reference).toBe('case 2026-0042')
    expect(codeOf(await attestWith(id, { reference: 'r'.repeat(201) }))).toEqual([400, 'invalid_request'])
    expect(codeOf(await attestWith(nobody, { reference: 'r' }))).toEqual([404, 'external_account_not_found'])
  })

  test('is refused for a loan, for an account of this bank, and without risk:write', async () => {
    const loan = await makeExternalAccount(bank, customerId, { accountType: 'Loan' })
    expect(codeOf(await attestWith(loan, { reference: 'r' }))).toEqual([422, 'external_account_not_debitable'])
    const own = await makeExternalAccount(bank, customerId, { routingNumber: '812345678' })
    expect(codeOf(await attestWith(own, { reference: 'r' }))).toEqual([422, 'external_account_not_debitable'])
    const { key } = await issueKey(bank, { scopes: ['banking:write'] })
    const plain = await makeExternalAccount(bank, customerId)
    expect(codeOf(await attestWith(plain, { reference: 'r' }, key))).toEqual([403, 'forbidden'])
    await giveMandate(bank, plain)
  })
})
