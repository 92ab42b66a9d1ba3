import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openedAt } from '../../test/support/bank-time.ts'
import { ask } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { expectSoundLedger, makePayer, type Payer, pay } from '../../test/support/ledger.ts'
import { type SignedInPerson, signIn } from '../../test/support/people/sign-in.ts'
import { refusalOf } from '../../test/support/review/reviewer.ts'
import { maskNumbers, recordsWithNumbers } from './personal-data.ts'

let bank: TestBank
let payer: Payer
let paymentId: string
let number: string
/** A person who sees the last digits, one who sees numbers, and one who changes records and sees the last digits. */
let viewer: SignedInPerson
let support: SignedInPerson
let teller: SignedInPerson

beforeAll(async () => {
  bank = await openTestBank({ own: true, people: { roles: { teller: ['banking:write'] } } })
  payer = await makePayer(bank, 1_000_00)
  paymentId = (await pay(bank, payer, { amount: 1_00 })).json.data.id
  number = (await ask(bank, 'GET', `/v0/banking/accounts/${payer.accountId}`)).accountNumber
  viewer = await signIn(bank, { first: 'viewer' })
  support = await signIn(bank, { first: 'support' }, { name: 'Grace Hopper' })
  teller = await signIn(bank, { first: 'teller' })
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
async function looks(): Promise<any[]> {
  const events = await ask(bank, 'GET', '/v0/events?limit=1000&type=personalData.viewed')
  return events.map(({ data }: { data: unknown }) => data)
}

/** The newest look in the audit log. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
async function newestLook(): Promise<any> {
  const entries = await ask(bank, 'GET', '/v0/audit-log?limit=1000')
  return entries.find(({ action }: { action: string }) => action === 'personalData.viewed')
}

describe('a mask', () => {
  test.each([
    ['{"accountNumber":"9876543210"}', '{"accountNumber":"******3210"}'],
    ['{"accountNumber": "123"}', '{"accountNumber": "***"}'],
    ['{"ssn":"123456789"}', '{"ssn":"*****6789"}'],
    ['{"accountNumber":null,"id":"9876543210"}', '{"accountNumber":null,"id":"9876543210"}'],
    [
      JSON.stringify({ body: '{"accountNumber":"9876543210"}' }),
      JSON.stringify({ body: '{"accountNumber":"******3210"}' }),
    ],
    ['{"ssn":"[redacted]"}', '{"ssn":"[redacted]"}'],
  ])('of %s is %s', (json, masked) => {
    expect(maskNumbers(json)).toBe(masked)
    expect(maskNumbers(masked)).toBe(masked)
  })

  test('names the innermost records with an id', () => {
    const counterparty = { name: 'Ada', accountNumber: '1' }
    const data = [{ id: '1', counterparty }, { id: '2' }, { id: '3', inner: { id: '4', accountNumber: '1' } }]
    expect(recordsWithNumbers(JSON.stringify({ data }))).toEqual(['1', '4'])
    const text = JSON.stringify({ accountNumber: '1' })
    expect(recordsWithNumbers(JSON.stringify({ data: { id: '5', body: text } }))).toEqual(['5'])
  })
})

describe('a person without personal:read', () => {
  const lists = ['/v0/banking/accounts', '/v0/banking/payments', '/v0/events?limit=1000', '/v0/exports/accounts']
  const paths = () => [
    ...lists,
    '/v0/exports/payments?format=jsonl',
    `/v0/banking/accounts/${payer.accountId}`,
    `/v0/banking/payments/${paymentId}`,
    `/v0/banking/customers/${payer.customerId}/external-accounts`,
    '/v0/banking/transactions',
    `/v0/lookup/payment/${paymentId}`,
  ]

  test('sees the last four digits wherever a key sees all, and leaves no entry', async () => {
    const before = await looks()
    for (const path of paths()) {
      const [own, all] = [await viewer.call('GET', path), await bank.call('GET', path)]
      expect([own.status, all.status], path).toEqual([200, 200])
      expect(/\b(9876543210|1\d{9})\b/.test(all.text), path).toBe(true)
      expect(own.text, path).not.toContain('9876543210')
      expect(own.text, path).not.toContain(number)
      expect(own.text, path).toMatch(/\*{6}\d{4}/)
    }
    expect(await looks()).toEqual(before)
  })

  test('sees them masked in the answer of a change, also if it is repeated', async () => {
    const headers = { 'idempotency-key': 'masked-account' }
    const body = { type: 'Person', name: 'Ada', routingNumber: '021000021', accountNumber: '1122334455' }
    const add = () =>
      teller.call('POST', `/v0/banking/customers/${payer.customerId}/external-accounts`, {
        headers,
        body: { ...body, accountType: 'Checking' },
      })
    const first = await add()
    expect([first.status, first.json.data.accountNumber]).toEqual([201, '******4455'])
    expect((await add()).text).toBe(first.text)
  })

  test('sees them masked in a batch, by an agent and in the log of requests', async () => {
    const command = await signIn(bank, { first: 'teller' }, { kind: 'command' })
    const payment = {
      ...{ accountId: payer.accountId, counterpartyAccountId: payer.externalAccountId },
      ...{ amount: 1, description: 'Rent', originalType: 'ACH' },
    }
    const batch = await command.call('POST', '/v0/banking/payments/batch', { body: { payments: [payment] } })
    expect(batch.json.data[0].payment.counterparty.accountNumber).toBe('******3210')
    const call = { name: 'read', arguments: { operation: 'getAccount', input: { accountId: payer.accountId } } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
    const accept = 'application/json, text/event-stream'
    const agent = await command.call('POST', '/mcp', { body, headers: { accept } })
    expect([agent.status, agent.text.includes(`******${number.slice(-4)}`)], agent.text).toEqual([200, true])
    expect(agent.text).not.toContain(number)
    const logged = await ask(bank, 'GET', '/v0/requests?limit=1000')
    const added = logged.find(({ path }: { path: string }) => path.endsWith('/external-accounts'))
    const [own, all] = [
      await viewer.call('GET', `/v0/requests/${added.id}`),
      await ask(bank, 'GET', `/v0/requests/${added.id}`),
    ]
    expect(JSON.stringify(all)).toMatch(/9876543210|1122334455/)
    expect([own.status, own.text]).toEqual([200, expect.not.stringMatching(/9876543210|1122334455/)])
  })

  test('gets no document', async () => {
    await openedAt(bank, payer.accountId, '2026-01-15T12:00:00Z')
    const { id } = await ask(bank, 'POST', `/v0/sandbox/accounts/${payer.accountId}/statements`, { period: '2026-01' })
    const statement = `/v0/banking/statements/${id}`
    for (const path of [`${statement}/pdf`, `${statement}?format=html`]) {
      const { status, json } = await viewer.call('GET', path)
      expect([status, json.code, json.detail], path).toEqual([
        403,
        'forbidden',
        expect.stringContaining('personal:read'),
      ])
      expect((await bank.call('GET', path)).status, path).toBe(200)
    }
    expect((await viewer.call('GET', statement)).status).toBe(200)
    expect((await viewer.call('GET', '/v0/me')).json.data.operations).not.toContain('getStatementPdf')
    for (const [path, operation] of [
      [`${statement}/pdf`, 'getStatementPdf'],
      [`${statement}?format=html`, 'getStatement'],
    ] as const) {
      const fresh = await signIn(bank, { first: 'support' })
      expect((await fresh.call('GET', path)).status).toBe(200)
      expect((await looks()).at(-1)).toMatchObject({ operation, records: [id] })
    }
  })
})

describe('a person with personal:read', () => {
  test('sees numbers, and leaves an entry that names person, session, address and records', async () => {
    const path = `/v0/banking/accounts/${payer.accountId}`
    const reply = await support.call('GET', path, { headers: { 'x-request-id': 'look-at-account' } })
    expect(reply.json.data.accountNumber).toBe(number)
    expect((await looks()).at(-1)).toMatchObject({ operation: 'getAccount', path, records: [payer.accountId] })
    expect(await newestLook()).toMatchObject({
      outcome: 'Done',
      actor: { type: 'person', id: String(support.id), name: 'Grace Hopper', session: { address: '127.0.0.1' } },
      requestId: 'look-at-account',
    })
  })

  test('leaves one entry for a page, and none for what was seen a moment ago', async () => {
    const path = `/v0/banking/payments?accountId=${payer.accountId}`
    const before = (await looks()).length
    expect((await support.call('GET', path)).status).toBe(200)
    expect((await looks()).slice(before)).toMatchObject([
      { operation: 'listPayments', records: expect.arrayContaining([paymentId]) },
    ])
    for (const again of [path, `/v0/banking/payments/${paymentId}`]) await support.call('GET', again)
    expect(await looks()).toHaveLength(before + 1)
    const { id } = (await pay(bank, payer, { amount: 1_00 })).json.data
    await support.call('GET', path)
    expect((await looks()).slice(before + 1)).toMatchObject([{ records: [id] }])
    const other = await signIn(bank, { first: 'support' }, { as: support.id })
    await other.call('GET', path)
    expect((await looks()).slice(before + 2)).toMatchObject([{ records: expect.arrayContaining([id, paymentId]) }])
  })

  test('leaves one entry for each export', async () => {
    const before = (await looks()).length
    for (let time = 0; time < 2; time++) {
      const { status, text } = await support.call('GET', '/v0/exports/accounts')
      expect([status, text.includes(number)]).toEqual([200, true])
    }
    const own = { operation: 'listAccounts', path: '/v0/exports/accounts', records: [] }
    expect((await looks()).slice(before)).toMatchObject([own, own])
  })

  test('does not see a number that could not be noted', async () => {
    const fresh = await signIn(bank, { first: 'support' })
    await fresh.call('GET', '/v0/me')
    await bank.database.query(`alter table event_page add constraint none check (false) not valid`)
    try {
      const { status, text } = await fresh.call('GET', `/v0/banking/accounts/${payer.accountId}`)
      expect([status, text.includes(number)]).toEqual([500, false])
    } finally {
      await bank.database.query(`alter table event_page drop constraint none`)
    }
  })
})

describe('an API key', () => {
  test('cannot have the scopes of persons', async () => {
    for (const scope of ['personal:read', 'audit:read', 'people:write']) {
      expect(refusalOf(await bank.call('POST', '/v0/api-keys', { body: { name: 'x', scopes: [scope] } }))).toEqual([
        400,
        'invalid_request',
      ])
    }
  })

  test('is made by a person without personal:read only if it shows no numbers, in live mode', async () => {
    const live = await openTestBank({ own: true, mode: 'live', people: { mode: 'live' } })
    for (const [of, role, shown] of [
      [bank, 'developer', 201],
      [live, 'developer', 403],
      [live, 'administrator', 201],
    ] as const) {
      const person = await signIn(of, { first: role })
      const make = async (path: string, body: object) => (await person.call('POST', path, { body })).status
      expect(await make('/v0/api-keys', { name: 'x', scopes: ['events:read'] })).toBe(shown)
      expect(await make('/v0/api-keys', { name: 'x', scopes: ['rewards:read'] })).toBe(201)
      const endpoint = { url: 'https://app.example.com/hooks', events: ['payment.*'] }
      expect([shown, shown === 201 ? 422 : 403]).toContain(await make('/v0/webhook-endpoints', endpoint))
    }
    await live.close()
  })
})

describe('an export of the audit log', () => {
  test('has the entries of a period as CSV and JSON Lines, and leaves an entry itself', async () => {
    const auditor = await signIn(bank, { first: 'administrator' }, { name: 'Grace Hopper' })
    const [newest, , oldest] = await ask(bank, 'GET', '/v0/audit-log?limit=3')
    const since = oldest.at
    const lines = await auditor.call('GET', `/v0/exports/audit-log?format=jsonl&since=${since}&limit=1`)
    expect([lines.status, lines.json.eventId]).toEqual([200, newest.eventId])
    const entry = (await ask(bank, 'GET', '/v0/audit-log?limit=1'))[0]
    expect(entry).toMatchObject({ action: 'auditLog.exported', actor: { type: 'person', name: 'Grace Hopper' } })
    const [event] = (await ask(bank, 'GET', '/v0/events?type=auditLog.exported&limit=1000')).reverse()
    expect(event.data).toEqual({ id: entry.record.id, format: 'jsonl', since, until: null })
    const csv = await auditor.call('GET', `/v0/exports/audit-log?until=${since}`)
    expect(csv.text.split('\r\n')[0]).toBe(
      'at,outcome,action,actor.type,actor.id,actor.name,actor.session.id,actor.session.address,record.type,record.id,reason,requestId,eventId,detail,denial.code,denial.path,denial.address,denial.unwritten',
    )
    expect(csv.text).not.toContain(newest.eventId)
  })

  test('is made by an auditor, who reads the log and its head, and changes nothing', async () => {
    const auditor = await signIn(bank, { first: 'auditor' })
    for (const path of ['audit-log', 'audit-log/head', 'exports/audit-log?limit=1', 'exports/events?limit=1'])
      expect((await auditor.call('GET', `/v0/${path}`)).status, path).toBe(200)
    for (const path of ['api-keys', 'proposals', 'review/payments'])
      expect(refusalOf(await auditor.call('GET', `/v0/${path}`)), path).toEqual([403, 'forbidden'])
    const { operations } = (await auditor.call('GET', '/v0/me')).json.data
    expect(operations).not.toContain('createApiKey')
  })

  test('needs the scope of the log', async () => {
    const before = (await ask(bank, 'GET', '/v0/events?type=auditLog.exported&limit=1000')).length
    expect(refusalOf(await support.call('GET', '/v0/exports/audit-log'))).toEqual([403, 'forbidden'])
    expect(await ask(bank, 'GET', '/v0/events?type=auditLog.exported&limit=1000')).toHaveLength(before)
  })
})
