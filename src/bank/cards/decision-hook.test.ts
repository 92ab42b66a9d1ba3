import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DECISION_SECRET } from '../../../test/support/bank/hooks.ts'
import {
  ask,
  authorize,
  charge,
  getAuthorization,
  makeFunded,
  makeVirtualCard,
  moneyOf,
  moveCard,
  refusalOf,
  sendMessage,
  times,
} from '../../../test/support/cards.ts'
import { type Consumer, type ConsumerAnswer, openConsumer, verify } from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { newMessageId } from '../../../test/support/world.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { verdictOf } from '../parts/decision-hook.ts'

const DEADLINE_MS = 1_200

let app: Consumer
let bank: TestBank
/** A second process on the same database, which approves if the app is silent. */
let generous: TestBank
let account: string
let card: string

beforeAll(async () => {
  app = await openConsumer()
  bank = await openTestBank({ decision: { url: app.url } })
  const on = { name: 'shared', server: bank.server, drop: async () => undefined }
  generous = await openTestBank({ on, decision: { url: app.url, onSilence: 'approve' } })
})
beforeEach(async () => {
  app.received.length = 0
  app.answer = approving
  account = await makeFunded(bank, 100_00)
  card = (await makeVirtualCard(bank, account)).id
})
afterEach(() => {
  app.answer = approving
})
afterAll(async () => {
  expect(await verifyLedger(bank.database)).toEqual([])
  await generous.close()
  await bank.close()
  await app.close()
})

const answering = (json: unknown): ConsumerAnswer => ({ status: 200, body: JSON.stringify(json) })
const approving = () => answering({ decision: 'approve' })
const asked = () => app.received.map(({ event }) => [event.type, event.data.amount])

