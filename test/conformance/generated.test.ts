import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operation, type Scope, keyScopes as scopes, scopesOf } from '../../src/base/operation.ts'
import { operations } from '../../src/operations.ts'
import { root } from '../support/harness.ts'
import { neverSucceeding } from '../support/schemas/every-operation.ts'
import { exceptions } from '../support/schemas/exceptions.ts'
import { idsIn, members, notFound, objectOf, withMember } from '../support/schemas/members.ts'
import { sampleRequest, schemaOf, urlOf } from '../support/schemas/samples.ts'
import type { World } from '../support/world.ts'
import {
  bank,
  breachOf,
  conforms,
  countsAsAbsent,
  edgesOf,
  enterWorldOf,
  expectFault,
  ignoresBody,
  illTyped,
  inOrder,
  membersOf,
  oddIds,
  oddNumbers,
  openWorlds,
  ours,
  probe,
  queryValue,
  requiredByAll,
  send,
  sendAs,
  shape,
  theirs,
  withBody,
  withParam,
  withQuery,
} from './generated-calls.ts'

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

beforeAll(openWorlds)
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
  beforeAll(() => enterWorldOf(operation))

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
      // A proposal needs the scope of its operation, too: that of the world changes limits.
      const proposed: Scope[] = operation.path.startsWith('/v0/proposals/') ? ['risk:write'] : []
      const own = operation.scope === 'any' ? null : [...scopesOf(operation), ...proposed]
      const only = await bank.makeKey('first', own)
      expect([401, 403]).not.toContain((await send(operation, sampleRequest(operation, ours), { key: only })).status)
    })
  })

  describe('query parameters', () => {
    const properties = Object.entries(schemaOf(operation.query).properties ?? {})
    const required = schemaOf(operation.query).required ?? []

    test('an unknown one is refused by name', async () => {
      for (const name of ['surprise', 'Limit', '__proto__', 'constructor']) {
        const reply = await withQuery(operation, { [name]: '1' })
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
        if (!('x-clause' in schema))
          expectFault(await withQuery(operation, { [name]: '' }), { parameter: name, code: 'blank' })
        if (schema.type === 'array') continue
        const value = queryValue(schema, name)
        const url = urlOf(operation.path, sampleRequest(operation, ours))
        const twice = `${name}=${encodeURIComponent(value)}&${name}=${encodeURIComponent(value)}`
        const reply = await probe(operation.method, `${url}${url.includes('?') ? '&' : '?'}${twice}`)
        expectFault(reply, { parameter: name, code: 'repeated' })
      }
    })
  })

  describe('path parameters', () => {
    test('a malformed, over-long or unknown id answers 404', async () => {
      for (const [name, schema] of idsIn(operation.params)) {
        for (const id of oddIds(ours[schema['x-resource']])) {
          const reply = await withParam(operation, name, encodeURIComponent(id))
          expect([reply.status, id.slice(0, 30)]).toEqual([404, id.slice(0, 30)])
          expect(reply.json.code).toBe(notFound(schema['x-resource']))
        }
      }
    })
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
          const reply = await withBody(operation, body)
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
        if (body) expectFault(await withBody(operation, body), { pointer, code: 'required' })
      }
    })

    test('each member of a wrong type is pointed at', async () => {
      for (const value of [1, 'text', true, [], [{}]]) {
        expectFault(await withBody(operation, value), { pointer: '', code: 'wrong_type' })
      }
      for (const { pointer, schema: member, required } of members(schema)) {
        for (const value of illTyped(member)) {
          if (value === null && countsAsAbsent({ pointer, schema: member, required })) continue
          const body = withMember(sampleRequest(operation, ours).body ?? {}, pointer, value)
          if (!body) continue
          const reply = await withBody(operation, body)
          expectFault(reply, { pointer }, `${pointer} = ${JSON.stringify(value)}`)
        }
      }
    })

    test('values at the edge of their limits are taken, those past it are pointed at', async () => {
      for (const { pointer, schema: member, sample } of membersOf(operation)) {
        for (const { value, past, inner = '' } of edgesOf(member, sample)) {
          const body = withMember(sampleRequest(operation, ours).body ?? {}, pointer, value)
          if (!body) continue
          const reply = await withBody(operation, body)
          const what = `${pointer} = ${JSON.stringify(value)?.slice(0, 60)}`
          if (past) expectFault(reply, { pointer: `${pointer}${inner}` }, what)
          else if (!exceptions.narrowerEdges.includes(operation.id + pointer)) expect(reply.status, what).not.toBe(400)
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
          const reply = await withBody(operation, body)
          const what = String(id).slice(0, 30)
          expect([reply.status, reply.json.code, what]).toEqual([404, notFound(resource), what])
        }
      }
    })

    test('every fault is reported at once', async () => {
      const reply = await withBody(operation, { surprise: 1, wonder: 2 })
      const faults = reply.json.errors.map(({ pointer }: { pointer: string }) => pointer)
      expect(reply.status).toBe(400)
      expect(faults.sort()).toEqual(
        ['/surprise', '/wonder', ...requiredByAll(operation).map((name) => `/${name}`)].sort(),
      )
    })
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
