import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { start } from '../../../src/cells/commands/move.ts'
import { createSlot, dropSlot, senderSettings } from '../../../src/cells/move/replication.sql.ts'
import { parseConfig } from '../../../src/config.ts'
import { machineFindings } from '../../../src/operator/doctor.ts'
import { killedMove } from '../../support/cells/killed-move.ts'
import { commandParts, expectTidyCells } from '../../support/cells/moves.ts'
import { type Cell, startTwoCells, type TwoCells } from '../../support/cells/two-cells.ts'
import { makePayer, pay } from '../../support/ledger.ts'
import { operate } from '../../support/run/command-line.ts'
import { until } from '../../support/service.ts'

let cells: TwoCells
beforeAll(async () => {
  cells = await startTwoCells()
})
afterAll(() => cells?.stop())

function move(name: string, to: string, reached?: Parameters<typeof start>[2]): Promise<void> {
  return start(commandParts(cells), { name, to, reach: undefined }, reached)
}

async function placeOf(name: string): Promise<unknown> {
  const listed = await operate(['organisations', 'list'], cells.environment)
  return listed.find((row) => row.name === name)?.cell
}

/** An organisation of any name, with its key. */
async function makeOrganisation(name: string): Promise<string> {
  const { bank, database } = cells.home
  const key = await bank.makeKey('Unnamed', null)
  await database.query(`update organisation set name = $1::text where name = 'Unnamed'`, [name])
  return key
}

/** The bank of a cell for the holder of a key. */
function ownerOf({ bank }: Cell, key: string): Cell['bank'] {
  const call: typeof bank.call = (method, path, options) => bank.call(method, path, { key, ...options })
  return { ...bank, key, call }
}

const customers = ({ bank }: Cell, key: string) => bank.call('GET', '/v0/banking/customers', { key })

/** Breaks a move off after the cell that it led to has gone away. */
async function brokenOffWithoutTarget(name: string): Promise<void> {
  await killedMove(cells, name, 'east', 'copied')
  expect(await abort(name, away())).toEqual([expect.objectContaining({ organisation: name, cell: 'home' })])
  expect(await placeOf(name)).toBe('home')
}

async function findingsOfMoves(): Promise<unknown[]> {
  return (await machineFindings(cells.environment)).filter(({ check }) => check === 'moves')
}

const away = () => ({ ...cells.environment, PURSER_CELL_EAST: 'postgres://nobody:nothing@127.0.0.1:1/bank' })

function abort(name: string, environment = cells.environment) {
  return operate(['organisations', 'move', name, '--abort'], environment)
}

