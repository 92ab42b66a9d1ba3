import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenedUnit, openUnitBanking } from '../../../test/support/banking-providers.ts'
import { ask, shippingAddress } from '../../../test/support/cards.ts'
import { eventsAfter } from '../../../test/support/events.ts'
import type { UpstreamPurchase } from '../../rewards/purchases.ts'
import { unitInbound } from './inbound.ts'

const webhookSecret = 'secret-of-the-webhooks'
let opened: OpenedUnit
let customerId: string
let accountId: string
const purchases: UpstreamPurchase[] = []

beforeAll(async () => {
  const timeouts = { callMs: 2_000, totalMs: 3_000, uploadMs: 3_000 }
  opened = await openUnitBanking({ timeouts }, {}, (client) => {
    const parts = { client, claims: undefined as never }
    const takePurchase = async (_transaction: unknown, _organisationId: unknown, purchase: UpstreamPurchase) => {
      purchases.push(purchase)
      return []
    }
    return [unitInbound({ webhookSecret, takePurchase, parts })]
  })
  customerId = await opened.arrange.customer()
  accountId = (await ask(opened.bank, 'POST', '/v0/banking/accounts', { customerId })).id
  await opened.arrange.fund(accountId, 100_00)
})
afterAll(() => opened.close())

let told = 0
/** An event in Unit's form: the related records and their ids. */
function event(type: string, related: Record<string, string>) {
  const relationships = Object.fromEntries(
    Object.entries(related).map(([name, id]) => [name, { data: { type: name, id } }]),
  )
  return { id: `event-${told++}`, type, attributes: { createdAt: '2026-01-31T12:00:00.000Z' }, relationships }
}

const signed = (raw: string, secret = webhookSecret) => createHmac('sha1', secret).update(raw).digest('base64')

async function send(content: unknown, signature?: string) {
  const raw = typeof content === 'string' ? content : JSON.stringify(content)
  const headers = { 'x-unit-signature': signature ?? signed(raw), 'content-type': 'application/vnd.api+json' }
  return opened.bank.call('POST', '/v0/inbound/unit', { key: null, raw, headers })
}

interface EventRow {
  type: string
  version: number
  data: unknown
}

async function eventsOf(entityId: string): Promise<EventRow[]> {
  const events = (await eventsAfter(opened.bank, 0)).filter((event) => event.entityId === entityId)
  return events.map(({ type, version, data }) => ({ type, version, data }))
}

