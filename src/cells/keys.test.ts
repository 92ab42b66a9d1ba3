import pg from 'pg'
import { expect, test } from 'vitest'
import type { KeyHolder } from '../access/authenticate-key.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import { type CellKeys, openCellKeys } from './keys.ts'

/** A cell whose answers come one after the other, the last one again and again. */
function cellOf(place: number, knows: (boolean | 'away' | 'empty')[]) {
  const since: (number | undefined)[] = []
  const answer = async (): Promise<KeyHolder | undefined> => {
    const known = knows.length > 1 ? knows.shift() : knows[0]
    if (known === 'away') throw new DatabaseUnavailable('no connection')
    if (known === 'empty') throw new pg.DatabaseError('relation "api_key" does not exist', 0, 'error')
    const parts = {
      organisationId: 1,
      keyId: 2,
      scopes: null,
      decidesRisk: true,
      hash: Buffer.alloc(32),
      inGrace: false,
    }
    return known ? { ...parts, place, epoch: place } : undefined
  }
  const keys: CellKeys['keys'] = {
    authenticate: answer,
    recheck: (_key, sinceMs) => {
      since.push(sinceMs)
      return answer()
    },
    worked: () => false,
    forget: () => undefined,
    forgetOrganisation: () => undefined,
    saveUses: async () => undefined,
  }
  return { keys, isAway: () => false, since }
}

test('a key is found whose organisation moved between the looks into two cells', async () => {
  // The new cell was asked before the organisation arrived, and the former one after it had left.
  const [home, east] = [cellOf(0, [false]), cellOf(1, [false, true])]
  const found = await openCellKeys([home, east]).authenticate('key')
  expect(found?.place).toBe(1)
  // The second look begins after the first, and shares none that other requests began before.
  expect(east.since).toEqual([expect.any(Number)])
})

test('a key that no cell knows is asked for twice, and is unknown', async () => {
  const [home, east] = [cellOf(0, [false]), cellOf(1, [false])]
  expect(await openCellKeys([home, east]).authenticate('key')).toBeUndefined()
  expect([home.since.length, east.since.length]).toEqual([1, 1])
})

test('of two cells that know a key, the one that the organisation moved to last owns it', async () => {
  const [home, east] = [cellOf(0, [true]), cellOf(1, [true])]
  expect((await openCellKeys([home, east]).authenticate('key'))?.place).toBe(1)
})

test('a key whose organisation has moved is found while its former cell is away', async () => {
  const [home, east] = [cellOf(0, [false, true]), cellOf(1, [true, 'away'])]
  const { authenticate } = openCellKeys([home, east])
  expect((await authenticate('key'))?.place).toBe(1)
  expect((await authenticate('key'))?.place).toBe(0)
  // From now on it is asked there alone.
  expect((await authenticate('key'))?.place).toBe(0)
})

test('a key of a cell that is away, which no other cell knows, is not unknown', async () => {
  const [home, east] = [cellOf(0, [false]), cellOf(1, [true, 'away'])]
  const { authenticate } = openCellKeys([home, east])
  await authenticate('key')
  await expect(authenticate('key')).rejects.toThrow(DatabaseUnavailable)
})

test('keys of other cells are found while the database of one has no tables, and none is unknown', async () => {
  const [home, east] = [cellOf(0, [true, false]), cellOf(1, ['empty'])]
  const { authenticate } = openCellKeys([home, east])
  expect((await authenticate('key'))?.place).toBe(0)
  await expect(authenticate('another key')).rejects.toThrow(DatabaseUnavailable)
  const moved = openCellKeys([cellOf(0, [false]), cellOf(1, [true, 'empty'])])
  await moved.authenticate('key')
  await expect(moved.authenticate('key')).rejects.toThrow(DatabaseUnavailable)
})
