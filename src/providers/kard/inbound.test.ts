import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { insertRecord, makeBankCard, makeLink, makePartnerUser } from '../../../test/support/rewards.ts'
import { kardInbound } from './inbound.ts'

const secret = 'key-of-the-notifications'
const path = '/v0/inbound/kard'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({ inbound: [kardInbound(secret)] })
})
afterAll(() => bank.close())

let made = 0
const notification = (type: string, own: object = {}, attributes: object = {}) => ({
  data: {
    type,
    id: `notification-${made++}`,
    attributes: {
      name: 'Quillbrook Coffee',
      message: 'You earned cash back',
      commissionEarned: { type: 'cents', value: 72 },
      transactionAmountInCents: 30_00,
      transactionTimestamp: '2026-01-31T12:00:00Z',
      ...attributes,
    },
    relationships: {
      user: { data: { type: 'user', id: '77001' } },
      offer: { data: { type: 'offer', id: '6409fa6d8a2a4300083d4143' } },
      transaction: { data: { type: 'transaction', id: `purchase-${made}` } },
    },
    ...own,
  },
})

const signed = (raw: string, key = secret) => createHmac('sha256', key).update(raw).digest('base64')
const send = (content: unknown, headers?: Record<string, string>) => {
  const raw = typeof content === 'string' ? content : JSON.stringify(content)
  return bank.call('POST', path, { key: null, raw, headers: headers ?? { 'notify-signature': signed(raw) } })
}

interface EventRow {
  type: string
  entityId: string
  version: number
  data: Record<string, unknown>
}
async function eventsOf(entityId: string): Promise<EventRow[]> {
  const rows = await bank.database.query<EventRow & { data: string }>(
    `select type, entity_id as "entityId", entity_version as version, data from event
     where entity_id = $1 order by sequence`,
    [entityId],
  )
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) }))
}
const idOf = (content: ReturnType<typeof notification>) => `kard_${content.data.relationships.transaction.data.id}`

describe('A notification from Kard', () => {
  test('of a reward becomes an event with the ids of our own records', async () => {
    const partnerUser = await makePartnerUser(bank, 77001)
    const link = await makeLink(bank, partnerUser.id, await makeBankCard(bank))
    const approved = notification('earnedRewardApproved')
    const bankTransactionId = approved.data.relationships.transaction.data.id
    const id = idOf(approved)
    const transaction = { partnerUserCardId: link.id, bankTransactionId }
    const rewardableTransactionId = await insertRecord(bank, 'rewardable_transaction', transaction)
    const reply = await send(approved)
    expect([reply.status, reply.json]).toEqual([200, { data: {} }])
    const data = {
      id,
      partnerUserId: partnerUser.id,
      rewardableTransactionId,
      offerId: '6409fa6d8a2a4300083d4143',
      merchantName: 'Quillbrook Coffee',
      amount: 30_00,
      userAmount: 72,
      state: 'PENDING',
      createdAt: '2026-01-31T12:00:00.000Z',
      updatedAt: null,
    }
    expect(await eventsOf(id)).toEqual([{ type: 'reward.created', entityId: id, version: 1, data }])
    const settled = notification('earnedRewardSettled', { relationships: approved.data.relationships })
    expect((await send(settled)).status).toBe(200)
    expect((await eventsOf(id))[1]).toEqual({
      type: 'reward.confirmed',
      entityId: id,
      version: 2,
      data: { ...data, state: 'CONFIRMED' },
    })
  })

  test('of an unknown user becomes an event with null ids', async () => {
    const relationships = { user: { data: { id: 'somebody' } } }
    const content = notification('earnedRewardSettled', { relationships }, { transactionId: 'elsewhere-1' })
    expect((await send(content)).status).toBe(200)
    const [event] = await eventsOf('kard_elsewhere-1')
    expect(event?.data).toMatchObject({ partnerUserId: null, rewardableTransactionId: null, offerId: null })
  })

  test('without an id is identified by its transaction and status', async () => {
    const legacy = (status: string) => ({
      user: { referringPartnerUserId: '77001' },
      card: { bin: '123456', last4: '4321', network: 'VISA' },
      reward: {
        merchantId: '6409f118705b8a000834f23d',
        name: 'Quillbrook Coffee',
        commissionToIssuer: 112,
        commissionSplit: { issuersCommissionInCents: 40, usersCommissionInCents: 72 },
        status: 'APPROVED',
        type: 'CARDLINKED',
      },
      transaction: {
        issuerTransactionId: 'legacy-1',
        status,
        transactionAmountInCents: 10_00,
        transactionTimeStamp: '2026-01-31T12:00:00.000+00:00',
      },
    })
    for (const status of ['APPROVED', 'SETTLED', 'SETTLED', 'APPROVED']) {
      expect((await send(legacy(status))).status).toBe(200)
    }
    const events = await eventsOf('kard_legacy-1')
    expect(events.map(({ type }) => type)).toEqual(['reward.created', 'reward.confirmed'])
    expect(events[1]?.data).toMatchObject({
      amount: 10_00,
      userAmount: 72,
      merchantName: 'Quillbrook Coffee',
      createdAt: '2026-01-31T12:00:00.000Z',
    })
    expect(JSON.stringify(events)).not.toContain('4321')
  })

  test('takes effect once, even if it arrives many times at once', async () => {
    const content = notification('earnedRewardApproved')
    const replies = await Promise.all(Array.from({ length: 6 }, () => send(content)))
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(await eventsOf(idOf(content))).toHaveLength(1)
  })

  test.each([
    ['of a kind that we have no word for', notification('auditUpdate')],
    ['of points', notification('earnedRewardApproved', {}, { commissionEarned: { type: 'points', value: 5 } })],
    ['of nobody', notification('earnedRewardApproved', { relationships: {} })],
  ])('%s is noted and emits nothing', async (_name, content) => {
    const count = () => bank.database.query('select count(*) from event')
    const before = await count()
    expect((await send(content)).status).toBe(200)
    expect(await count()).toEqual(before)
    const rows = await bank.database.query('select 1 from inbound_event where provider = $1 and upstream_id = $2', [
      'kard',
      content.data.id,
    ])
    expect(rows).toHaveLength(1)
  })

  test.each([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['without an id', JSON.stringify({ data: { type: 'earnedRewardApproved' } })],
    ['with an id of control characters', JSON.stringify({ data: { id: 'a\u0000b', type: 'earnedRewardApproved' } })],
    ['with an id that is too long', JSON.stringify({ data: { id: 'x'.repeat(201), type: 'earnedRewardApproved' } })],
  ])('that is %s is refused', async (_name, raw) => {
    const { status, json } = await send(raw)
    expect([status, json.code]).toEqual([400, 'invalid_request'])
  })
})

