import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operation, type Scope, scopes, scopesOf } from '../../src/base/operation.ts'
import { refusals } from '../../src/base/refusals.ts'
import { operations } from '../../src/operations.ts'
import { type CallOptions, openTestBank, type Reply, root, type TestBank } from '../support/harness.ts'
import { smallCatalogue } from '../support/offers.ts'
import { neverSucceeding } from '../support/schemas/every-operation.ts'
import { exceptions } from '../support/schemas/exceptions.ts'
import { idsIn, type Member, members, notFound, objectOf, withMember } from '../support/schemas/members.ts'
import { type Sample, type Schema, sampleRequest, schemaOf, urlOf } from '../support/schemas/samples.ts'
import { makeWorld, type World } from '../support/world.ts'

/** The interface's own table, by hand: what must be served, where. */
const interfaceTable: Record<string, [method: string, path: string]> = {
  B1: ['GET', '/v0/banking/authorizations'],
  B2: ['POST', '/v0/banking/customers/:customerId/token-verifications'],
  B3: ['GET', '/v0/banking/transactions/:transactionId'],
  B4: ['GET', '/v0/banking/transactions'],
  B5: ['POST', '/v0/banking/cards'],
  B6: ['POST', '/v0/banking/cards/:cardId/replace'],
  B7: ['GET', '/v0/banking/cards'],
  B8: ['POST', '/v0/banking/accounts/:accountId/payments'],
  B9: ['GET', '/v0/banking/payments/:paymentId'],
  B10: ['GET', '/v0/banking/payments'],
  B11: ['POST', '/v0/banking/customers/:customerId/external-accounts'],
  B12: ['GET', '/v0/banking/customers/:customerId/external-accounts'],
  B13: ['GET', '/v0/banking/statements'],
  B14: ['POST', '/v0/banking/accounts'],
  B15: ['POST', '/v0/banking/accounts/:accountId/reopen'],
  B16: ['GET', '/v0/banking/accounts/:accountId'],
  B17: ['POST', '/v0/banking/applications/:applicationId/documents/:documentId/back'],
  R1: ['GET', '/v0/rewards/reward-offers/local-reward-offers'],
  R2: ['GET', '/v0/rewards/reward-offers/national-reward-offers'],
  R3: ['GET', '/v0/rewards/partner-users'],
  R4: ['GET', '/v0/rewards/rewardable-transactions'],
  R5: ['GET', '/v0/rewards/reward-payments'],
}

/** B2's other spellings: the sample's method and the sample's path, and both at once. */
const aliasTable: Record<string, string[]> = {
  B2: [
    'GET /v0/banking/customers/:customerId/token-verification',
    'GET /v0/banking/customers/:customerId/token-verifications',
    'POST /v0/banking/customers/:customerId/token-verification',
  ],
}

let bank: TestBank
let ours: World
/** The records that an operation does not name are those of other operations: to make a whole world takes 0.2 seconds. */
let others: World | undefined
/** Operations that read come first, so that no other one changes their world. */
const inOrder = operations.toSorted((one, other) => Number(other.method === 'GET') - Number(one.method === 'GET'))
let theirs: World

beforeAll(async () => {
  bank = await openTestBank({ catalogue: smallCatalogue() })
  theirs = await makeWorld(bank, bank.otherKey)
})
afterAll(() => bank.close())

describe('the index', () => {
  test('serves the interface at its addresses', () => {
    const served = operations.filter(({ number }) => number !== undefined)
    process.stdout.write(
      `${served.length} of ${Object.keys(interfaceTable).length} interface operations are served: ${served
        .map(({ number }) => number)
        .join(', ')}\n`,
    )
    for (const { number = '', method, path, aliases = [] } of served) {
      expect([method, path], number).toEqual(interfaceTable[number])
      expect(aliases.map((alias) => `${alias.method} ${alias.path}`).sort(), number).toEqual(aliasTable[number] ?? [])
    }
  })

  test('has every number, id, name and address once', () => {
    const repeated = (texts: string[]) => texts.filter((text, at) => texts.indexOf(text) !== at)
    expect(repeated(operations.flatMap(({ number }) => number ?? []))).toEqual([])
    expect(repeated(operations.map(({ id }) => id))).toEqual([])
    const names = operations.map(({ resource, verb }) => `${resource}.${verb}`)
    expect(repeated(names)).toEqual([])
    expect(names.filter((name) => !/^(sandbox\.)?[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(name))).toEqual([])
    const addresses = operations.flatMap(({ method, path, aliases = [] }) => [{ method, path }, ...aliases])
    expect(repeated(addresses.map(({ method, path }) => `${method} ${path}`))).toEqual([])
  })

  test('names each operation after its file and its export', async () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    for (const operation of operations) {
      const name = operation.id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      const [file, ...more] = files.filter((path) => path.endsWith(`/${name}.ts`))
      expect(more, `${name}.ts stands once`).toEqual([])
      const exported = await import(join(root, 'src', file ?? `${name}.ts`))
      expect(exported[operation.id] === operation, `${file} exports ${operation.id}`).toBe(true)
    }
  })

  test('declares only problems of its own, once each', () => {
    const everywhere = ['invalid_request', 'unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable']
    for (const { id, problems } of operations) {
      expect(new Set(problems).size, id).toBe(problems.length)
      expect(
        problems.filter((code) => everywhere.includes(code)),
        id,
      ).toEqual([])
    }
  })

  test('succeeds with generated requests, and every answer has the shape of its schema', {
    timeout: 400_000,
  }, async () => {
    expect(await neverSucceeding(bank, send), 'these never succeeded').toEqual([])
  })
})

