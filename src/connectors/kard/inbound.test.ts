import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type KardNotification,
  kardNotification,
  legacyNotification,
  notificationTypes,
} from '../../../test/support/fakes/kard-notifications.ts'
import { misfitOfNotification } from '../../../test/support/fakes/kard-shapes.ts'
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

const signed = (raw: string, key = secret) => createHmac('sha256', key).update(raw).digest('base64')
const sendRaw = (raw: string, headers: Record<string, string> = { 'notify-signature': signed(raw) }) =>
  bank.call('POST', path, { key: null, raw, headers })
const send = (content: unknown) => sendRaw(JSON.stringify(content))

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

const countEvents = async () =>
  (await bank.database.query<{ count: number }>('select count(*)::int from event'))[0]?.count
const stored = (upstreamId: string) =>
  bank.database.query<{ type: string; fault: string | null }>(
    `select type, fault from inbound_event where provider = 'kard' and upstream_id = $1`,
    [upstreamId],
  )
const idOf = ({ data: { id, type } }: KardNotification) => `${id} ${type}`
const rewardIdOf = ({ data }: KardNotification) =>
  `kard_${(data.relationships as { transaction: { data: { id: string } } }).transaction.data.id}`

/** The reward of a notification whose user and purchase are not known here, and which contains no other values. */
const unknownReward = {
  partnerUserId: null,
  rewardableTransactionId: null,
  offerId: '6409fa6d8a2a4300083d4143',
  merchantName: 'Quillbrook Coffee',
  amount: null,
  userAmount: null,
  createdAt: null,
  updatedAt: expect.stringMatching(/Z$/),
}
const rewards: Record<string, [type: string, data: object, withTime: object]> = {
  earnedRewardApproved: [
    'reward.created',
    { ...unknownReward, amount: 30_00, state: 'PENDING', createdAt: expect.stringMatching(/Z$/), updatedAt: null },
    { createdAt: '2026-01-31T12:00:00.000Z' },
  ],
  earnedRewardSettled: [
    'reward.confirmed',
    { ...unknownReward, amount: 30_00, userAmount: 72, state: 'CONFIRMED' },
    { createdAt: '2026-01-31T12:00:00.000Z' },
  ],
  earnedRewardRejected: [
    'reward.rejected',
    { ...unknownReward, offerId: null, merchantName: '', amount: 30_00, state: 'REJECTED' },
    { createdAt: '2026-01-31T12:00:00.000Z' },
  ],
  clawback: ['reward.clawedBack', { ...unknownReward, state: 'CLAWED_BACK' }, {}],
}

describe.each([
  ['with the members that Kard always sends', false],
  ['with all members', true],
])('A notification from Kard %s', (_name, full) => {
  test.each(Object.entries(rewards))('of the type %s becomes an event', async (type, [ourType, data, withTime]) => {
    const content = kardNotification(type, { full })
    expect(misfitOfNotification(content)).toBeUndefined()
    const reply = await send(content)
    expect([reply.status, reply.json]).toEqual([200, { data: {} }])
    const id = rewardIdOf(content)
    expect(await eventsOf(id)).toEqual([
      { type: ourType, entityId: id, version: 1, data: { id, ...data, ...(full && withTime) } },
    ])
  })

  test.each(notificationTypes.filter((type) => !Object.hasOwn(rewards, type)))(
    'of the type %s is stored and emits nothing',
    async (type) => {
      const content = kardNotification(type, { full })
      expect(misfitOfNotification(content)).toBeUndefined()
      const before = await countEvents()
      expect((await send(content)).status).toBe(200)
      expect([await countEvents(), await stored(idOf(content))]).toEqual([before, [{ type, fault: null }]])
    },
  )
})

