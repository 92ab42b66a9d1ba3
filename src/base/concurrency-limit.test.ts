import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { concurrencyLimit } from './concurrency-limit.ts'

/** Tasks that run until the test ends them. */
function tasks() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const task = (name: string) => () => {
    started.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await nextTurn()
  }
  return { started, task, end }
}

describe('a concurrency limit', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('runs as many tasks as it allows and starts the others in order of arrival', async () => {
    const { started, task, end } = tasks()
    const limit = concurrencyLimit({ total: 2, perOrganisation: 2 })
    const all = ['a', 'b', 'c', 'd'].map((name, organisation) => limit(organisation, task(name)))
    expect(started).toEqual(['a', 'b'])
    await end('b')
    expect(started).toEqual(['a', 'b', 'c'])
    for (const name of ['a', 'c', 'd']) await end(name)
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('keeps a place for an organisation while another one has tasks waiting', async () => {
    const { started, task, end } = tasks()
    const limit = concurrencyLimit({ total: 2, perOrganisation: 1 })
    const all = [limit(1, task('first')), limit(1, task('second')), limit(1, task('third'))]
    all.push(limit(2, task('other')))
    expect(started).toEqual(['first', 'other'])
    await end('other')
    expect(started).toEqual(['first', 'other'])
    for (const name of ['first', 'second', 'third']) await end(name)
    expect(started).toEqual(['first', 'other', 'second', 'third'])
    await Promise.all(all)
  })

  test('refuses a task that waited too long with 503 and goes on with the others', async () => {
    const { started, task, end } = tasks()
    const limit = concurrencyLimit({ total: 1, perOrganisation: 1, waitMs: 20 })
    const first = limit(1, task('first'))
    const late = expect(limit(2, task('late'))).rejects.toMatchObject({
      code: 'unavailable',
      headers: { 'Retry-After': '1' },
      reason: 'others of its kind took too long',
    })
    vi.advanceTimersByTime(20)
    await late
    const next = limit(3, task('next'))
    await end('first')
    await end('next')
    expect(await Promise.all([first, next])).toEqual(['first', 'next'])
    expect(started).toEqual(['first', 'next'])
  })

  test('counts tasks by their weights, and lets no light task of an organisation overtake a heavy one', async () => {
    const { started, task, end } = tasks()
    const limit = concurrencyLimit({ total: 30, perOrganisation: 20 })
    const all = [limit(1, task('a'), 12), limit(1, task('heavy'), 10), limit(1, task('light'), 1)]
    all.push(limit(2, task('other'), 8))
    expect(started).toEqual(['a', 'other'])
    await end('a')
    expect(started).toEqual(['a', 'other', 'heavy', 'light'])
    for (const name of ['other', 'heavy', 'light']) await end(name)
    await Promise.all(all)
  })

  test('lets nobody overtake a task for which all organisations together leave no room', async () => {
    const { started, task, end } = tasks()
    const limit = concurrencyLimit({ total: 30, perOrganisation: 20 })
    const all = [
      limit(1, task('a'), 15),
      limit(2, task('b'), 10),
      limit(3, task('heavy'), 20),
      limit(4, task('light'), 1),
    ]
    expect(started).toEqual(['a', 'b'])
    await end('a')
    expect(started).toEqual(['a', 'b', 'heavy'])
    for (const name of ['b', 'heavy', 'light']) await end(name)
    expect(started).toEqual(['a', 'b', 'heavy', 'light'])
    await Promise.all(all)
  })

  test('starts the tasks behind a heavy one that gave up', async () => {
    const { started, task, end } = tasks()
    const limit = concurrencyLimit({ total: 20, perOrganisation: 20, waitMs: 20 })
    const first = limit(1, task('first'), 15)
    const heavy = limit(1, task('heavy'), 10)
    const refused = expect(heavy).rejects.toMatchObject({ code: 'unavailable' })
    vi.advanceTimersByTime(19)
    const light = limit(1, task('light'), 5)
    expect(started).toEqual(['first'])
    vi.advanceTimersByTime(1)
    await refused
    expect(started).toEqual(['first', 'light'])
    for (const name of ['first', 'light']) await end(name)
    await Promise.all([first, light])
  })

  test('frees its place when a task fails', async () => {
    const limit = concurrencyLimit({ total: 1, perOrganisation: 1 })
    await expect(limit(1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await limit(1, async () => 'done')).toBe('done')
  })
})