describe.each(inOrder.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  const spellings = [operation, ...(operation.aliases ?? [])].map(({ method, path }) => ({ method, path }))

  beforeAll(async () => {
    others ??= await makeWorld(bank)
    const named = recordsNamedBy(operation)
    const there: Partial<World> = { ...others }
    for (const name of operation.method === 'GET' ? readOnce : [...named, ...changed]) delete there[name]
    ours = await makeWorld(bank, bank.key, there)
    // One that changes something and names nothing may change all of them.
    if (operation.method !== 'GET' && named.size === 0) others = undefined
  })

  describe('keys', () => {
    test('a request without a usable key answers 401 and says how to authenticate', async () => {
      for (const spelling of spellings) {
        for (const key of [null, '', 'short', 'an-unknown-key', 'ключ-не-ascii', 'x'.repeat(513), 'two words']) {
          const headers: Record<string, string> = key === null ? {} : { 'x-service-api-key': key }
          const reply = await sendAs(spelling, sampleRequest(operation, ours), { key: null, headers })
          expect([reply.status, reply.json.code], `key ${key}`).toEqual([401, 'unauthorized'])
          expect(reply.headers['www-authenticate']).toBe('ApiKey realm="purser"')
        }
      }
    })

    test('a key that lacks a scope answers 403, one with nothing else is enough', async () => {
      for (const scope of scopesOf(operation)) {
        const enough: Scope[] = [scope, scope.replace(':read', ':write') as Scope]
        const others = await bank.makeKey(
          'first',
          scopes.filter((other) => !enough.includes(other) && other !== operation.orScope),
        )
        for (const spelling of spellings) {
          const reply = await sendAs(spelling, sampleRequest(operation, ours), { key: others })
          expect([reply.status, reply.json.code]).toEqual([403, 'forbidden'])
          expect(reply.json.detail).toContain(scope)
        }
      }
      const none = await bank.makeKey('first', [])
      for (const spelling of spellings) {
        const { status } = await sendAs(spelling, sampleRequest(operation, ours), { key: none })
        // An operation for every key may still need a scope for the type of record that it is asked for.
        expect(operation.scope === 'any' ? [operation.status, 403] : [403]).toContain(status)
      }
      const only = await bank.makeKey('first', operation.scope === 'any' ? null : scopesOf(operation))
      expect([401, 403]).not.toContain((await send(operation, sampleRequest(operation, ours), { key: only })).status)
    })
  })

  describe('query parameters', () => {
    const properties = Object.entries(schemaOf(operation.query).properties ?? {})
    const required = schemaOf(operation.query).required ?? []

    test('an unknown one is refused by name', async () => {
      for (const name of ['surprise', 'Limit', '__proto__', 'constructor']) {
        const reply = await withQuery({ [name]: '1' })
        expect([reply.status, reply.json.errors?.[0]?.parameter, reply.json.errors?.[0]?.code]).toEqual([
          400,
          name,
          'unknown',
        ])
      }
    })

    test('a required one that is missing is refused by name', async () => {
      for (const name of required) {
        const sample = sampleRequest(operation, ours)
        delete sample.query[name]
        expectFault(await send(operation, sample), { parameter: name, code: 'required' })
      }
    })

    test('one that is repeated or blank is refused by name', async () => {
      for (const [name, schema] of properties) {
        if (!('x-clause' in schema)) expectFault(await withQuery({ [name]: '' }), { parameter: name, code: 'blank' })
        if (schema.type === 'array') continue
        const value = queryValue(schema, name)
        const url = urlOf(operation.path, sampleRequest(operation, ours))
        const twice = `${name}=${encodeURIComponent(value)}&${name}=${encodeURIComponent(value)}`
        const reply = await probe(operation.method, `${url}${url.includes('?') ? '&' : '?'}${twice}`)
        expectFault(reply, { parameter: name, code: 'repeated' })
      }
    })

    test('one with a control character or broken text is refused by name', async () => {
      for (const [name] of properties) {
        for (const text of ['%00', 'a%0Ab', '%7F', '%C2%85', 'a%ED%A0%80', '%FF', '%']) {
          expectFault(await withRawQuery(name, text), { parameter: name })
        }
      }
    })

    test('whole numbers are decimal digits within their limits', async () => {
      for (const [name, schema] of properties.filter(([, { type }]) => type === 'integer')) {
        const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
        for (const edge of [minimum, maximum]) {
          const reply = await withQuery({ [name]: String(edge) })
          expect(reply.status, `${name}=${edge}`).toBe(operation.status)
        }
        const odd = ['1.5', '1e3', '-1', ' 1', '+1', '1 ', '0x10', 'one', '1,0', '٣', '9'.repeat(400), 'NaN']
        for (const text of [...odd, String(minimum - 1), String(maximum + 1)]) {
          expectFault(await withQuery({ [name]: text }), { parameter: name })
        }
      }
    })

    test('enumerations match in any letter case, other words are refused', async () => {
      for (const [name, schema] of properties) {
        const words = (schema.enum ?? schema.items?.enum ?? []) as string[]
        if (words.length === 0) continue
        for (const word of words) {
          for (const spelling of [word, word.toLowerCase(), word.toUpperCase()]) {
            expectSuccess(operation, (await withQuery({ [name]: spelling })).status, `${name}=${spelling}`)
          }
        }
        expectFault(await withQuery({ [name]: `${words[0]}x` }), { parameter: name, code: 'not_allowed' })
      }
    })

    test('texts keep their lengths', async () => {
      for (const [name, schema] of properties) {
        for (const { value, past } of edgesOf(schema, queryValue(schema, name))) {
          const reply = await withQuery({ [name]: String(value) })
          if (past) expectFault(reply, { parameter: name })
          else expect(reply.status, `${name}=${value}`).not.toBe(400)
        }
      }
    })

    test('times at both ends of their range, and past them, are answered or refused by name', async () => {
      const names = properties.flatMap(([name, schema]) => (isTime(schema) ? [name] : []))
      const alone = names.flatMap((name) => timesToTry.map((time): Record<string, string> => ({ [name]: time })))
      const together = timesToTry.map((time) => Object.fromEntries(names.map((name) => [name, time])))
      const [first = '', last = ''] = names
      const whole = { [first]: '0001-01-01', [last]: '9999-12-31T23:59:59.999Z' }
      for (const query of names.length > 1 ? [...alone, ...together, whole] : alone) {
        const reply = await withQuery(query)
        const refused = reply.json.errors?.[0]?.parameter ?? reply.json.code
        if (reply.status !== operation.status) expect([...names, 'range_too_long']).toContain(refused)
      }
    })

    function withQuery(query: Record<string, string>): Promise<Reply> {
      const sample = sampleRequest(operation, ours)
      return send(operation, { ...sample, query: { ...sample.query, ...query } })
    }

    function withRawQuery(name: string, text: string): Promise<Reply> {
      const sample = sampleRequest(operation, ours)
      delete sample.query[name]
      const url = urlOf(operation.path, sample)
      return probe(operation.method, `${url}${url.includes('?') ? '&' : '?'}${name}=${text}`, bodyOf(sample))
    }
  })

  describe('path parameters', () => {
    test('control characters and broken text are refused', async () => {
      for (const [name] of Object.entries(schemaOf(operation.params).properties ?? {})) {
        for (const text of ['%00', '1%0A2', '%7F', '%C2%85']) {
          expectFault(await withParam(name, text), { parameter: name })
        }
        for (const text of ['%', '%zz', '1%2']) {
          const reply = await withParam(name, text)
          expect([reply.status, reply.json.code], text).toEqual([400, 'invalid_request'])
        }
      }
    })

    test('bytes that are not UTF-8 are an unknown id', async () => {
      for (const [name, schema] of idsIn(operation.params)) {
        for (const text of ['%ED%A0%80', '%FF', `${ours[schema['x-resource']]}%C3`, '%f0%9f%92']) {
          const reply = await withParam(name, text)
          expect([reply.status, reply.json.code], text).toEqual([404, notFound(schema['x-resource'])])
        }
      }
    })

    test('a malformed, over-long or unknown id answers 404', async () => {
      for (const [name, schema] of idsIn(operation.params)) {
        for (const id of oddIds(ours[schema['x-resource']])) {
          const reply = await withParam(name, encodeURIComponent(id))
          expect([reply.status, id.slice(0, 30)]).toEqual([404, id.slice(0, 30)])
          expect(reply.json.code).toBe(notFound(schema['x-resource']))
        }
      }
    })

    function withParam(name: string, text: string): Promise<Reply> {
      const sample = sampleRequest(operation, ours)
      const params = Object.fromEntries(
        Object.entries(sample.params).map(([key, value]) => [key, encodeURIComponent(String(value))]),
      )
      const url = urlOf(operation.path, { ...sample, params: { ...params, [name]: text } }, true)
      return probe(operation.method, url, bodyOf(sample))
    }
  })

  describe('bodies', () => {
    if (operation.method === 'GET') return test('are ignored', () => ignoresBody(operation))

    const schema = schemaOf(operation.body)

    test('an unknown member is refused by name, at every depth', async () => {
      const objects = ['', ...members(schema).flatMap((member) => (objectOf(member.schema) ? [member.pointer] : []))]
      for (const pointer of objects) {
        for (const name of ['surprise', '__proto__', 'constructor', 'a~b/c']) {
          const body = withMember(
            sampleRequest(operation, ours).body ?? {},
            `${pointer}/${name.replace('~', '~0').replace('/', '~1')}`,
            1,
          )
          if (!body) continue
          const reply = await withBody(body)
          expectFault(reply, {
            pointer: `${pointer}/${name.replace('~', '~0').replace('/', '~1')}`,
            code: 'unknown',
          })
        }
      }
    })

    test('each required member that is missing is pointed at', async () => {
      for (const { pointer, required } of members(schema)) {
        if (!required) continue
        const body = withMember(sampleRequest(operation, ours).body ?? {}, pointer, undefined)
        if (body) expectFault(await withBody(body), { pointer, code: 'required' })
      }
    })

    test('each member of a wrong type is pointed at', async () => {
      for (const value of [1, 'text', true, [], [{}]]) {
        expectFault(await withBody(value), { pointer: '', code: 'wrong_type' })
      }
      for (const { pointer, schema: member, required } of members(schema)) {
        for (const value of illTyped(member)) {
          if (value === null && countsAsAbsent({ pointer, schema: member, required })) continue
          const body = withMember(sampleRequest(operation, ours).body ?? {}, pointer, value)
          if (!body) continue
          const reply = await withBody(body)
          expectFault(reply, { pointer }, `${pointer} = ${JSON.stringify(value)}`)
        }
      }
    })

    test('null counts as absent for each optional member, with and without an idempotency key', async () => {
      for (const member of members(schema).filter(countsAsAbsent)) {
        const sample = sampleRequest(operation, ours)
        const [absent, nulled] = [undefined, null].map((value) => withMember(sample.body ?? {}, member.pointer, value))
        if (!absent || !nulled) continue
        const headers = { 'idempotency-key': `null-${operation.id}${member.pointer}` }
        const [first, again] = [
          await send(operation, { ...sample, body: nulled as Record<string, unknown> }, { headers }),
          await send(operation, { ...sample, body: absent as Record<string, unknown> }, { headers }),
        ]
        expect([first.status, first.json?.errors], member.pointer).toEqual([again.status, again.json?.errors])
        if (first.status < 300 && operation.method === 'POST') {
          expect([again.headers['idempotent-replayed'], again.text], member.pointer).toEqual(['true', first.text])
        }
      }
    })

    test('control characters and lone surrogates are pointed at', async () => {
      for (const { pointer, schema: member } of members(schema)) {
        // A raw text takes any character.
        if (!typesOf(member).has('string') || 'x-raw' in member) continue
        for (const text of ['\u0000', 'a\nb', '\u007f', '\u0085', 'a\ud800', '\udc00b']) {
          const body = withMember(sampleRequest(operation, ours).body ?? {}, pointer, text)
          if (body) expectFault(await withBody(body), { pointer, code: 'control_character' })
        }
      }
    })

    test('values at the edge of their limits are taken, those past it are pointed at', async () => {
      for (const { pointer, schema: member, sample } of membersOf(operation)) {
        for (const { value, past, inner = '' } of edgesOf(member, sample)) {
          const body = withMember(sampleRequest(operation, ours).body ?? {}, pointer, value)
          if (!body) continue
          const reply = await withBody(body)
          const what = `${pointer} = ${JSON.stringify(value)?.slice(0, 60)}`
          if (past) expectFault(reply, { pointer: `${pointer}${inner}` }, what)
          else if (!exceptions.narrowerEdges.includes(operation.id + pointer)) expect(reply.status, what).not.toBe(400)
        }
      }
    })

    test('times at both ends of their range, and past them, are taken or refused', async () => {
      const times = members(schema).filter(({ schema: member }) => isTime(member))
      for (const { pointer } of times) {
        for (const time of timesToTry) {
          const body = withMember(sampleRequest(operation, ours).body ?? {}, pointer, time)
          if (body) await withBody(body)
        }
      }
      // An operation that sets the clock leaves it at the present time, as the worlds that follow need it.
      if (times.length > 0) await send(operation, sampleRequest(operation, ours))
    })

    test('enumerations are exact', async () => {
      for (const { pointer, schema: member } of members(schema)) {
        const words = ('const' in member ? [member.const] : (member.enum ?? [])) as string[]
        // Numbers and true have one spelling.
        for (const word of words.filter((each) => typeof each === 'string')) {
          for (const other of [word.toLowerCase(), word.toUpperCase(), `${word} `, '']) {
            if (words.includes(other)) continue
            const body = withMember(sampleRequest(operation, ours).body ?? {}, pointer, other)
            if (body) expectFault(await withBody(body), { pointer, code: 'not_allowed' })
          }
        }
      }
    })

    test('a malformed, over-long or unknown id answers 404', async () => {
      for (const { pointer, schema: member } of members(schema)) {
        const resource = member['x-resource']
        if (!resource) continue
        const odd = member.type === 'integer' ? oddNumbers : ['', ...oddIds(ours[resource])]
        for (const id of odd) {
          const body = withMember(sampleRequest(operation, ours).body ?? {}, pointer, id)
          if (!body) continue
          const reply = await withBody(body)
          const what = String(id).slice(0, 30)
          expect([reply.status, reply.json.code, what]).toEqual([404, notFound(resource), what])
        }
      }
    })

    test('every fault is reported at once', async () => {
      const reply = await withBody({ surprise: 1, wonder: 2 })
      const faults = reply.json.errors.map(({ pointer }: { pointer: string }) => pointer)
      expect(reply.status).toBe(400)
      expect(faults.sort()).toEqual(
        ['/surprise', '/wonder', ...requiredByAll(operation).map((name) => `/${name}`)].sort(),
      )
    })

    function withBody(body: unknown): Promise<Reply> {
      return send(operation, { ...sampleRequest(operation, ours), body: body as Record<string, unknown> })
    }
  })

  describe('tenancy', () => {
    test("another organisation's id in the path answers 404", async () => {
      for (const [name, schema] of idsIn(operation.params)) {
        const resource = schema['x-resource']
        for (const spelling of spellings) {
          const sample = sampleRequest(operation, theirs)
          sample.params[name] = ours[resource]
          const reply = await sendAs(spelling, sample, { key: bank.otherKey })
          expect([reply.status, reply.json.code], `${spelling.method} ${name}`).toEqual([404, notFound(resource)])
        }
      }
    })

    test("another organisation's id in the body answers 404", async () => {
      for (const { pointer, schema } of members(schemaOf(operation.body))) {
        const resource = schema['x-resource']
        if (!resource) continue
        const sample = sampleRequest(operation, theirs)
        const id = schema.type === 'integer' ? Number(ours[resource]) : ours[resource]
        const body = withMember(sample.body ?? {}, pointer, id) as Record<string, unknown> | undefined
        if (!body) continue
        const reply = await send(operation, { ...sample, body }, { key: bank.otherKey })
        expect([reply.status, reply.json.code], pointer).toEqual([404, notFound(resource)])
      }
    })

    test("an unknown id or another organisation's in a filter answers an empty list", async () => {
      for (const [name, schema] of idsIn(operation.query)) {
        const id = ours[schema['x-resource']]
        const filtered = (world: World, value: string) => {
          const sample = sampleRequest(operation, world)
          return { ...sample, query: { ...sample.query, [name]: value } }
        }
        const isList = schemaOf(operation.data).type === 'array'
        const empty = isList ? [200, []] : [404, undefined]
        const own = await send(operation, filtered(ours, id))
        expect(own.status, name).toBe(200)
        if (isList && !exceptions.findNothing.includes(`${operation.id}/${name}`)) {
          expect(
            own.json.data.length,
            `${name} finds nothing: let test/support/world.ts make what it finds`,
          ).toBeGreaterThan(0)
        }
        const foreign = await send(operation, filtered(theirs, id), { key: bank.otherKey })
        expect([foreign.status, foreign.json.data], name).toEqual(empty)
        for (const odd of oddIds(id)) {
          if (odd.trim() === '') continue
          const reply = await send(operation, filtered(ours, odd))
          expect([reply.status, reply.json.data, odd.slice(0, 30)]).toEqual([...empty, odd.slice(0, 30)])
        }
      }
    })
  })

  test('serves its own methods only', async () => {
    const [, ...segments] = operation.path.split('/')
    const same = operations.flatMap(({ method, path, aliases = [] }) =>
      [{ method, path, reads: method === 'GET' }, ...aliases.map((alias) => ({ ...alias, reads: false }))].filter(
        (other) => shape(other.path) === shape(operation.path),
      ),
    )
    // A write that answers to GET does not answer to HEAD.
    const allowed = new Set(same.flatMap(({ method, reads }) => (reads ? [method, 'HEAD'] : [method])))
    expect(segments.length).toBeGreaterThan(0)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      if (allowed.has(method)) continue
      const reply = await probe(method, urlOf(operation.path, sampleRequest(operation, ours)), {
        key: null,
        headers: {},
      })
      expect(reply.status, method).toBe(405)
      expect(new Set(String(reply.headers.allow).split(', ')), method).toEqual(allowed)
    }
  })
})