describe('a move that is disturbed', () => {
  test.each([
    ['reset', 'POST', '/v0/sandbox/reset'],
    ['deleted', 'DELETE', '/v0/sandbox/organisations/current'],
  ])('of an organisation that is %s meanwhile is broken off', async (how, method, path) => {
    const { bank } = cells.home
    const made = await bank.call('POST', '/v0/sandbox/organisations', { body: { name: `to be ${how}` } })
    const { key } = made.json.data.apiKey
    const [row] = await cells.home.database.query<{ name: string }>(
      'select name from organisation where id = $1::bigint',
      [made.json.data.id],
    )
    const name = row?.name ?? ''
    const moved = move(name, 'east', async (step) => {
      if (step === 'followed') expect((await bank.call(method, path, { key })).status).toBeLessThan(300)
    })
    await expect(moved).rejects.toThrow(`${name} has ended`)
    await expectTidyCells(cells)
    expect((await customers(cells.home, key)).status).toBe(how === 'reset' ? 200 : 401)
  })

  test.each([
    ['the copy', `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'walsender'`],
    [
      'its own connections',
      `select pg_terminate_backend(pid) from pg_stat_activity
       where pid <> pg_backend_pid() and pid in (select pid from pg_locks where locktype = 'advisory' and objid = 7275761)`,
    ],
  ])('by the end of %s is undone or completed, and can be run again', async (_, statement) => {
    const name = `Disturbed ${_}`
    const key = await makeOrganisation(name)
    const failure = await move(name, 'east', async (step) => {
      if (step === 'copied') await cells.home.database.query(statement, [], 'once')
    }).catch((error: Error) => error)
    if (failure) {
      expect((await customers(cells.home, key)).status).toBe(200)
      await move(name, 'east')
    }
    expect(await placeOf(name)).toBe('east')
    expect((await customers(cells.east, key)).status).toBe(200)
    await expectTidyCells(cells)
  })

  test('to a cell that is away changes nothing, and names the cell', async () => {
    await cells.home.bank.makeKey('Stays', null)
    const parts = commandParts(cells, () => parseConfig(away()))
    await expect(start(parts, { name: 'Stays', to: 'east', reach: undefined })).rejects.toThrow('the cell east is away')
    expect(await placeOf('Stays')).toBe('home')
    await expectTidyCells(cells)
  })

  test('while the new cell has gone away is broken off without it, and once more when it is back', async () => {
    await brokenOffWithoutTarget('Stays')
    expect(await findingsOfMoves()).toEqual([
      expect.objectContaining({
        status: 'warning',
        detail: expect.stringContaining('the cell east has rows of Stays from a move that was broken off'),
        next: 'Run purser organisations move Stays --abort, which deletes them',
      }),
    ])
    await expect(abort('Stays', away())).rejects.toThrow('the cell east is away')
    const results = await abort('Stays')
    expect(results).toEqual([expect.objectContaining({ organisation: 'Stays', cleared: 'east' })])
    expect(await findingsOfMoves()).toEqual([])
    expect(await placeOf('Stays')).toBe('home')
    await expectTidyCells(cells)
    const rows = await cells.east.database.query(`select from organisation where name = 'ended ' || $1`, [
      results[0]?.id,
    ])
    expect(rows).toEqual([])
    await expect(abort('Stays')).rejects.toThrow('no move of Stays to break off')
  })

  test('while the new cell has gone away can be made later', async () => {
    await brokenOffWithoutTarget('Stays')
    await move('Stays', 'east')
    await expectTidyCells(cells)
    await move('Stays', 'home')
  })

  test('where the new server does not reach the present one is undone', async () => {
    const reach = 'postgres://nobody:nothing@127.0.0.1:1/bank'
    await expect(start(commandParts(cells), { name: 'Stays', to: 'east', reach })).rejects.toThrow(/could not connect/)
    expect(await placeOf('Stays')).toBe('home')
    await expectTidyCells(cells)
  })

  test('between the halves of its switch holds up every other one in its cells, and its writes stay refused', async () => {
    const key = await makeOrganisation('Halfway')
    const payer = await makePayer(ownerOf(cells.home, key), 1_000)
    await makeOrganisation('Patient')
    await operate(['organisations', 'create', 'Eastern', '--cell', 'east'], cells.environment)
    await killedMove(cells, 'Halfway', 'east', 'switched')
    for (const [name, to] of [
      ['Patient', 'east'],
      ['Eastern', 'home'],
    ] as const) {
      await expect(move(name, to)).rejects.toThrow('the move of Halfway is not over')
    }
    expect((await pay(ownerOf(cells.home, key), payer, { amount: 1 })).status).toBe(503)
    await move('Halfway', 'east')
    expect((await pay(ownerOf(cells.east, key), payer, { amount: 1 })).status).toBe(201)
    await expectTidyCells(cells)
  })

  test('may begin again with the slot that it has', async () => {
    const { database } = cells.home
    const before = await senderSettings(database, 7)
    await createSlot(database, 7)
    expect(await senderSettings(database, 7)).toEqual(before)
    expect((await senderSettings(database, 8)).slots).toBe(before.slots - 1)
    await dropSlot(database, 7)
  })

  test('twice at once is made once', async () => {
    const key = await cells.home.bank.makeKey('Twice', null)
    const both = await Promise.allSettled([move('Twice', 'east'), move('Twice', 'east')])
    const refused = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect(refused).toEqual([expect.stringMatching(/another move works in the cell home|is in the cell east already/)])
    expect((await customers(cells.east, key)).status).toBe(200)
    await expectTidyCells(cells)
  })
})

test.each([`O'Neil "& Söhne" $1 \\ %s -- ; drop`, '💶'.repeat(60), 'x'.repeat(200)])(
  'an organisation of the name %s moves there and back, and pays in both cells',
  async (name) => {
    const key = await makeOrganisation(name)
    const payer = await makePayer(ownerOf(cells.home, key), 1_000)
    for (const [place, cell] of Object.entries({ east: cells.east, home: cells.home })) {
      await move(name, place)
      await until('the key to be known', async () => (await customers(cell, key)).status === 200)
      expect((await pay(ownerOf(cell, key), payer, { amount: 1 })).status).toBe(201)
      expect(await placeOf(name)).toBe(place)
    }
    await expectTidyCells(cells)
  },
)
