import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { expectSoundLedger } from '../../test/support/ledger.ts'
import { smallCatalogue } from '../../test/support/offers.ts'
import { makeSandboxOrganisation } from '../../test/support/organisations.ts'
import { testAch } from '../../test/support/rails/ach.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const make = (options: { headers?: Record<string, string>; key?: string } = {}) =>
  bank.call('POST', '/v0/sandbox/scenarios', options)

describe('createScenario', () => {
  test('answers an id for every record that the operations need, each in the state they need', async () => {
    const { status, json } = await make()
    expect(status).toBe(201)
    const world = json.data
    const read = async (path: string) => (await bank.call('GET', path)).json.data
    expect(await read(`/v0/banking/accounts/${world.accountId}`)).toMatchObject({
      status: 'Open',
      customerId: world.customerId,
      balance: 1_535_80,
      hold: 4_50,
    })
    expect(await read(`/v0/banking/accounts/${world.closedAccountId}`)).toMatchObject({ status: 'Closed' })
    expect(await read(`/v0/banking/cards/${world.cardId}`)).toMatchObject({
      status: 'Active',
      type: 'individualDebitCard',
    })
    expect(await read(`/v0/banking/cards/${world.virtualCardId}`)).toMatchObject({ type: 'individualVirtualDebitCard' })
    expect(await read(`/v0/banking/payments/${world.paymentId}`)).toMatchObject({ status: 'Sent', amount: 900_00 })
    expect(await read(`/v0/banking/authorizations/${world.authorizationId}`)).toMatchObject({ status: 'Authorized' })
    const transaction = `/v0/banking/transactions/${world.transactionId}?accountId=${world.accountId}`
    expect(await read(transaction)).toMatchObject({ attributes: { amount: 2_500_00, direction: 'Credit' } })
    const [external] = await read(`/v0/banking/customers/${world.customerId}/external-accounts`)
    expect(external.id).toBe(world.externalAccountId)
    expect(await read(`/v0/banking/applications/${world.applicationId}`)).toMatchObject({
      status: 'AwaitingDocuments',
      documents: [{ id: world.documentId, documentType: 'Passport' }],
    })
    const partnerUsers = await read('/v0/rewards/partner-users')
    expect(partnerUsers).toContainEqual(expect.objectContaining({ id: world.partnerUserId, isRemoved: false }))
    await expectSoundLedger(bank)
  })

  test('creates the statement of the previous month, in which its account was opened', async () => {
    const { accountId, statementId } = (await make()).json.data
    const { now } = (await bank.call('GET', '/v0/sandbox/clock')).json.data
    const [statement] = (await bank.call('GET', `/v0/banking/statements?accountId=${accountId}`)).json.data
    expect(statement.id).toBe(statementId)
    expect(statement.period < now.slice(0, 7)).toBe(true)
    const account = (await bank.call('GET', `/v0/banking/accounts/${accountId}`)).json.data
    expect(account.createdAt.slice(0, 7)).toBe(statement.period)
    const customer = (await bank.call('GET', `/v0/banking/customers/${account.customerId}`)).json.data
    expect(customer.createdAt <= account.createdAt).toBe(true)
    const { html } = (await bank.call('GET', `/v0/banking/statements/${statementId}?format=html`)).json.data
    expect(html).toContain('$0.00')
  })

  test('creates new records each time, and repeats the answer for the same idempotency key', async () => {
    const [first, second] = [await make(), await make()]
    expect(second.json.data.customerId).not.toBe(first.json.data.customerId)
    const headers = { 'idempotency-key': 'one-world' }
    const keyed = await make({ headers })
    const again = await make({ headers })
    expect(again.text).toBe(keyed.text)
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test('continues where it failed when it is repeated with the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'broken-off' }
    const first = await make({ headers })
    // As if the service had been killed after the last step and before the answer was stored.
    await bank.database.query(`delete from answer where body = $1`, [first.text])
    const again = await make({ headers })
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotent-replayed']).toBeUndefined()
  })

  test('succeeds when many run at once', async () => {
    const replies = await Promise.all(Array.from({ length: 24 }, () => make()))
    expect(replies.map(({ status }) => status)).toEqual(Array(24).fill(201))
    expect(new Set(replies.map(({ json }) => json.data.accountId)).size).toBe(24)
  })

  test('creates its records in the organisation of the caller', async () => {
    const { accountId } = (await make({ key: bank.otherKey })).json.data
    expect((await bank.call('GET', `/v0/banking/accounts/${accountId}`)).status).toBe(404)
  })
})

describe('the purchase of a scenario', () => {
  test('earns where the catalogue has a national offer, so that every list of rewards has a record', async () => {
    const withOffers = await openTestBank({ catalogue: smallCatalogue() })
    try {
      const { key } = await makeSandboxOrganisation(withOffers)
      const { status, json } = await withOffers.call('POST', '/v0/sandbox/scenarios', { key })
      expect(status).toBe(201)
      for (const list of ['rewardable-transactions', 'rewards', 'reward-payments']) {
        const { data } = (await withOffers.call('GET', `/v0/rewards/${list}`, { key })).json
        expect(data.length, list).toBe(1)
      }
      const { balance } = (await withOffers.call('GET', `/v0/banking/accounts/${json.data.accountId}`, { key })).json
        .data
      expect(balance).toBeGreaterThan(1_535_80)
      const [paid] = (await withOffers.call('GET', '/v0/rewards/reward-payments', { key })).json.data
      const lookedUp = await withOffers.call('GET', `/v0/lookup/payment/${paid.paymentId}`, { key })
      expect(lookedUp.json.data.actions).toEqual([
        { operation: 'cancelPayment', allowed: false, problem: 'payment_not_cancelable' },
        { operation: 'retryPayment', allowed: false, problem: 'payment_not_retryable' },
        { operation: 'reversePayment', allowed: false, problem: 'payment_not_reversible' },
        { operation: 'approvePayment', allowed: false, problem: 'forbidden' },
        { operation: 'rejectPayment', allowed: false, problem: 'forbidden' },
        { operation: 'stopPayment', allowed: false, problem: 'forbidden' },
        { operation: 'returnPayment', allowed: false, problem: 'payment_not_returnable' },
      ])
      const body = { returnCode: 'R01' }
      const back = await withOffers.call('POST', `/v0/sandbox/payments/${paid.paymentId}/return`, { key, body })
      expect([back.status, back.json.code]).toEqual([409, 'payment_not_returnable'])
      await expectSoundLedger(withOffers)
    } finally {
      await withOffers.close()
    }
  })
})

test('a scenario is made where payments leave with files, and its payment is sent when it settles', async () => {
  const withFiles = await openTestBank({ ach: testAch() })
  try {
    const { status, text, json } = await withFiles.call('POST', '/v0/sandbox/scenarios')
    expect(status, text).toBe(201)
    const { accountId, paymentId, transactionId } = json.data
    const read = async (path: string) => (await withFiles.call('GET', path)).json.data
    expect(await read(`/v0/banking/accounts/${accountId}`)).toMatchObject({ balance: 1_535_80, hold: 4_50 })
    expect(await read(`/v0/banking/transactions/${transactionId}?accountId=${accountId}`)).toMatchObject({
      attributes: { amount: 2_500_00, summary: 'Sample Payroll  |  Salary' },
    })
    expect(await read(`/v0/banking/payments/${paymentId}`)).toMatchObject({ status: 'Pending' })
    const week = await withFiles.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P7D' } })
    expect(week.status, week.text).toBe(200)
    expect(await read(`/v0/banking/payments/${paymentId}`)).toMatchObject({ status: 'Sent' })
    await expectSoundLedger(withFiles)
  } finally {
    await withFiles.close()
  }
})

describe('a scenario with debits', () => {
  const debits = true
  const worldOf = async (service: TestBank, key: string) => {
    const { status, text, json } = await service.call('POST', '/v0/sandbox/scenarios', { key, body: { debits } })
    expect(status, text).toBe(201)
    const read = async (path: string) => (await service.call('GET', path, { key })).json.data
    const statesOf = async () => {
      const ids = [json.data.debitId, json.data.returnedDebitId]
      const payments = await Promise.all(ids.map((id) => read(`/v0/banking/payments/${id}`)))
      return payments.map(({ direction, status, returnCode }) => ({ direction, status, returnCode }))
    }
    return { world: json.data, read, statesOf }
  }
  const done = [
    { direction: 'Debit', status: 'Sent' },
    { direction: 'Debit', status: 'Returned', returnCode: 'R01' },
  ]

  test('has a verified account with a mandate, money from there, and a debit that came back', async () => {
    const { key } = await makeSandboxOrganisation(bank)
    for (const time of ['first', 'second']) {
      const { world, read, statesOf } = await worldOf(bank, key)
      expect(await statesOf(), time).toEqual(done)
      expect((await read(`/v0/banking/accounts/${world.accountId}`)).balance).toBe(1_535_80 + 150_00)
      const accounts = await read(`/v0/banking/customers/${world.customerId}/external-accounts`)
      expect(accounts.find(({ id }: { id: string }) => id === world.fundingAccountId)).toMatchObject({
        permissions: 'CreditAndDebit',
        verification: { method: 'MicroEntries', status: 'Verified' },
        mandate: { authorization: 'Online' },
      })
    }
    await expectSoundLedger(bank)
  })

  test('collects and returns as bank time moves on, if payments leave with files', async () => {
    const withFiles = await openTestBank({ ach: testAch() })
    try {
      const { key } = await makeSandboxOrganisation(withFiles)
      const { statesOf } = await worldOf(withFiles, key)
      expect(await statesOf()).toEqual(Array(2).fill({ direction: 'Debit', status: 'Pending' }))
      const fortnight = await withFiles.call('POST', '/v0/sandbox/clock/advance', { key, body: { by: 'P14D' } })
      expect(fortnight.status, fortnight.text).toBe(200)
      expect(await statesOf()).toEqual(done)
      await expectSoundLedger(withFiles)
    } finally {
      await withFiles.close()
    }
  })

  test('has no such ids without them', async () => {
    expect((await make({})).json.data).not.toHaveProperty('debitId')
    expect((await bank.call('POST', '/v0/sandbox/scenarios', { body: { debits: 'yes' } })).status).toBe(400)
  })
})

describe('the seed of a scenario', () => {
  const told = async (seed: number | undefined) => {
    const { key } = await makeSandboxOrganisation(bank, { now: '2027-03-10', frozen: true })
    const { json } = await bank.call('POST', '/v0/sandbox/scenarios', { key, body: { seed } })
    const read = async (path: string) => (await bank.call('GET', path, { key })).json.data
    const { customerId, accountId, applicationId } = json.data
    const { name, email } = await read(`/v0/banking/customers/${customerId}`)
    const { balance, hold, createdAt } = await read(`/v0/banking/accounts/${accountId}`)
    return {
      name,
      email,
      balance,
      hold,
      createdAt,
      applicant: (await read(`/v0/banking/applications/${applicationId}`)).name,
    }
  }

  test('makes the same names, amounts and days every time', async () => {
    expect(await told(7)).toEqual(await told(7))
    expect(await told(7)).not.toEqual(await told(8))
    expect((await told(undefined)).name).toBe('Ada Example')
  })

  test.each([0, 2 ** 32 - 1])('can be %s', async (seed) => {
    expect((await bank.call('POST', '/v0/sandbox/scenarios', { body: { seed } })).status).toBe(201)
  })

  test.each([-1, 2 ** 32, 1.5, '1'])('cannot be %s', async (seed) => {
    expect((await bank.call('POST', '/v0/sandbox/scenarios', { body: { seed } })).status).toBe(400)
  })
})