describe('the generated tests can fail', () => {
  test('an unknown resource asks for a maker', async () => {
    ours = await makeWorld(bank)
    const operation = {
      id: 'getMoon',
      params: { type: 'object', properties: { moonId: { type: 'string', 'x-resource': 'moon' } } },
    } as unknown as Operation
    expect(() => sampleRequest(operation, ours)).toThrow('getMoon/moonId: the world has no moon; add a maker')
  })

  test('an answer with a member too many is seen', () => {
    const account = operations.find(({ id }) => id === 'getAccount') as Operation
    expect(conforms(account, { id: '1000042' })).toBe(false)
  })

  test('a refusal that breaks a rule is seen', async () => {
    const reply = await bank.call('GET', '/v0/banking/accounts/0')
    expect([reply.status, breachOf(reply, 'GET')]).toEqual([404, undefined])
    const { requestId, ...others } = reply.json
    const broken: [object, string][] = [
      [{ ...others }, 'a wrong request id'],
      [{ ...reply.json, status: 400 }, 'a wrong status in the body'],
      [{ ...reply.json, resumeAfter: 1 }, 'resumeAfter belongs to 410'],
      [{ ...reply.json, code: 'toString' }, 'an unknown code'],
      [{ ...reply.json, type: '/docs/errors' }, 'a wrong type'],
      [{ ...reply.json, title: '' }, 'a wrong title'],
      [{ ...reply.json, detail: '' }, 'no detail'],
      [{ ...reply.json, surprise: requestId }, 'unknown members surprise'],
      [{ ...reply.json, errors: [{ code: '', pointer: '' }] }, 'a fault with the members code,pointer'],
    ]
    for (const [json, breach] of broken) expect(breachOf({ ...reply, json }, 'GET')).toBe(breach)
    expect(breachOf({ ...reply, status: 500 }, 'HEAD')).toBe('an error of the service')
    expect(() => expectFault(reply, { pointer: '/id' })).toThrow('invalid_request')
  })
})

