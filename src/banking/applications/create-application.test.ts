import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { applicant } from '../../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const create = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  bank.call('POST', '/v0/banking/applications', { body: { ...applicant, ...changes }, headers })

const { name, email, phone, address } = applicant

describe('create application', () => {
  test('approves the application at once and creates the customer', async () => {
    const { status, json } = await create()
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        status: 'Approved',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        name,
        email,
        customerId: expect.stringMatching(/^[1-9]\d{6,}$/),
        documents: [],
      },
    })
    const customer = await bank.call('GET', `/v0/banking/customers/${json.data.customerId}`)
    expect(customer.json.data).toMatchObject({ name, email, phone, address, status: 'Active' })
    const account = await bank.call('POST', '/v0/banking/accounts', { body: { customerId: json.data.customerId } })
    expect(account.status).toBe(201)
  })

  test('awaits a passport for the SSN 000000003', async () => {
    const { status, json } = await create({ ssn: '000000003' })
    expect(status).toBe(201)
    expect(json.data).toEqual({
      id: expect.any(String),
      status: 'AwaitingDocuments',
      createdAt: expect.any(String),
      name,
      email,
      documents: [
        {
          id: expect.stringMatching(/^[1-9]\d{6,}$/),
          documentType: 'Passport',
          status: 'Required',
          description: 'Upload the photo page of the passport.',
        },
      ],
    })
  })

  test('denies the SSN 000000001 and leaves 000000004 in review', async () => {
    const customers = async () => (await bank.call('GET', '/v0/banking/customers')).json.data.length
    const before = await customers()
    for (const [ssn, outcome] of Object.entries({ '000000001': 'Denied', '000000004': 'PendingReview' })) {
      const { json } = await create({ ssn })
      expect([json.data.status, json.data.documents, 'customerId' in json.data]).toEqual([outcome, [], false])
    }
    expect(await customers()).toBe(before)
  })

  test('accepts facts about the applicant, and stores none of them', async () => {
    const facts = { occupation: 'Student', annualIncome: 'UpTo10k', sourceOfIncome: 'GovernmentBenefits' }
    for (const ip of ['203.0.113.7', '2001:db8::7', '::']) {
      const { status, json, text } = await create({ ...facts, ip })
      expect(status, text).toBe(201)
      expect(Object.keys(json.data)).toEqual(['id', 'status', 'createdAt', 'name', 'email', 'customerId', 'documents'])
    }
    const rows = await bank.database.query<{ row: string }>(
      'select a::text as row from application a union all select c::text from customer c union all select e::text from event e',
    )
    expect(rows.length).toBeGreaterThan(5)
    for (const { row } of rows) expect(row).not.toMatch(/Student|UpTo10k|GovernmentBenefits|203\.0\.113\.7|2001:db8/)
    const log = await bank.call('GET', '/v0/requests?limit=5')
    expect([log.status, log.text]).toEqual([200, expect.stringContaining('/v0/banking/applications')])
    expect(log.text).not.toMatch(/Student|UpTo10k|GovernmentBenefits|203\.0\.113\.7|2001:db8/)
    const absent = { occupation: null, annualIncome: null, sourceOfIncome: null, ip: null }
    expect((await create(absent)).status).toBe(201)
  })

  test('refuses unknown words and IP addresses of another form', async () => {
    const unknown = await create({ occupation: 'Pirate', annualIncome: '10000', sourceOfIncome: 'Plunder' })
    expect(unknown.json.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])).toEqual([
      ['/occupation', 'not_allowed'],
      ['/annualIncome', 'not_allowed'],
      ['/sourceOfIncome', 'not_allowed'],
    ])
    for (const ip of ['localhost', '203.0.113', '203.0.113.7:80', '10.0.0.0/8', 'fe80::1%eth0', '']) {
      const { status, json } = await create({ ip })
      expect([status, json.errors[0].pointer], ip).toEqual([400, '/ip'])
    }
  })

  test('never answers the SSN', async () => {
    expect((await create({ ssn: '987654320' })).text).not.toContain('987654320')
  })

  test('creates one application for one idempotency key', async () => {
    const first = await create({}, { 'idempotency-key': 'apply' })
    const again = await create({}, { 'idempotency-key': 'apply' })
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    const other = await create({ ssn: '123456780' }, { 'idempotency-key': 'apply' })
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused'])
  })

  test('accepts a date of birth of today or any past day, and refuses tomorrow', async () => {
    const day = (shift: number) => new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10)
    for (const dateOfBirth of [day(0), '1900-01-01', '2000-02-29', '0001-01-01']) {
      expect((await create({ dateOfBirth })).status, dateOfBirth).toBe(201)
    }
    for (const dateOfBirth of [day(1), '9999-12-31']) {
      const { status, json } = await create({ dateOfBirth })
      expect([status, json.errors], dateOfBirth).toEqual([
        400,
        [{ pointer: '/dateOfBirth', code: 'out_of_range', message: 'dateOfBirth must not be in the future' }],
      ])
    }
  })

  test('compares the date of birth with bank time', async () => {
    const { organisationId } = (
      await bank.database.query<{ organisationId: number }>(
        `select id as "organisationId" from organisation where name = 'second'`,
      )
    )[0] ?? { organisationId: 0 }
    await bank.database.query(`update organisation set clock_offset = '400 days' where id = $1`, [organisationId])
    const dateOfBirth = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10)
    const body = { ...applicant, dateOfBirth }
    expect((await bank.call('POST', '/v0/banking/applications', { body, key: bank.otherKey })).status).toBe(201)
    expect((await create({ dateOfBirth })).status).toBe(400)
  })

  test('reports an invalid date, SSN, phone number and US address together', async () => {
    const wrong: [pointer: string, body: Record<string, unknown>][] = [
      ...['1990-02-30', '2001-02-29', '1990-13-01', '1990-00-10', '0000-01-01', '1990-1-1', '31.01.1990', ''].map(
        (dateOfBirth): [string, Record<string, unknown>] => ['/dateOfBirth', { dateOfBirth }],
      ),
      ['/dateOfBirth', { dateOfBirth: '1990-01-31T00:00:00Z' }],
      ...['12345678', '1234567890', '123-45-6789', '12345678a', '１２３４５６７８９'].map(
        (ssn): [string, Record<string, unknown>] => ['/ssn', { ssn }],
      ),
      ['/phone', { phone: '2125550123' }],
      ['/email', { email: 'ada' }],
      ['/address/state', { address: { ...address, state: 'Illinois' } }],
      ['/address/postalCode', { address: { ...address, postalCode: '6270' } }],
      ['/address/postalCode', { address: { ...address, postalCode: 'K1A 0B1', country: 'US' } }],
    ]
    for (const [pointer, changes] of wrong) {
      const { status, json } = await create(changes)
      expect([status, json.errors?.[0]?.pointer], JSON.stringify(changes)).toEqual([400, pointer])
    }
    const { json } = await create({ dateOfBirth: '1990-02-30', address: { ...address, state: 'x', postalCode: 'x' } })
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/dateOfBirth',
      '/address/state',
      '/address/postalCode',
    ])
  })

  test('accepts any form of address outside the United States', async () => {
    const abroad = { ...address, country: 'CA', state: 'Ontario', postalCode: 'K1A 0B1', street2: null }
    const { json } = await create({ address: abroad })
    const customer = await bank.call('GET', `/v0/banking/customers/${json.data.customerId}`)
    expect(customer.json.data.address).toEqual(abroad)
  })

  test('treats the SSNs of the sandbox like any other in live mode', async () => {
    const live = await openTestBank({ mode: 'live' })
    for (const ssn of ['000000001', '000000003', '000000004']) {
      const { json } = await live.call('POST', '/v0/banking/applications', { body: { ...applicant, ssn } })
      expect(json.data).toMatchObject({ status: 'Approved', documents: [] })
    }
    await live.close()
  })
})
