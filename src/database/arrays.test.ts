import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../../test/support/harness.ts'
import { arrayOf, bigint, rowSet, text, timestamptz } from './arrays.ts'
import { type Database, openDatabase, plainTimeouts } from './database.ts'

let place: Awaited<ReturnType<typeof createDatabase>>
let database: Database

beforeAll(async () => {
  place = await createDatabase()
  database = openDatabase({ servers: [place.server], connections: 1, timeouts: plainTimeouts })
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

const MAX = Number.MAX_SAFE_INTEGER

describe('an array sent in binary form arrives unchanged', () => {
  test.each([
    ['bigint', [0, 1, -1, 4_294_967_295, 4_294_967_296, -4_294_967_296, -4_294_967_297, MAX, -MAX, null]],
    ['integer', [0, 2_147_483_647, -2_147_483_648, null]],
    ['smallint', [0, 32_767, -32_768, null]],
    ['float8', [0, 34.0901, -118.4065, Number.MAX_VALUE, Number.MIN_VALUE, null]],
    ['boolean', [true, false, null]],
    ['text', ['', 'plain', '"quoted" \\ {a,b} NULL', 'é ß 漢 🙂', null, 'null']],
    ['bytea', [Buffer.alloc(0), Buffer.from([0, 255, 92, 120]), null]],
    ['timestamptz', ['2026-11-15T05:00:00.123Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', null]],
    ['tid', ['(0,0)', '(1,2)', '(4294967295,65535)', null]],
    ['jsonb', [null, '{"a": "\\"é\\""}', '[]']],
  ] as const)('with elements of type %s', async (type, values) => {
    const rows = await database.query<{ value: unknown }>(
      `select value${type === 'jsonb' ? '::text' : ''} from unnest($1::${type}[]) with ordinality as n (value, place)
       order by place`,
      [arrayOf(type, [...values])],
    )
    expect(rows.map(({ value }) => value)).toEqual(values)
  })

  test('without elements', async () => {
    for (const type of ['bigint', 'text', 'timestamptz'] as const) {
      const count = `select cardinality($1::${type}[]) as count`
      expect(await database.query(count, [arrayOf(type, [])])).toEqual([{ count: 0 }])
    }
  })

  test('with texts of any length', async () => {
    const texts = ['short', 'é'.repeat(100_000), 'x'.repeat(300_000), 'after']
    const rows = await database.query<{ value: string }>(`select unnest($1::text[]) as value`, [arrayOf('text', texts)])
    expect(rows.map(({ value }) => value)).toEqual(texts)
  })
})

describe('a row set', () => {
  type Row = { id: number; name: string | null; at: string }
  const columns = {
    id: bigint(({ id }: Row) => id),
    name: text(({ name }: Row) => name),
    at: timestamptz(({ at }: Row) => at),
  }
  const rows = [
    { id: 1, name: 'one', at: '2026-01-01T00:00:00.000Z' },
    { id: 2, name: null, at: '2026-01-02T00:00:00.000Z' },
  ]

  test('keeps its columns together, also behind other parameters', async () => {
    const first = rowSet(columns)
    const second = rowSet(columns, first.next)
    expect(first.names).toBe('id, name, at')
    const values = [...first.values(rows), ...second.values(rows.slice(1)), 7]
    const sql = `${first.select} union all (${second.select}) union all select $${second.next}::bigint, null, null`
    expect(await database.query(sql, values)).toEqual([...rows, rows[1], { id: 7, name: null, at: null }])
  })

  test('may be empty', async () => {
    const set = rowSet(columns)
    expect(await database.query(set.select, set.values([]))).toEqual([])
  })
})

test.each([
  ['timestamptz', 'yesterday'],
  ['bigint', 2 ** 53],
  ['bigint', 0.5],
  ['bigint', Number.NaN],
  ['integer', 2 ** 31],
  ['integer', -(2 ** 31) - 1],
  ['smallint', 32_768],
  ['smallint', -32_769],
  ['tid', 'elsewhere'],
  ['tid', '(1,b)'],
] as const)('a value that is no %s is refused before it is sent: %s', (type, value) => {
  expect(() => arrayOf(type, [value])).toThrow(RangeError)
})
