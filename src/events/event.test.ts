import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type CompleteEvent, envelope, eventTypes, partsOfEventId } from './event.ts'

const stored: CompleteEvent = {
  organisationId: 1000001,
  sequence: 42,
  type: 'payment.created',
  entityId: '1000063',
  entityVersion: 1,
  createdAt: '2026-01-31T12:00:00.000Z',
  history: null,
  data: '{"id": "1000063",  "description":"Lunch \\"at\\" Zoë’s"}',
  apiKeyId: 1000002,
  requestId: '0b7a9a3e-3a8f-4b6e-9a55-0f6f3c1f2d11',
  idempotencyKey: 'lunch "1"',
}

describe('the envelope', () => {
  test('is the expected text, with the stored data unchanged to the byte', () => {
    expect(envelope(stored)).toBe(
      '{"id":"evt_1000001_42","type":"payment.created","timestamp":"2026-01-31T12:00:00.000Z","apiVersion":"v0",' +
        '"sequence":42,"entity":{"type":"payment","id":"1000063","version":1},' +
        '"data":{"id": "1000063",  "description":"Lunch \\"at\\" Zoë’s"},' +
        '"request":{"id":"0b7a9a3e-3a8f-4b6e-9a55-0f6f3c1f2d11","idempotencyKey":"lunch \\"1\\""}}',
    )
  })

  test('of a change by the bank itself names no request, and is valid JSON', () => {
    const own = {
      ...stored,
      type: 'rewardableTransaction.created',
      apiKeyId: null,
      requestId: null,
      idempotencyKey: null,
    }
    expect(JSON.parse(envelope(own))).toEqual({
      id: 'evt_1000001_42',
      type: 'rewardableTransaction.created',
      timestamp: '2026-01-31T12:00:00.000Z',
      apiVersion: 'v0',
      sequence: 42,
      entity: { type: 'rewardableTransaction', id: '1000063', version: 1 },
      data: { id: '1000063', description: 'Lunch "at" Zoë’s' },
      request: { id: null, idempotencyKey: null },
    })
  })
})

describe('an event id', () => {
  test('is read only for its own organisation', () => {
    expect(partsOfEventId(1000001, JSON.parse(envelope(stored)).id)).toEqual({ sequence: 42, history: null })
    expect(partsOfEventId(1000002, 'evt_1000001_42')).toBeUndefined()
  })

  test('ends with the mark of the history of the database, if it is not the first one', () => {
    const { id } = JSON.parse(envelope({ ...stored, history: '9f86d081' }))
    expect(id).toBe('evt_1000001_42_9f86d081')
    expect(partsOfEventId(1000001, id)).toEqual({ sequence: 42, history: '9f86d081' })
  })

  test.each([
    '',
    'evt',
    'evt_1_',
    'evt_1_0',
    'evt_1_042',
    'evt_01_4',
    'evt_1_-4',
    'evt_1_4 ',
    'EVT_1_4',
    'evt_1_1e3',
    'evt_1_4_',
    'evt_1_4_9F86D081',
  ])('is not: %j', (text) => {
    expect(partsOfEventId(1, text)).toBeUndefined()
  })

  test('has at most fifteen digits, which a JavaScript number holds', () => {
    expect(partsOfEventId(1, `evt_1_${'9'.repeat(15)}`)?.sequence).toBe(999_999_999_999_999)
    expect(partsOfEventId(1, `evt_1_${'9'.repeat(16)}`)).toBeUndefined()
  })
})

test('Every event type names a kind of record and a change, and occurs once', () => {
  expect(eventTypes.filter((type) => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(type))).toEqual([])
  expect(new Set(eventTypes).size).toBe(eventTypes.length)
})

test('Every type is in the documentation', () => {
  const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  expect(eventTypes.filter((type) => !page.includes(`\`${type}\``))).toEqual([])
})
