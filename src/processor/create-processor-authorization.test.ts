import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ask,
  charge as chargeAt,
  refusalOf as codeOf,
  makeFunded,
  makeVirtualCard,
  moneyOf,
  moveCard,
  sendMessage,
} from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { newMessageId } from '../../test/support/world.ts'
import { verifyLedger } from '../ledger/verify.ts'

let bank: TestBank
let account: string
let card: string

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(async () => {
  expect(await verifyLedger(bank.database)).toEqual([])
  await bank.close()
})

async function open(amount: number): Promise<void> {
  account = await makeFunded(bank, amount)
  card = (await makeVirtualCard(bank, account)).id
}

const merchant = { name: 'Sample Hotel' }
const charge = (amount: number, content = {}) => chargeAt(bank, card, amount, content)
const send = (path: string, content: Record<string, unknown>, options = {}) => sendMessage(bank, path, content, options)
const on = (id: string, move: string, content = {}) => send(`authorizations/${id}/${move}`, content)

describe('the scope of a card processor', () => {
  test('is not implied by a key without restriction, nor by every other scope', async () => {
    await open(10_00)
    const full = await bank.makeKey('first', null)
    const others = await bank.makeKey('first', ['banking:write', 'sandbox:write', 'keys:write'])
    for (const key of [full, others]) {
      const reply = await send(`cards/${card}/authorizations`, { amount: 1_00, merchant }, { key })
      expect(codeOf(reply)).toEqual([403, 'forbidden'])
      expect(reply.json.detail).toContain('processor:write')
    }
    const { json } = await bank.call('GET', '/v0/me', { key: full })
    expect(json.data.operations).not.toContain('createProcessorAuthorization')
  })

  test('is named by a key without restriction, and by none that lacks it', async () => {
    const body = { name: 'Processor', scopes: ['processor:write'] }
    const issued = await ask(bank, 'POST', '/v0/api-keys', body)
    const asked = { amount: 1_00, merchant, processorId: newMessageId() }
    const path = `/v0/processor/cards/${card}/authorizations`
    expect((await bank.call('POST', path, { key: issued.key, body: asked })).status).toBe(201)
    const restricted = await bank.makeKey('first', ['keys:write'])
    expect(codeOf(await bank.call('POST', '/v0/api-keys', { key: restricted, body }))).toEqual([403, 'forbidden'])
    // It opens nothing else.
    expect((await bank.call('GET', `/v0/banking/accounts/${account}`, { key: issued.key })).status).toBe(403)
  })
})

