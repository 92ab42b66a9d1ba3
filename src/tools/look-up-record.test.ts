import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUnitBanking } from '../../test/support/banking-providers.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeWorld, type World } from '../../test/support/world.ts'
import type { RelatedRecord } from './looked-up.ts'
import { type RecordType, recordTypeNames, recordTypes } from './record-types.ts'

let bank: TestBank
let world: World

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  world = await makeWorld(bank)
})
afterAll(() => bank.close())

const ask = (type: string, id: string, key = bank.key) => bank.call('GET', `/v0/lookup/${type}/${id}`, { key })
async function lookUp(type: string, id: string, key = bank.key) {
  const { status, json, text } = await ask(type, id, key)
  expect(status, `${type} ${id}: ${text}`).toBe(200)
  return json.data
}
const linksOf = async (type: string, id: string): Promise<RelatedRecord[]> => (await lookUp(type, id)).related
const named = ({ relation, type, id }: RelatedRecord) => `${relation}: ${type} ${id}`

describe('look up record', () => {
  test('shows a payment with its label, its neighbours and the operations on it', async () => {
    const { related, ...shown } = await lookUp('payment', world.payment)
    const record = (await bank.call('GET', `/v0/banking/payments/${world.payment}`)).json.data
    expect(shown).toEqual({
      type: 'payment',
      id: world.payment,
      label: 'Rent, $20.00 to Grace Sample',
      record,
      actions: [
        { operation: 'cancelPayment', allowed: false, problem: 'payment_not_cancelable' },
        { operation: 'retryPayment', allowed: false, problem: 'payment_not_retryable' },
        { operation: 'reversePayment', allowed: true, problem: null },
        { operation: 'approvePayment', allowed: false, problem: 'forbidden' },
        { operation: 'rejectPayment', allowed: false, problem: 'forbidden' },
        { operation: 'stopPayment', allowed: false, problem: 'forbidden' },
        { operation: 'returnPayment', allowed: true, problem: null },
      ],
    })
    const { json } = await bank.call('GET', `/v0/ledger/transfers?sourceId=${world.payment}`)
    const [event] = (await bank.call('GET', '/v0/events?type=payment.created')).json.data
    expect(related.map(named)).toEqual([
      `account: account ${world.account}`,
      `customer: customer ${world.customer}`,
      `externalAccount: externalAccount ${world.externalAccount}`,
      `transaction: transaction ${json.data[0].debit.transactionId}`,
      `event: event ${event.id}`,
    ])
  })

  test('has a label for every type', async () => {
    const labels: Partial<Record<RecordType, string | RegExp>> = {
      account: /^Ada Example, account ending in \d{4}$/,
      achBatch: 'Returns, $1.00',
      achFile: 'sample.ach',
      application: 'Application of Ada Example',
      authorization: 'Sample Coffee, $5.00',
      campaign: 'Spring',
      campaignOffer: '5% cash back',
      card: /^Debit card ending in \d{4}$/,
      customer: 'Ada Example',
      document: 'Passport',
      externalAccount: 'Grace Sample, external account ending in 3210',
      offerActivation: /^Activation of offer \d{7}$/,
      receivedPayment: 'DUES, $1.00 to SAMPLE GYM',
      reward: 'Reward of $0.50 at Sample Coffee',
      statement: 'Statement of 2026-01',
      transaction: 'Sample Payroll, ACH credit, $1,000,000.00',
      webhookEndpoint: 'https://example.com/webhooks',
    }
    for (const type of recordTypeNames.filter((name) => name in world)) {
      const { label } = await lookUp(type, world[type as keyof World])
      expect(label, type).not.toBe('')
      const expected = labels[type]
      if (expected)
        expect(label, type).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
    }
  })

  test('leads to every related record, and back', async () => {
    const seen = new Map<string, string[]>()
    const waiting = recordTypeNames.filter((name) => name in world).map((type) => [type, world[type as keyof World]])
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [type = '', id = ''] = next
      if (seen.has(`${type} ${id}`) || type === 'request') continue
      // The reward of the world was stored without a purchase, and its payment does not exist.
      const answer = await ask(type, id)
      if (answer.status === 404) continue
      const links: RelatedRecord[] = answer.json.data.related
      seen.set(
        `${type} ${id}`,
        links.map((link) => `${link.type} ${link.id}`),
      )
      waiting.push(...links.filter((link) => link.type !== 'event').map((link) => [link.type, link.id]))
    }
    expect(seen.size).toBeGreaterThan(20)
    const oneWay = [...seen].flatMap(([from, links]) =>
      links.filter((to) => seen.has(to) && !seen.get(to)?.includes(from)).map((to) => `${from} leads to ${to}`),
    )
    expect(oneWay).toEqual([])
  })

  test('names at most ten records of a relation, the newest ones', async () => {
    const ids: string[] = []
    for (let count = 0; count < 12; count++) {
      const body = {
        amount: 1,
        counterpartyAccountId: world.externalAccount,
        description: 'Small',
        originalType: 'ACH',
      }
      const { json } = await bank.call('POST', `/v0/banking/accounts/${world.account}/payments`, { body })
      ids.unshift(json.data.id)
    }
    const links = await linksOf('account', world.account)
    expect(links.filter(({ type }) => type === 'payment').map(({ id }) => id)).toEqual(ids.slice(0, 10))
    expect(links.filter(({ type }) => type === 'transaction')).toHaveLength(10)
  })

  test('needs the scope that reads the type, and names only types that the key may read', async () => {
    for (const type of recordTypeNames) {
      const { scope } = recordTypes[type]
      const without = await bank.makeKey('first', [scope === 'banking:read' ? 'rewards:read' : 'banking:read'])
      const refused = await ask(type, world[type as keyof World] ?? '1', without)
      expect([refused.status, refused.json.code], type).toEqual([403, 'forbidden'])
      expect(refused.json.detail).toContain(scope)
      const only = await bank.makeKey('first', [scope])
      const { status, json } = await ask(type, world[type as keyof World] ?? '1', only)
      expect(status, type).toBe(200)
      for (const link of json.data.related) expect(recordTypes[link.type as RecordType].scope, type).toBe(scope)
    }
  })

  test('calls operations forbidden whose scope the key lacks', async () => {
    const reader = await bank.makeKey('first', ['banking:read'])
    const { actions } = await lookUp('account', world.account, reader)
    expect(actions).toContainEqual({ operation: 'createPayment', allowed: false, problem: 'forbidden' })
  })

  test('refuses an unknown type, and ids of other types and organisations', async () => {
    expect((await ask('moon', world.account)).status).toBe(400)
    for (const type of recordTypeNames) {
      const id = world[type as keyof World]
      if (id) expect((await ask(type, id, bank.otherKey)).json.code, type).toBe('record_not_found')
      if (type !== 'account') expect((await ask(type, world.account)).json.code, type).toBe('record_not_found')
      expect((await ask(type, '9007199254740993')).json.code, type).toBe('record_not_found')
    }
  })

  test('does not know a deleted external account or the outer side of a transfer', async () => {
    const { json } = await bank.call('GET', `/v0/ledger/transfers?sourceId=${world.payment}`)
    expect((await ask('transaction', String(Number(json.data[0].id) + 1))).status).toBe(404)
    const other = await makeWorld(bank)
    await bank.call('DELETE', `/v0/banking/external-accounts/${other.externalAccount}`)
    expect((await ask('externalAccount', other.externalAccount)).status).toBe(404)
    const links = await linksOf('payment', other.payment)
    expect(links.map(({ type }) => type)).not.toContain('externalAccount')
  })

  test('lists no simulation in live mode, and serves no request', async () => {
    const live = await openTestBank({ mode: 'live' })
    const { json } = await live.call('GET', '/v0/me')
    const key = await live.call('GET', `/v0/lookup/apiKey/${json.data.key.id}`)
    expect(key.json.data).toMatchObject({ label: json.data.key.name })
    const request = await live.call('GET', '/v0/lookup/request/req_1')
    expect([request.status, request.json.code]).toEqual([501, 'not_supported_by_provider'])
    await live.close()
  })

  test('shows the records that a connector reads by their id, and leaves their actions to the provider', async () => {
    const unit = await openUnitBanking()
    const customerId = await unit.arrange.customer()
    const { json } = await unit.bank.call('POST', '/v0/banking/accounts', { body: { customerId } })
    const account = await unit.bank.call('GET', `/v0/lookup/account/${json.data.id}`)
    expect(account.json.data).toMatchObject({
      record: json.data,
      related: [{ relation: 'customer', type: 'customer', id: customerId }],
    })
    expect(account.json.data.actions).toContainEqual({ operation: 'reopenAccount', allowed: null, problem: null })
    for (const type of ['transaction', 'externalAccount', 'document', 'statement']) {
      const { status, json: refused } = await unit.bank.call('GET', `/v0/lookup/${type}/1000042`)
      expect([status, refused.code], type).toEqual([501, 'not_supported_by_provider'])
    }
    const candidates = await unit.bank.call('GET', `/v0/lookup?id=${json.data.id}`)
    expect(candidates.json.data.map(({ type }: { type: string }) => type)).toContain('account')
    await unit.close()
  })
})
