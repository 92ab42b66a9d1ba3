import { expect, test, vi } from 'vitest'
import { openTestBank } from '../../test/support/harness.ts'
import { sha256 } from '../base/sha256.ts'
import { type DeniedRequest, openDenials } from './denials.ts'

const request = (key: string, address = '10.0.0.1'): DeniedRequest => ({
  keyHash: sha256(key),
  code: 'unauthorized',
  operationId: 'getAccount',
  path: '/v0/banking/accounts/1',
  address,
  requestId: 'request',
})

test('what is denied is bounded by key, by address and in all, and what was not written is counted', async () => {
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

    // The next minute: the first one tells of those that were only counted.
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

    vi.advanceTimersByTime(60_000)
    for (let time = 0; time < 1_000; time++) denials.note(request(`guess-${time}`, `address-${time}`))
    denials.note(request(bank.key, 'too-late'))
    expect((await rows()).slice(12)).toEqual([])
  } finally {
    vi.useRealTimers()
    await bank.close()
  }
})

test('what cannot be written is kept for the next time', async () => {
  let away = true
  const bank = await openTestBank()
  const denials = openDenials({
    ...bank.database,
    query: async (...statement) => {
      if (away) throw new Error('away')
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
