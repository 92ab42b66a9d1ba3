import { expect, test, vi } from 'vitest'
import { openTestBank } from '../../test/support/harness.ts'
import { sha256 } from '../base/sha256.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import { type DeniedRequest, openDenials } from './denials.ts'

const request = (key: string, address = '10.0.0.1'): DeniedRequest => ({
  keyHash: sha256(key),
  code: 'unauthorized',
  operationId: 'getAccount',
  path: '/v0/banking/accounts/1',
  address,
  requestId: 'request',
})

test('denials are bounded by key, by address and in all, and those that are not stored are counted', async () => {
  const bank = await openTestBank()
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const denials = openDenials(bank.database)
    const rows = async () => {
      await denials.save()
      return bank.database.query<{ address: string; unwritten: number; path: string }>(
        `select address, unwritten, path from denied_request order by id`,
      )
    }
    for (let time = 0; time < 15; time++) denials.note(request(bank.key))
    expect(await rows()).toHaveLength(10)

    // In the next minute the first entry carries the number of those that were only counted.
    vi.advanceTimersByTime(60_000)
    denials.note({ ...request(bank.key), path: 'x'.repeat(5_000) })
    const [last] = (await rows()).slice(-1)
    expect([last?.unwritten, last?.path.length]).toEqual([5, 500])

    // One address with ever new keys takes sixty places at most, and leaves the others theirs.
    vi.advanceTimersByTime(60_000)
    for (let time = 0; time < 500; time++) denials.note(request(`guess-${time}`, '10.0.0.2'))
    denials.note(request(bank.otherKey, '10.0.0.2'))
    denials.note(request(bank.otherKey, '10.0.0.3'))
    expect((await rows()).slice(11).map(({ address }) => address)).toEqual(['10.0.0.3'])

    // Made-up keys from many addresses take half of the places at most, and leave the others to keys that are known.
    vi.advanceTimersByTime(60_000)
    for (let time = 0; time < 1_000; time++) denials.note(request(`guess-${time}`, `address-${time}`))
    denials.note(request(bank.key, 'too-late'))
    denials.note({ ...request(bank.key, 'known'), code: 'forbidden', organisationId: 1 })
    expect((await rows()).slice(12).map(({ address }) => address)).toEqual(['known'])
  } finally {
    vi.useRealTimers()
    await bank.close()
  }
})

test('an organisation with many denied keys leaves places to another behind the same address', async () => {
  const bank = await openTestBank()
  const denials = openDenials(bank.database)
  const forbidden = (key: string, organisationId: number) =>
    denials.note({ ...request(key), code: 'forbidden', organisationId })
  const made = await Promise.all(Array.from({ length: 70 }, () => bank.makeKey('first', [])))
  for (const key of made) forbidden(key, 1)
  forbidden(bank.otherKey, 2)
  await denials.save()
  const stored = await bank.database.query<{ name: string; count: number }>(
    `select o.name, count(*) as count from denied_request d join organisation o on o.id = d.organisation_id group by o.name`,
  )
  expect(new Map(stored.map(({ name, count }) => [name, count]))).toEqual(
    new Map([
      ['first', 60],
      ['second', 1],
    ]),
  )
  await bank.close()
})

test('a denial that cannot be stored does not keep the others from being stored', async () => {
  const bank = await openTestBank()
  const denials = openDenials(bank.database)
  denials.note(request(bank.key))
  denials.note({ ...request(bank.key), path: '\0' })
  denials.note({ ...request(bank.otherKey) })
  await expect(denials.save()).rejects.toThrow()
  expect(await bank.database.query('select from denied_request')).toHaveLength(2)
  await denials.save()
  await bank.close()
})

test('denials are kept for the next time while the database is away', async () => {
  let away = true
  const bank = await openTestBank()
  const denials = openDenials({
    ...bank.database,
    query: async (...statement) => {
      if (away) throw new DatabaseUnavailable('away')
      return bank.database.query(...statement)
    },
  })
  denials.note(request(bank.key))
  await expect(denials.save()).rejects.toThrow('away')
  away = false
  await denials.save()
  expect(await bank.database.query('select from denied_request')).toHaveLength(1)
  await bank.close()
})
