import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { fastestMs } from '../../../test/support/run/fastest.ts'
import { redactionOf } from './redact.ts'

const Person = Type.Object({
  name: Type.String(),
  ssn: Type.String({ 'x-secret': true }),
  files: Type.Optional(Type.Array(Type.Object({ content: Type.String({ 'x-secret': true }), kind: Type.String() }))),
  address: Type.Optional(Type.Union([Type.Object({ pin: Type.String({ 'x-secret': true }) }), Type.Null()])),
})
const Plain = Type.Object({
  name: Type.String(),
  tokenCount: Type.Integer(),
  tags: Type.Record(Type.String(), Type.String()),
})

describe('The redaction of a schema', () => {
  const hide = (value: unknown) => redactionOf(Person).apply(value).value

  test('hides secrets at every depth, in lists and in alternatives', () => {
    const files = [{ content: 'abc', kind: 'front' }]
    expect(hide({ name: 'Ada', ssn: '1', files, address: { pin: '2' } })).toEqual({
      name: 'Ada',
      ssn: '[redacted]',
      files: [{ content: '[redacted]', kind: 'front' }],
      address: { pin: '[redacted]' },
    })
    expect(hide({ name: 'Ada', ssn: null, address: null })).toEqual({ name: 'Ada', ssn: null, address: null })
  })

  test('hides all that it does not know beside a secret, and keeps the idempotency key', () => {
    expect(hide({ name: { first: '1' }, sssn: '1', idempotencyKey: 'k' })).toEqual({
      name: { first: '[redacted]' },
      sssn: '[redacted]',
      idempotencyKey: 'k',
    })
    expect(hide('123')).toBe('[redacted]')
    expect(hide(123)).toBe('[redacted]')
    expect(hide([{ ssn: 1 }])).toEqual(['[redacted]'])
  })

  test('without secrets hides unknown members with the name of one, and says whether it changed anything', () => {
    const { apply, hasSecrets } = redactionOf(Plain)
    expect(hasSecrets).toBe(false)
    const known = { name: 'x', tokenCount: 1, tags: { a: 'b' } }
    expect(apply(known)).toEqual({ value: known, changed: false, truncated: false })
    expect(apply({ name: 'x', more: { password: 'y', deep: [{ 'api-key': 1 }] } }).value).toEqual({
      name: 'x',
      more: { password: '[redacted]', deep: [{ 'api-key': '[redacted]' }] },
    })
    expect(apply(JSON.parse('{"__proto__": {"secret": 1}, "constructor": 2}')).value).toEqual(
      JSON.parse('{"__proto__": {"secret": "[redacted]"}, "constructor": 2}'),
    )
    expect(redactionOf(undefined).apply({ a: 1 }).value).toEqual({ a: 1 })
  })

  test('is bounded, however large a body is and whatever it is made of', async () => {
    let nested: unknown = 1
    for (let depth = 0; depth < 5_000; depth++) nested = [nested]
    const bodies = [
      'x'.repeat(5_000_000),
      Array(500_000).fill(1),
      Array(500_000).fill(''),
      Array(500_000).fill(null),
      Array(500_000).fill({}),
      Object.fromEntries(Array.from({ length: 100_000 }, (_, number) => [`n${number}`, null])),
      { name: 'x'.repeat(5_000_000), files: Array(500_000).fill({ content: 'x' }) },
      nested,
    ]
    for (const schema of [Person, Plain]) {
      for (const body of bodies) {
        const ms = await fastestMs(() => {
          const { value } = redactionOf(schema).apply(body)
          expect(JSON.stringify(value).length).toBeLessThan(30_000)
        })
        expect(ms).toBeLessThan(500)
      }
    }
  })
})