describe('the decision hook', () => {
  test('is asked about a purchase that the bank would approve, of the processor and of the sandbox', async () => {
    await charge(bank, card, 30_00)
    app.received.length = 0
    const merchant = { name: 'Sample Hotel', category: 'Lodging', location: 'Springfield, IL' }
    const made = (await charge(bank, card, 20_00, { merchant })).json.data
    expect(made.status).toBe('Authorized')
    const [received] = app.received
    if (!received) throw new Error('the app was not asked')
    verify(DECISION_SECRET, received)
    const { customerId } = await ask(bank, 'GET', `/v0/banking/accounts/${account}`)
    const { organisation } = await ask(bank, 'GET', '/v0/me')
    expect(received.event).toEqual({
      id: received.headers['webhook-id'],
      type: 'authorization.requested',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        organisationId: organisation.id,
        customerId,
        accountId: account,
        cardId: card,
        cardLast4Digits: made.cardLast4Digits,
        authorizationId: made.id,
        amount: 20_00,
        authorizedAmount: 0,
        merchant,
        availableBalance: 70_00,
      },
    })
    expect((await authorize(bank, card, 1_00)).status).toBe('Authorized')
    expect(app.received[1]?.event.data).toMatchObject({
      amount: 1_00,
      merchant: { name: 'Sample Coffee', category: '', location: '' },
      availableBalance: 50_00,
    })
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 51_00, available: 49_00 })
  })

  test('declines with its reason, which the authorization and its event show', async () => {
    app.answer = () => answering({ decision: 'decline', reason: 'NotAtThisHour' })
    const { status, json } = await charge(bank, card, 1_00)
    expect([status, json.data.status, json.data.reason]).toEqual([201, 'Declined', 'NotAtThisHour'])
    expect((await getAuthorization(bank, json.data.id)).reason).toBe('NotAtThisHour')
    expect((await moneyOf(bank, account)).hold).toBe(0)
    const { json: events } = await bank.call('GET', `/v0/events?entityType=authorization&entityId=${json.data.id}`)
    expect(events.data.map((event: { type: string; data: object }) => [event.type, event.data])).toEqual([
      ['authorization.declined', json.data],
    ])
    expect((await authorize(bank, card, 1_00)).reason).toBe('NotAtThisHour')
  })

  test('is not asked about a purchase that the bank declines, nor about the messages after it', async () => {
    expect((await charge(bank, card, 100_01)).json.data.reason).toBe('InsufficientFunds')
    expect(refusalOf(await charge(bank, '1', 1))).toEqual([404, 'card_not_found'])
    await moveCard(bank, card, 'freeze')
    expect((await charge(bank, card, 1)).json.data.reason).toBe('CardNotActive')
    await moveCard(bank, card, 'unfreeze')
    expect(asked()).toEqual([])
    const { id } = (await charge(bank, card, 100_00)).json.data
    expect((await sendMessage(bank, `authorizations/${id}/increment`, { amount: 1 })).json.data.approved).toBe(false)
    for (const [move, content] of [
      ['advice', { amount: 120_00 }],
      ['settle', { amount: 10_00, final: false }],
      ['refund', { amount: 1_00 }],
      ['reverse', {}],
    ] as const) {
      expect((await sendMessage(bank, `authorizations/${id}/${move}`, content)).status).toBeLessThan(300)
    }
    expect(refusalOf(await sendMessage(bank, `authorizations/${id}/increment`, { amount: 1 }))[0]).toBe(409)
    expect(asked()).toEqual([['authorization.requested', 100_00]])
  })

  test('is asked about an increment, and a decline leaves the hold as it is', async () => {
    const { id } = (await charge(bank, card, 30_00)).json.data
    const increment = (amount: number) => sendMessage(bank, `authorizations/${id}/increment`, { amount })
    expect((await increment(5_00)).json.data).toMatchObject({ approved: true, authorization: { amount: 35_00 } })
    app.answer = () => answering({ decision: 'decline' })
    const { json } = await increment(6_00)
    expect(json.data).toMatchObject({ approved: false, reason: 'DeclinedByApp', authorization: { amount: 35_00 } })
    expect((await moneyOf(bank, account)).hold).toBe(35_00)
    expect(app.received[2]?.event).toMatchObject({
      type: 'authorization.incrementRequested',
      data: { authorizationId: id, amount: 6_00, authorizedAmount: 35_00, availableBalance: 65_00 },
    })
  })

  test.each<[string, unknown, string | null | undefined]>([
    ['an approval', { decision: 'approve', reason: 'Ignored', more: 1 }, null],
    ['a decline', { decision: 'decline' }, 'DeclinedByApp'],
    ['a reason of 64 letters', { decision: 'decline', reason: `R${'x'.repeat(63)}` }, `R${'x'.repeat(63)}`],
    ['a reason of 65 letters', { decision: 'decline', reason: `R${'x'.repeat(64)}` }, 'DeclinedByApp'],
    ['a reason that is a sentence', { decision: 'decline', reason: 'Not today.' }, 'DeclinedByApp'],
    ['a reason that is no text', { decision: 'decline', reason: 7 }, 'DeclinedByApp'],
    ['another word', { decision: 'Approve' }, undefined],
    ['true', true, undefined],
    ['null', null, undefined],
    ['a list', [{ decision: 'approve' }], undefined],
    ['a text', 'approve', undefined],
    ['nothing', {}, undefined],
  ])('understands %s', (_kind, json, verdict) => {
    expect(verdictOf(json)).toBe(verdict)
  })

  test('that answers garbage leaves the decision to the setting', async () => {
    for (const answer of [
      { status: 200, body: 'approve' },
      { status: 500, body: '{}' },
      answering({ approved: true }),
    ]) {
      app.answer = () => answer
      expect((await charge(bank, card, 1_00)).json.data).toMatchObject({
        status: 'Declined',
        reason: 'DecisionUnavailable',
      })
      expect((await charge(generous, card, 1_00)).json.data.status).toBe('Authorized')
    }
    expect((await moneyOf(bank, account)).hold).toBe(3_00)
    expect((await charge(generous, card, 97_01)).json.data.reason).toBe('InsufficientFunds')
  })

  test('is not asked about the purchases of sample records', async () => {
    app.answer = () => answering({ decision: 'decline' })
    expect((await bank.call('POST', '/v0/sandbox/scenarios', { body: {} })).status).toBe(201)
    expect(asked()).toEqual([])
  })
})

