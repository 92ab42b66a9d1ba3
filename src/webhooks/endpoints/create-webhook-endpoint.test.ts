import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliveriesOf } from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/service.ts'

let bank: TestBank
let live: TestBank
/** Names that were looked up in live mode. */
const lookups: string[] = []

const addresses: Record<string, string> = {
  'public.example': '93.184.216.34',
  'inside.example': '10.0.0.1',
  'mixed.example': '127.0.0.1',
}

beforeAll(async () => {
  bank = await openTestBank()
  live = await openTestBank({
    mode: 'live',
    webhooks: {
      resolve: async (name) => {
        lookups.push(name)
        if (name === 'slow.example') await new Promise(() => undefined)
        const address = addresses[name]
        if (!address) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
        const first = name === 'mixed.example' ? [{ address: '93.184.216.34', family: 4 }] : []
        return [...first, { address, family: 4 }]
      },
    },
  })
})
afterAll(async () => {
  await bank.close()
  await live.close()
})

const create = (body: Record<string, unknown>, to = bank, headers: Record<string, string> = {}) =>
  to.call('POST', '/v0/webhook-endpoints', { body: { events: ['*'], ...body }, headers })

describe('create webhook endpoint', () => {
  test('answers the endpoint with its secret and Cache-Control: no-store', async () => {
    const { status, headers, json } = await create({
      url: 'http://localhost:3000/hooks?x=1',
      events: ['payment.*', 'card.created', 'payment.*'],
      description: 'My app',
    })
    expect([status, headers['cache-control']]).toEqual([201, 'no-store'])
    expect(json.data).toEqual({
      id: expect.stringMatching(/^\d{7,}$/),
      url: 'http://localhost:3000/hooks?x=1',
      events: ['payment.*', 'card.created'],
      description: 'My app',
      status: 'Enabled',
      disabledReason: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    })
    expect(Buffer.from(json.data.secret.slice(6), 'base64')).toHaveLength(32)
  })

  test('makes a new secret for each endpoint, answers the same one to a replay, and stores it sealed', async () => {
    const headers = { 'idempotency-key': 'one endpoint' }
    const first = await create({ url: 'https://example.com/' }, bank, { 'idempotency-key': 'one-endpoint' })
    const again = await create({ url: 'https://example.com/' }, bank, { 'idempotency-key': 'one-endpoint' })
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    expect((await create({ url: 'https://example.com/' }, bank, headers)).status).toBe(400)
    const other = await create({ url: 'https://example.com/' })
    expect(other.json.data.secret).not.toBe(first.json.data.secret)
    const rows = await bank.database.query<{ text: string }>(
      `select e::text as text from webhook_endpoint e union all select a::text from answer a union all select v::text from event v`,
    )
    const { secret } = first.json.data
    const kept = rows.map(({ text }) => text).join('\n')
    for (const form of [secret, secret.slice(6), Buffer.from(secret).toString('hex')]) expect(kept).not.toContain(form)
  })

  test('emits an event without the secret', async () => {
    const { json } = await create({ url: 'https://example.com/told' })
    const { secret: _, ...record } = json.data
    const { json: events } = await bank.call('GET', '/v0/events?type=webhookEndpoint.created&limit=1000')
    expect(events.data.at(-1)).toMatchObject({ entity: { id: record.id, version: 1 }, data: record })
    expect(JSON.stringify(events)).not.toContain('whsec_')
  })

  test('refuses URLs with user name, password or fragment, and other schemes', async () => {
    for (const url of [
      'https://',
      'https://[',
      'https://u:p@example.com/',
      'https://u@example.com/',
      'https://a.b/#c',
    ]) {
      const { status, json } = await create({ url })
      expect([status, json.errors[0].pointer], url).toEqual([400, '/url'])
    }
    for (const url of ['ftp://example.com/', 'example.com', 'file:///etc/passwd', `https://a.b/${'x'.repeat(2037)}`]) {
      expect((await create({ url })).status, url.slice(0, 40)).toBe(400)
    }
    expect((await create({ url: `https://a.b/${'x'.repeat(2036)}` })).status).toBe(201)
  })

  test('refuses unknown types of events and an empty list', async () => {
    const { json } = await create({ url: 'https://example.com/', events: ['payment.*', 'payments.*'] })
    expect(json.errors).toMatchObject([
      { pointer: '/events/1', message: expect.stringMatching(/^events must be one of /) },
    ])
    for (const events of [[], ['payment'], ['Payment.*'], ['payment.created '], ['webhookEndpoint.test']]) {
      expect((await create({ url: 'https://example.com/', events })).status, JSON.stringify(events)).toBe(400)
    }
  })

  test('accepts loopback and private networks in sandbox mode, but no link-local address', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]', '10.0.0.1', '192.168.1.1', '172.16.0.1', '2130706433']) {
      expect((await create({ url: `http://${host}:3000/` })).status, host).toBe(201)
    }
    for (const host of ['169.254.169.254', '[fe80::1]', '0.0.0.0', '[::]', '224.0.0.1', '[::ffff:169.254.169.254]']) {
      const { status, json } = await create({ url: `http://${host}/` })
      expect([status, json.code], host).toEqual([422, 'webhook_url_refused'])
    }
  })

  test('accepts https and public addresses only in live mode', async () => {
    for (const url of ['https://public.example/', 'https://93.184.216.34/', 'https://not-yet-known.example/']) {
      expect((await create({ url }, live)).status, url).toBe(201)
    }
    const refused = [
      'http://public.example/',
      'https://127.0.0.1/',
      'https://0x7f.1/',
      'https://[::1]/',
      'https://[::ffff:7f00:1]/',
      'https://10.1.2.3/',
      'https://169.254.169.254/',
    ]
    for (const url of refused) {
      const { status, json } = await create({ url }, live)
      expect([status, json.code], url).toEqual([422, 'webhook_url_refused'])
    }
  })

  test('does not show in live mode which names exist in the network behind the service', async () => {
    const names = ['public.example', 'inside.example', 'mixed.example', 'unknown.example', 'slow.example']
    for (const name of names) {
      const { status } = await create({ url: `https://hooks.${name}/`, events: ['payment.*'] }, live)
      expect(status, name).toBe(201)
    }
    expect(lookups.filter((name) => name.startsWith('hooks.'))).toEqual([])

    // Neither do the attempts: the error is the same for a name that exists inside and one that does not exist.
    const errors: string[] = []
    for (const name of ['inside.example', 'mixed.example', 'unknown.example']) {
      const { id } = (await create({ url: `https://${name}/`, events: ['payment.*'] }, live)).json.data
      await live.call('POST', `/v0/webhook-endpoints/${id}/test`)
      const attempt = await until(
        'an attempt',
        async () => (await deliveriesOf(live, id, 'status=Failed'))[0]?.attempts[0],
      )
      errors.push(attempt.error.replace(name, 'NAME'))
    }
    expect(errors).toEqual(Array(3).fill('NAME has no public address'))
  })

  test('limits an organisation to 1,000 endpoints, also when they are created at the same time', async () => {
    const key = await bank.makeKey('many', null)
    const make = () =>
      bank.call('POST', '/v0/webhook-endpoints', { key, body: { url: 'https://example.com/', events: ['*'] } })
    const { json } = await make()
    await bank.database.query(
      `insert into webhook_endpoint (id, organisation_id, created_at, url, events, status, sealed_secret)
       select id + n, organisation_id, created_at, url, events, status, sealed_secret
       from webhook_endpoint, generate_series(900000000, 900000997) n where id = $1::bigint`,
      [json.data.id],
    )
    // Ten at once for the one that is left: counted without a lock, all of them would find room.
    const replies = await Promise.all(Array.from({ length: 10 }, make))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)])
    const refused = await make()
    expect([refused.status, refused.json.code]).toEqual([422, 'webhook_endpoint_limit'])
    await bank.call('DELETE', `/v0/webhook-endpoints/${json.data.id}`, { key })
    expect((await make()).status).toBe(201)
  })
})
