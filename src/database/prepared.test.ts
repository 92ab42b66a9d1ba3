import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase } from '../../test/support/harness.ts'
import { runPrepared } from './prepared.ts'

let place: Awaited<ReturnType<typeof createDatabase>>
beforeAll(async () => {
  place = await createDatabase()
})
afterAll(() => place.drop())

describe.each([false, true])('a prepared statement, pipeline %s', (pipeline) => {
  let client: pg.Client & { connection: { on(event: string, listener: () => void): void } }
  /** How often the server has described the columns of a statement. */
  let descriptions: number
  beforeEach(async () => {
    client = new pg.Client({ ...place.server, pipeline }) as typeof client
    await client.connect()
    descriptions = 0
    client.connection.on('rowDescription', () => descriptions++)
  })
  afterEach(() => client.end())

  const sum = (left: number, right: number | null) =>
    runPrepared(client, 'sum', 'select $1::int + $2::int as sum, $2::int as right', [left, right])

  test('answers rows by the names of their columns, which are described once', async () => {
    expect(await sum(1, 2)).toEqual([{ sum: 3, right: 2 }])
    expect(await sum(3, null)).toEqual([{ sum: null, right: null }])
    expect(await sum(3, 4)).toEqual([{ sum: 7, right: 4 }])
    expect(descriptions).toBe(1)
  })

  test('answers the rows that the driver would, for every kind of column', async () => {
    const text = `select 1 as int, null::int as nothing, 'a' as text, true as bool, 1.5::float8 as float, '\\x00ff'::bytea as bytes,
      array[1, 2] as list, '{"a":null}'::jsonb as json, n as "odd "" name" from generate_series(1, 3) n where n <> $1::int`
    const { rows } = await client.query(text, [2])
    for (let time = 0; time < 2; time++) expect(await runPrepared(client, 'kinds', text, [2])).toEqual(rows)
  })

  test('belongs to its own connection', async () => {
    await sum(1, 2)
    const other = new pg.Client(place.server)
    await other.connect()
    expect(await runPrepared(other, 'sum', 'select $1::text as text', ['a'])).toEqual([{ text: 'a' }])
    await other.end()
    expect(await sum(1, 2)).toEqual([{ sum: 3, right: 2 }])
  })

  test('may have no rows and no columns', async () => {
    const upTo = (last: number) =>
      runPrepared(client, 'upTo', 'select number from generate_series(1, $1::int) number', [last])
    expect(await upTo(0)).toEqual([])
    expect(await upTo(2)).toEqual([{ number: 1 }, { number: 2 }])
    for (let time = 0; time < 2; time++) expect(await runPrepared(client, 'begin', 'begin', [])).toEqual([])
    expect(await runPrepared(client, 'rollback', 'rollback', [])).toEqual([])
    expect(descriptions).toBe(1)
  })

  test('leaves the connection usable when it fails, at its first use and later', async () => {
    const divide = (by: number) => runPrepared(client, 'divide', 'select 6 / $1::int as quotient', [by])
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
    expect(await divide(2)).toEqual([{ quotient: 3 }])
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
    expect(await divide(3)).toEqual([{ quotient: 2 }])
    await expect(runPrepared(client, 'wrong', 'select nothing', [])).rejects.toMatchObject({ code: '42703' })
    expect(await runPrepared(client, 'wrong', 'select 1 as one', [])).toEqual([{ one: 1 }])
  })

  test('fails when a column cannot be parsed', async () => {
    client.setTypeParser(23, (text: string) => {
      if (text === '2') throw new RangeError('two')
      return text
    })
    const numbers = () => runPrepared(client, 'numbers', 'select number from generate_series(1, 3) number', [])
    await expect(numbers()).rejects.toThrow('two')
    await expect(numbers()).rejects.toThrow('two')
    expect(await runPrepared(client, 'three', 'select 3 as number', [])).toEqual([{ number: '3' }])
  })
})

test('statements of a pipeline get their own rows, however soon they are sent', async () => {
  const client = new pg.Client({ ...place.server, pipeline: true })
  await client.connect()
  const double = (number: number) => runPrepared(client, 'double', 'select 2 * $1::int as double', [number])
  const text = () => runPrepared(client, 'text', `select 'a' as text, 'b' as more`, [])
  const answers = await Promise.all([double(1), double(2), text(), double(3), text()])
  const texts = [{ text: 'a', more: 'b' }]
  expect(answers).toEqual([[{ double: 2 }], [{ double: 4 }], texts, [{ double: 6 }], texts])
  await client.end()
})

test('a statement that fails in a pipeline fails the ones behind it until the transaction ends', async () => {
  const client = new pg.Client({ ...place.server, pipeline: true, statement_timeout: 1_000 })
  await client.connect()
  const run = (name: string, text: string, values: unknown[] = []) => runPrepared(client, name, text, values)
  for (let round = 0; round < 3; round++) {
    const outcomes = await Promise.allSettled([
      run('begin', 'begin'),
      run('number', 'select $1::int as number', [round]),
      run('sleep', 'select pg_sleep(60)'),
      run('number', 'select $1::int as number', [round + 10]),
      run('rollback', 'rollback'),
      run('text', `select 'a' as text`),
    ])
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.code))).toEqual([
      [],
      [{ number: round }],
      '57014',
      '25P02',
      [],
      [{ text: 'a' }],
    ])
  }
  await client.end()
})
