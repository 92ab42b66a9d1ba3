import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { withOpenWords } from '../base/text.ts'
import { eventCatalogue } from '../event-catalogue.ts'
import { entityType, eventTypes } from './event.ts'
import type { EventTypeInfo } from './list-event-types.ts'

let bank: TestBank
let listed: EventTypeInfo[]
beforeAll(async () => {
  bank = await openTestBank({ mode: 'live' })
  const key = await bank.makeKey('first', ['rewards:read'])
  const { status, text, headers, json } = await bank.call('GET', '/v0/event-types', { key })
  expect(status, text).toBe(200)
  expect(headers.link).toBeUndefined()
  listed = json.data
})
afterAll(() => bank.close())

describe('list event types', () => {
  test('answers every type once, with the sentence of the catalogue, to any key in any mode', () => {
    expect(listed.map(({ type }) => type)).toEqual(eventTypes)
    const shown = listed.map(({ type, description }) => ({ type, description }))
    expect(shown).toEqual(eventCatalogue.map(({ type, description }) => ({ type, description })))
    expect(shown.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).toEqual([])
  })

  test.each(eventTypes)('%s: the sample is a whole event, and its data satisfies the schema', (type) => {
    const { schema, sample } = listed.find((info) => info.type === type) as EventTypeInfo
    expect(sample, 'run npm run samples').toMatchObject({ type, entity: { type: entityType(type) }, apiVersion: 'v0' })
    expect(sample.id).toMatch(new RegExp(`^evt_\\d+_${sample.sequence}$`))
    // The schema is used as it was answered, with the open words that it declares.
    expect(Compile(withOpenWords(schema)).Errors(sample.data)).toEqual([])
    expect(Compile(withOpenWords(schema)).Check({ ...sample.data, id: [] })).toBe(false)
  })

  test('each schema refers only to its own definitions, and uses each of them', () => {
    for (const { schema } of listed) {
      const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref)
      const names = Object.keys(schema.$defs as object).map((name) => `#/$defs/${name}`)
      expect(new Set(refs)).toEqual(new Set(names))
    }
  })

  test('the samples hold no secret', () => {
    const texts = listed.map(({ sample }) => JSON.stringify(sample))
    expect(texts.filter((text) => /prs_|whsec_|ssn/i.test(text))).toEqual([])
  })
})