describe('An event from Unit', () => {
  test('becomes our event, in order, with the record in our shape', async () => {
    const account = await ask(opened.bank, 'GET', `/v0/banking/accounts/${accountId}`)
    const [transaction] = await ask(opened.bank, 'GET', `/v0/banking/transactions?accountId=${accountId}`)
    const content = {
      data: [
        event('account.created', { account: accountId, customer: customerId }),
        event('customer.created', { customer: customerId }),
        event('transaction.created', { transaction: transaction.id, account: accountId }),
      ],
    }
    const reply = await send(content)
    expect([reply.status, reply.json]).toEqual([200, { data: {} }])
    expect(await eventsOf(accountId)).toEqual([{ type: 'account.created', version: 1, data: account }])
    const customer = await ask(opened.bank, 'GET', `/v0/banking/customers/${customerId}`)
    expect(await eventsOf(customerId)).toEqual([{ type: 'customer.created', version: 1, data: customer }])
    const path = `/v0/banking/transactions/${transaction.id}?accountId=${accountId}`
    const whole = await ask(opened.bank, 'GET', path)
    expect(await eventsOf(transaction.id)).toEqual([{ type: 'transaction.created', version: 1, data: whole }])
  })

  test('increases the version of its record', async () => {
    const { id } = await ask(opened.bank, 'POST', '/v0/banking/accounts', { customerId })
    for (const type of ['account.created', 'account.frozen', 'account.unfrozen']) {
      expect((await send({ data: [event(type, { account: id })] })).status).toBe(200)
    }
    expect((await eventsOf(id)).map(({ type, version }) => [type, version])).toEqual([
      ['account.created', 1],
      ['account.frozen', 2],
      ['account.unfrozen', 3],
    ])
  })

  test('is mapped for cards, authorizations, payments, applications and documents', async () => {
    const card = await ask(opened.bank, 'POST', '/v0/banking/cards', {
      type: 'individualDebitCard',
      accountId,
      shippingAddress,
    })
    await opened.arrange.activate(card.id)
    const authorization = await opened.arrange.authorize(card.id, 5_00)
    const external = {
      type: 'Person',
      name: 'Grace',
      routingNumber: '021000021',
      accountNumber: '1',
      accountType: 'Loan',
    }
    const counterparty = await ask(
      opened.bank,
      'POST',
      `/v0/banking/customers/${customerId}/external-accounts`,
      external,
    )
    const payment = await ask(opened.bank, 'POST', `/v0/banking/accounts/${accountId}/payments`, {
      amount: 1_00,
      counterpartyAccountId: counterparty.id,
      description: 'Rent',
      originalType: 'ACH',
    })
    const { applicationId, documentId } = await opened.arrange.application()
    const content = {
      data: [
        event('card.activated', { card: card.id, account: accountId }),
        event('authorization.created', { authorization, account: accountId, card: card.id }),
        event('payment.sent', { payment: payment.id, account: accountId }),
        event('application.awaitingDocuments', { application: applicationId }),
        event('document.approved', { document: documentId, application: applicationId }),
      ],
    }
    expect((await send(content)).status).toBe(200)
    expect(await eventsOf(card.id)).toMatchObject([{ type: 'card.activated', data: { id: card.id, status: 'Active' } }])
    expect(await eventsOf(authorization)).toMatchObject([{ data: { amount: 5_00, status: 'Authorized' } }])
    expect(await eventsOf(payment.id)).toEqual([{ type: 'payment.sent', version: 1, data: payment }])
    expect(await eventsOf(applicationId)).toMatchObject([{ type: 'application.awaitingDocuments' }])
    const [document] = await eventsOf(documentId)
    expect(document?.data).toEqual({
      id: documentId,
      documentType: 'IdDocument',
      status: 'Required',
      description: expect.any(String),
    })
  })

  test('reaches the rewards engine if it is about a purchase', async () => {
    const card = { type: 'individualVirtualDebitCard', accountId }
    const { id: cardId } = await ask(opened.bank, 'POST', '/v0/banking/cards', card)
    const { id } = opened.fake.purchase(cardId, 7_00, { name: 'Quillbrook Coffee', location: 'Springfield, IL' })
    const before = purchases.length
    const content = { data: [event('transaction.created', { transaction: id, account: accountId })] }
    expect([(await send(content)).status, (await send(content)).status]).toEqual([200, 200])
    expect(purchases.slice(before)).toEqual([
      {
        transactionId: id,
        cardId,
        accountId,
        amount: 7_00,
        merchantName: 'Quillbrook Coffee',
        merchantLocation: 'Springfield, IL',
        merchantId: null,
        categoryCode: '5814',
        purchasedAt: expect.any(String),
      },
    ])
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('takes effect once, even if it arrives many times at once', async () => {
    const { id } = await ask(opened.bank, 'POST', '/v0/banking/accounts', { customerId })
    const content = { data: [event('account.created', { account: id })] }
    const replies = await Promise.all(Array.from({ length: 6 }, () => send(content)))
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('of an unknown type or about an account of another kind is noted and emits nothing', async () => {
    const count = () => opened.bank.database.query('select count(*) from event')
    const { id: creditId } = await ask(opened.bank, 'POST', '/v0/banking/accounts', { customerId })
    opened.fake.books.get('accounts', creditId).type = 'creditAccount'
    const before = await count()
    const data = [
      event('payment.advanced', { payment: '4711' }),
      event('transaction.updated', { transaction: '4711' }),
      event('account.closed', { account: creditId }),
      event('reward.created', { reward: '1' }),
      event('apiKey.created', { apiKey: '1' }),
      event('upstreamEvent.failed', { upstreamEvent: '1' }),
      event('constructor', {}),
      event('__proto__.created', {}),
    ]
    expect((await send({ data })).status).toBe(200)
    expect(await count()).toEqual(before)
    const noted = await opened.bank.database.query(
      `select 1 from inbound_event where upstream_id = any($1) and fault is null`,
      [data.map(({ id }) => id)],
    )
    expect(noted).toHaveLength(data.length)
  })

  test('is refused while Unit cannot be read, and accepted when it is sent again', async () => {
    const { id } = await ask(opened.bank, 'POST', '/v0/banking/accounts', { customerId })
    const content = {
      data: [event('customer.created', { customer: customerId }), event('account.created', { account: id })],
    }
    opened.fake.server.misbehave('slow', 'slow', 'slow', 'slow')
    const reply = await send(content)
    expect([reply.status, reply.json.code]).toEqual([504, 'upstream_timeout'])
    opened.fake.server.misbehave()
    expect(await eventsOf(id)).toEqual([])
    expect((await send(content)).status).toBe(200)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test.each([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['null', 'null'],
    ['without a list', '{"data":{}}'],
    ['an event without an id', JSON.stringify({ data: [{ type: 'account.created' }] })],
    ['an event with an odd id', JSON.stringify({ data: [{ type: 'account.created', id: 'a b' }] })],
    ['an event with a long id', JSON.stringify({ data: [{ type: 'account.created', id: 'x'.repeat(201) }] })],
  ])('is refused where it is %s', async (_name, raw) => {
    const { status, json } = await send(raw)
    expect([status, json.code]).toEqual([400, 'invalid_request'])
  })
})

describe('The signature of a webhook from Unit', () => {
  test('is checked on the exact bytes and required', async () => {
    const { id } = await ask(opened.bank, 'POST', '/v0/banking/accounts', { customerId })
    const raw = JSON.stringify({ data: [event('account.created', { account: id })] })
    const spaced = JSON.stringify(JSON.parse(raw), null, 1)
    const wrong = [
      signed(raw, 'another'),
      signed(raw).toLowerCase(),
      '',
      'x',
      createHmac('sha256', webhookSecret).update(raw).digest('base64'),
    ]
    for (const signature of wrong) {
      const { status, json } = await send(raw, signature)
      expect([status, json.code]).toEqual([401, 'invalid_signature'])
    }
    expect((await send(spaced, signed(raw))).status).toBe(401)
    expect(await eventsOf(id)).toEqual([])
    expect((await send(spaced, signed(spaced))).status).toBe(200)
  })

  test('has no route without a webhook secret', async () => {
    const own = await openUnitBanking()
    const reply = await own.bank.call('POST', '/v0/inbound/unit', { key: null, raw: '{"data":[]}' })
    await own.close()
    expect([reply.status, reply.json.code]).toEqual([404, 'route_not_found'])
  })
})