describe('Notifications from Kard about one reward', () => {
  test('become events with the ids of our own records and growing versions', async () => {
    const partnerUser = await makePartnerUser(bank, 77001)
    const link = await makeLink(bank, partnerUser.id, await makeBankCard(bank))
    const transaction = { partnerUserCardId: link.id, bankTransactionId: 'purchase-here' }
    const rewardableTransactionId = await insertRecord(bank, 'rewardable_transaction', transaction)
    const own = { transactionId: 'purchase-here' }
    for (const type of ['earnedRewardApproved', 'earnedRewardSettled', 'clawback']) {
      const content = kardNotification(type, { transaction: 'purchase-at-kard', ...(type !== 'clawback' && { own }) })
      expect((await send(content)).status).toBe(200)
    }
    const events = await eventsOf('kard_purchase-at-kard')
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['reward.created', 1],
      ['reward.confirmed', 2],
      ['reward.clawedBack', 3],
    ])
    expect(events[1]?.data).toMatchObject({ partnerUserId: partnerUser.id, rewardableTransactionId, userAmount: 72 })
    await bank.database.query('update partner_user set user_id = 77002 where id = $1', [partnerUser.id])
  })

  test('may begin with the settlement, which is the first version then', async () => {
    const content = kardNotification('earnedRewardSettled')
    await send(content)
    expect((await eventsOf(rewardIdOf(content))).map(({ version }) => version)).toEqual([1])
  })

  test('may have the same id, and are distinguished by their types', async () => {
    const same = { id: 'd80a6f28-1b24-4d65-9e42-e1cf3379bc98', transaction: 'purchase-of-two' }
    for (const type of ['earnedRewardApproved', 'earnedRewardSettled', 'earnedRewardApproved']) {
      expect((await send(kardNotification(type, same))).status).toBe(200)
    }
    const events = await eventsOf('kard_purchase-of-two')
    expect(events.map(({ type }) => type)).toEqual(['reward.created', 'reward.confirmed'])
  })

  test('take effect once, even if they arrive many times at once', async () => {
    const content = kardNotification('earnedRewardApproved')
    const replies = await Promise.all(Array.from({ length: 6 }, () => send(content)))
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(await eventsOf(rewardIdOf(content))).toHaveLength(1)
  })

  test('that version 0.1.0 stored by their id alone take no second effect, and those of another type do', async () => {
    const same = { id: 'stored-before', transaction: 'purchase-before' }
    await bank.database.query(
      `insert into inbound_event (provider, organisation_id, upstream_id, type, received_at)
       select 'kard', min(id), 'stored-before', 'earnedRewardApproved', now() from organisation`,
    )
    expect((await send(kardNotification('earnedRewardApproved', same))).status).toBe(200)
    expect((await send(kardNotification('earnedRewardSettled', same))).status).toBe(200)
    expect((await eventsOf('kard_purchase-before')).map(({ type }) => type)).toEqual(['reward.confirmed'])
  })
})

describe('A notification from Kard of the legacy form', () => {
  test('is identified by its transaction and status', async () => {
    for (const status of ['APPROVED', 'SETTLED', 'SETTLED', 'APPROVED']) {
      const content = legacyNotification(status, 'legacy-1')
      expect(misfitOfNotification(content)).toBeUndefined()
      expect((await send(content)).status).toBe(200)
    }
    const events = await eventsOf('kard_legacy-1')
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['reward.created', 1],
      ['reward.confirmed', 2],
    ])
    expect(events[1]?.data).toMatchObject({
      amount: 10_00,
      userAmount: 72,
      merchantName: 'Quillbrook Coffee',
      createdAt: '2026-01-31T12:00:00.000Z',
    })
    expect(JSON.stringify(events)).not.toContain('4321')
  })

  test('with a status that we have no event for is stored and emits nothing', async () => {
    const before = await countEvents()
    expect((await send(legacyNotification('RETURNED', 'legacy-2'))).status).toBe(200)
    expect([await countEvents(), await stored('legacy-2 RETURNED')]).toEqual([
      before,
      [{ type: 'RETURNED', fault: null }],
    ])
  })
})

