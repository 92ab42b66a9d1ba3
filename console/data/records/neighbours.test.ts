import { expect, test } from 'vitest'
import { neighboursOf, noteLeaving, noteList } from './neighbours.ts'

test('a record has the place and the neighbours of the list that was on screen before it', () => {
  expect(neighboursOf('/payments/2')).toBeUndefined()
  noteList({ address: '/payments?status=Sent', paths: ['/payments/3', '/payments/2', '/payments/1'] })
  const list = { address: '/payments?status=Sent', isBehind: false, count: 3 }
  expect(neighboursOf('/payments/3')).toEqual({ ...list, place: 1, previous: undefined, next: '/payments/2' })
  expect(neighboursOf('/payments/2')).toEqual({ ...list, place: 2, previous: '/payments/3', next: '/payments/1' })
  expect(neighboursOf('/payments/1')).toEqual({ ...list, place: 3, previous: '/payments/2', next: undefined })
  expect(neighboursOf('/payments/4')).toBeUndefined()
})

test('a step back leads to the list from the records that it led to, and not once the reader was elsewhere', () => {
  const isBehind = () => neighboursOf('/payments/2')?.isBehind
  noteLeaving('/console/payments/3', 'list')
  noteLeaving('/console/payments/2', 'record')
  expect(isBehind()).toBe(true)
  noteLeaving('/console/accounts/2', 'record')
  noteLeaving('/console/payments/2', 'record')
  expect(isBehind()).toBe(false)
  noteLeaving('/console/accounts', 'list')
  expect(isBehind()).toBe(false)
})
