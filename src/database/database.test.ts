import { createServer } from 'node:net'
import { inspect } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../../test/support/harness.ts'
import { until } from '../../test/support/service.ts'
import {
  CommitLost,
  type Database,
  DatabaseUnavailable,
  LockTimeout,
  openDatabase,
  plainTimeouts,
  serversOf,
} from './database.ts'
import { isAlive } from './embedded/drafts.ts'
import { requireWritable } from './readiness.ts'

let place: Awaited<ReturnType<typeof createDatabase>>
let database: Database
let elsewhere: pg.Client

beforeAll(async () => {
  place = await createDatabase()
  database = openDatabase({ servers: [place.server], connections: 4, timeouts: { ...plainTimeouts, lockMs: 300 } })
  await database.query('create table note (id bigint primary key, text text)')
  elsewhere = new pg.Client(place.server)
  await elsewhere.connect()
})
afterAll(async () => {
  await elsewhere.end()
  await database.close()
  await place.drop()
})

const notes = () => database.query<{ id: number }>('select id from note order by id')
const clear = () => database.query('delete from note')

const SLEEP = 'select pg_backend_pid() as pid, pg_sleep(0.1)'

describe('a statement', () => {
  test('is prepared on its connection, unless it is run once', async () => {
    const kept = await database.transaction(async (connection) => {
      for (let time = 0; time < 3; time++) {
        expect(await connection.query('select $1::int as kept', [time])).toEqual([{ kept: time }])
        expect(await connection.query('select $1::int as composed', [time], 'once')).toEqual([{ composed: time }])
      }
      return connection.query<{ statement: string }>('select statement from pg_prepared_statements')
    })
    const statements = kept.map(({ statement }) => statement)
    expect(statements).toContain('select $1::int as kept')
    expect(statements).not.toContain('select $1::int as composed')
    expect(await database.query('select 1 as composed', [], 'once')).toEqual([{ composed: 1 }])
  })

  test('copies rows of any size, all or none', async () => {
    const copy = (rows: string) => database.query('copy note (id, text) from stdin', [rows], 'copy')
    const long = 'ä'.repeat(100_000)
    expect(await copy(`1\t${long}\n2\t\\N\n`)).toEqual([])
    expect(await database.query('select id, text from note order by id')).toEqual([
      { id: 1, text: long },
      { id: 2, text: null },
    ])
    await expect(copy(`3\tthree\n1\t${long}\n4\t${long}\n`)).rejects.toMatchObject({ code: '23505' })
    expect(await notes()).toEqual([{ id: 1 }, { id: 2 }])
    await clear()
  })
})

test('no statement is compiled by JIT, whatever the server is set to', async () => {
  expect(await database.query(`select current_setting('jit') as jit`)).toEqual([{ jit: 'off' }])
})

describe('a statement that fails', () => {
  test('has a stack that leads to its caller', async () => {
    async function callerOfTheStatement() {
      await database.query('select 1 / 0')
    }
    await expect(callerOfTheStatement()).rejects.toMatchObject({
      code: '22012',
      stack: expect.stringContaining('callerOfTheStatement'),
    })
  })

  test('carries no row data into the log', async () => {
    await database.query('create table if not exists person (ssn text check (length(ssn) = 9) primary key)')
    await database.query(`insert into person values ('123456789') on conflict do nothing`)
    for (const ssn of ['123456789', '12345678']) {
      const error = await database.query('insert into person values ($1)', [ssn]).catch((reason: unknown) => reason)
      expect(inspect(error, { depth: 9 })).not.toContain(ssn)
      expect(error).toMatchObject({ code: expect.stringMatching(/^23/), constraint: expect.any(String) })
    }
  })

  test.each([
    ['answers other columns than before', 'alter table changing add column more int'],
    ['is gone from its connection', 'deallocate all'],
  ])('because it %s is run on another connection the next time', async (_why, change) => {
    const own = openDatabase({ servers: [place.server], connections: 1, timeouts: plainTimeouts })
    await own.query('drop table if exists changing')
    await own.query('create table changing (id int)')
    const all = () => own.query('select * from changing')
    expect(await all()).toEqual([])
    await own.query(change, [], 'once')
    await expect(all()).rejects.toThrow(DatabaseUnavailable)
    expect(await all()).toEqual([])
    await own.close()
  })
})