describe('A notification from Kard with unusual values', () => {
  test.each([
    ['with members that are null', { name: null, transactionTimestamp: null, transactionAmountInCents: null }],
    ['with members that Kard adds later', { commissionEarned: { issuer: {}, user: {} }, boost: [1] }],
    ['with a time that cannot be read', { transactionTimestamp: 'yesterday' }],
    ['with control characters and half a character in its name', { name: 'a\u0000b\ud800' }],
    ['with a very long name', { name: 'x'.repeat(100_000) }],
  ])('%s becomes an event', async (_name, own) => {
    const content = kardNotification('earnedRewardApproved', { own })
    expect((await send(content)).status).toBe(200)
    const [event] = await eventsOf(rewardIdOf(content))
    expect(event?.data).toMatchObject({ state: 'PENDING', userAmount: null })
    expect(JSON.stringify(event).length).toBeLessThan(1_000)
  })

  test('with an id and a type of 200 characters each is stored', async () => {
    const content = { data: { id: 'x'.repeat(200), type: 'y'.repeat(200) } }
    expect((await send(content)).status).toBe(200)
  })
})

const settledWith = (own: object) => kardNotification('earnedRewardSettled', { own })
const approvedWith = (relationships: unknown) => {
  const { data } = kardNotification('earnedRewardApproved')
  return { data: { ...data, relationships } }
}
const user = { data: { type: 'user', id: '77001' } }

test.each<[string, unknown]>([
  ['null', null],
  ['a list', []],
  ['a text', 'hello'],
  ['without an id', { data: { type: 'earnedRewardApproved' } }],
  ['with an id of control characters', { data: { id: 'a\u0000b', type: 'earnedRewardApproved' } }],
  ['with an id that is too long', { data: { id: 'x'.repeat(201), type: 'earnedRewardApproved' } }],
  ['without attributes', { data: { id: 'bare', type: 'earnedRewardApproved' } }],
  ['of nobody', approvedWith({})],
  ['without relationships', approvedWith(null)],
  ['without a purchase', { data: { ...approvedWith({ user }).data, attributes: {} } }],
  ['of a settlement in points', settledWith({ commissionEarned: { type: 'points', value: 5 } })],
  ['of a settlement without an amount', settledWith({ commissionEarned: null })],
  ['of a settlement with a fraction of a cent', settledWith({ commissionEarned: { type: 'cents', value: 0.5 } })],
  ['of a settlement beyond all amounts', settledWith({ commissionEarned: { type: 'cents', value: 1e300 } })],
  ['of the legacy form without a user', { ...legacyNotification('SETTLED', 'legacy-3'), user: null }],
  ['of the legacy form without a commission', { ...legacyNotification('SETTLED', 'legacy-4'), reward: {} }],
])('A notification from Kard that is %s is acknowledged, and its fault is reported once', async (_name, content) => {
  const failures = async () =>
    bank.database.query<{ data: string }>(
      `select data from event where type = 'upstreamEvent.failed' order by sequence`,
    )
  const before = (await failures()).length
  for (const _time of [1, 2]) expect((await send(content)).status).toBe(200)
  const events = (await failures()).map(({ data }) => JSON.parse(data))
  expect(events).toHaveLength(before + 1)
  expect(events.at(-1)).toMatchObject({ provider: 'kard', fault: { code: 'invalid_request' } })
})

test.each([
  ['no JSON', 'hello'],
  ['nothing', ''],
])('A notification from Kard that is %s is refused, so that Kard sends it again', async (_name, raw) => {
  const { status, json } = await sendRaw(raw)
  expect([status, json.code]).toEqual([400, 'invalid_request'])
})

describe('The signature of a notification from Kard', () => {
  const raw = JSON.stringify(kardNotification('earnedRewardApproved'))

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
    const { status, json } = await sendRaw(raw, headers as Record<string, string>)
    expect([status, json.code]).toEqual([401, 'invalid_signature'])
    expect(await eventsOf(rewardIdOf(JSON.parse(raw)))).toEqual([])
  })

  test('is checked on the bytes as sent, whatever their content type', async () => {
    const spaced = JSON.stringify(kardNotification('earnedRewardApproved'), null, 3)
    const headers = { 'notify-signature': signed(spaced), 'content-type': 'text/plain' }
    expect((await sendRaw(spaced, headers)).status).toBe(200)
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
    const { status, json } = await sendRaw(`"${'x'.repeat(1024 * 1024)}"`)
    expect([status, json.code]).toEqual([413, 'payload_too_large'])
  })
})