/** Requests are logged for a while only. */
const readOnce: (keyof World)[] = ['request']
/** Records that an operation may change without their name: it uses up money, and adds rules. */
const changed: (keyof World)[] = ['customer', 'account', 'externalAccount', 'transaction', 'faultRule']

/** The records whose ids a request of the operation contains. */
function recordsNamedBy(operation: Operation): Set<keyof World> {
  const named = new Set<keyof World>()
  const watched = new Proxy({} as World, {
    get: (_world, name: keyof World) => {
      named.add(name)
      return '1'
    },
  })
  sampleRequest(operation, watched)
  return named
}

async function ignoresBody(operation: Operation): Promise<void> {
  const sample = { ...sampleRequest(operation, ours), body: { surprise: 1 } }
  expectSuccess(operation, (await send(operation, sample)).status)
}

/** A success, or the refusal of a record in another state where the operation needs more than the world has. */
function expectSuccess({ id, status }: Operation, answered: number, message = id): void {
  expect(exceptions.needFile.includes(id) ? [status, 409] : [status], message).toContain(answered)
}

/** Calls, and holds every answer to the rules that all answers share. */
async function probe(method: string, url: string, options: CallOptions = {}): Promise<Reply> {
  const reply = await bank.call(method, url, options)
  const breach = breachOf(reply, method)
  if (breach !== undefined) {
    expect.fail(`${method} ${url.slice(0, 200)} answered ${reply.status}, ${breach}: ${reply.text.slice(0, 500)}`)
  }
  return reply
}

