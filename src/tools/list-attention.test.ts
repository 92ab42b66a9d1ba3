import { mkdirSync, renameSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect, makeDebtor } from '../../test/support/bank/debits.ts'
import { openUnitBanking } from '../../test/support/banking-providers.ts'
import { ask, makeFunded, makeVirtualCard } from '../../test/support/cards.ts'
import { makeEndpoint, openConsumer } from '../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { expectSoundLedger, makeExternalAccount, makePayer, pay, returnPayment } from '../../test/support/ledger.ts'
import { testAch } from '../../test/support/rails/ach.ts'
import { advanceTo, openRailBank } from '../../test/support/rails/leaving.ts'
import { insertAchFile } from '../../test/support/sets/records.ts'
import { makeAccount } from '../../test/support/world.ts'
import { beginChecks } from '../bank/accounting/verification.sql.ts'
import { checkLeastChecked } from '../bank/accounting/verification.ts'
import { readFirstRows } from '../bank/first-states/first-states.ts'
import type { AttentionItem, AttentionKind } from './list-attention.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({ own: true, ach: testAch(), reviewFirstPayment: true, webhooks: {} })
})
afterAll(() => bank.close())

async function attention(key = bank.key): Promise<AttentionItem[]> {
  const { status, json, text } = await bank.call('GET', '/v0/attention', { key })
  expect(status, text).toBe(200)
  return json.data
}
const item = async (kind: AttentionKind, key?: string) => (await attention(key)).find((one) => one.kind === kind)
/** The ids that the operation of an item lists. */
async function listed({ operation }: AttentionItem): Promise<string[]> {
  const { status, json, text } = await bank.call('GET', operation?.path ?? '')
  expect(status, text).toBe(200)
  return json.data.map(({ id }: { id: string }) => id)
}

