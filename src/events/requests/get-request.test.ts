import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type Reply, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../../test/support/ledger.ts'
import { applicant, makeApplication } from '../../../test/support/world.ts'

let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openTestBank()
  payer = await makePayer(bank, 1_000_00)
})
afterAll(() => bank.close())

const tool = { 'x-purser-tool': 'test' }

/** The latest request as the log shows it. */
async function latest(): Promise<Reply> {
  const listed = await bank.call('GET', '/v0/requests?sort=-sequence&limit=1', { headers: tool })
  return bank.call('GET', `/v0/requests/${listed.json.data[0].id}`, { headers: tool })
}

async function shown() {
  const { status, text, json } = await latest()
  expect(status, text).toBe(200)
  return json.data
}

describe('get request', () => {
  test('answers the request and its answer as they were, and the events that it caused', async () => {
    const headers = { 'idempotency-key': 'get-1', 'x-request-id': 'lunch', 'x-odd': 'a', cookie: 'session=1' }
    const reply = await pay(bank, payer, { amount: 20_00 }, { headers })
    const { data } = (await latest()).json
    expect(data).toMatchObject({
      operation: 'createPayment',
      requestId: 'lunch',
      request: {
        headers: {
          'content-type': 'application/json',
          'x-service-api-key': '[redacted]',
          cookie: '[redacted]',
          'idempotency-key': 'get-1',
          'x-odd': 'a',
        },
        truncated: false,
      },
      response: { body: reply.text, truncated: false },
    })
    expect(JSON.parse(data.request.body)).toMatchObject({ amount: 20_00, originalType: 'ACH' })
    const { date, connection, 'transfer-encoding': _, ...rest } = reply.headers
    const own = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]))
    expect(data.response.headers).toEqual(own)
    expect([typeof date, connection]).toEqual(['string', 'keep-alive'])
    const events = await Promise.all(data.events.map((id: string) => bank.call('GET', `/v0/events/${id}`)))
    expect(events.map(({ json }) => [json.data.type, json.data.request.id])).toEqual([
      ['payment.created', 'lunch'],
      ['transaction.created', 'lunch'],
    ])
  })

  test('answers the headers of a page with a link, of a replay and of a refusal', async () => {
    await bank.call('GET', '/v0/banking/payments?limit=1&type=bookPayment,achPayment')
    await pay(bank, payer, { amount: 1_00 })
    const page = await bank.call('GET', '/v0/events?limit=1')
    expect((await shown()).response.headers).toMatchObject({ link: page.headers.link, etag: page.headers.etag })
    const headers = { 'idempotency-key': 'get-2' }
    await pay(bank, payer, { amount: 1_00 }, { headers })
    const again = await pay(bank, payer, { amount: 1_00 }, { headers })
    const replayed = await shown()
    expect(replayed).toMatchObject({ replayed: true, events: [], response: { body: again.text } })
    expect(replayed.response.headers['idempotent-replayed']).toBe('true')
    const refused = await bank.call('GET', '/v0/banking/accounts/9999999')
    expect((await shown()).response).toMatchObject({
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      body: refused.text,
    })
  })

  test('lists the events of a request that makes many records, and none of a request that others made', async () => {
    const headers = { 'x-request-id': 'world' }
    const [made] = await Promise.all([
      bank.call('POST', '/v0/sandbox/scenarios', { headers }),
      ...Array.from({ length: 20 }, () => pay(bank, payer, { amount: 1_00 })),
    ])
    expect(made.status).toBe(201)
    const listed = await bank.call('GET', '/v0/requests?operation=createScenario', { headers: tool })
    const { json } = await bank.call('GET', `/v0/requests/${listed.json.data[0].id}`, { headers: tool })
    const feed = (await bank.call('GET', '/v0/events?limit=1000')).json.data as {
      id: string
      request: { id: string }
    }[]
    const own = feed.filter(({ request }) => request.id === 'world').map(({ id }) => id)
    expect(own.length).toBeGreaterThan(10)
    expect(json.data.events).toEqual(own)
  })

  test('hides an SSN, also in a member with another name, of another type or in a malformed body', async () => {
    const ssn = '713946825'
    const send = async (body: unknown) => {
      await bank.call('POST', '/v0/banking/applications', typeof body === 'string' ? { raw: body } : { body })
      const { data } = (await latest()).json
      expect(data.operation).toBe('createApplication')
      expect(JSON.stringify(data)).not.toContain(ssn)
      expect(JSON.stringify(data)).not.toContain(ssn.slice(0, 5))
      return data
    }
    const { request } = await send({ ...applicant, ssn })
    expect(JSON.parse(request.body)).toEqual({ ...applicant, ssn: '[redacted]' })
    await send({ ...applicant, ssn: Number(ssn) })
    await send({ ...applicant, ssn: { number: ssn } })
    await send({ ...applicant, socialSecurityNumber: ssn })
    await send({ ...applicant, address: { ...applicant.address, other: [ssn] } })
    await send({ ...applicant, name: { inner: ssn } })
    await send([ssn])
    await send(JSON.stringify(ssn))
    await send(`{"ssn":"${ssn}"`)
    await send(`{"ssn":"${ssn}",${ssn}}`)
    await send(`${ssn} ${ssn}`)
    const padded = await send({ ...applicant, ssn, name: 'x'.repeat(20_000) })
    expect(padded.request.truncated).toBe(true)
  })

  test('hides documents, tokens, keys and webhook secrets', async () => {
    const { applicationId, documentId } = await makeApplication(bank)
    const file = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 'document')]).toString('base64')
    const path = `/v0/banking/applications/${applicationId}/documents/${documentId}`
    for (const content of [file, file.slice(0, 4_000)]) {
      await bank.call('POST', path, { body: { file: content, contentType: 'application/pdf' } })
      const { request } = await shown()
      expect(JSON.parse(request.body)).toEqual({ file: '[redacted]', contentType: 'application/pdf' })
      expect(request.truncated).toBe(content.length > 10_240)
    }
    const secrets: [method: string, path: string, body: unknown, member: string][] = [
      ['POST', `/v0/banking/customers/${payer.customerId}/token-verifications`, {}, 'verificationToken'],
      ['POST', '/v0/api-keys', { name: 'Sample' }, 'key'],
      ['POST', '/v0/webhook-endpoints', { url: 'https://example.com/x', events: ['*'] }, 'secret'],
    ]
    for (const [method, url, body, member] of secrets) {
      const { json } = await bank.call(method, url, { body })
      const secret = json.data[member]
      expect(secret.length).toBeGreaterThan(10)
      const { response } = await shown()
      expect(JSON.parse(response.body).data).toEqual({ ...json.data, [member]: '[redacted]' })
    }
  })

  test('hides the API key wherever its owner sends it, and members with the name of a secret', async () => {
    const body = { customerId: bank.key, tags: { note: bank.key }, password: 'open sesame', nested: { apiKey: 'abc' } }
    const headers = { authorization: 'Bearer abc', 'x-api-key': bank.key, 'x-other': bank.key }
    await bank.call('POST', `/v0/banking/accounts?x=${bank.key}`, { body, headers })
    const { data } = (await latest()).json
    expect(JSON.stringify(data)).not.toContain(bank.key)
    expect(JSON.parse(data.request.body)).toEqual({
      customerId: '***',
      tags: { note: '***' },
      password: '[redacted]',
      nested: { apiKey: '[redacted]' },
    })
    expect(data.request.headers).toMatchObject({ authorization: '[redacted]', 'x-api-key': '[redacted]' })
  })

  test('keeps a body of 10 KB whole and cuts a longer one', async () => {
    const text = (length: number) => `{"customerId":"${'x'.repeat(length - 17)}"}`
    for (const [length, truncated] of [
      [10_240, false],
      [10_241, true],
      [900_000, true],
    ] as const) {
      await bank.call('POST', '/v0/banking/accounts', { raw: text(length) })
      const { request } = await shown()
      expect(request.truncated).toBe(truncated)
      expect(request.body).toBe(truncated ? '{"customerId":"[truncated]"}' : text(length))
    }
    await bank.call('POST', '/v0/banking/accounts', { raw: `[${'1,'.repeat(30_000)}1]` })
    expect((await shown()).request.body.length).toBeLessThanOrEqual(10_240)
    const long = await bank.call('GET', '/v0/events?limit=1000')
    const { response } = await shown()
    expect(response).toMatchObject({ body: long.text.slice(0, 10_240), truncated: true })
  })

  test('shows a malformed body as it was sent, no file, and no body where none was sent', async () => {
    await bank.call('POST', '/v0/banking/accounts', { raw: '{"customerId": 1,}' })
    expect((await shown()).request.body).toBe('{"customerId": 1,}')
    await bank.call('POST', '/v0/banking/accounts', { raw: '{"secret": 1,}' })
    expect((await shown()).request.body).toBe('[redacted]')
    await bank.call('GET', '/v0/banking/accounts')
    expect((await shown()).request.body).toBeNull()
    await bank.call('HEAD', '/v0/banking/accounts')
    expect((await shown()).response.body).toBeNull()
  })

  test('answers 404 for requests of another organisation, for those that gave way, and for unknown ids', async () => {
    const { id, sequence } = await shown()
    const [start] = id.split(`_${sequence}_`)
    for (const [odd, key] of [
      [id, bank.otherKey],
      [`${id}0`, bank.key],
      [id.replace(/_[0-9a-f]+$/, '_00000000'), bank.key],
      [`${start}_${sequence + 1_000}_${id.slice(-8)}`, bank.key],
      [String(sequence), bank.key],
      ['req_', bank.key],
    ]) {
      const reply = await bank.call('GET', `/v0/requests/${odd}`, { key: key ?? '' })
      expect([reply.status, reply.json.code], odd).toEqual([404, 'request_not_found'])
    }
    const small = await openTestBank({ requestLog: { limits: { perOrganisation: 2, bytes: 1_000_000 } } })
    try {
      const list = async () => (await small.call('GET', '/v0/requests', { headers: tool })).json.data
      await small.call('GET', '/v0/banking/accounts')
      const [first] = await list()
      expect((await small.call('GET', `/v0/requests/${first.id}`, { headers: tool })).status).toBe(200)
      for (let count = 0; count < 2; count++) await small.call('GET', '/v0/banking/accounts')
      expect((await list()).length).toBe(2)
      expect((await small.call('GET', `/v0/requests/${first.id}`, { headers: tool })).status).toBe(404)
    } finally {
      await small.close()
    }
  })
})
