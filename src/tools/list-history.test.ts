import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUnitBanking } from '../../test/support/banking-providers.ts'
import { openConsumer } from '../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../test/support/ledger.ts'
import { testAch } from '../../test/support/rails/ach.ts'
import { receiveEntry } from '../../test/support/rails/incoming.ts'
import { advanceTo, openRailBank } from '../../test/support/rails/leaving.ts'
import { makeWorld, type World } from '../../test/support/world.ts'
import type { HistoryStep } from './history-step.ts'
import { recordTypeNames, recordTypes } from './record-types.ts'

let bank: TestBank
let world: World
let payer: Payer

beforeAll(async () => {
  bank = await openTestBank({ own: true, webhooks: {} })
  world = await makeWorld(bank)
  payer = await makePayer(bank, 1_000_00)
})
afterAll(() => bank.close())

const ask = (type: string, id: string, query = '', key = bank.key) =>
  bank.call('GET', `/v0/history/${type}/${id}${query}`, { key })
async function historyOf(type: string, id: string, query = '', of = bank): Promise<HistoryStep[]> {
  const { status, json, text } = await of.call('GET', `/v0/history/${type}/${id}${query}`)
  expect(status, `${type} ${id}: ${text}`).toBe(200)
  return json.data
}

describe('list history', () => {
  test('shows the request, the money, the events and the deliveries of each step', async () => {
    const consumer = await openConsumer()
    const body = { url: consumer.url, events: ['payment.*'] }
    const endpoint = (await bank.call('POST', '/v0/webhook-endpoints', { body })).json.data
    const headers = { 'idempotency-key': 'history-1', 'x-request-id': 'history' }
    const { id } = (await pay(bank, payer, { amount: 20_00 }, { headers })).json.data
    await expect.poll(() => consumer.received.length).toBe(1)
    await bank.call('POST', `/v0/sandbox/payments/${id}/return`, { body: { returnCode: 'R03' } })
    await expect
      .poll(async () => (await historyOf('payment', id)).map(({ deliveries }) => deliveries?.map((one) => one.status)))
      .toEqual([['Succeeded'], ['Succeeded']])
    const [made, returned] = await historyOf('payment', id)
    const transfers = (await bank.call('GET', `/v0/ledger/transfers?sourceId=${id}&sort=createdAt`)).json.data
    const key = (await bank.call('GET', '/v0/me')).json.data.key
    expect(made).toEqual({
      at: expect.stringMatching(/Z$/),
      day: made?.at.slice(0, 10),
      summary: 'Payment created',
      cause: {
        type: 'request',
        requestId: 'history',
        idempotencyKey: 'history-1',
        apiKey: { id: key.id, name: key.name, personId: null },
        request: {
          id: expect.stringMatching(/^req_/),
          method: 'POST',
          path: `/v0/banking/accounts/${payer.accountId}/payments`,
          operation: 'createPayment',
          status: 201,
        },
      },
      changes: [{ type: 'payment.created', status: 'Sent', before: null, reason: null, code: null }],
      transfers: [transfers[0]],
      events: [
        { id: expect.stringMatching(/^evt_/), type: 'payment.created', entity: { type: 'payment', id } },
        {
          id: expect.stringMatching(/^evt_/),
          type: 'transaction.created',
          entity: { type: 'transaction', id: transfers[0].debit.transactionId },
        },
      ],
      deliveries: [
        expect.objectContaining({
          endpointId: endpoint.id,
          eventType: 'payment.created',
          attempts: [expect.anything()],
        }),
      ],
      files: [],
      reviews: [],
    })
    expect(returned).toMatchObject({
      summary: 'Payment returned: No account, or unable to locate it (R03)',
      cause: { request: { operation: 'returnPayment' } },
      changes: [{ status: 'Returned', before: 'Sent', reason: 'No account, or unable to locate it', code: 'R03' }],
      transfers: [transfers[1]],
      events: [{ type: 'payment.returned' }, { type: 'transaction.created' }],
    })
    await bank.call('DELETE', `/v0/webhook-endpoints/${endpoint.id}`)
    await consumer.close()
  })

  test('pages by events of the record, and each transfer is on one page', async () => {
    const { id } = (await pay(bank, payer, { amount: 5_00 })).json.data
    await bank.call('POST', `/v0/sandbox/payments/${id}/return`, { body: { returnCode: 'R02' } })
    const whole = await historyOf('payment', id)
    const pages: HistoryStep[] = []
    for (let path: string | undefined = `/v0/history/payment/${id}?limit=1`; path; ) {
      const { json, headers } = await bank.call('GET', path)
      expect(json.data).toHaveLength(1)
      pages.push(...json.data)
      path = /<([^>]+)>/.exec(String(headers.link ?? ''))?.[1]
    }
    expect(pages).toEqual(whole)
    expect(
      pages.map(({ changes: [change], transfers }) => [change?.before, change?.status, transfers?.length]),
    ).toEqual([
      [null, 'Sent', 1],
      ['Sent', 'Returned', 1],
    ])
  })

  test('says why cards are declined, accounts are closed and keys are gone', async () => {
    const card = `/v0/sandbox/cards/${world.card}/authorizations`
    const declined = await bank.call('POST', card, {
      body: { amount: 9_999_999_00, merchant: { name: 'Sample Yachts' } },
    })
    expect((await historyOf('authorization', declined.json.data.id)).map(({ summary }) => summary)).toEqual([
      'Authorization declined: Insufficient funds',
    ])
    const account = (await bank.call('POST', '/v0/banking/accounts', { body: { customerId: world.customer } })).json
      .data
    await bank.call('POST', `/v0/banking/accounts/${account.id}/freeze`)
    await bank.call('POST', `/v0/banking/accounts/${account.id}/unfreeze`)
    expect(
      (await historyOf('account', account.id)).flatMap(({ changes }) => changes.map(({ status }) => status)),
    ).toEqual(['Open', 'Frozen', 'Open'])
    const key = (await bank.call('POST', '/v0/api-keys', { body: { name: 'Short' } })).json.data
    await bank.call('DELETE', `/v0/api-keys/${key.id}`)
    expect((await historyOf('apiKey', key.id)).map(({ summary }) => summary)).toEqual([
      'API key created',
      'API key revoked',
    ])
  })

  test('shows a step of the bank for each moment, with the files in which the payment left and came back', async () => {
    const rail = await openRailBank()
    try {
      const { id } = (await pay(rail, await makePayer(rail, 500_00), { amount: 10_00 })).json.data
      await advanceTo(rail, '2030-02-09T00:00:00Z')
      const steps = await historyOf('payment', id, '', rail)
      expect(
        steps.map(({ cause, day, changes, files }) => [cause.type, day, changes[0]?.status, files.length]),
      ).toEqual([
        ['request', '2030-02-05', 'Pending', 0],
        ['bank', '2030-02-05', 'Clearing', 1],
        ['bank', '2030-02-06', 'Sent', 0],
      ])
      expect(steps[1]?.files).toEqual([
        expect.objectContaining({
          direction: 'Outgoing',
          batchId: expect.any(String),
          traceNumber: expect.any(String),
        }),
      ])
    } finally {
      await rail.close()
    }
  })

  test('shows a received payment with its files, and batches and files by the times of their states', async () => {
    const rail = await openRailBank()
    try {
      const payer = await makePayer(rail, 500_00)
      const { id } = await receiveEntry(rail, payer.accountId, { settlesOn: '2030-02-05', code: 27, amount: 3_00 })
      await rail.call('POST', `/v0/banking/received-payments/${id}/return`, { body: { returnCode: 'R10' } })
      await advanceTo(rail, '2030-02-07T00:00:00Z')
      const steps = await historyOf('receivedPayment', id, '', rail)
      expect(
        steps.map(({ changes, files, transfers }) => [
          ...[changes.at(-1)?.status, files.map(({ direction }) => direction)],
          transfers?.reduce((sum, { amount }) => sum + amount, 0),
        ]),
      ).toEqual([
        ['Completed', ['Incoming'], 3_00],
        ['MarkedForReturn', [], 3_00],
        ['Returned', ['Outgoing'], 0],
      ])
      const { batchId } = steps.at(-1)?.files[0] ?? {}
      const batch = await historyOf('achBatch', batchId ?? '', '', rail)
      expect(batch.map(({ summary, cause, changes }) => [summary, cause.type, changes[0]?.before])).toEqual([
        ['ACH batch clearing', 'bank', null],
        ['ACH batch settled', 'bank', 'Clearing'],
      ])
      expect(await historyOf('achBatch', batchId ?? '', '?after=1', rail)).toEqual([])
      const { related } = (await rail.call('GET', `/v0/lookup/receivedPayment/${id}`)).json.data
      const fileIds = related.flatMap(({ type, id }: { type: string; id: string }) => (type === 'achFile' ? [id] : []))
      expect(await historyOf('achFile', fileIds[0], '', rail)).toMatchObject([
        { summary: 'ACH file taken', events: [] },
      ])
    } finally {
      await rail.close()
    }
  })

  test('shows a review with its reason, and the reason of the decision', async () => {
    const careful = await openTestBank({ ach: testAch(), reviewFirstPayment: true })
    try {
      const { id } = (await pay(careful, await makePayer(careful, 500_00), { amount: 10_00 })).json.data
      const reviewer = await careful.makeKey('first', ['review:write'])
      const waiting = await historyOf('payment', id, '', careful)
      expect(waiting.at(-1)).toMatchObject({
        changes: [{ status: 'PendingReview', reason: 'First payment', code: 'firstPayment' }],
        reviews: [{ reason: 'firstPayment', decision: null, decidedAt: null }],
      })
      const body = { reason: 'The invoice was checked' }
      await careful.call('POST', `/v0/review/payments/${id}/approve`, { key: reviewer, body })
      const [first, decided] = await historyOf('payment', id, '', careful)
      expect(first?.reviews).toEqual([
        { reason: 'firstPayment', decision: 'Approved', decidedAt: expect.stringMatching(/\.\d{3}Z$/) },
      ])
      expect(decided?.changes).toMatchObject([{ status: 'Pending', before: 'PendingReview', reason: body.reason }])
    } finally {
      await careful.close()
    }
  })

  test('has steps for every type of record that has events, and needs the scope that reads the type', async () => {
    for (const type of recordTypeNames) {
      const id = world[type as keyof World]
      if (!id || type === 'reward') continue
      const steps = await historyOf(type, id)
      // A document that an application asks for at once comes with the application; the proposal of the world was stored.
      const still = ['event', 'request', 'delivery', 'document', 'proposal', 'receivedPayment'].includes(type)
      const own = type === 'achBatch' || type === 'achFile'
      expect(steps.length > 0, type).toBe(!still)
      for (const { summary, events } of steps) expect([summary !== '', events.length > 0], type).toEqual([true, !own])
      const { scope } = recordTypes[type]
      const without = await ask(
        type,
        id,
        '',
        await bank.makeKey('first', [scope === 'events:read' ? 'rewards:read' : scope]),
      )
      expect([without.status, without.json.detail], type).toEqual([403, expect.stringContaining('events:read')])
      if (scope === 'events:read') continue
      const refused = await ask(type, id, '', await bank.makeKey('first', ['events:read']))
      expect([refused.status, refused.json.detail], type).toEqual([403, expect.stringContaining(scope)])
    }
  })

  test('leaves out what the key may not read', async () => {
    const key = await bank.makeKey('first', ['events:read', 'banking:read'])
    const [step] = (await ask('payment', world.payment, '', key)).json.data
    expect([step.transfers.length, step.deliveries]).toEqual([1, null])
    const rewards = await bank.makeKey('first', ['events:read', 'rewards:read'])
    expect((await ask('partnerUser', world.partnerUser, '', rewards)).json.data[0].transfers).toBeNull()
  })

  test('refuses an unknown type, unknown ids and those of another organisation', async () => {
    expect((await ask('moon', world.payment)).json.code).toBe('invalid_request')
    expect((await ask('payment', world.payment, '?limit=101')).status).toBe(400)
    for (const type of recordTypeNames) {
      const id = world[type as keyof World]
      if (id) expect((await ask(type, id, '', bank.otherKey)).json.code, type).toBe('record_not_found')
      expect((await ask(type, '9007199254740993')).json.code, type).toBe('record_not_found')
    }
  })

  test('shows the events of a record that a connector serves, without a ledger', async () => {
    const unit = await openUnitBanking()
    try {
      const { bank: connected } = unit
      const { json } = await connected.call('GET', '/v0/history/payment/9000000')
      expect(json.code).toBe('record_not_found')
    } finally {
      await unit.close()
    }
  })
})
