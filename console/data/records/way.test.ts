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
    ['Pending', '2026-01-30T12:00:00.000Z'],
    ['Clearing', '2026-01-31T12:00:00.000Z'],
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