describe('The signature of a notification from Kard', () => {
  const raw = JSON.stringify(notification('earnedRewardApproved'))

  test.each([
    ['that is missing', {}],
    ['that is empty', { 'notify-signature': '' }],
    ['by another key', { 'notify-signature': signed(raw, 'another-key') }],
    ['of another body', { 'notify-signature': signed(`${raw} `) }],
    ['that is cut off', { 'notify-signature': signed(raw).slice(0, -1) }],
    ['that goes on', { 'notify-signature': `${signed(raw)}=` }],
    ['in hexadecimal', { 'notify-signature': createHmac('sha256', secret).update(raw).digest('hex') }],
    ['that is an API key', { 'x-service-api-key': 'key-of-first-0' }],
  ])('%s is refused, and nothing is taken in', async (_name, headers) => {
    const { status, json } = await send(raw, headers as Record<string, string>)
    expect([status, json.code]).toEqual([401, 'invalid_signature'])
    expect(await eventsOf(idOf(JSON.parse(raw)))).toEqual([])
  })

  test('is checked on the bytes as sent, whatever their content type', async () => {
    const spaced = JSON.stringify(notification('earnedRewardApproved'), null, 3)
    const headers = { 'notify-signature': signed(spaced), 'content-type': 'text/plain' }
    expect((await send(spaced, headers)).status).toBe(200)
  })
})

describe('The route of notifications from Kard', () => {
  test('refuses other methods', async () => {
    const { status, headers } = await bank.call('GET', path, { key: null })
    expect([status, headers.allow]).toEqual([405, 'POST'])
  })

  test('does not exist without a webhook secret or without a connector', async () => {
    expect((await bank.call('POST', '/v0/inbound/unit', { key: null, raw: '{}' })).status).toBe(404)
    const builtin = await openTestBank()
    const reply = await builtin.call('POST', path, { key: null, raw: '{}' })
    expect([reply.status, reply.json.code]).toEqual([404, 'route_not_found'])
    await builtin.close()
  })

  test('refuses bodies over 1 MiB', async () => {
    const { status, json } = await send(`"${'x'.repeat(1024 * 1024)}"`)
    expect([status, json.code]).toEqual([413, 'payload_too_large'])
  })
})
