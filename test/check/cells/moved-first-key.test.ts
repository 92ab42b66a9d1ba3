import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findUsableKey } from '../../../src/access/api-keys.sql.ts'
import { ensureFirstKey, ensureMovedKey, type FirstKey } from '../../../src/access/first-key.ts'
import { sha256 } from '../../../src/base/sha256.ts'
import { start } from '../../../src/cells/commands/move.ts'
import { openRecordIds } from '../../../src/database/record-ids.ts'
import { killedMove } from '../../support/cells/killed-move.ts'
import { commandParts, expectTidyCells } from '../../support/cells/moves.ts'
import { type Cell, startTwoCells, type TwoCells } from '../../support/cells/two-cells.ts'
import { operate } from '../../support/run/command-line.ts'
import { endServices, scratchFolder, startService, until } from '../../support/service.ts'

/** The organisation of the first key, which every start ensures, moves between cells. */

const soak = Boolean(process.env.SOAK)
/** Of the form of our own keys, with a wrong checksum: such a text works only because it was configured. */
const KEY = `prs_sk_test_${'A'.repeat(42)}`
const OTHER = 'another-first-key'

let cells: TwoCells
beforeAll(async () => {
  cells = await startTwoCells()
})
afterAll(async () => {
  await endServices()
  await cells?.stop()
})

/** The part of a start that looks after the first key. A cell that is away joins later. */
async function begin(key: string, { isEastAway = false } = {}) {
  const first: FirstKey = { source: 'configured', key }
  const { home, east } = cells
  const { organisationId, warning } = await ensureFirstKey(home.database, openRecordIds(home.database), first, 0)
  const ids = openRecordIds(east.database)
  const moved = isEastAway ? undefined : await ensureMovedKey(home.database, { database: east.database, ids }, first)
  return { isHere: organisationId !== undefined, warning: warning ?? moved }
}

function move(to: string): Promise<void> {
  return start(commandParts(cells), { name: 'default', to, reach: undefined })
}

const both = () => [cells.home, cells.east]

/** The cells in which a key works. */
async function worksIn(key: string): Promise<string[]> {
  const found = await Promise.all(both().map(({ database }) => findUsableKey(database, sha256(key))))
  return both().flatMap(({ name }, index) => (found[index] ? [name] : []))
}

/** The cells that have the organisation. One that leaves and arrives counts twice between the halves of its switch. */
async function placesOf(name: string): Promise<string[]> {
  const has = ({ database }: Cell) => database.query('select from organisation where name = $1::text', [name])
  const found = await Promise.all(both().map(has))
  return both().flatMap(({ name: cell }, index) => (found[index]?.length ? [cell] : []))
}

test('moves away, and a start neither makes it again nor fails, while its cell is away too', async () => {
  expect(await begin(KEY)).toEqual({ isHere: true, warning: undefined })
  await move('east')
  for (const isEastAway of [false, true]) {
    expect(await begin(KEY, { isEastAway })).toEqual({ isHere: false, warning: undefined })
  }
  expect([await worksIn(KEY), await placesOf('default')]).toEqual([['east'], ['east']])
  await expectTidyCells(cells)
})

test('the service starts after the move, plays no demo world again, and the key works', async () => {
  const service = await startService({
    ...cells.environment,
    PURSER_DATA_DIR: join(scratchFolder(), 'data'),
    PURSER_API_KEY: KEY,
    PURSER_DEMO: 'on',
  })
  await until('the cell to join', async () => (await service.call('GET', '/readyz')).json.cells.east === 'ready')
  expect((await service.call('GET', '/v0/me')).json.data.organisation.name).toBe('default')
  expect((await service.call('GET', '/v0/banking/customers')).json.data).toEqual([])
  expect(service.output()).not.toContain('Demo world')
  // The process knows the form of the key in every cell, so that no restart is needed after a move.
  await move('home')
  await until('the key to be known', async () => (await service.call('GET', '/v0/me')).status === 200)
  await service.stop()
  expect(await begin(KEY)).toEqual({ isHere: true, warning: undefined })
  expect([await worksIn(KEY), await placesOf('default')]).toEqual([['home'], ['home']])
})

test.each(soak ? ['fenced', 'switched', 'ended', 'unguarded'] : ['fenced', 'switched'])(
  'a start after a move that was killed at "%s" goes on',
  async (step) => {
    await killedMove(cells, 'default', 'east', step)
    // A key that does not change is not written, also while the organisation takes no writes.
    expect(await begin(KEY)).toEqual({ isHere: false, warning: undefined })
    const changed = await begin(OTHER)
    if (step === 'fenced') {
      expect(changed.warning).toContain('is being moved to another cell and takes no new key')
      expect(await worksIn(OTHER)).toEqual([])
      expect(await worksIn(KEY)).toEqual(['home'])
    } else {
      expect(await worksIn(OTHER)).toEqual(['east'])
      expect(await worksIn(KEY)).not.toContain('east')
      await begin(KEY)
    }
    await move('east')
    expect([await worksIn(KEY), await worksIn(OTHER), await placesOf('default')]).toEqual([['east'], [], ['east']])
    await move('home')
    await begin(KEY)
    expect([await worksIn(KEY), await placesOf('default')]).toEqual([['home'], ['home']])
  },
)

test('a key that is changed after the move replaces the former one in the new cell', async () => {
  await move('east')
  expect(await begin(OTHER, { isEastAway: true })).toEqual({ isHere: false, warning: undefined })
  expect(await worksIn(OTHER)).toEqual([])
  expect(await begin(OTHER)).toEqual({ isHere: false, warning: undefined })
  expect([await worksIn(KEY), await worksIn(OTHER), await placesOf('default')]).toEqual([[], ['east'], ['east']])
})

test('a key that was revoked in the new cell stays so, with a warning', async () => {
  await cells.east.database.query(`update api_key set revoked_at = now(), deleted = true where source = 'configured'`)
  expect((await begin(OTHER)).warning).toContain('PURSER_API_KEY was revoked')
  await cells.east.database.query(`update api_key set revoked_at = null, deleted = false where source = 'configured'`)
  expect(await begin(OTHER)).toEqual({ isHere: false, warning: undefined })
})

test.each(soak ? ['begun', 'arriving', 'alone'] : ['begun'])(
  'its way back that is killed at "%s" and broken off is forgotten by nobody',
  async (step) => {
    await killedMove(cells, 'default', 'home', step)
    expect(await begin(OTHER)).toEqual({ isHere: false, warning: undefined })
    await operate(['organisations', 'move', 'default', '--abort'], cells.environment)
    expect(await begin(OTHER)).toEqual({ isHere: false, warning: undefined })
    expect([await worksIn(OTHER), await placesOf('default')]).toEqual([['east'], ['east']])
  },
)

test('is the first organisation of the home cell again after its way back, also where it was reset elsewhere', async () => {
  const { bank } = cells.east
  await until('the cell to know the key', async () => {
    return (await bank.call('POST', '/v0/sandbox/reset', { key: OTHER })).status === 200
  })
  expect(await begin(OTHER)).toEqual({ isHere: false, warning: undefined })
  await move('home')
  expect(await begin(OTHER)).toEqual({ isHere: true, warning: undefined })
  expect([await worksIn(OTHER), await placesOf('default')]).toEqual([['home'], ['home']])
  await expectTidyCells(cells)
})
