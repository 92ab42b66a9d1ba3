import { expect, test } from 'vitest'
import type { Event } from '../../client/src/index.ts'
import { latestIn } from './latest.ts'

test('the latest records of events are each in the state of their newest event', () => {
  const event = (id: string, status: string) => ({ entity: { type: 'authorization', id }, data: { id, status } })
  const events = [event('2', 'Completed'), event('1', 'Authorized'), event('2', 'Authorized')] as unknown as Event[]
  expect(latestIn(events)).toEqual([
    { id: '2', status: 'Completed' },
    { id: '1', status: 'Authorized' },
  ])
})
