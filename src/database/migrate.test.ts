import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, root } from '../../test/support/harness.ts'
import { StartupError } from '../base/startup-error.ts'
import { type Database, openDatabase, plainTimeouts } from './database.ts'
import { migrate, pending } from './migrate.ts'

const migration = (number: number, checksum = `sum${number}`) => ({
  number,
  name: `000${number}_step`,
  sql: '-- expand: a step',
  checksum,
})
const applied = (number: number, { contract = false, checksum = `sum${number}` } = {}) => ({
  number,
  name: `000${number}_step`,
  checksum,
  contract,
})

describe('what is pending', () => {
  test('is everything on an empty database, in order', () => {
    expect(pending([migration(1), migration(2)], [])).toEqual([migration(1), migration(2)])
  })

  test('is what has not been applied yet', () => {
    expect(pending([migration(1), migration(2), migration(3)], [applied(1), applied(3)])).toEqual([migration(2)])
    expect(pending([migration(1)], [applied(1)])).toEqual([])
  })

  test('ignores an expand step of newer code', () => {
    expect(pending([migration(1)], [applied(1), applied(2)])).toEqual([])
  })

  test('refuses a contract step of newer code', () => {
    const newer = () => pending([migration(1)], [applied(1), applied(2, { contract: true })])
    expect(newer).toThrow(StartupError)
    expect(newer).toThrow(/newer than this version of Purser.*0002_step/)
  })

  test('takes a contract step that this code knows', () => {
    expect(pending([migration(1)], [applied(1, { contract: true })])).toEqual([])
  })

  test('refuses a database whose migrations have other names, with the command that deletes it', () => {
    const older = () => pending([migration(1)], [{ ...applied(1), name: '0001_foundation' }])
    expect(older).toThrow(StartupError)
    expect(older).toThrow(/never released \(migration 0001_foundation\).*purser reset/)
  })

  test('refuses a file that differs from the one applied', () => {
    const changed = () => pending([migration(1)], [applied(1, { checksum: 'other' })])
    expect(changed).toThrow(StartupError)
    expect(changed).toThrow(/0001_step differs/)
  })
})

