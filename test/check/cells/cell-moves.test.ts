import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commands } from '../../../cli/commands.ts'
import { start } from '../../../src/cells/commands/move.ts'
import { machineFindings } from '../../../src/operator/doctor.ts'
import { killedMove } from '../../support/cells/killed-move.ts'
import { commandParts, expectTidyCells } from '../../support/cells/moves.ts'
import { followFeed, openRouted, type Routed, startPayments } from '../../support/cells/routed.ts'
import { type Cell, startTwoCells, type TwoCells } from '../../support/cells/two-cells.ts'
import { type Consumer, makeEndpoint, openConsumer } from '../../support/consumer.ts'
import { needsCells } from '../../support/examples/command.ts'
import { root } from '../../support/harness.ts'
import { makePayer, type Payer, pay } from '../../support/ledger.ts'
import { operate } from '../../support/run/command-line.ts'
import { until } from '../../support/service.ts'
import { makeWorld } from '../../support/world.ts'

const soak = Boolean(process.env.SOAK)

let cells: TwoCells
beforeAll(async () => {
  cells = await startTwoCells({ webhooks: {} })
})
afterAll(() => cells?.stop())

/** Moves an organisation as the command does, in this process. */
async function move(name: string, to: string, reached?: Parameters<typeof start>[2]): Promise<{ pausedMs: number }> {
  const { results, ...parts } = commandParts(cells)
  await start(parts, { name, to, reach: undefined }, reached)
  return results[0] as unknown as { pausedMs: number }
}

async function command(...words: string[]): Promise<Record<string, unknown>[]> {
  return operate(['organisations', ...words], cells.environment)
}

/** The findings of the command doctor. */
async function checkUp() {
  return machineFindings(cells.environment)
}

async function paymentsIn({ database }: Cell, id: number): Promise<string[]> {
  const rows = await database.query<{ id: number }>(
    'select id from payment where organisation_id = $1::bigint order by id',
    [id],
  )
  return rows.map((row) => String(row.id))
}

async function idOf(name: string): Promise<number> {
  const [row] = (await command('list')).filter((each) => each.name === name)
  return Number(row?.id)
}

const early = ['begun', 'arriving', 'guarded', 'published', 'slot', 'subscribed', 'copied', 'followed']
const paused = ['paused', 'caught up', 'alone', 'compared']
const late = ['fenced', 'switched', 'ended', 'replication ended', 'unguarded']
const steps = [...early, ...paused, ...late]
/** Each move is killed at one step, and run again. The number of steps is odd, so that each is met in both directions. */
const killedAt = soak ? [...steps, ...steps] : ['alone', 'subscribed', 'switched']

