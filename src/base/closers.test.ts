import { expect, test } from 'vitest'
import { openClosers } from './closers.ts'

test('resources are closed in reverse order, and one that fails does not keep the others open', async () => {
  const closers = openClosers()
  const closed: string[] = []
  closers.add(async () => void closed.push('database'))
  closers.add(async () => {
    throw new Error('worker')
  })
  closers.add(async () => void closed.push('server'))
  expect(closers.closing).toBe(false)
  const closing = closers.close()
  expect(closers.closing).toBe(true)
  await expect(closing).rejects.toThrow('worker')
  expect(closed).toEqual(['server', 'database'])
})

test('a resource that is added while others are being closed is closed once, like every other', async () => {
  const closers = openClosers()
  const closed: string[] = []
  closers.add(async () => void closed.push('first'))
  closers.add(async () => {
    closed.push('second')
    closers.add(async () => void closed.push('late'))
  })
  await closers.close()
  expect(closed).toEqual(['second', 'late', 'first'])
})