describe('a value', () => {
  const one = async (sql: string) => (await database.query<{ value: unknown }>(`select ${sql} as value`))[0]?.value

  test('of type bigint is a number, and is refused outside the safe range', async () => {
    expect(await one('9007199254740991::bigint')).toBe(9_007_199_254_740_991)
    expect(await one('-9007199254740991::bigint')).toBe(-9_007_199_254_740_991)
    await expect(one('9007199254740992::bigint')).rejects.toThrow(RangeError)
  })

  test('of type timestamptz is a text in UTC with milliseconds', async () => {
    const times = {
      '2026-01-31T12:00:00Z': '2026-01-31T12:00:00.000Z',
      '2026-01-31T12:00:00.5Z': '2026-01-31T12:00:00.500Z',
      '2026-01-31T23:30:00.123456-05:30': '2026-02-01T05:00:00.123Z',
      '2024-02-29T00:00:00.010Z': '2024-02-29T00:00:00.010Z',
    }
    for (const [sent, read] of Object.entries(times)) expect(await one(`timestamptz '${sent}'`)).toBe(read)
    expect(await one('null::timestamptz')).toBeNull()
  })

  test('of any other type is parsed by the driver', async () => {
    expect(await one(`'{"a":[1,null]}'::jsonb`)).toEqual({ a: [1, null] })
    expect(await one(`array['a','b']`)).toEqual(['a', 'b'])
    expect(await one(`'\\x00ff'::bytea`)).toEqual(Buffer.from([0, 255]))
    expect(await one('true')).toBe(true)
  })
})

