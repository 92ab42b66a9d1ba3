import { createHmac, hkdfSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/harness.ts'
import { type Database, openDatabase, plainTimeouts } from '../database/database.ts'
import { requireKey } from './marker.ts'
import { openReseal } from './reseal.ts'
import { rotateEncryption } from './rotate.ts'
import { openSeal, type Seal } from './seal.ts'
import { openSeals } from './seals.ts'

const key = Buffer.alloc(32, 7)
const newKey = Buffer.alloc(32, 8)
const thirdKey = Buffer.alloc(32, 9)
const ssn = { table: 'application', row: 77, column: 'sealed_ssn' }
const quiet = { values: () => undefined, keys: () => undefined }

let own: TestDatabase
let database: Database
let organisations = 0

beforeAll(async () => {
  own = await createDatabase()
  database = openDatabase({ servers: [own.server], connections: 5, timeouts: plainTimeouts })
  await requireKey(database, [key])
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

async function makeOrganisation({ beforeKeys = false } = {}): Promise<number> {
  const id = ++organisations
  await database.query(`insert into organisation (id, name, created_at) values ($1::bigint, $1::text, now())`, [id])
  if (beforeKeys) await database.query(`insert into organisation_key (organisation_id) values ($1::bigint)`, [id])
  return id
}

/** Whether two seals have the same keys. */
function agree(one: Seal, other: Seal): boolean {
  const opens = other.unseal(one.seal('text', ssn), ssn).toString() === 'text'
  return opens && one.digest('text').equals(other.digest('text'))
}

describe('the keys of an organisation', () => {
  test('are made once, also by several processes at once, and differ from those of others', async () => {
    const id = await makeOrganisation()
    const processes = Array.from({ length: 5 }, () => openSeals(database, [key]))
    const [first, ...others] = await Promise.all(processes.map((seals) => seals.of(id)))
    if (!first) throw new Error('no seal')
    expect(others.every((other) => agree(first, other))).toBe(true)
    expect(processes[0]?.known(id)).toBe(first)
    const another = await processes[0]?.of(await makeOrganisation())
    expect(another?.version).not.toEqual(first.version)
    expect(another?.digest('text')).not.toEqual(first.digest('text'))
    expect(() => another?.unseal(first.seal('text', ssn), ssn)).toThrow('sealed with another encryption key')
  })

  test('include the former digest key where the organisation existed before keys, and not otherwise', async () => {
    const derived = Buffer.from(hkdfSync('sha256', key, '', 'purser digest', 32))
    const expected = createHmac('sha256', derived).update('text').digest()
    const before = await openSeals(database, [key]).of(await makeOrganisation({ beforeKeys: true }))
    const after = await openSeals(database, [key]).of(await makeOrganisation())
    expect(before.digest('text')).toEqual(expected)
    expect(after.digest('text')).not.toEqual(expected)
  })

  test('of an organisation that replaces another keep its digest key and not its data key', async () => {
    const seals = openSeals(database, [key])
    const former = await makeOrganisation()
    const replaced = await seals.of(former)
    const id = await makeOrganisation()
    const created = await database.transaction((transaction) => seals.create(transaction, id, former))
    expect(agree(created, await seals.of(id))).toBe(true)
    expect(created.digest('text')).toEqual(replaced.digest('text'))
    expect(created.version).not.toEqual(replaced.version)
  })

  test('of an organisation that does not exist are refused', async () => {
    await expect(openSeals(database, [key]).of(999_999_999)).rejects.toThrow('there is no organisation 999999999')
  })

  test('are not found in clear text', async () => {
    const rows = await database.query<{ bytes: number }>(
      `select octet_length(data_key) as bytes from organisation_key where data_key is not null`,
    )
    expect(new Set(rows.map(({ bytes }) => bytes))).toEqual(new Set([4 + 12 + 32 + 16]))
  })
})

describe('a value that was sealed with the operator key itself', () => {
  test('opens, and is sealed anew with the key of its organisation in the background', async () => {
    const id = await makeOrganisation({ beforeKeys: true })
    const place = { ...ssn, row: 5_000 }
    await database.query(
      `insert into application (id, organisation_id, created_at, status, name, email, phone, address, date_of_birth, sealed_ssn)
       values (5000, $1::bigint, now(), 'Denied', '{}', 'a@b.co', '{}', '{}', '2000-01-01', $2::bytea)`,
      [id, openSeal(key).seal('713946825', place)],
    )
    const seals = openSeals(database, [key])
    const stored = async () => {
      const [row] = await database.query<{ sealed: Buffer }>(
        `select sealed_ssn as sealed from application where id = 5000`,
      )
      return row?.sealed ?? Buffer.alloc(0)
    }
    const seal = await seals.of(id)
    expect(seal.unseal(await stored(), place).toString()).toBe('713946825')
    const work = openReseal({ database, seals, keys: [key] })
    const unfinished = () => database.query(`select source from reseal where not done`)
    for (let turn = 0; turn < 50 && (await unfinished()).length > 0; turn++) await work()
    expect((await stored()).subarray(0, 4)).toEqual(seal.version)
    expect(seal.unseal(await stored(), place).toString()).toBe('713946825')
    expect(await unfinished()).toEqual([])
  })
})

describe('a rotation of the operator key', () => {
  test('is refused with the same key, and with one that is not of this database', async () => {
    await expect(rotateEncryption(database, { key, newKey: key }, quiet)).rejects.toThrow('is the present key')
    await expect(rotateEncryption(database, { key: thirdKey, newKey }, quiet)).rejects.toThrow(
      'PURSER_ENCRYPTION_KEY is not the key of this database',
    )
  })

  test('seals the keys anew, and values that an older version has sealed behind the move', async () => {
    const id = await makeOrganisation()
    const before = await openSeals(database, [key]).of(id)
    const place = { ...ssn, row: 4_000 }
    await database.query(
      `insert into application (id, organisation_id, created_at, status, name, email, phone, address, date_of_birth, sealed_ssn)
       values (4000, $1::bigint, now(), 'Denied', '{}', 'a@b.co', '{}', '{}', '2000-01-01', $2::bytea)`,
      [id, openSeal(key).seal('713946826', place)],
    )
    expect(await rotateEncryption(database, { key, newKey }, quiet)).toBe(true)
    const after = await openSeals(database, [newKey]).of(id)
    expect(agree(before, after)).toBe(true)
    const [row] = await database.query<{ sealed: Buffer }>(
      `select sealed_ssn as sealed from application where id = 4000`,
    )
    expect(after.unseal(row?.sealed ?? Buffer.alloc(0), place).toString()).toBe('713946826')
    await expect(requireKey(database, [key])).rejects.toThrow('sealed with another encryption key')
    await requireKey(database, [newKey])
    expect(await rotateEncryption(database, { key, newKey }, quiet)).toBe(false)
    await expect(openSeals(database, [key]).of(id)).rejects.toThrow('an encryption key that this process lacks')
  })

  test('that broke off is finished with the same key, refused with another, and needs both keys meanwhile', async () => {
    const id = await makeOrganisation()
    const before = await openSeals(database, [newKey]).of(id)
    const breakOff = { ...quiet, keys: () => fail() }
    await expect(rotateEncryption(database, { key: newKey, newKey: thirdKey }, breakOff)).rejects.toThrow('broken off')
    await expect(requireKey(database, [newKey])).rejects.toThrow('the encryption key is being changed')
    await requireKey(database, [newKey, thirdKey])
    expect(agree(before, await openSeals(database, [newKey, thirdKey]).of(id))).toBe(true)
    const created = await openSeals(database, [newKey, thirdKey]).of(await makeOrganisation())
    await expect(rotateEncryption(database, { key: newKey, newKey: key }, quiet)).rejects.toThrow(
      'a rotation to another key is under way',
    )
    expect(await rotateEncryption(database, { key: newKey, newKey: thirdKey }, quiet)).toBe(true)
    await requireKey(database, [thirdKey])
    expect(agree(before, await openSeals(database, [thirdKey]).of(id))).toBe(true)
    expect(agree(created, await openSeals(database, [thirdKey]).of(organisations))).toBe(true)
  })
})

function fail(): never {
  throw new Error('broken off')
}