/** The rule that an answer breaks. Assertions for each of the many thousand answers took a tenth of the time of this file. */
function breachOf(reply: Reply, method: string): string | undefined {
  if (reply.status >= 500) return 'an error of the service'
  if (reply.status < 400 || method === 'HEAD') return undefined
  const { type, title, status, detail, code, requestId, errors = [], resumeAfter, ...more } = reply.json ?? {}
  if (Number.isSafeInteger(resumeAfter) !== (status === 410)) return 'resumeAfter belongs to 410'
  if (!Object.hasOwn(refusals, code)) return 'an unknown code'
  if (type !== `/docs/errors#${code}`) return 'a wrong type'
  if (title !== refusals[code as keyof typeof refusals].title) return 'a wrong title'
  if (status !== reply.status) return 'a wrong status in the body'
  if (requestId !== reply.headers['x-request-id']) return 'a wrong request id'
  if (Object.keys(more).length > 0) return `unknown members ${Object.keys(more)}`
  if (typeof detail !== 'string' || detail === '') return 'no detail'
  const odd = errors.find((fault: object) => {
    const place = 'pointer' in fault ? 'pointer' : 'parameter'
    return Object.keys(fault).length !== 3 || !['code', 'message', place].every((name) => name in fault)
  })
  return odd && `a fault with the members ${Object.keys(odd)}`
}