describe('authorize purchase', () => {
  test('holds the amount, or declines for the reasons of the sandbox', async () => {
    await open(10_00)
    const held = await charge(5_00, {
      merchant: { name: 'Sample Hotel', category: 'Lodging', location: 'Springfield, IL' },
    })
    expect([held.status, held.json.data]).toEqual([
      201,
      {
        id: expect.any(String),
        status: 'Authorized',
        amount: 5_00,
        description: 'Sample Hotel',
        createdAt: expect.any(String),
        cardLast4Digits: expect.stringMatching(/^\d{4}$/),
        merchant: { name: 'Sample Hotel', category: 'Lodging', location: 'Springfield, IL' },
      },
    ])
    expect(await moneyOf(bank, account)).toEqual({ balance: 10_00, hold: 5_00, available: 5_00 })
    const short = await charge(5_01)
    expect([short.status, short.json.data.status, short.json.data.reason]).toEqual([
      201,
      'Declined',
      'InsufficientFunds',
    ])
    expect((await charge(5_00)).json.data.status).toBe('Authorized')
    await moveCard(bank, card, 'freeze')
    expect((await charge(1)).json.data.reason).toBe('CardNotActive')
    await moveCard(bank, card, 'unfreeze')
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/freeze`)
    expect((await charge(1)).json.data.reason).toBe('AccountNotOpen')
  })
})

describe('a message that is sent again', () => {
  const conflict = [409, 'processor_id_reused']

  test('is answered as before, with other content it is refused, and the header counts beside it', async () => {
    await open(100_00)
    const processorId = newMessageId()
    const first = await charge(10_00, { processorId })
    const again = await charge(10_00, { processorId })
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true'])
    expect(codeOf(await charge(10_01, { processorId }))).toEqual(conflict)
    expect(codeOf(await charge(10_00, { processorId, merchant: { name: 'Other' } }))).toEqual(conflict)
    expect(codeOf(await on(first.json.data.id, 'reverse', { processorId }))).toEqual(conflict)
    expect((await moneyOf(bank, account)).hold).toBe(10_00)

    const keyed = (key: string, body: Record<string, unknown>) =>
      send(
        `cards/${card}/authorizations`,
        { amount: 10_00, merchant, ...body },
        { headers: { 'idempotency-key': key } },
      )
    // A key that arrives with a message from before belongs to it afterwards.
    expect((await keyed('header-1', { processorId })).text).toBe(first.text)
    expect(codeOf(await keyed('header-1', {}))).toEqual([422, 'idempotency_key_reused'])
    expect(codeOf(await keyed('header-2', { processorId, amount: 1 }))).toEqual(conflict)
    const own = newMessageId()
    const second = await keyed('header-2', { processorId: own })
    expect(second.json.data.id).not.toBe(first.json.data.id)
    for (const reply of [await keyed('header-2', { processorId: own }), await charge(10_00, { processorId: own })]) {
      expect([reply.text, reply.headers['idempotent-replayed']]).toEqual([second.text, 'true'])
    }
    expect(codeOf(await keyed('header-2', {}))).toEqual([422, 'idempotency_key_reused'])
    expect((await moneyOf(bank, account)).hold).toBe(20_00)
  })

  test('is refused with another value of any member', async () => {
    await open(100_00)
    const { id } = (await charge(50_00)).json.data
    const full = { name: 'Sample Hotel', category: 'Lodging', location: 'Springfield, IL' }
    const merchants = [merchant, { ...full, category: 'Retail' }, { ...full, location: 'Shelbyville, IL' }]
    const other = (await makeVirtualCard(bank, account)).id
    const messages: [path: string, content: object, others: object[]][] = [
      ['increment', { amount: 1_00 }, [{ amount: 2_00 }]],
      ['advice', { amount: 60_00 }, [{ amount: 61_00 }]],
      ['settle', { amount: 9_00, final: false }, [{ amount: 8_00, final: false }, { amount: 9_00 }, { final: false }]],
      ['settle', { amount: 9_00, final: true }, [{ amount: 9_00, final: false }, { amount: 9_00 }, {}]],
      ['refund', { amount: 1_00 }, [{ amount: 2_00 }, {}]],
    ]
    const paths = messages.map(([move, ...rest]) => [`authorizations/${id}/${move}`, ...rest] as const)
    const purchase = { amount: 1_00, merchant: full }
    const changed = merchants.map((one) => ({ ...purchase, merchant: one }))
    for (const [path, content, others] of [[`cards/${card}/authorizations`, purchase, changed] as const, ...paths]) {
      const processorId = newMessageId()
      const first = await send(path, { ...content, processorId })
      expect(first.status, `${path}: ${first.text}`).toBeLessThan(300)
      for (const one of others) {
        const reply = await send(path, { ...one, processorId })
        expect(codeOf(reply), `${path} ${JSON.stringify(one)}`).toEqual(conflict)
      }
      const elsewhere = await send(`cards/${other}/authorizations`, { ...purchase, processorId })
      expect(codeOf(elsewhere), path).toEqual(conflict)
    }
  })

  test('keeps its decision: a decline stays one, a refusal may become a success', async () => {
    await open(5_00)
    const processorId = newMessageId()
    const declined = await charge(6_00, { processorId })
    await ask(bank, 'POST', `/v0/sandbox/accounts/${account}/receive-ach`, { amount: 10_00, companyName: 'Payroll' })
    expect((await charge(6_00, { processorId })).text).toBe(declined.text)
    const { id } = (await charge(6_00)).json.data
    const early = newMessageId()
    expect(codeOf(await on(id, 'refund', { processorId: early }))).toEqual([409, 'authorization_not_settled'])
    await on(id, 'settle', { processorId: 'settle of the refund test' })
    expect((await on(id, 'settle', { processorId: 'settle of the refund test' })).status).toBe(201)
    expect((await on(id, 'refund', { processorId: early })).status).toBe(201)
    expect((await on(id, 'refund', { processorId: early })).headers['idempotent-replayed']).toBe('true')
    expect((await moneyOf(bank, account)).balance).toBe(15_00)
  })

  test('has one effect when it is sent many times at once', async () => {
    await open(100_00)
    const processorId = newMessageId()
    const headers = { 'idempotency-key': newMessageId() }
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        send(`cards/${card}/authorizations`, { amount: 1_00, merchant, processorId }, place % 2 ? { headers } : {}),
      ),
    )
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect((await moneyOf(bank, account)).hold).toBe(1_00)
    const different = await Promise.all(
      Array.from({ length: 10 }, (_, place) => charge(1_00 + place, { processorId: 'one id' })),
    )
    expect(different.filter(({ status }) => status === 201).length).toBe(1)
    expect(different.filter(({ json }) => json.code === 'processor_id_reused').length).toBe(9)
  })

  test('has an id that counts in its organisation alone, and an answer that retention spares', async () => {
    const processorId = newMessageId()
    await open(10_00)
    const first = await charge(1_00, { processorId })
    const theirs = (await makeVirtualCard(bank, await makeFunded(bank, 10_00, bank.otherKey), bank.otherKey)).id
    const body = { amount: 2_00, merchant, processorId }
    const reply = await bank.call('POST', `/v0/processor/cards/${theirs}/authorizations`, { key: bank.otherKey, body })
    expect(reply.status).toBe(201)
    for (const path of [`cards/${theirs}/authorizations`, 'cards/1/authorizations', 'cards/x/authorizations']) {
      expect(codeOf(await send(path, { amount: 1, merchant }))).toEqual([404, 'card_not_found'])
    }
    const foreign = { key: bank.otherKey, body: { processorId: newMessageId() } }
    const path = `/v0/processor/authorizations/${first.json.data.id}/reverse`
    expect(codeOf(await bank.call('POST', path, foreign))).toEqual([404, 'authorization_not_found'])
    const rows = await bank.database.query(`select from answer where length(key_hash) = 33`)
    expect(rows.length).toBeGreaterThan(0)
  })

  test('has an id of 1 to 255 characters', async () => {
    await open(10_00)
    expect((await charge(1, { processorId: 'é'.repeat(255) })).status).toBe(201)
    for (const processorId of ['', 'x'.repeat(256), 7, null, undefined]) {
      expect(codeOf(await charge(1, { processorId }))).toEqual([400, 'invalid_request'])
    }
  })
})
