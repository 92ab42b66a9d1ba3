import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, parseConfig } from '../config.ts'
import { cellsOf } from './settings.ts'

const base = {
  DATABASE_URL: 'postgres://one/bank',
  PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
}

function faultsOf(environment: Record<string, string>): string[] {
  try {
    parseConfig(environment)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults
  }
}

describe('the variables of cells', () => {
  test('are none unless set: then there is the home cell alone', () => {
    const config = parseConfig(base)
    expect(config.cells).toEqual([])
    const home = { name: 'home', setting: 'DATABASE_URL', databaseUrl: base.DATABASE_URL, dataDir: config.dataDir }
    expect(cellsOf(config)).toEqual([home])
    expect(cellsOf(parseConfig({}))).toEqual([{ ...home, databaseUrl: undefined }])
  })

  test('have names in any case, and the order of the names', () => {
    const longest = 'A'.repeat(32)
    const config = parseConfig({
      ...base,
      PURSER_CELL_west_2: 'postgres://three/bank',
      PURSER_CELL_EAST: 'postgres://two/bank',
      [`PURSER_CELL_${longest}`]: 'postgres://four/bank',
      PURSER_CELL_EMPTY: '',
    })
    expect(config.cells.map(({ name, databaseUrl }) => [name, databaseUrl])).toEqual([
      [longest.toLowerCase(), 'postgres://four/bank'],
      ['east', 'postgres://two/bank'],
      ['west_2', 'postgres://three/bank'],
    ])
    expect(cellsOf(config).map(({ name }) => name)).toEqual(['home', longest.toLowerCase(), 'east', 'west_2'])
  })

  test('may be read from a file, like DATABASE_URL', () => {
    const folder = mkdtempSync(join(tmpdir(), 'purser-cells-'))
    const path = join(folder, 'url')
    writeFileSync(path, 'postgres://two/bank\n')
    const databaseUrl = 'postgres://two/bank'
    const expected = [{ name: 'east', setting: 'PURSER_CELL_EAST', databaseUrl, readUrl: undefined }]
    expect(parseConfig({ ...base, PURSER_CELL_EAST_FILE: path }).cells).toEqual(expected)
    const both = { ...base, PURSER_CELL_EAST_FILE: path, PURSER_CELL_EAST: 'postgres://two/bank' }
    expect(faultsOf(both)).toEqual(['PURSER_CELL_EAST_FILE and PURSER_CELL_EAST are both set: keep one of them'])
    rmSync(folder, { recursive: true })
  })

  test.each([
    ['PURSER_CELL_', 'must end with a name of 1 to 32 letters, digits and _, which begins with no _'],
    ['PURSER_CELL__EAST', 'must end with a name of 1 to 32 letters, digits and _, which begins with no _'],
    ['PURSER_CELL_EA-ST', 'must end with a name of 1 to 32 letters, digits and _, which begins with no _'],
    [`PURSER_CELL_${'A'.repeat(33)}`, 'must end with a name of 1 to 32 letters, digits and _, which begins with no _'],
    ['PURSER_CELL_HOME', 'is the name of the cell of DATABASE_URL: choose another one'],
  ])('refuses %s', (name, fault) => {
    expect(faultsOf({ ...base, [name]: 'postgres://two/bank' })).toEqual([`${name} ${fault}`])
  })

  test('refuse a URL that is none, without showing it', () => {
    expect(faultsOf({ ...base, PURSER_CELL_EAST: 'mysql://a:secret@b/c' })).toEqual([
      'PURSER_CELL_EAST must be a postgres:// URL',
    ])
  })

  test('refuse one name twice, and one database under two names', () => {
    expect(
      faultsOf({ ...base, PURSER_CELL_EAST: 'postgres://two/bank', PURSER_CELL_east: 'postgres://three/bank' }),
    ).toEqual(['PURSER_CELL_EAST and PURSER_CELL_east are one name: case makes no difference'])
    expect(faultsOf({ ...base, PURSER_CELL_A: 'postgres://two/bank', PURSER_CELL_B: 'postgres://two/bank' })).toEqual([
      'PURSER_CELL_A and PURSER_CELL_B name the same database',
    ])
    expect(faultsOf({ ...base, PURSER_CELL_A: base.DATABASE_URL })).toEqual([
      'DATABASE_URL and PURSER_CELL_A name the same database',
    ])
  })

  test('are up to 63', () => {
    const cells = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, place) => [`PURSER_CELL_C${place}`, `postgres://c${place}/b`]),
      )
    expect(faultsOf({ ...base, ...cells(63) })).toEqual([])
    expect(faultsOf({ ...base, ...cells(64) })).toEqual(['there may be up to 63 variables PURSER_CELL_<NAME>'])
  })

  test('need a key that every machine has, and no connector', () => {
    expect(faultsOf({ PURSER_CELL_EAST: 'postgres://two/bank' })).toEqual([
      'PURSER_ENCRYPTION_KEY is required with PURSER_CELL_EAST: make one with `openssl rand -base64 32`',
    ])
    const live = { ...base, PURSER_MODE: 'live', PURSER_CELL_EAST: 'postgres://two/bank' }
    expect(faultsOf({ ...live, PURSER_ACH: 'instant' })).toEqual([])
    const unit = {
      PURSER_BANKING_PROVIDER: 'unit',
      PURSER_UNIT_URL: 'https://unit.example',
      PURSER_UNIT_TOKEN: 'token',
    }
    expect(faultsOf({ ...base, ...unit, PURSER_CELL_EAST: 'postgres://two/bank' })).toContain(
      'PURSER_CELL_EAST has no use with a connector, which serves one organisation',
    )
  })
  test('are up to three of a live bank with ACH files, and each has up to four cut-offs a day', () => {
    const live = {
      ...{ ...base, PURSER_MODE: 'live', PURSER_ACH: 'windows', PURSER_ROUTING_NUMBER: '021000021' },
      ...{ PURSER_ACH_DESTINATION: '061000146', PURSER_ACH_DESTINATION_NAME: 'OPERATOR' },
      ...{ PURSER_ACH_ORIGIN_NAME: 'BANK', PURSER_ACH_COMPANY_NAME: 'BANK', PURSER_ACH_COMPANY_ID: '1234567890' },
      ...{ PURSER_ACH_OUTGOING: '/tmp/out', PURSER_CELL_A: 'postgres://a/b', PURSER_CELL_B: 'postgres://b/b' },
      ...{ PURSER_CELL_C: 'postgres://c/b', PURSER_ACH_WINDOWS: '10:00,12:00,14:00,16:00' },
    }
    expect(faultsOf(live)).toEqual([])
    expect(faultsOf({ ...live, PURSER_CELL_D: 'postgres://d/b' })).toEqual([
      'there may be up to 3 variables PURSER_CELL_<NAME> with PURSER_ACH=windows in live mode: the cells share the 36 ACH files of a day',
    ])
    expect(faultsOf({ ...live, PURSER_ACH_WINDOWS: '10:00,12:00,14:00,16:00,18:00' })).toEqual([
      'PURSER_ACH_WINDOWS may have up to 4 cut-offs with PURSER_CELL_A: the cells share the 36 ACH files of a day',
    ])
  })
})