describe('a decision hook that takes its time', () => {
  test('holds up no other request, and what happened meanwhile counts', async () => {
    let moved: { status: number; ms: number } | undefined
    app.answer = async () => {
      app.answer = approving
      const started = performance.now()
      // The account is not locked while the app thinks: money leaves it.
      const { status } = await charge(bank, card, 60_00)
      moved = { status, ms: performance.now() - started }
      return approving()
    }
    expect((await charge(bank, card, 60_00)).json.data.reason).toBe('InsufficientFunds')
    expect(moved?.status).toBe(201)
    expect(moved?.ms).toBeLessThan(DEADLINE_MS)
    expect((await moneyOf(bank, account)).hold).toBe(60_00)
  })

  test.each<[string, () => ConsumerAnswer]>([
    ['hangs', () => ({ ...approving(), ms: 60_000 })],
    ['answers late', () => ({ ...approving(), ms: DEADLINE_MS * 2 })],
    ['answers garbage', () => ({ status: 200, body: '{"decision":', ms: 500 })],
  ])('and %s is given up at the deadline, while payments and reads of the account go on', async (_what, answer) => {
    app.answer = answer
    const started = performance.now()
    const waiting = times(20, () => charge(bank, card, 1_00))
    await expect.poll(() => app.received.length, { timeout: 10_000 }).toBe(20)
    const before = performance.now()
    await ask(bank, 'POST', `/v0/sandbox/accounts/${account}/receive-ach`, { amount: 1_00, companyName: 'Payroll' })
    expect((await moneyOf(bank, account)).balance).toBe(101_00)
    expect(performance.now() - before).toBeLessThan(DEADLINE_MS)
    const replies = await waiting
    expect(new Set(replies.map(({ json }) => json.data.reason))).toEqual(new Set(['DecisionUnavailable']))
    expect(performance.now() - started).toBeLessThan(DEADLINE_MS * 6)
    expect((await moneyOf(bank, account)).hold).toBe(0)
  })
})

describe('a message that is sent again', () => {
  test('is not asked about again, and the decision stays', async () => {
    const processorId = newMessageId()
    const headers = { 'idempotency-key': newMessageId() }
    const first = await charge(bank, card, 1_00, { processorId })
    app.answer = () => answering({ decision: 'decline' })
    for (const at of [bank, generous]) expect((await charge(at, card, 1_00, { processorId })).text).toBe(first.text)
    expect(refusalOf(await charge(bank, card, 2_00, { processorId }))).toEqual([409, 'processor_id_reused'])
    const body = { amount: 1_00, merchant: { name: 'Sample Coffee' } }
    const path = `/v0/sandbox/cards/${card}/authorizations`
    const declined = await bank.call('POST', path, { body, headers })
    app.answer = approving
    expect((await generous.call('POST', path, { body, headers })).text).toBe(declined.text)
    expect(declined.json.data.reason).toBe('DeclinedByApp')
    expect(asked()).toHaveLength(2)
    expect((await moneyOf(bank, account)).hold).toBe(1_00)
  })

  test('at once and to two processes is asked about by each at most once, and has one effect', async () => {
    app.answer = async () => {
      await sleep(100)
      return approving()
    }
    const processorId = newMessageId()
    const replies = await times(20, (at) => charge(at % 2 ? bank : generous, card, 1_00, { processorId }))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(201)
    expect(asked().length).toBeLessThanOrEqual(2)
    expect((await moneyOf(bank, account)).hold).toBe(1_00)
  })
})