describe('migrate', () => {
  let place: Awaited<ReturnType<typeof createDatabase>>
  let one: Database
  let two: Database
  let folder: string

  beforeAll(async () => {
    place = await createDatabase()
    const open = () => openDatabase({ servers: [place.server], connections: 2, timeouts: plainTimeouts })
    one = open()
    two = open()
    folder = await mkdtemp(join(tmpdir(), 'purser-migrations-'))
    // The copy is migrated already; these tests need a database that is not.
    await one.query('drop schema public cascade')
    await one.query('create schema public')
  })
  afterAll(async () => {
    await one.close()
    await two.close()
    await place.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const applications = () => one.query('select number, name, contract from migration order by number')
  const step = (name: string, sql: string) => writeFile(join(folder, `${name}.sql`), sql)

  test('takes the time that a step needs', async () => {
    const impatient = openDatabase({
      servers: [place.server],
      connections: 1,
      timeouts: { ...plainTimeouts, statementMs: 1_000 },
    })
    const slow = await mkdtemp(join(tmpdir(), 'purser-migrations-'))
    await writeFile(join(slow, '0001_slow.sql'), '-- expand: much to do\nselect pg_sleep(1.6);')
    await migrate(impatient, slow)
    expect(await impatient.query('select name from migration')).toEqual([{ name: '0001_slow' }])
    await expect(impatient.query('select pg_sleep(60)')).rejects.toThrow('statement timeout')
    await impatient.query('drop table migration')
    await impatient.close()
    await rm(slow, { recursive: true })
  })

  test('waits for the migrations of another process, for longer than a statement may wait for a lock', async () => {
    const options = { servers: [place.server], connections: 1, timeouts: { ...plainTimeouts, lockMs: 100 } }
    const [first, second] = [openDatabase(options), openDatabase(options)]
    const slow = await mkdtemp(join(tmpdir(), 'purser-migrations-'))
    await writeFile(join(slow, '0001_slow.sql'), '-- expand: much to do\nselect pg_sleep(1);')
    await Promise.all([migrate(first, slow), migrate(second, slow)])
    expect(await first.query('select name from migration')).toEqual([{ name: '0001_slow' }])
    await first.query('drop table migration')
    await Promise.all([first.close(), second.close()])
    await rm(slow, { recursive: true })
  })

  test('applies each step once, though several processes start together', async () => {
    await step('0001_first', '-- expand: a table\ncreate table first (id int);\ninsert into first values (1);')
    await step('0002_second', `-- contract: a change\nalter table first add text text default 'a;b''c';`)
    await step('notes', 'this is no migration')
    await Promise.all([migrate(one, folder), migrate(two, folder), migrate(one, folder), migrate(two, folder)])
    expect(await applications()).toEqual([
      { number: 1, name: '0001_first', contract: false },
      { number: 2, name: '0002_second', contract: true },
    ])
    expect(await one.query('select id, text from first')).toEqual([{ id: 1, text: `a;b'c` }])
  })

  test('applies nothing of a start that fails half-way', async () => {
    await step('0003_third', '-- expand: a table\ncreate table third (id int);')
    await step('0004_fourth', '-- expand: a mistake\ncreate table third (id int);')
    await expect(migrate(one, folder)).rejects.toThrow(/already exists/)
    expect(await applications()).toHaveLength(2)
    expect(await one.query(`select to_regclass('third') as third`)).toEqual([{ third: null }])
    await step('0004_fourth', '-- expand: mended\ncreate table fourth (id int);')
    await migrate(two, folder)
    expect(await applications()).toHaveLength(4)
  })

  test('validates checks that were added as not valid, also later, while others write to the table', async () => {
    const unvalidated = () => one.query(`select conname from pg_constraint where not convalidated`)
    await step('0005_checks', '-- expand: a check\nalter table first add check (id > 0) not valid;')
    await migrate(one, folder)
    expect(await unvalidated()).toEqual([])
    await one.query('alter table first add constraint later check (id < 9) not valid')
    await one.transaction(async (writing) => {
      await writing.query('insert into first values (2)')
      await migrate(two, folder)
    })
    expect(await unvalidated()).toEqual([])
  })

  test('refuses a file that was changed after it was applied', async () => {
    await step('0003_third', '-- expand: a table\ncreate table third (id bigint);')
    await expect(migrate(one, folder)).rejects.toThrow(/0003_third differs/)
    await step('0003_third', '-- expand: a table\ncreate table third (id int);')
    await migrate(one, folder)
  })

  test('refuses a database that newer code has contracted', async () => {
    const [released] = await one.query(
      `insert into migration (number, name, checksum, contract) values (9, '0009_future', 'x', true) returning name`,
    )
    expect(released).toEqual({ name: '0009_future' })
    await expect(migrate(one, folder)).rejects.toThrow(/newer than this version of Purser \(migration 0009_future\)/)
    await one.query('update migration set contract = false where number = 9')
    await migrate(one, folder)
    await one.query('delete from migration where number = 9')
  })

  test('refuses a file that does not say whether it expands or contracts', async () => {
    await step('0005_fifth', 'create table fifth (id int);')
    await expect(migrate(one, folder)).rejects.toThrow('0005_fifth.sql must begin with -- expand or -- contract')
  })

  test('knows the released migrations, and finds nothing to do the second time', async () => {
    await one.query('drop schema public cascade')
    await one.query('create schema public')
    await migrate(one, join(root, 'migrations'))
    const first = await applications()
    await migrate(two, join(root, 'migrations'))
    expect(await applications()).toEqual(first)
    expect(first.length).toBeGreaterThan(0)
  })
})
