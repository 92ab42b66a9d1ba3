import { expect, test } from 'vitest'
import { datedWay } from './way.ts'

const change = (status: string | null, before: string | null = null) => ({
  ...{ type: 'payment.changed', status, before, reason: null, code: null },
})
const states = ['Pending', 'Clearing', 'Sent', 'Returned']

test('the way of a record has the states that it had, with their times, and those ahead while it is on its way', () => {
  const steps = [
    { at: '2026-01-30T12:00:00.000Z', changes: [change('Pending')] },
    { at: '2026-01-30T13:00:00.000Z', changes: [change(null), change('Pending', 'Pending')] },
    { at: '2026-01-31T12:00:00.000Z', changes: [change('Clearing', 'Pending')] },
  ]
  const dated = datedWay({ way: states, present: 'Clearing', tone: 'warn' }, steps)
  expect(dated.way).toEqual(states)
  expect([...(dated.since ?? [])]).toEqual([
    ['Pending', { at: '2026-01-30T12:00:00.000Z', why: undefined }],
    ['Clearing', { at: '2026-01-31T12:00:00.000Z', why: undefined }],
  ])
})

test('states that a record never had are left out once it is at its end', () => {
  const sent = { at: '2026-01-30T12:00:00.000Z', changes: [change('Sent')] }
  expect(datedWay({ way: states, present: 'Sent', tone: 'good' }, [sent]).way).toEqual(['Sent'])
  const returned = { at: '2026-01-31T12:00:00.000Z', changes: [change('Returned', 'Sent')] }
  expect(datedWay({ way: states, present: 'Returned', tone: 'bad' }, [sent, returned]).way).toEqual([
    'Sent',
    'Returned',
  ])
})

test('a way whose present state the history does not name stays as it is', () => {
  const way = { way: states, present: 'Sent', tone: 'good' } as const
  expect(datedWay(way, [])).toEqual(way)
})

test('a state says why it began: its reason, otherwise its file or the key of its request', () => {
  const apiKey = { id: '1', name: 'App' }
  const cause = { type: 'request', requestId: 'r', idempotencyKey: null, apiKey, request: null }
  const none = { type: 'bank', requestId: null, idempotencyKey: null, apiKey: null, request: null }
  const returned = { ...change('Returned', 'Clearing'), reason: 'Account closed', code: 'R02' }
  const file = { id: '2', name: 'a.ach', direction: 'Outgoing' }
  const steps = [
    { at: '2026-01-30T12:00:00.000Z', changes: [change('Pending')], cause, files: [] },
    { at: '2026-01-31T12:00:00.000Z', changes: [change('Clearing', 'Pending')], cause: none, files: [file] },
    { at: '2026-02-01T12:00:00.000Z', changes: [change('Sent', 'Clearing')], cause: none, files: [] },
    { at: '2026-02-02T12:00:00.000Z', changes: [returned], cause: none, files: [file] },
  ] as unknown as Parameters<typeof datedWay>[1]
  const dated = datedWay({ way: states, present: 'Returned', tone: 'bad' }, steps)
  expect([...(dated.since?.values() ?? [])].map(({ why }) => why)).toEqual([
    'By “App”',
    'Left with the file',
    undefined,
    'Account closed (R02)',
  ])
})