describe('a transaction', () => {
  test('answers the result of its work and is committed', async () => {
    await clear()
    const answer = await database.transaction(async (transaction) => {
      await transaction.query('insert into note (id) values ($1)', [1])
      return 'done'
    })
    expect([answer, await notes()]).toEqual(['done', [{ id: 1 }]])
  })

  test('that throws is rolled back, and its connection stays usable', async () => {
    await clear()
    for (let time = 0; time < 10; time++) {
      const work = database.transaction(async (transaction) => {
        await transaction.query('insert into note (id) values ($1)', [1])
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
    }
    expect(await notes()).toEqual([])
  })

  test('rejects with the error of a statement that failed', async () => {
    await clear()
    const work = database.transaction(async (transaction) => {
      await transaction.query('insert into note (id) values ($1)', [1])
      await transaction.query('insert into note (id) values ($1)', [1])
    })
    await expect(work).rejects.toMatchObject({ code: '23505' })
    expect(await notes()).toEqual([])
  })

  test('is invisible to others until it commits', async () => {
    await clear()
    await database.transaction(async (transaction) => {
      await transaction.query('insert into note (id) values (7)')
      expect(await notes()).toEqual([])
    })
    expect(await notes()).toEqual([{ id: 7 }])
  })

  test('that waits too long for a lock fails with LockTimeout and is rolled back', async () => {
    await clear()
    await database.query('insert into note (id) values (1)')
    await elsewhere.query('begin')
    await elsewhere.query('select from note where id = 1 for update')
    const work = database.transaction(async (transaction) => {
      await transaction.query('insert into note (id) values (2)')
      await transaction.query(`update note set text = 'x' where id = 1`)
    })
    await expect(work).rejects.toBeInstanceOf(LockTimeout)
    await elsewhere.query('rollback')
    expect(await notes()).toEqual([{ id: 1 }])
  })

  test('that deadlocks with another fails with LockTimeout', async () => {
    await clear()
    await database.query('insert into note (id) values (1), (2)')
    const patient = openDatabase({ servers: [place.server], connections: 2, timeouts: plainTimeouts })
    let waiting = 0
    let go: () => void = () => undefined
    const both = new Promise<void>((resolve) => {
      go = resolve
    })
    const crossing = (first: number, second: number) =>
      patient.transaction(async (transaction) => {
        await transaction.query(`update note set text = 'x' where id = $1`, [first])
        if (++waiting === 2) go()
        await both
        await transaction.query(`update note set text = 'x' where id = $1`, [second])
      })
    const outcomes = await Promise.allSettled([crossing(1, 2), crossing(2, 1)])
    await patient.close()
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(failed).toHaveLength(1)
    expect(failed[0]).toBeInstanceOf(LockTimeout)
  })

  test('whose connection breaks before COMMIT fails with DatabaseUnavailable', async () => {
    await clear()
    const work = database.transaction(async (transaction) => {
      await transaction.query('insert into note (id) values (1)')
      const [row] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid')
      await elsewhere.query('select pg_terminate_backend($1)', [row?.pid])
      await transaction.query('insert into note (id) values (2)')
    })
    const error = await work.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    expect(error).not.toBeInstanceOf(LockTimeout)
    expect(await notes()).toEqual([])
  })

  test('whose connection breaks at COMMIT fails with CommitLost', async () => {
    await clear()
    const work = database.transaction(async (transaction) => {
      await transaction.query('insert into note (id) values (1)')
      const [row] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid')
      await elsewhere.query('select pg_terminate_backend($1)', [row?.pid])
    })
    await expect(work).rejects.toBeInstanceOf(CommitLost)
    expect(await notes()).toEqual([])
  })
})

describe('a server', () => {
  test('that does not exist fails with DatabaseUnavailable', async () => {
    const nowhere = openDatabase({ servers: [{ host: '127.0.0.1', port: 1 }], connections: 1, timeouts: plainTimeouts })
    await expect(nowhere.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(nowhere.transaction(async () => undefined)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await nowhere.close()
  })

  test('that refuses connections is tried again after a pause, and not for each caller', async () => {
    let attempts = 0
    const refusing = createServer((socket) => {
      attempts++
      socket.destroy()
    })
    await new Promise<void>((done) => refusing.listen(0, '127.0.0.1', done))
    const { port } = refusing.address() as { port: number }
    const one = openDatabase({ servers: [{ host: '127.0.0.1', port }], connections: 4, timeouts: plainTimeouts })
    const startedMs = performance.now()
    const refused = async () => expect(one.query('select 1')).rejects.toThrow('no connection to the database')
    for (let call = 0; call < 200; call++) await refused()
    const pauses = Math.ceil((performance.now() - startedMs) / 100)
    expect(attempts).toBeLessThanOrEqual(pauses)
    const before = attempts
    await until('another attempt', async () => {
      await refused()
      return attempts > before
    })
    await one.close()
    await new Promise((done) => refusing.close(done))
  })

  test('that closes connections gives way to the next', async () => {
    const refusing = createServer((socket) => socket.destroy())
    await new Promise<void>((done) => refusing.listen(0, '127.0.0.1', done))
    const { port } = refusing.address() as { port: number }
    const servers = [{ host: '127.0.0.1', port }, place.server]
    const several = openDatabase({ servers, connections: 2, timeouts: plainTimeouts })
    expect(await several.query('select 1 as one')).toEqual([{ one: 1 }])
    await several.close()
    await new Promise((done) => refusing.close(done))
  })

  test('that takes no writes is not ready', async () => {
    const replica = { ...place.server, options: '-c default_transaction_read_only=on' }
    const one = openDatabase({ servers: [replica], connections: 1, timeouts: plainTimeouts })
    await expect(requireWritable(one)).rejects.toThrow('its URL must name a primary')
    await one.close()
    await requireWritable(database)
  })

  test('that stops taking writes gives way to the next, with all its connections', async () => {
    const replica = { ...place.server }
    const several = openDatabase({ servers: [replica, place.server], connections: 3, timeouts: plainTimeouts })
    await Promise.all(Array.from({ length: 3 }, () => several.query(`set default_transaction_read_only = on`)))
    const write = () => several.query('create temporary table if not exists written ()')
    await expect(write()).rejects.toBeInstanceOf(DatabaseUnavailable)
    await write()
    await several.close()
  })

  test('that takes no writes gives way to the next', async () => {
    const replica = { ...place.server, options: '-c default_transaction_read_only=on' }
    const several = openDatabase({ servers: [replica, place.server], connections: 2, timeouts: plainTimeouts })
    expect(await several.query('show transaction_read_only')).toEqual([{ transaction_read_only: 'off' }])
    await several.close()
  })

  test.each([1, 2, 4, 8])(
    'that accepts connections and never answers gives way to the next for %i callers at once',
    async (callers) => {
      const silent = createServer(() => undefined)
      await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
      const { port } = silent.address() as { port: number }
      const servers = [{ host: '127.0.0.1', port }, place.server]
      const several = openDatabase({ servers, connections: 4, timeouts: plainTimeouts })
      const answers = await Promise.all(Array.from({ length: callers }, () => several.query('select 1 as one')))
      expect(answers).toEqual(Array(callers).fill([{ one: 1 }]))
      await several.close()
      silent.close()
    },
  )

  test('with other session settings in its options still gets the ones that are needed', async () => {
    const options = '-c TimeZone=Europe/Berlin -c DateStyle=German -c default_transaction_isolation=serializable'
    const elsewhere = openDatabase({
      servers: [{ ...place.server, options: `${options} -c statement_timeout=0 -c search_path=pg_catalog` }],
      connections: 1,
      timeouts: { lockMs: 1_234, statementMs: 2_345, idleMs: 3_456 },
    })
    expect(await elsewhere.query(`select timestamptz '2026-07-01T12:00:00Z' as time`)).toEqual([
      { time: '2026-07-01T12:00:00.000Z' },
    ])
    const settings = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']
    const names = [...settings, 'transaction_isolation', 'search_path', 'TimeZone']
    const inForce = await Promise.all(
      names.map(
        async (name) => (await elsewhere.query<{ value: string }>(`select current_setting($1) as value`, [name]))[0],
      ),
    )
    expect(inForce.map((row) => row?.value)).toEqual([
      '1234ms',
      '2345ms',
      '3456ms',
      'read committed',
      'pg_catalog',
      'UTC',
    ])
    await elsewhere.close()
  })

  test('whose time zone changes later has its times refused instead of misread', async () => {
    const one = openDatabase({ servers: [place.server], connections: 1, timeouts: plainTimeouts })
    await one.query(`set TimeZone = 'America/New_York'`)
    await expect(one.query('select now() as now')).rejects.toThrow('a time that is not in UTC')
    await one.close()
  })

  test('gets new connections after all of them broke', async () => {
    await Promise.all(Array.from({ length: 4 }, () => database.query('select pg_sleep(0.01)')))
    // One that broke while it was opened would have been an attempt in vain, and the next query refused for a moment.
    await expect.poll(() => database.connections().open).toBe(4)
    await elsewhere.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await expect.poll(() => database.connections().open).toBe(0)
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  test('that ended idle connections a moment ago is read from, and begins transactions, on new ones', async () => {
    const own = openDatabase({ servers: [place.server], connections: 3, timeouts: plainTimeouts })
    const breakUnnoticed = async () => {
      const sleeping = Array.from({ length: 3 }, () => own.query<{ pid: number }>(SLEEP))
      const pids = (await Promise.all(sleeping)).map(([row]) => row?.pid)
      expect(own.connections().open).toBe(3)
      // The event loop does not turn from here on, so that the pool knows of nothing.
      for (const pid of pids) process.kill(pid ?? 0, 'SIGTERM')
      const [startMs, isOpen] = [performance.now(), () => pids.some((pid) => isAlive(pid ?? 0))]
      while (performance.now() < startMs + 300 || (isOpen() && performance.now() < startMs + 10_000));
    }
    await breakUnnoticed()
    expect(await own.query('select 1 as one')).toEqual([{ one: 1 }])
    await breakUnnoticed()
    let runs = 0
    await own.transaction(async (transaction) => {
      runs++
      await transaction.query('select 1')
    })
    expect(runs).toBe(1)
    await breakUnnoticed()
    // A statement that may have changed something is not repeated.
    await expect(own.query(`with changed as (select 1) select * from changed`)).rejects.toThrow(DatabaseUnavailable)
    await own.close()
  })
})

describe('a database URL', () => {
  const urls = (url: string) => serversOf(url).map(({ connectionString }) => connectionString)

  test('of one server is used unchanged', () => {
    for (const url of ['postgres://u:p@h:5432/bank', 'postgresql://h/bank?sslmode=require', 'postgres:///bank']) {
      expect(urls(url)).toEqual([url])
    }
  })

  test('of several servers is split, each with the same user and parameters', () => {
    expect(urls('postgres://u:p@one:5432,two:5433,three/bank?sslmode=require')).toEqual([
      'postgres://u:p@one:5432/bank?sslmode=require',
      'postgres://u:p@two:5433/bank?sslmode=require',
      'postgres://u:p@three/bank?sslmode=require',
    ])
  })

  test('may name several servers by the parameters host and port, as libpq does', () => {
    expect(urls('postgres://u:p@/bank?host=one,two&port=5432,5433&sslmode=require')).toEqual([
      'postgres://u:p@/bank?host=one&port=5432&sslmode=require',
      'postgres://u:p@/bank?host=two&port=5433&sslmode=require',
    ])
    expect(urls('postgres:///bank?host=%2Fone%2Ctwo&port=5432')).toEqual([
      'postgres:///bank?host=%2Fone&port=5432',
      'postgres:///bank?host=two&port=5432',
    ])
    expect(() => urls('postgres:///bank?host=one,two&port=1,2,3')).toThrow('one port, or one for each host')
  })

  test('loses target_session_attrs where it asks for a server that takes writes, and is refused otherwise', () => {
    expect(urls('postgres://a,b/bank?target_session_attrs=read-write&sslmode=require')[1]).toBe(
      'postgres://b/bank?sslmode=require',
    )
    expect(urls('postgres://a/bank?x=1&target_session_attrs=any&y=2')[0]).toBe('postgres://a/bank?x=1&y=2')
    for (const attributes of ['read-only', 'standby', 'prefer-standby', '']) {
      expect(() => urls(`postgres://a,b/bank?target_session_attrs=${attributes}`), attributes).toThrow('take writes')
    }
  })

  test('of another kind is refused', () => {
    for (const url of ['', 'h:5432/bank', 'mysql://h/bank', 'postgres:h', 'postgres://h:x/bank']) {
      expect(() => serversOf(url), url).toThrow(TypeError)
    }
  })
})