describe('list attention', () => {
  test('of a quiet organisation is the check of the ledger alone', async () => {
    const before = await attention()
    expect(before).toEqual([
      {
        kind: 'ledgerCheck',
        level: 'soon',
        words: 'The laws of the ledger were not checked yet',
        cause: null,
        count: 0,
        more: false,
        amount: null,
        since: null,
        ageSeconds: null,
        records: [],
        operation: { id: 'getLedgerVerification', path: '/v0/ledger/verification', input: {} },
        command: null,
      },
    ])
    await bank.call('POST', '/v0/ledger/verification')
    const [checked] = await attention()
    expect(checked).toMatchObject({
      level: 'inOrder',
      words: expect.stringMatching(/^All \d+ laws of the ledger hold$/),
    })
    expect(checked?.since).toMatch(/Z$/)
    expect(checked?.ageSeconds).toBeLessThan(60)
  })

  test('has the check that the service makes by itself when the last one is more than a day old', async () => {
    const checkAll = async () => {
      while ((await checkLeastChecked(bank.database, readFirstRows)) !== undefined);
    }
    await checkAll()
    const { since: before } = (await attention()).at(-1) as AttentionItem
    await checkAll()
    expect((await attention()).at(-1)?.since).toBe(before)
    await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P2D' } })
    expect((await attention()).at(-1)?.ageSeconds).toBeGreaterThan(86_400)
    // Another process that checks at this moment.
    await bank.database.transaction(async (other) => {
      expect(await beginChecks(other)).toBe(true)
      await checkAll()
    })
    expect((await attention()).at(-1)?.ageSeconds).toBeGreaterThan(86_400)
    await checkAll()
    const after = (await attention()).at(-1)
    expect([after?.level, after?.ageSeconds]).toEqual(['inOrder', expect.toSatisfy((age: number) => age < 3_600)])
  })

  test('names payments that wait for a review, with the list that the key may call', async () => {
    const payer = await makePayer(bank, 500_00)
    const ids = [await pay(bank, payer, { amount: 10_00 }), await pay(bank, payer, { amount: 2_50 })].map(
      ({ json }) => json.data.id,
    )
    const found = await item('reviewedPayments')
    expect(found).toMatchObject({
      level: 'soon',
      words: '2 payments wait for a review, $12.50 in all',
      cause: 'First payment',
      count: 2,
      more: false,
      amount: 12_50,
      records: ids.map((id) => ({ type: 'payment', id })),
      operation: { id: 'listPayments', path: '/v0/banking/payments?status=PendingReview' },
      command: null,
    })
    expect((await listed(found as AttentionItem)).sort()).toEqual(ids)
    const reviewer = await bank.makeKey('first', ['review:write'])
    expect((await item('reviewedPayments', reviewer))?.operation).toEqual({
      id: 'listReviewPayments',
      path: '/v0/review/payments',
      input: {},
    })
    for (const paymentId of ids) await bank.call('POST', `/v0/banking/payments/${paymentId}/cancel`)
    expect(await item('reviewedPayments')).toBeUndefined()
  })

  test('names an endpoint from its first refused attempt to its next success, and its list and deliveries agree', async () => {
    const consumer = await openConsumer()
    consumer.answer = () => ({ status: 500 })
    const { id } = await makeEndpoint(bank, consumer.url, ['account.*'])
    await makeAccount(bank)
    await expect.poll(async () => (await item('failingEndpoints'))?.records).toEqual([{ type: 'webhookEndpoint', id }])
    const found = (await item('failingEndpoints')) as AttentionItem
    expect(found).toMatchObject({
      level: 'urgent',
      words: '1 webhook endpoint does not accept what is sent',
      cause: 'Answer 500',
      amount: null,
    })
    expect(await listed(found)).toEqual([id])
    const [shown] = (await bank.call('GET', found.operation?.path ?? '')).json.data
    expect(shown).toMatchObject({ failingSince: found.since, status: 'Enabled' })
    const failing = (await bank.call('GET', '/v0/deliveries?failing=true')).json.data
    expect(failing.length).toBeGreaterThan(0)
    for (const delivery of failing)
      expect(delivery).toMatchObject({ status: 'Pending', attempts: [{ status: 'Failed' }] })
    const others = (await bank.call('GET', '/v0/deliveries?failing=false')).json.data
    expect(others.filter(({ attempts }: { attempts: unknown[] }) => attempts.length > 0)).toEqual([])
    consumer.answer = () => ({ status: 204 })
    await bank.call('POST', `/v0/events/${failing[0].eventId}/redeliver`)
    await expect.poll(() => item('failingEndpoints')).toBeUndefined()
    expect((await bank.call('GET', '/v0/webhook-endpoints?failing=true')).json.data).toEqual([])
    expect((await bank.call('GET', '/v0/webhook-endpoints?failing=false')).json.data).toMatchObject([
      { failingSince: null },
    ])
    await bank.call('DELETE', `/v0/webhook-endpoints/${id}`)
    await consumer.close()
  })

  test('names the returns of today with their sum, and those of the day before no more', async () => {
    const instant = await openTestBank({ own: true })
    try {
      await instant.database.query(`update organisation set clock_offset = '2030-02-05T15:00:00Z' - clock_timestamp()`)
      const payer = await makePayer(instant, 500_00)
      const get = async () => (await instant.call('GET', '/v0/attention')).json.data as AttentionItem[]
      const returned = async () => (await get()).find(({ kind }) => kind === 'returnedPayments')
      const back = async (amount: number, returnCode: string) => {
        const { id } = (await pay(instant, payer, { amount })).json.data
        await instant.call('POST', `/v0/sandbox/payments/${id}/return`, { body: { returnCode } })
      }
      await pay(instant, payer, { amount: 1_00 })
      await back(10_00, 'R03')
      await back(5_00, 'R02')
      await back(4_00, 'R02')
      const found = await returned()
      expect(found).toMatchObject({
        words: '3 payments were returned today, $19.00 in all',
        cause: '2 × Account closed (R02), 1 × No account, or unable to locate it (R03)',
        amount: 19_00,
        operation: { id: 'listPayments', input: { returnedSince: '2030-02-05' } },
      })
      const payments = (await instant.call('GET', `${found?.operation?.path}&sort=createdAt`)).json.data
      expect(payments.map(({ id, status }: { id: string; status: string }) => [status, id])).toEqual(
        found?.records.map(({ id }) => ['Returned', id]),
      )
      await instant.call('POST', '/v0/sandbox/clock/advance', { body: { to: '2030-02-06T00:00:01Z' } })
      expect(await returned()).toBeUndefined()
    } finally {
      await instant.close()
    }
  })

  test('names debits that were returned today, before and after their clearing days', async () => {
    const rail = await openRailBank()
    const debtor = await makeDebtor(rail, { accountNumber: '9990000001' })
    await collect(rail, debtor, { amount: 10_00 })
    const returned = async () =>
      ((await rail.call('GET', '/v0/attention')).json.data as AttentionItem[]).find(
        ({ kind }) => kind === 'returnedPayments',
      )
    const unknown = await makeDebtor(rail, { accountNumber: '123456789' })
    const { id } = (await collect(rail, unknown, { amount: 5_00 })).json.data
    await advanceTo(rail, '2030-02-08T23:00:00Z')
    expect(await returned()).toMatchObject({ count: 1, amount: 10_00 })
    await advanceTo(rail, '2030-02-12T23:00:00Z')
    expect(await returned()).toBeUndefined()
    await returnPayment(rail, id, 'R10')
    expect(await returned()).toMatchObject({ count: 1, amount: 5_00, records: [{ type: 'payment', id }] })
    await expectSoundLedger(rail)
    await rail.close()
  })

  test('names accounts and the organisation that have used most of a limit', async () => {
    const plain = await openTestBank({ own: true })
    try {
      const { accountId, ...payer } = await makePayer(plain, 500_00)
      const path = `/v0/banking/accounts/${accountId}/limits`
      const none = { soft: null, hard: null }
      await plain.call('PUT', path, { body: { payment: none, day: { soft: null, hard: 100_00 }, month: none } })
      const near = async () =>
        ((await plain.call('GET', '/v0/attention')).json.data as AttentionItem[]).find(
          ({ kind }) => kind === 'nearLimits',
        )
      await pay(plain, { accountId, ...payer }, { amount: 79_99 })
      expect(await near()).toBeUndefined()
      await pay(plain, { accountId, ...payer }, { amount: 1 })
      expect(await near()).toMatchObject({
        words: '1 account has used most of a limit, at most 80 %',
        cause: 'limit of the day',
        records: [{ type: 'account', id: accountId }],
        operation: { id: 'listAccounts', path: '/v0/banking/accounts?nearLimit=true' },
      })
      const other = await makePayer(plain, 1_00)
      const accounts = async (query: string) =>
        (await plain.call('GET', `/v0/banking/accounts?count=true&${query}`)).json.data.map(
          ({ id }: { id: string }) => id,
        )
      expect(await accounts('nearLimit=true')).toEqual([accountId])
      expect(await accounts('nearLimit=false')).toEqual([other.accountId])
      expect(await accounts(`nearLimit=true&customerId=${other.customerId}`)).toEqual([])
      expect(await accounts(`nearLimit=true&search=${accountId}`)).toEqual([accountId])
      expect(await accounts(`nearLimit=false&search=${accountId}`)).toEqual([])
    } finally {
      await plain.close()
    }
  })

  test('says that the rail of a live bank is held, and why, until its folder is back', async () => {
    const ach = testAch()
    mkdirSync(ach.incoming)
    const sandbox = await openTestBank({ own: true, ach })
    const on = { name: '', server: sandbox.server, drop: async () => undefined }
    const live = await openTestBank({ on, mode: 'live', ach })
    const held = async () =>
      ((await live.call('GET', '/v0/attention')).json.data as AttentionItem[]).find(({ kind }) => kind === 'railHeld')
    renameSync(ach.outgoing, `${ach.outgoing}-away`)
    await expect(live.moveFiles()).rejects.toThrow('ACH is held')
    expect(await held()).toMatchObject({
      level: 'urgent',
      words: 'ACH is held: no file leaves until the operator has decided',
      cause: 'the outgoing folder does not exist: a mount may be missing',
      operation: null,
      command: 'purser ach resume',
    })
    renameSync(`${ach.outgoing}-away`, ach.outgoing)
    await live.moveFiles()
    expect(await held()).toBeUndefined()
    await live.close()
    await sandbox.close()
  })

  test('names over-settlements to reviewers, with what settled beyond the authorization', async () => {
    const { id: cardId } = await makeVirtualCard(bank, await makeFunded(bank, 500_00))
    const merchant = { name: 'Sample Shop' }
    const { id } = await ask(bank, 'POST', `/v0/sandbox/cards/${cardId}/authorizations`, { amount: 10_00, merchant })
    await ask(bank, 'POST', `/v0/sandbox/authorizations/${id}/settle`, { amount: 25_00 })
    const reviewer = await bank.makeKey('first', ['review:write'])
    const found = await item('overSettlements', reviewer)
    expect(found).toMatchObject({
      level: 'soon',
      words: '1 authorization settled for more than the trade explains',
      cause: 'Sample Shop',
      amount: 15_00,
      records: [{ type: 'authorization', id }],
      operation: { id: 'listOverSettlements', path: '/v0/review/over-settlements', input: {} },
    })
    expect((await ask(bank, 'GET', found?.operation?.path ?? '', undefined, reviewer))[0].id).toBe(id)
    expect(await item('overSettlements')).toBeUndefined()
    await ask(bank, 'POST', `/v0/review/over-settlements/${id}/resolve`, { reason: 'A tip' }, reviewer)
    expect(await item('overSettlements', reviewer)).toBeUndefined()
  })

  test('names reviews of people and accounts, and exceptions of the rail', async () => {
    const [organisation] = await bank.database.query<{ id: number }>('select id from organisation order by id limit 1')
    const { accountId, customerId } = await makePayer(bank, 1_00)
    const external = await makeExternalAccount(bank, customerId)
    await bank.database.query(`update external_account set review = 'PendingReview' where id = $1::bigint`, [external])
    await bank.database.query(
      `insert into ach_exception (id, organisation_id, file_id, line, kind, detail, direction, amount, created_at)
       values (1, $1::bigint, $2::bigint, 2, 'unknown_return', 'No payment has this trace number', 'Credit', 500, bank_time($1::bigint))`,
      [organisation?.id, await insertAchFile(bank, accountId)],
    )
    expect(await item('railExceptions')).toMatchObject({
      level: 'urgent',
      words: '1 ACH exception needs the operator, $5.00 in all',
      cause: 'Unknown return',
      operation: null,
      command: 'purser ach exceptions',
    })
    const reviewer = await bank.makeKey('first', ['review:write'])
    const found = await attention(reviewer)
    expect(found.map(({ kind, words, records }) => [kind, words, records])).toEqual([
      [
        'reviewedExternalAccounts',
        '1 external account waits for a review, and payments to it',
        [{ type: 'externalAccount', id: external }],
      ],
    ])
    await bank.database.query('delete from ach_exception where id = 1')
  })

  test('shows a key what it may list, and nothing of other organisations', async () => {
    await pay(bank, await makePayer(bank, 500_00), { amount: 10_00 })
    const rewards = await bank.makeKey('first', ['rewards:read'])
    expect(await attention(rewards)).toEqual([])
    expect((await attention(bank.otherKey)).map(({ kind }) => kind)).toEqual(['ledgerCheck'])
  })

  test('lists webhook endpoints alone if a connector serves banking', async () => {
    const unit = await openUnitBanking()
    try {
      expect((await unit.bank.call('GET', '/v0/attention')).json).toEqual({ data: [] })
    } finally {
      await unit.close()
    }
  })
})
