import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ENCRYPTION_KEY } from '../../../test/support/cells/home-cell.ts'
import { type Consumer, openConsumer } from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger, makeExternalAccount, makePayer, pay } from '../../../test/support/ledger.ts'
import { auditOf } from '../../../test/support/review/reviewer.ts'
import { makeCustomer } from '../../../test/support/world.ts'
import { verifyRecords } from '../../bank/proof/verify-records.ts'

let bank: TestBank
let service: Consumer
let screened: TestBank
let customerId: string

beforeAll(async () => {
  service = await openConsumer()
  bank = await openTestBank()
  screened = await openTestBank({ screening: service.url })
  customerId = await makeCustomer(bank)
})
afterEach(async () => {
  for (const each of [bank, screened]) {
    const settings = { encryptionKeys: [ENCRYPTION_KEY], keepAnswersMs: 86_400_000 }
    expect(await verifyRecords(each.database, settings)).toEqual([])
    await expectSoundLedger(each)
  }
})
afterAll(async () => {
  await bank.close()
  await screened.close()
  await service.close()
})

const update = (id: string, body: unknown, options = {}, on = bank) =>
  on.call('PATCH', `/v0/banking/external-accounts/${id}`, { body, ...options })
const accountIn = async (of: string, id: string, on = bank) =>
  (await on.call('GET', `/v0/banking/customers/${of}/external-accounts`)).json.data.find(
    (each: { id: string }) => each.id === id,
  )
const eventsOf = async (id: string) =>
  (await bank.call('GET', `/v0/events?entityType=externalAccount&entityId=${id}`)).json.data
const answering = (json: unknown) => () => ({ status: 200, body: JSON.stringify(json) })

describe('update external account', () => {
  test('changes the members that are sent, for payments from now on', async () => {
    const payer = await makePayer(bank, 100_00)
    const id = payer.externalAccountId
    const before = await accountIn(payer.customerId, id)
    const paid = (await pay(bank, payer)).json.data
    const { status, json } = await update(id, { name: 'Grace Example', accountType: 'Savings' })
    expect([status, json.data]).toEqual([200, { ...before, name: 'Grace Example', accountType: 'Savings' }])
    expect(await accountIn(payer.customerId, id)).toEqual(json.data)
    expect((await update(id, { type: 'Business' })).json.data).toEqual({ ...json.data, type: 'Business' })
    const later = (await pay(bank, payer)).json.data
    expect(later.counterparty).toMatchObject({ name: 'Grace Example', accountType: 'Savings' })
    expect((await bank.call('GET', `/v0/banking/payments/${paid.id}`)).json.data).toEqual(paid)
    const events = await eventsOf(id)
    expect(
      events.map(({ type, entity }: { type: string; entity: { version: number } }) => [type, entity.version]),
    ).toEqual([
      ['externalAccount.created', 1],
      ['externalAccount.corrected', 2],
      ['externalAccount.corrected', 3],
    ])
    expect(events[1].data).toEqual(json.data)
    expect(await auditOf(bank, 'externalAccount.corrected', id)).toMatchObject({ actor: { type: 'apiKey' } })
  })

  test('refuses another number, which is another account', async () => {
    const id = await makeExternalAccount(bank, customerId)
    for (const [member, value] of [
      ['accountNumber', '1234'],
      ['routingNumber', '011000015'],
    ]) {
      const { status, json } = await update(id, { [member as string]: value })
      expect([status, json.code, json.errors[0].pointer]).toEqual([400, 'invalid_request', `/${member}`])
    }
  })

  test('emits nothing where nothing changes', async () => {
    const id = await makeExternalAccount(bank, customerId)
    for (const body of [{}, { name: 'Grace Sample' }]) expect((await update(id, body)).status).toBe(200)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('leaves no number in clear in what is stored', async () => {
    const id = await makeExternalAccount(bank, customerId)
    await update(id, { name: 'Ada Other' })
    expect(await bank.database.query(`select from answer where body like '%9876543210%'`)).toEqual([])
  })

  test('refuses an account that is unknown, deleted or of another organisation', async () => {
    const id = await makeExternalAccount(bank, customerId)
    const foreign = await update(id, { name: 'Ada Other' }, { key: bank.otherKey })
    await bank.call('DELETE', `/v0/banking/external-accounts/${id}`)
    for (const { status, json } of [foreign, await update(id, { name: 'A' }), await update('1000', { name: 'A' })]) {
      expect([status, json.code]).toEqual([404, 'external_account_not_found'])
    }
  })

  test('is screened as a new account is', async () => {
    service.answer = answering({ decision: 'pass' })
    const payer = await makePayer(screened, 100_00)
    const { externalAccountId: id } = payer
    service.answer = answering({ decision: 'refuse' })
    expect((await update(id, { name: 'On a list' }, {}, screened)).json.code).toBe('external_account_refused')
    expect((await accountIn(payer.customerId, id, screened)).name).toBe('Grace Sample')
    service.answer = answering({ decision: 'review', reason: 'A name like one on a list' })
    expect((await update(id, { name: 'Like on a list' }, {}, screened)).json.data.review).toBe('PendingReview')
    expect((await pay(screened, payer)).json.data.status).toBe('PendingReview')
    expect(await auditOf(screened, 'externalAccount.corrected', id)).toMatchObject({
      reason: 'Screening: review: A name like one on a list',
    })
    const asked = service.received.length
    expect((await update(id, { name: 'Like on a list' }, {}, screened)).status).toBe(200)
    expect(service.received).toHaveLength(asked)
  })
})
