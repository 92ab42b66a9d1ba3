import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUnitBanking } from '../../test/support/banking-providers.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { signIn } from '../../test/support/people/sign-in.ts'
import { applicant, makeAccount, makeCustomer, makeWorld, type World } from '../../test/support/world.ts'
import { recordTypeNames } from './record-types.ts'
import type { SearchResult } from './search.ts'

let bank: TestBank
let world: World
let accountNumber: string

beforeAll(async () => {
  bank = await openTestBank({ own: true }) // so that ids begin at 10000
  world = await makeWorld(bank)
  accountNumber = (await bank.call('GET', `/v0/banking/accounts/${world.account}`)).json.data.accountNumber
})
afterAll(() => bank.close())

async function found(q: string, key = bank.key): Promise<SearchResult[]> {
  const { status, json, text } = await bank.call('GET', `/v0/search?q=${encodeURIComponent(q)}`, { key })
  expect(status, text).toBe(200)
  return json.data
}
const namesOf = (results: SearchResult[]) => results.map(({ type, id }) => `${type} ${id}`)

async function pay(description: string, headers: Record<string, string> = {}): Promise<string> {
  const body = { amount: 12_34, counterpartyAccountId: world.externalAccount, description, originalType: 'ACH' }
  const { json } = await bank.call('POST', `/v0/banking/accounts/${world.account}/payments`, { body, headers })
  return json.data.id
}

