import { expect, test } from 'vitest'
import type { KeyHolder } from './authenticate-key.ts'
import { type CellKeys, openCellKeys } from './cell-keys.ts'

/** A cell whose answers come one after the other, the last one again and again. */
function cellOf(place: number, knows: boolean[]) {
  const since: (number | undefined)[] = []
  const answer = async (): Promise<KeyHolder | undefined> => {
    const known = knows.length > 1 ? knows.shift() : knows[0]
    const parts = { organisationId: 1, keyId: 2, scopes: null, hash: Buffer.alloc(32), inGrace: false }
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
