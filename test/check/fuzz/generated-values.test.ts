import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bank,
  countsAsAbsent,
  edgesOf,
  enterWorldOf,
  expectFault,
  expectSuccess,
  inOrder,
  isTime,
  openWorlds,
  ours,
  queryValue,
  send,
  timesToTry,
  typesOf,
  withBody,
  withParam,
  withQuery,
  withRawQuery,
} from '../../conformance/generated-calls.ts'
import { idsIn, members, notFound, withMember } from '../../support/schemas/members.ts'
import { sampleRequest, schemaOf } from '../../support/schemas/samples.ts'

beforeAll(openWorlds)
afterAll(() => bank.close())

describe.each(inOrder.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  beforeAll(() => enterWorldOf(operation))

  describe('query parameters', () => {
    const properties = Object.entries(schemaOf(operation.query).properties ?? {})

    test('one with a control character or broken text is refused by name', async () => {
      for (const [name] of properties) {
        for (const text of ['%00', 'a%0Ab', '%7F', '%C2%85', 'a%ED%A0%80', '%FF', '%']) {
          expectFault(await withRawQuery(operation, name, text), { parameter: name })
        }
      }
    })

    test('whole numbers are decimal digits within their limits', async () => {
      for (const [name, schema] of properties.filter(([, { type }]) => type === 'integer')) {
        const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
        for (const edge of [minimum, maximum]) {
          const reply = await withQuery(operation, { [name]: String(edge) })
          expect(reply.status, `${name}=${edge}`).toBe(operation.status)
        }
        const odd = ['1.5', '1e3', '-1', ' 1', '+1', '1 ', '0x10', 'one', '1,0', '٣', '9'.repeat(400), 'NaN']
        for (const text of [...odd, String(minimum - 1), String(maximum + 1)]) {
          expectFault(await withQuery(operation, { [name]: text }), { parameter: name })
        }
      }
    })

    test('enumerations match in any letter case, other words are refused', async () => {
      for (const [name, schema] of properties) {
        const words = (schema.enum ?? schema.items?.enum ?? []) as string[]
        if (words.length === 0) continue
        for (const word of words) {
          for (const spelling of [word, word.toLowerCase(), word.toUpperCase()]) {
            expectSuccess(operation, (await withQuery(operation, { [name]: spelling })).status, `${name}=${spelling}`)
          }
        }
        expectFault(await withQuery(operation, { [name]: `${words[0]}x` }), { parameter: name, code: 'not_allowed' })
      }
    })

    test('texts keep their lengths', async () => {
      for (const [name, schema] of properties) {
        for (const { value, past } of edgesOf(schema, queryValue(schema, name))) {
          const reply = await withQuery(operation, { [name]: String(value) })
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
        const reply = await withQuery(operation, query)
        if (reply.status === operation.status) continue
        expect([...names, 'range_too_long']).toContain(reply.json.errors?.[0]?.parameter ?? reply.json.code)
      }
    })
  })

  describe('path parameters', () => {
    test('control characters and broken text are refused', async () => {
      for (const [name] of Object.entries(schemaOf(operation.params).properties ?? {})) {
        for (const text of ['%00', '1%0A2', '%7F', '%C2%85']) {
          expectFault(await withParam(operation, name, text), { parameter: name })
        }
        for (const text of ['%', '%zz', '1%2']) {
          const reply = await withParam(operation, name, text)
          expect([reply.status, reply.json.code], text).toEqual([400, 'invalid_request'])
        }
      }
    })

    test('bytes that are not UTF-8 are an unknown id', async () => {
      for (const [name, schema] of idsIn(operation.params)) {
        for (const text of ['%ED%A0%80', '%FF', `${ours[schema['x-resource']]}%C3`, '%f0%9f%92']) {
          const reply = await withParam(operation, name, text)
          expect([reply.status, reply.json.code], text).toEqual([404, notFound(schema['x-resource'])])
        }
      }
    })
  })

  if (operation.method === 'GET') return

  describe('bodies', () => {
    const schema = schemaOf(operation.body)

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
          if (body) expectFault(await withBody(operation, body), { pointer, code: 'control_character' })
        }
      }
    })

    test('times at both ends of their range, and past them, are taken or refused', async () => {
      const times = members(schema).filter(({ schema: member }) => isTime(member))
      for (const { pointer } of times) {
        for (const time of timesToTry) {
          const body = withMember(sampleRequest(operation, ours).body ?? {}, pointer, time)
          if (body) await withBody(operation, body)
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
            if (body) expectFault(await withBody(operation, body), { pointer, code: 'not_allowed' })
          }
        }
      }
    })
  })
})