async function send(operation: Operation, sample: Sample, options: CallOptions = {}): Promise<Reply> {
  const reply = await sendAs(operation, sample, options)
  if (reply.status < 300 && reply.json !== undefined) {
    const isSound = Object.keys(reply.json).join() === 'data' && conforms(operation, reply.json.data)
    if (!isSound) expect.fail(`${operation.id} answered ${reply.text.slice(0, 1000)}`)
  }
  return reply
}

function sendAs(
  { method, path }: { method: string; path: string },
  sample: Sample,
  options: CallOptions = {},
): Promise<Reply> {
  return probe(method, urlOf(path, sample), { ...bodyOf(sample), ...options })
}

function bodyOf({ body }: Sample): CallOptions {
  return body === undefined ? {} : { body }
}

const compiled = new Map<Operation, ReturnType<typeof Compile>>()

function conforms(operation: Operation, data: unknown): boolean {
  const check = compiled.get(operation) ?? Compile(closed(operation.data))
  compiled.set(operation, check)
  return check.Check(data)
}

/** The schema without room for members that it does not name. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return ('properties' in copy && copy.type === 'object' ? { ...copy, additionalProperties: false } : copy) as T
}

/** Compares first, as `breachOf` does. */
function expectFault(
  { status, json, text }: Reply,
  fault: { pointer?: string; parameter?: string; code?: string },
  what: string = JSON.stringify(fault),
): void {
  const named = Object.entries(fault)
  const isNamed = (each: Record<string, unknown>) => named.every(([name, value]) => each[name] === value)
  if (status === 400 && json.code === 'invalid_request' && json.errors?.some(isNamed)) return
  expect([status, json.code, json.errors], `${what}: ${text}`).toEqual([
    400,
    'invalid_request',
    expect.arrayContaining([expect.objectContaining(fault)]),
  ])
}