describe('search', () => {
  test('finds the record of every type by its id, labelled as the look-up labels it, before all others', async () => {
    for (const type of recordTypeNames) {
      const id = world[type as keyof World]
      if (id === undefined) continue
      const { json } = await bank.call('GET', `/v0/lookup?id=${id}`)
      const known = json.data.map(({ type, id, label }: SearchResult) => ({ type, id, label }))
      expect((await found(id)).slice(0, known.length), type).toEqual(known)
    }
  })

  test('finds customers, accounts, applications and external accounts by name', async () => {
    const first = [`customer ${world.customer}`, `account ${world.account}`, `application ${world.application}`]
    for (const text of ['Ada Example', 'ada exAMPLE', ' ada ', 'exam']) {
      expect(namesOf(await found(text)), text).toEqual(first)
    }
    expect(await found('grace')).toEqual([
      { type: 'externalAccount', id: world.externalAccount, label: 'Grace Sample, external account ending in 3210' },
      { type: 'payment', id: world.payment, label: 'Rent, $20.00 to Grace Sample' },
    ])
    for (const text of ['da', '%', 'a_a', '\\', "'", 'Ada Example Junior']) expect(await found(text), text).toEqual([])
  })

  test('ranks an exact match before a beginning, and a beginning before a last word; types take turns', async () => {
    const word = await makeCustomer(bank, { name: 'Old Quill' })
    const longer = await makeCustomer(bank, { name: 'Quillan Sample' })
    const exact = await makeCustomer(bank, { name: 'Quill' })
    const accounts = [
      await makeAccount(bank, { customerId: exact }),
      await makeAccount(bank, { customerId: exact }),
      await makeAccount(bank, { customerId: longer }),
    ]
    expect(namesOf(await found('quill'))).toEqual([
      `customer ${exact}`,
      `account ${accounts[1]}`,
      `account ${accounts[0]}`,
      `customer ${longer}`,
      `account ${accounts[2]}`,
      `customer ${word}`,
    ])
  })

  test('finds e-mail addresses by their beginning, in any letter case', async () => {
    const id = await makeCustomer(bank, { name: 'Lin Sample', email: 'Mixed.Case@example.com' })
    for (const text of ['mixed.case@example.com', 'MIXED', 'mixed.case@']) {
      expect(namesOf(await found(text)), text).toEqual([`customer ${id}`])
    }
    expect(namesOf(await found('ada@example.com'))).toEqual([`application ${world.application}`])
  })

  test('finds account numbers whole or by their last four digits', async () => {
    const own = `account ${world.account}`
    expect(namesOf(await found(accountNumber))).toEqual([own])
    expect(namesOf(await found(accountNumber.slice(-4)))).toContain(own)
    expect(namesOf(await found(accountNumber.slice(-5)))).not.toContain(own)
    expect(namesOf(await found('9876543210'))).toEqual([`externalAccount ${world.externalAccount}`])
    expect(namesOf(await found('3210'))).toEqual([`externalAccount ${world.externalAccount}`])
  })

  test('finds ids by their beginning, and at most twenty records', async () => {
    for (let count = 0; count < 8; count++) await makeCustomer(bank, { name: 'Filler' })
    const results = await found('1000')
    expect(results).toHaveLength(20)
    const types = ['customer', 'account', 'externalAccount', 'application', 'card', 'payment']
    expect([...new Set(results.map(({ type }) => type))]).toEqual(expect.arrayContaining(types))
    expect(await found('1000')).toEqual(results)
  })

  test('finds payments by words of their descriptions, the newest first', async () => {
    const [rent, invoice] = [await pay('Zebra(May)'), await pay('Z zebra/42')]
    expect(await found('zebra may')).toEqual([
      { type: 'payment', id: rent, label: 'Zebra(May), $12.34 to Grace Sample' },
    ])
    expect(namesOf(await found('ZEBRA'))).toEqual([`payment ${rent}`, `payment ${invoice}`])
    expect(namesOf(await found('zebra 42'))).toEqual([`payment ${invoice}`])
    expect(namesOf(await found('may'))).toEqual([`payment ${rent}`])
    for (const text of ['ebra', '/', '()']) expect(await found(text), text).toEqual([])
  })

  test('finds campaigns by name, and their offers by title and merchant', async () => {
    const { json } = await bank.call('POST', '/v0/rewards/campaigns', { body: { name: 'Harvest of Plums' } })
    const campaign = { type: 'campaign', id: json.data.id, label: 'Harvest of Plums' }
    const body = { merchantName: 'Mirabelle Market', title: '3% on plums', commission: 3 }
    const made = await bank.call('POST', `/v0/rewards/campaigns/${campaign.id}/offers`, { body })
    const offer = { type: 'campaignOffer', id: made.json.data.id, label: '3% on plums' }
    expect(await found('harvest')).toEqual([campaign])
    expect(await found('PLUMS')).toEqual([campaign, offer])
    expect(await found('mirabelle')).toEqual([offer])
    expect(await found('plums', bank.otherKey)).toEqual([])
    expect(await found('plums', await bank.makeKey('first', ['banking:read']))).toEqual([])
    await bank.call('PATCH', `/v0/rewards/campaigns/${campaign.id}`, { body: { status: 'Ended' } })
    expect(await found('harvest of plums')).toEqual([{ ...campaign, label: 'Harvest of Plums, ended' }])
  })

  test('finds received payments by sender, text and trace number, and ACH files by name', async () => {
    for (const text of ['sample gym', 'dues', '021000020000001'])
      expect(namesOf(await found(text)), text).toContain(`receivedPayment ${world.receivedPayment}`)
    expect(namesOf(await found('Sample.ach'))).toContain(`achFile ${world.achFile}`)
    const reader = await bank.makeKey('first', ['banking:read'])
    expect(await found('sample.ach', reader)).toEqual([])
    expect(await found('sample gym', bank.otherKey)).toEqual([])
  })

  test('finds payments by counterparty, amount, return code and trace number', async () => {
    const { json } = await bank.call('POST', `/v0/banking/accounts/${world.account}/payments`, {
      body: {
        amount: 4321_09,
        counterpartyAccountId: world.externalAccount,
        description: 'Amount',
        originalType: 'ACH',
      },
    })
    const payment = { type: 'payment', id: json.data.id, label: 'Amount, $4,321.09 to Grace Sample' }
    for (const text of ['4321.09', '$4,321.09', '4,321.09', '$ 4321.09'])
      expect(await found(text), text).toEqual([payment])
    for (const text of ['4321', '4321.0', '4321.9', '43,21.09', '-4321.09', '99999999999.00']) {
      expect(await found(text), text).not.toContainEqual(payment)
    }
    expect(await found('sample')).toContainEqual(payment)
    await bank.call('POST', '/v0/sandbox/clock/advance', { body: { days: 1 } })
    await bank.call('POST', `/v0/sandbox/payments/${payment.id}/return`, { body: { returnCode: 'R29' } })
    expect(await found('r29')).toEqual([payment])
    await bank.database.query(`update payment set trace_number = '812345670000042' where id = $1::bigint`, [payment.id])
    expect(await found('812345670000042')).toEqual([payment])
  })

  test('finds cards by their last four digits, and authorizations by merchant, amount and reason of a decline', async () => {
    const { last4Digits } = (await bank.call('GET', `/v0/banking/cards/${world.card}`)).json.data
    expect(namesOf(await found(last4Digits))).toContain(`card ${world.card}`)
    const path = `/v0/sandbox/cards/${world.card}/authorizations`
    const merchant = { name: 'Quarry Tools', category: '5251', location: 'Reno' }
    const { status, json } = await bank.call('POST', path, { body: { amount: 77_777_00, merchant } })
    expect(status).toBe(201)
    const bought = { type: 'authorization', id: json.data.id, label: 'Quarry Tools, $77,777.00' }
    for (const text of ['quarry', 'QUARRY TOOLS', 'tools', '$77777', '77777', '77777.00']) {
      expect(await found(text), text).toContainEqual(bought)
    }
    const declined = await bank.call('POST', path, { body: { amount: 9_999_999_99, merchant } })
    expect(declined.json.data.reason).toBe('InsufficientFunds')
    expect(namesOf(await found('insufficientfunds'))).toEqual([`authorization ${declined.json.data.id}`])
    for (const text of ['uarry', '77776', '77777.01']) expect(await found(text), text).toEqual([])
  })

  test('finds the requests that a code refused', async () => {
    await bank.call('GET', '/v0/banking/customers/99999999')
    const label = 'GET /v0/banking/customers/99999999, 404'
    expect(await found('customer_not_found')).toEqual([{ type: 'request', id: expect.stringMatching(/^req_/), label }])
    expect(await found('customer_not')).toEqual([])
  })

  test('finds requests by request id and idempotency key, and the record that a key created', async () => {
    const payment = await pay('Tagged', { 'X-Request-Id': 'trace-77', 'Idempotency-Key': 'order-77' })
    const label = `POST /v0/banking/accounts/${world.account}/payments, 201`
    expect(await found('trace-77')).toEqual([{ type: 'request', id: expect.stringMatching(/^req_/), label }])
    const [request, made] = await found('order-77')
    expect([request?.label, made]).toEqual([
      label,
      { type: 'payment', id: payment, label: 'Tagged, $12.34 to Grace Sample' },
    ])
    expect(await found('order-7')).toEqual([])
  })

  test('shows no session of a person as an API key', async () => {
    const person = await signIn(bank, { first: 'administrator' }, { name: 'Edsger Quine' })
    const { id } = (await person.call('GET', '/v0/me')).json.data.key
    expect(await found('edsger')).toEqual([])
    expect((await bank.call('GET', `/v0/lookup?id=${id}`)).json.data).toEqual([])
  })

  test('finds partner users by the number of the issuer, and API keys by name', async () => {
    const { userId } = (await bank.call('GET', `/v0/lookup/partnerUser/${world.partnerUser}`)).json.data.record
    const user = { type: 'partnerUser', id: world.partnerUser, label: `Partner user ${userId}` }
    expect(await found(String(userId))).toContainEqual(user)
    expect(await found('sampl', await bank.makeKey('first', ['keys:write']))).toEqual([
      { type: 'apiKey', id: world.apiKey, label: 'Sample' },
    ])
  })

  test('says where a record is closed or deleted', async () => {
    const other = await makeWorld(bank)
    await bank.call('POST', `/v0/banking/accounts/${other.account}/close`, { body: { reason: 'ByCustomer' } })
    await bank.call('DELETE', `/v0/banking/external-accounts/${other.externalAccount}`)
    await bank.call('DELETE', `/v0/api-keys/${other.apiKey}`)
    const labels = async (text: string, id: string) => (await found(text)).find((one) => one.id === id)?.label
    expect(await labels(other.account, other.account)).toMatch(/^Ada Example, account ending in \d{4}, closed$/)
    expect(await labels('ada ex', other.account)).toMatch(/, closed$/)
    const deleted = 'Grace Sample, external account ending in 3210, deleted'
    expect(await labels('grace', other.externalAccount)).toBe(deleted)
    expect(await labels(other.externalAccount, other.externalAccount)).toBe(deleted)
    expect(await labels('sample', other.apiKey)).toBe('Sample, deleted')
  })

  test('finds only types that the key may read', async () => {
    const banking = await bank.makeKey('first', ['banking:read'])
    const rewards = await bank.makeKey('first', ['rewards:read'])
    const payment = await pay('Scoped', { 'Idempotency-Key': 'scope-1', 'X-Request-Id': 'scope-1' })
    expect(namesOf(await found('scope-1', banking))).toEqual([`payment ${payment}`])
    expect(namesOf(await found('scope-1', await bank.makeKey('first', ['events:read'])))).toEqual([
      expect.stringMatching(/^request /),
    ])
    for (const text of ['ada', 'scoped', 'scope-1', accountNumber, world.account, '3210', '10000']) {
      expect(await found(text, rewards), text).toEqual([])
    }
    const types = new Set((await found('sample', rewards)).map(({ type }) => type))
    expect(types).toEqual(new Set(['campaignOffer']))
    expect((await found('1', banking)).map(({ type }) => type)).not.toContain('partnerUser')
    expect((await found('sample', banking)).map(({ type }) => type)).not.toContain('apiKey')
  })

  test('finds nothing of another organisation', async () => {
    const texts = ['ada', 'exam', 'zebra', 'order-77', 'trace-77', accountNumber, '3210', 'grace', 'ada@example.com']
    for (const text of [...texts, ...Object.values(world)]) {
      expect(await found(text, bank.otherKey), text).toEqual([])
    }
  })

  test('refuses a blank or over-long text, and control characters', async () => {
    for (const text of ['', '%20', 'a%00b', '%0a', 'x'.repeat(101)]) {
      const { status, json } = await bank.call('GET', `/v0/search?q=${text}`)
      expect([status, json.errors?.[0].parameter], text).toEqual([400, 'q'])
    }
    expect((await bank.call('GET', '/v0/search')).status).toBe(400)
    expect(await found('😀'.repeat(100))).toEqual([])
  })

  test('finds stored records in live mode, and the record of an idempotency key without a log of requests', async () => {
    const live = await openTestBank({ mode: 'live' })
    const body = { name: 'Reporting', scopes: ['banking:read'] }
    const { json } = await live.call('POST', '/v0/api-keys', { body })
    expect((await live.call('GET', '/v0/search?q=report')).json.data).toEqual([
      { type: 'apiKey', id: json.data.id, label: 'Reporting' },
    ])
    const headers = { 'Idempotency-Key': 'order-78', 'X-Request-Id': 'trace-78' }
    const made = await live.call('POST', '/v0/banking/applications', { body: applicant, headers })
    expect((await live.call('GET', '/v0/search?q=order-78')).json.data).toEqual([
      { type: 'application', id: made.json.data.id, label: 'Application of Ada Example' },
    ])
    expect((await live.call('GET', '/v0/search?q=trace-78')).json.data).toEqual([])
    await live.close()
  })

  test('finds the records of a connector by their whole id', async () => {
    const unit = await openUnitBanking()
    const customerId = await unit.arrange.customer()
    const headers = { 'Idempotency-Key': 'unit-order-1' }
    const { json } = await unit.bank.call('POST', '/v0/banking/accounts', { body: { customerId }, headers })
    const { id, name } = json.data
    const searched = async (q: string): Promise<SearchResult[]> =>
      (await unit.bank.call('GET', `/v0/search?q=${encodeURIComponent(q)}`)).json.data
    const types = async (q: string) => (await searched(q)).filter((one) => one.id === id).map(({ type }) => type)
    expect(await types(id)).toContain('account')
    expect(await types('unit-order-1')).toEqual(['account'])
    expect(await searched(name)).toEqual([])
    await unit.close()
  })
})
