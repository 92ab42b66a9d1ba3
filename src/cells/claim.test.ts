import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/harness.ts'
import { insertOrganisation } from '../access/organisations.sql.ts'
import { StartupError } from '../base/startup-error.ts'
import { type Database, openDatabase, plainTimeouts } from '../database/database.ts'
import { openRecordIds } from '../database/record-ids.ts'
import { findCell } from './cells.sql.ts'
import { claimFurther, claimHome, requireIntended } from './claim.ts'

const made: { database: Database; origin: TestDatabase }[] = []

async function newDatabase(): Promise<Database> {
  const origin = await createDatabase()
  const database = openDatabase({ servers: [origin.server], connections: 2, timeouts: plainTimeouts })
  made.push({ database, origin })
  return database
}

afterAll(async () => {
  for (const { database, origin } of made) {
    await database.close()
    await origin.drop()
  }
})

const cell = (name: string, database: Database) => ({ name, setting: `PURSER_CELL_${name.toUpperCase()}`, database })

async function sequences(database: Database) {
  return database.query<{ name: string; low: number; high: number }>(
    `select sequencename as name, start_value as low, max_value::float8 as high from pg_sequences
     where sequencename <> 'ach_trace' order by 1`,
  )
}

describe('the claim of a cell', () => {
  let home: Database
  let east: Database
  beforeEach(async () => {
    ;[home, east] = [await newDatabase(), await newDatabase()]
  })

  test('leaves the range of the home cell, and ends it where the next one begins', async () => {
    const before = await sequences(home)
    const claimed = await claimHome(home)
    expect(claimed).toMatchObject({ name: 'home', number: 0 })
    expect(await claimHome(home)).toEqual(claimed)
    const after = await sequences(home)
    expect(after.map(({ name, low }) => [name, low])).toEqual(before.map(({ name, low }) => [name, low]))
    expect(after.find(({ name }) => name === 'record_id')?.high).toBe(10 ** 14 - 100)
    expect(after.find(({ name }) => name === 'account_number')?.high).toBe(10 ** 10 - 1)
    expect(await openRecordIds(home).next()).toBe(1_000_000)
  })

  test('gives every sequence of a further cell a range of its own, once', async () => {
    const claimed = await claimFurther(home, cell('east', east))
    expect(claimed).toMatchObject({ name: 'east', number: 1, bank: (await findCell(home))?.bank })
    for (const { name, low, high } of await sequences(east)) {
      const size = name === 'account_number' ? 10 ** 10 : 10 ** 14
      expect([name, low, high]).toEqual([name, size, name === 'record_id' ? 2 * size - 100 : 2 * size - 1])
    }
    const ids = openRecordIds(east)
    expect(await ids.next()).toBe(10 ** 14)
    expect(await claimFurther(home, cell('east', east))).toEqual(claimed)
    expect(await openRecordIds(east).next()).toBe(10 ** 14 + 100)
    expect(await claimFurther(home, cell('west', await newDatabase()))).toMatchObject({ number: 2 })
  })

  test('gives a sequence of a later migration the range, too', async () => {
    await claimFurther(home, cell('east', east))
    await east.query('create sequence later')
    await claimFurther(home, cell('east', east))
    const [row] = await east.query<{ first: number }>(`select nextval('later') as first`)
    expect(row?.first).toBe(10 ** 14)
    await east.query('drop sequence later')
  })

  test('goes on after an interruption at any step, and of processes at the same moment one claims', async () => {
    const { bank } = await claimHome(home)
    await home.query(`insert into cell_range (number, name) values (5, 'east')`)
    expect(await claimFurther(home, cell('east', east))).toMatchObject({ number: 5 })
    const west = await newDatabase()
    await home.query(`insert into cell_range (number, name) values (6, 'west')`)
    await west.query('select claim_cell($1, $2::int, $3, $4)', ['west', 6, bank, 'a'.repeat(32)])
    expect(await claimFurther(home, cell('west', west))).toMatchObject({ number: 6, mark: 'a'.repeat(32) })
    const north = await newDatabase()
    const claims = await Promise.all([1, 2, 3, 4].map(() => claimFurther(home, cell('north', north))))
    expect(new Set(claims.map(({ mark }) => mark)).size).toBe(1)
  })

  test('refuses a database that is another cell or has records', async () => {
    await claimFurther(home, cell('east', east))
    const refusal = async (name: string, database: Database) =>
      claimFurther(home, cell(name, database)).then(
        () => '',
        (error: Error) => (error instanceof StartupError ? error.message : 'another error'),
      )
    expect(await refusal('west', east)).toBe(
      'PURSER_CELL_WEST names the database of the cell east: each cell has a database of its own',
    )
    expect(await refusal('west', home)).toBe('PURSER_CELL_WEST names the database of the home cell')
    await expect(claimHome(east)).rejects.toThrow('DATABASE_URL names the database of the cell east')
    const used = await newDatabase()
    await insertOrganisation(used, { id: await openRecordIds(used).next(), name: 'used', daysBack: 0 })
    expect(await refusal('west', used)).toMatch(/^PURSER_CELL_WEST names a database that has records already/)
    const other = await newDatabase()
    await claimFurther(await newDatabase(), cell('west', other))
    expect(await refusal('west', other)).toBe('PURSER_CELL_WEST names a database of another bank')
    // An empty database in place of a lost one would give out its ids again.
    expect(await refusal('east', await newDatabase())).toMatch(/^the cell east has another database/)
  })

  test('looks at a database before its tables are there', async () => {
    await insertOrganisation(east, { id: await openRecordIds(east).next(), name: 'used', daysBack: 0 })
    await east.query('alter table cell rename to cell_of_later')
    await expect(requireIntended(home, cell('east', east))).rejects.toThrow('names a database that has records already')
    await east.query('alter table organisation rename to organisation_of_later')
    await requireIntended(home, cell('east', east))
  })

  test('refuses a range that another cell has after the home cell was restored', async () => {
    await claimFurther(home, cell('east', east))
    await home.query('delete from cell_range')
    expect(await claimFurther(home, cell('east', east))).toMatchObject({ number: 1 })
    await home.query(`update cell_range set name = 'west', mark = null`)
    await expect(claimFurther(home, cell('east', east))).rejects.toThrow(
      'the range 1 of the cell east belongs to another cell',
    )
  })

  test('ends when all ranges are taken', async () => {
    await home.query(`insert into cell_range (number, name) select n, 'cell' || n from generate_series(1, 63) n`)
    await expect(claimFurther(home, cell('east', east))).rejects.toThrow('there is no range for another cell')
  })
})