describe('an organisation that moves', () => {
  let routed: Routed
  let payer: Payer
  let consumers: [Consumer, Consumer]
  let feed: ReturnType<typeof followFeed>
  let load: ReturnType<typeof startPayments>
  /** Payments that were acknowledged by one cell, without the load. */
  const direct: string[] = []
  const payOne = (bank: Routed['bank'], key: string) =>
    pay(bank, payer, { amount: 1 }, { headers: { 'idempotency-key': key } })
  /** The cell of Acme, and the other one. */
  const whereabouts = async () => {
    const [row] = (await command('list')).filter((each) => each.name === 'Acme')
    return row?.cell === 'home' ? [cells.home, cells.east] : [cells.east, cells.home]
  }

  beforeAll(async () => {
    routed = await openRouted(cells, 'Acme')
    await makeWorld(cells.home.bank)
    payer = await makePayer(routed.bank, 90_000_000)
    consumers = [await openConsumer(), await openConsumer()]
    for (const { url } of consumers) await makeEndpoint(routed.bank, url, ['payment.created'], routed.key)
    feed = followFeed(routed)
    load = soak
      ? startPayments(routed, payOne, { clients: 4, restMs: 100 })
      : startPayments(routed, payOne, { clients: 3, restMs: 50 })
  })
  afterAll(() => Promise.all((consumers ?? []).map((consumer) => consumer.close())))

  /** A payment at the cell that Acme was leaving when the command was killed. */
  async function payAtSource(from: Cell, step: string): Promise<void> {
    const attempt = () =>
      from.bank.call('POST', `/v0/banking/accounts/${payer.accountId}/payments`, {
        key: routed.key,
        body: { amount: 1, counterpartyAccountId: payer.externalAccountId, description: 'Rent', originalType: 'ACH' },
      })
    let reply = await attempt()
    if (!late.includes(step)) {
      // The server takes a moment to notice the end of a command that had paused writes.
      await until('a payment', async () => {
        if (reply.status !== 201) reply = await attempt()
        return reply.status === 201
      })
      direct.push(reply.json.data.id)
    } else if (step === 'fenced' || step === 'switched') {
      expect(reply.status, reply.text).toBe(503)
      expect(reply.headers['retry-after']).toBe('1')
      expect(reply.json).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('being moved') })
      const read = await from.bank.call('GET', `/v0/banking/accounts/${payer.accountId}`, { key: routed.key })
      expect(read.status).toBe(200)
    } else expect([401, 503]).toContain(reply.status)
  }

  test.each(killedAt.map((step, round): [string, number] => [step, round + 1]))(
    'has one owner when the command is killed at the step %s, and arrives when it is run again (move %i)',
    async (step, round) => {
      const [from, to] = (await whereabouts()) as [Cell, Cell]
      const before = load.paid.size
      await until('more payments', () => load.paid.size > before + 10)
      await killedMove(cells, 'Acme', to.name, step)
      await payAtSource(from, step)
      if (step === 'switched') {
        await expect(command('move', 'Acme', '--abort')).rejects.toThrow(/is in the cell \w+ already/)
      }
      await move('Acme', to.name, async (reached) => {
        // The connections of a gateway end as those of one that is killed.
        if (round % 3 === 2 && reached === 'copied') {
          await from.database.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
               and pid in (select pid from pg_locks where locktype = 'advisory' and classid = 7275738)`,
            [],
            'once',
          )
        }
      })
      await expect(command('move', 'Acme', '--abort')).rejects.toThrow('there is no move of Acme to break off')
      await expectTidyCells(cells)
    },
  )

  test('loses no payment and repeats none, for callers, followers of the feed and webhooks', async () => {
    await load.stop()
    const paid = [...load.paid.values(), ...direct].sort()
    const [owner] = (await whereabouts()) as [Cell]
    expect((await paymentsIn(owner, await idOf('Acme'))).sort()).toEqual(paid)
    const created = () => feed.events.filter(({ type }) => type === 'payment.created').map(({ entityId }) => entityId)
    await until('the feed', () => created().length >= paid.length)
    await feed.stop()
    expect(created().sort()).toEqual(paid)
    expect(feed.events.map(({ sequence }) => sequence)).toEqual(feed.events.map((_, place) => place + 1))
    const delivered = ({ received }: Consumer) => new Set(received.map(({ event }) => event.data.id))
    for (const consumer of consumers) {
      await until('webhooks', () => delivered(consumer).size >= paid.length)
      expect([...delivered(consumer)].sort()).toEqual(paid)
    }
    // A repeated request finds its answer in the new cell.
    const [first] = load.paid
    const again = await payOne(routed.bank, first?.[0] ?? '')
    expect(again.json.data.id).toBe(first?.[1])
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(routed.refused()).toBeGreaterThan(0)
  })

  test('is paused when its payments are in the other cell already, so that the pause is short', async () => {
    const { json } = await routed.bank.call('GET', '/v0/webhook-endpoints')
    for (const { id } of json.data) await routed.bank.call('DELETE', `/v0/webhook-endpoints/${id}`)
    const count = soak ? 10_000 : 1_000
    for (let sent = 0; sent < count; sent += 1_000) {
      const payments = Array.from({ length: 1_000 }, () => ({
        accountId: payer.accountId,
        amount: 1,
        counterpartyAccountId: payer.externalAccountId,
        description: 'Rent',
        originalType: 'ACH',
      }))
      expect((await routed.bank.call('POST', '/v0/banking/payments/batch', { body: { payments } })).status).toBe(200)
    }
    const [from, to] = (await whereabouts()) as [Cell, Cell]
    const id = await idOf('Acme')
    const made = await paymentsIn(from, id)
    let copied: string[] = []
    const { pausedMs } = await move('Acme', to.name, async (step) => {
      if (step === 'paused') copied = await paymentsIn(to, id)
    })
    if (soak) process.stdout.write(`paused for ${pausedMs} ms with ${count} payments\n`)
    expect(copied).toEqual(made)
    await expectTidyCells(cells)
  })

  test('stays where it is when its move is broken off', async () => {
    const [from, to] = (await whereabouts()) as [Cell, Cell]
    for (const step of soak ? steps.slice(0, steps.indexOf('switched')) : ['fenced']) {
      await killedMove(cells, 'Acme', to.name, step)
      const [moving] = (await command('list')).filter((each) => each.name === 'Acme')
      expect(moving?.state).toContain(`moving to ${to.name}`)
      const detail = `the move of Acme from the cell ${from.name} to ${to.name} was interrupted: `
      const reported = { check: 'moves', status: 'warning', detail: expect.stringContaining(detail) }
      await expect.poll(checkUp, { timeout: 20_000 }).toContainEqual(expect.objectContaining(reported))
      // Before, there is no slot, and in between the other server goes on reading it.
      if (['slot', 'alone', 'compared', 'fenced'].includes(step)) {
        const slot = expect.objectContaining({ check: 'moves', detail: expect.stringContaining('replication slot') })
        await expect.poll(checkUp, { timeout: 20_000 }).toContainEqual(slot)
      }
      await expect(move('Acme', from.name)).rejects.toThrow(/finish that move first, or break it off with --abort/)
      await command('move', 'Acme', '--abort')
      expect((await payOne(routed.bank, `aborted-${step}`.replaceAll(' ', '-'))).status).toBe(201)
      await expectTidyCells(cells)
    }
  })

  test('takes no row of another organisation along', async () => {
    const id = await idOf('Acme')
    const [{ database }] = (await whereabouts()) as [Cell]
    const tables = await database.query<{ name: string }>(
      `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and column_name = 'organisation_id' and table_type = 'BASE TABLE'`,
    )
    const foreign = await database.query(
      `select distinct organisation_id from (${tables.map(({ name }) => `select organisation_id from ${name}`).join(' union all ')}) r
       where organisation_id <> $1::bigint and organisation_id > 0
         and organisation_id not in (select id from organisation where name in ('first', 'second'))`,
      [id],
      'once',
    )
    expect(foreign).toEqual([])
  })
})

describe('a move is refused', () => {
  beforeAll(() => cells.home.bank.makeKey('Widgets', null))

  test.each([
    ['to the cell of the organisation', 'Widgets', 'home', 'Widgets is in the cell home already'],
    ['to an unknown cell', 'Widgets', 'west', 'there is no cell west; the cells are home, east'],
    ['of an unknown organisation', 'Nobody', 'east', 'there is no organisation Nobody'],
    [
      'to a cell with an organisation of the same name',
      'first',
      'east',
      'the cell east has another organisation first',
    ],
  ])('%s', async (_, name, to, message) => {
    await expect(move(name, to)).rejects.toThrow(message)
  })

  test('while another one works in one of its cells', async () => {
    await cells.home.bank.makeKey('Gadgets', null)
    let second: unknown
    await move('Widgets', 'east', async (step) => {
      if (step !== 'copied') return
      second = await move('Gadgets', 'east').catch((error: Error) => error.message)
      // The doctor says nothing about a move that runs.
      expect((await checkUp()).filter(({ check }) => check === 'moves')).toEqual([])
    })
    expect(second).toBe('another move works in the cell home: wait for its end')
  })

  test('to a cell whose tables are of an older version', async () => {
    const { database } = cells.east
    const [last] = await database.query<Record<string, unknown>>(
      'delete from migration where number = (select max(number) from migration) returning *',
    )
    try {
      await expect(move('Gadgets', 'east')).rejects.toThrow(
        /the tables of the cell east are of an older version .*: run purser migrate first/,
      )
    } finally {
      await database.query('insert into migration select * from json_populate_record(null::migration, $1::json)', [
        JSON.stringify(last),
      ])
    }
  })
})

test('organisations are created in a cell, once over all cells', async () => {
  const [made] = await command('create', 'Created', '--cell', 'EAST')
  expect(made).toMatchObject({ name: 'Created', cell: 'east' })
  await expect(command('create', 'Created')).rejects.toThrow('there is an organisation Created already')
  await expect(command('create', 'Other', '--cell', 'west')).rejects.toThrow('there is no cell west')
  expect(await command('list')).toContainEqual({ ...made, state: 'active', accounts: 0, events: 0 })
})

test('the examples of the commands that need two cells end well', async () => {
  // The one of cells retire runs in test/check/cells/retired-cell.test.ts.
  const examples = commands.flatMap(({ path, examples: own }) =>
    needsCells(path) && path !== 'cells retire' ? own : [],
  )
  expect(examples).toHaveLength(3)
  for (const { run } of examples) {
    const line = run.replace('Acme', 'Sample')
    if (line.includes('--to east')) await command('move', 'Sample', '--to', 'home')
    if (line.includes('--abort')) await killedMove(cells, 'Sample', 'home', 'subscribed')
    const words = [join(root, 'bin/purser.js'), ...line.split(' ').slice(1)]
    const child = spawn(process.execPath, words, { env: { PATH: process.env.PATH, ...cells.environment } })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk
      })
    expect((await once(child, 'close'))[0], `${line}\n${output}`).toBe(0)
  }
  expect(await command('list')).toContainEqual(
    expect.objectContaining({ name: 'Sample', cell: 'east', state: 'active' }),
  )
})