describe('the variables of standbys', () => {
  const [read, east] = ['postgres://standby-1,standby-2/bank', 'postgres://standby-3/bank?target_session_attrs=standby']

  test('name one of the home cell, and one of each further cell, also by a file', () => {
    expect(parseConfig(base).readUrl).toBeUndefined()
    const cells = { PURSER_CELL_EAST: 'postgres://two/bank', PURSER_CELL_WEST: 'postgres://three/bank' }
    const config = parseConfig({ ...base, ...cells, PURSER_READ_URL: read, PURSER_READ_URL_EAST: east })
    expect(config.readUrl).toBe(read)
    expect(config.cells.map(({ name, readUrl }) => [name, readUrl])).toEqual([
      ['east', east],
      ['west', undefined],
    ])
    const folder = mkdtempSync(join(tmpdir(), 'purser-standby-'))
    const [path, pathOfEast] = [join(folder, 'url'), join(folder, 'east')]
    writeFileSync(path, `${read}\n`)
    writeFileSync(pathOfEast, `${east}\n`)
    const files = { PURSER_READ_URL_FILE: path, PURSER_READ_URL_EAST_FILE: pathOfEast }
    expect(parseConfig({ ...base, ...cells, ...files })).toEqual(config)
    rmSync(folder, { recursive: true })
  })

  test.each([
    ['MySQL', { PURSER_READ_URL: 'mysql://one/bank' }, 'PURSER_READ_URL must be a postgres:// URL'],
    [
      'a primary',
      { PURSER_READ_URL: 'postgres://one/bank?target_session_attrs=primary' },
      'PURSER_READ_URL must be a postgres:// URL of a standby: target_session_attrs=standby or none',
    ],
    [
      'a cell that is not set',
      { PURSER_READ_URL_NORTH: read },
      'PURSER_READ_URL_NORTH names the standby of a cell that is not set: PURSER_CELL_NORTH',
    ],
    [
      'no database',
      { DATABASE_URL: '', PURSER_READ_URL: read },
      'PURSER_READ_URL needs DATABASE_URL: the embedded server has no standby',
    ],
    [
      'a connector',
      {
        PURSER_READ_URL: read,
        PURSER_BANKING_PROVIDER: 'unit',
        PURSER_UNIT_URL: 'https://unit.example',
        PURSER_UNIT_TOKEN: 'token',
      },
      'PURSER_READ_URL has no use with a connector, whose upstream answers reads',
    ],
  ])('are refused for %s', (_case, environment, fault) => {
    expect(faultsOf({ ...base, ...environment })).toContain(fault)
  })
})
