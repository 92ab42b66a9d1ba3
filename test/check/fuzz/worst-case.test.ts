import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isNamedScope, keyScopes } from '../../../src/base/operation.ts'
import { operations } from '../../../src/operations.ts'
import { createServiceDatabase, openTestBank, type TestBank } from '../../support/harness.ts'
import { sampleRequest, urlOf } from '../../support/schemas/samples.ts'
import { databaseUrl, endServices, scratchFolder, startService } from '../../support/service.ts'
import { applicant, makeWorld, type World } from '../../support/world.ts'
import { attacksOn, type Pulse, takePulse } from '../../support/worst-case.ts'

/** Others are to be answered within 250 ms; four times that is allowed on a slow machine. */
const MAX_PAUSE_MS = 1_000

let bank: TestBank
let world: World
let url: string
let pulse: Pulse
/** A key with the scopes that a key has only by name. */
let namedKey: string

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  world = await makeWorld(bank)
  namedKey = await bank.makeKey('first', ['processor:write', 'review:write'])
  url = await bank.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(bank.app.server.address() as AddressInfo).port}`
  pulse = await takePulse(url, '/livez', process.pid)
})
afterAll(async () => {
  await pulse.stop()
  await bank.close()
})

describe('the worst requests that the size limits let through', () => {
  const ofKeys = operations.filter(({ scope }) => scope === 'any' || keyScopes.some((each) => each === scope))
  test.each(ofKeys.map((operation) => [operation.id, operation] as const))(
    'of %s are refused, and nobody else waits for them',
    async (_id, operation) => {
      const address = urlOf(operation.path, sampleRequest(operation, world))
      const isNamed = operation.scope !== 'any' && operation.scope !== 'risk:write' && isNamedScope(operation.scope)
      const key = isNamed ? namedKey : bank.key
      const attacks = attacksOn(operation, Boolean(process.env.SOAK))
      // To make the requests took time in this process, too.
      await pulse.slowest()
      for (const { name, search, body } of attacks) {
        const separator = address.includes('?') ? '&' : '?'
        const target = url + address + (search ? separator + search : '')
        // `fetch` would copy each body several times.
        const reply = await request(target, {
          method: operation.method,
          headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
          ...(body && { body }),
        })
        const answer = await reply.body.arrayBuffer()
        const slowest = await pulse.slowest()
        // A filter that finds nothing is answered with an empty list.
        const expected = body ? [400, 404, 409, 413] : [200, 400]
        expect(expected, `${name} answered ${reply.statusCode}`).toContain(reply.statusCode)
        expect(answer.byteLength, name).toBeLessThan(1024 * 1024)
        expect(slowest, name).toBeLessThan(MAX_PAUSE_MS)
      }
    },
  )
})

describe('twenty uploads at once', () => {
  afterAll(endServices)

  test('are served a few at a time, the others are asked to retry, and nobody else waits', async () => {
    const { server, drop } = await createServiceDatabase()
    const service = await startService({
      PURSER_DATA_DIR: scratchFolder(),
      DATABASE_URL: databaseUrl(server),
      PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    })
    const beat = await takePulse(service.url, '/livez', service.pid)
    const { json } = await service.call('POST', '/v0/banking/applications', {
      body: { ...applicant, ssn: '000000003' },
    })
    const { id, documents } = json.data
    const file = Buffer.alloc(20 * 1024 * 1024, '%PDF-1.7 ').toString('base64')
    const body = Buffer.from(JSON.stringify({ file, contentType: 'application/pdf' }))
    const upload = async (count: number) => {
      const reply = await request(`${service.url}/v0/banking/applications/${id}/documents/${documents[0].id}`, {
        method: 'POST',
        headers: {
          'x-service-api-key': service.key,
          'content-type': 'application/json',
          'idempotency-key': `upload-${count}`,
        },
        body,
      }).catch(() => undefined)
      await reply?.body.arrayBuffer()
      return { status: reply?.statusCode, retryAfter: reply?.headers['retry-after'] }
    }
    await beat.slowest()
    const replies = await Promise.all(Array.from({ length: 20 }, (_, count) => upload(count)))
    const slowest = await beat.slowest()
    process.stdout.write(`twenty uploads: /livez answered within ${Math.round(slowest)} ms\n`)
    expect(slowest).toBeLessThan(MAX_PAUSE_MS)
    // A sender that is still writing may see the connection close before it reads the refusal.
    for (const { status } of replies) expect([201, 503, undefined]).toContain(status)
    expect(replies.filter(({ status }) => status === 201).length).toBeGreaterThan(0)
    for (const { status, retryAfter } of replies) if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0)
    expect((await upload(20)).status).toBe(201)
    await beat.stop()
    await service.stop()
    await drop()
  })
})