function membersOf(operation: Operation): (Member & { sample: unknown })[] {
  const { body } = sampleRequest(operation, ours)
  return members(schemaOf(operation.body)).map((member) => ({
    ...member,
    sample: member.pointer
      .split('/')
      .slice(1)
      .reduce((value: unknown, name) => (value as Record<string, unknown> | undefined)?.[name], body),
  }))
}

/** Null says the same as leaving the member out, unless its schema admits null or refuses it by name. */
function countsAsAbsent({ pointer, schema, required }: Member): boolean {
  return !required && !/\/\d+$/.test(pointer) && !typesOf(schema).has('null') && schema['x-null'] !== 'refused'
}

function typesOf(schema: Schema): Set<string> {
  if (schema.anyOf) return new Set(schema.anyOf.flatMap((branch) => [...typesOf(branch)]))
  if ('const' in schema) return new Set([schema.const === null ? 'null' : typeof schema.const])
  if (schema.enum) return new Set(schema.enum.map((word) => (word === null ? 'null' : typeof word)))
  return new Set([schema.type ?? 'object'])
}

const valuesOfTypes: [type: string, values: unknown[]][] = [
  ['null', [null]],
  ['string', ['text', '1']],
  ['number', [1.5, 1e21]],
  ['integer', [1]],
  ['boolean', [true, false]],
  ['array', [[], [1]]],
  ['object', [{}]],
]

function illTyped(schema: Schema): unknown[] {
  const types = typesOf(schema)
  if (types.has('number')) types.add('integer')
  return valuesOfTypes.filter(([type]) => !types.has(type)).flatMap(([, values]) => values)
}

/** Whether a text is a time, a day or a month, by its examples or its mark. */
function isTime(schema: Schema): boolean {
  const { examples = [], anyOf = [] } = schema
  const isExample = (example: unknown) => /^\d{4}-\d\d/.test(String(example))
  return 'x-instant' in schema || examples.some(isExample) || anyOf.some(isTime)
}

/** Days, times and months at the ends of what can be said and past them; `probe` refuses an error of the service. */
const timesToTry = [
  ...['0000-01-01', '0001-01-01', '0001-02-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '0001-01-01T23:59:00-23:59'],
  ...['-0001-01-01', '0004-02-29', '1900-02-29', '2000-02-29', '2023-02-29', '2024-02-29T23:59:60Z'],
  ...['9999-12-31', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59-23:59'],
  ...['10000-01-01', '+010000-01-01T00:00:00Z', '2024-01-01T00:00:00+24:00', '294276-12-31', '1969-12-31T23:59:59Z'],
  ...['0000-01', '0001-01', '1000-01', '2024-02', '9999-12', '9999-13', '10000-01'],
]

interface Edge {
  value: unknown
  past: boolean
  /** Where below the member the fault is. */
  inner?: string
}

/** The values at each limit of a schema, and those just past it. */
function edgesOf(schema: Schema, sample: unknown): Edge[] {
  const edges: Edge[] = []
  const at = (value: unknown) => edges.push({ value, past: false })
  const past = (value: unknown, inner = '') => edges.push({ value, past: true, inner })
  if (schema.anyOf) return schema.anyOf.flatMap((branch) => edgesOf(branch, sample))
  if (schema.type === 'string' && schema['x-resource'] === undefined) {
    const { minLength = 0, maxLength, pattern } = schema
    const text = (length: number) => (pattern ? String(sample).padEnd(length, 'a') : '😀'.repeat(length))
    const fits = (value: string) => !pattern || new RegExp(pattern).test(value)
    if (minLength > 0 && fits(text(minLength))) at(text(minLength))
    if (minLength > 0) past(text(minLength).slice(0, pattern ? minLength - 1 : 2 * (minLength - 1)))
    if (maxLength !== undefined && fits(text(maxLength))) at(text(maxLength))
    if (maxLength !== undefined) past(text(maxLength + 1))
    // A letter that is two code points counts twice.
    if (maxLength !== undefined && !pattern) past('e\u0301'.repeat(Math.floor(maxLength / 2) + 1))
    if (pattern) past(`${sample}\u00a0`)
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    if (schema.minimum !== undefined) {
      at(schema.minimum)
      past(schema.minimum - 1)
    }
    if (schema.maximum !== undefined) {
      at(schema.maximum)
      past(schema.maximum + 1)
    }
  }
  if (schema.maxItems !== undefined && Array.isArray(sample)) {
    at(Array.from({ length: schema.maxItems }, () => sample[0]))
    past(Array.from({ length: schema.maxItems + 1 }, () => sample[0]))
  }
  if (schema.patternProperties) edges.push(...pairEdges(schema))
  return edges
}

function pairEdges({ patternProperties = {}, propertyNames = {}, maxProperties }: Schema): Edge[] {
  const edges: Edge[] = []
  const pairs = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [`name${number}`, 'value']))
  if (maxProperties !== undefined) {
    edges.push({ value: pairs(maxProperties), past: false }, { value: pairs(maxProperties + 1), past: true })
  }
  for (const { value, past } of edgesOf(propertyNames, 'x')) edges.push({ value: { [String(value)]: 'x' }, past })
  for (const schema of Object.values(patternProperties)) {
    for (const { value, past } of edgesOf(schema, 'x')) edges.push({ value: { name: value }, past, inner: '/name' })
    for (const value of illTyped(schema)) edges.push({ value: { name: value }, past: true, inner: '/name' })
  }
  return edges
}

/** Ids that name nothing: malformed ones, over-long ones, and some that are nearly right. */
function oddIds(id: string): string[] {
  const wrong = ['abc', '0', '-1', '1e6', ' ', '1.0', `0${id}`, `${id} `, ` ${id}`, `+${id}`, `${id}.0`, `-${id}`]
  const long = ['9007199254740993', '9223372036854775808', '9'.repeat(20), '1'.repeat(5000), 'a'.repeat(5000)]
  const strange = ['９９９９９９９', '💰', 'null', 'undefined', '%00', "1' or '1'='1", '../..', `${id},${id}`, '{}']
  return [...wrong, ...long, ...strange, '1999999999']
}

/** The same for ids that are numbers. */
const oddNumbers = [0, -1, 1_999_999_999, -1e21, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

function queryValue(schema: Schema, name: string): string {
  return String(schema['x-resource'] ? ours[schema['x-resource']] : sampleValue(schema, name))
}

function sampleValue(schema: Schema, name: string): unknown {
  const operation = { id: name, query: { type: 'object', required: [name], properties: { [name]: schema } } }
  return sampleRequest(operation as unknown as Operation, ours).query[name]
}

function shape(path: string): string {
  return path.replace(/:\w+/g, ':')
}

/** The members that a body needs, whichever branch of a union it chooses. */
function requiredByAll({ body }: Operation): string[] {
  const branches = (body && 'anyOf' in body ? body.anyOf : [body]) as (TSchema | undefined)[]
  const [first = [], ...others] = branches.map((branch) => schemaOf(branch).required ?? [])
  return first.filter((name) => others.every((required) => required.includes(name)))
}
