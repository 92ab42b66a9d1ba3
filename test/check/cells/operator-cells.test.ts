import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { machineFindings } from '../../../src/operator/doctor.ts'
import { type LiveCell, type LiveCells, openLiveCells } from '../../support/cells/live-cells.ts'
import { recordsIn } from '../../support/examples/command.ts'
import { accountOf, pay } from '../../support/ledger.ts'
import { ROUTING_NUMBER } from '../../support/live/program.ts'
import { nationalOffer } from '../../support/offers.ts'
import { testAch } from '../../support/rails/ach.ts'
import { incomingFile, lastBankingDay } from '../../support/rails/incoming.ts'
import { passCutoff } from '../../support/rails/leaving.ts'
import { runInProcess } from '../../support/run/command-line.ts'
import { makeCustomer } from '../../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'purser-operator-cells-'))
let cells: LiveCells
let home: LiveCell
let east: LiveCell
beforeAll(async () => {
  mkdirSync(join(folder, 'out'))
  cells = await openLiveCells(testAch(join(folder, 'out')))
  ;({ home, east } = cells)
})
afterAll(async () => {
  await cells.close()
  rmSync(folder, { recursive: true })
})

/** The remarks of the last command, and its exit code. */
let notes: string[] = []
let exitCode = 0

/** Runs a command over both cells, and returns the records that it prints. */
// biome-ignore lint/suspicious/noExplicitAny: tests read records as the JSON they are
async function run(words: string[], changed: Record<string, string> = {}): Promise<any[]> {
  const { code, stdout, stderr } = await runInProcess(words, { environment: { ...cells.environment, ...changed } })
  notes = stderr.split('\n').slice(0, -1)
  exitCode = code
  if (code !== 0 && stdout === '') throw new Error(stderr.replace(/^purser: /, '').trim())
  return recordsIn(stdout) as object[]
}

const check = (changed: Record<string, string> = {}) => machineFindings({ ...cells.environment, ...changed })

const inEast = (id: unknown) => Number(id) >= 10 ** 14
const away = { PURSER_CELL_EAST: 'postgres://nobody@127.0.0.1:9/none' }

/** A file with a payment of the cell, that is delivered. */
async function send({ sandbox, live, payer }: LiveCell, amount: number): Promise<void> {
  await pay(sandbox, payer, { amount })
  await passCutoff(sandbox.database)
  await live.moveFiles()
}

describe('over two cells', () => {
  test('a key of a new organisation is made in the cell that is named', async () => {
    const [made] = await run(['keys', 'create', '--organisation', 'Eastern', '--cell', 'EAST'])
    expect(inEast(made.id)).toBe(true)
    // Its organisation is found there.
    const [second] = await run(['keys', 'create', '--organisation', 'Eastern'])
    expect(inEast(second.id)).toBe(true)
    await expect(run(['keys', 'create', '--organisation', 'Eastern', '--cell', 'home'])).rejects.toThrow(
      'the organisation Eastern is in the cell east',
    )
    await expect(run(['keys', 'create', '--organisation', 'New', '--cell', 'west'])).rejects.toThrow(
      'there is no cell west',
    )
    const [other] = await run(['keys', 'create', '--organisation', 'New'])
    expect(inEast(other.id)).toBe(false)
    const cellOf = (listed: { id: string; cell?: string }[]) => (id: string) =>
      listed.find((key) => key.id === id)?.cell
    const listed = await run(['keys', 'list'])
    expect([made.id, second.id, other.id].map(cellOf(listed))).toEqual(['east', 'east', 'home'])
    // A bank with one cell has no column for it.
    const alone = await run(['keys', 'list'], { PURSER_CELL_EAST: '' })
    expect(alone.map(({ cell }) => cell)).toEqual(alone.map(() => undefined))
  })

  test('migrations are applied in each, and in no other database', async () => {
    expect(await run(['migrate'])).toEqual([{ applied: 0, serviceRole: null }])
    const { PURSER_CELL_EAST = '' } = cells.environment
    await expect(run(['migrate'], { PURSER_CELL_EAST: '', PURSER_CELL_WEST: PURSER_CELL_EAST })).rejects.toThrow(
      'PURSER_CELL_WEST names the database of the cell east',
    )
  })

  test('cells are listed, also those that are away or not set', async () => {
    const organisationsOf = (listed: { organisations: number }[]) => listed.map((cell) => cell.organisations)
    const listed = await run(['cells', 'list'])
    expect(listed).toMatchObject([
      {
        ...{ name: 'home', state: 'ready', range: 0, firstId: '1', lastId: '99999999999999', standby: null },
        ...{ standbyLagMs: null, serverVersion: expect.stringMatching(/^\d+\.\d+/), retired: false, detail: null },
      },
      { name: 'east', state: 'ready', range: 1, firstId: '100000000000000', lastId: '199999999999999', retired: false },
    ])
    expect(Math.min(...organisationsOf(listed))).toBeGreaterThan(1)
    const reason = expect.stringContaining('no connection to the database')
    expect(await run(['cells', 'list'], away)).toMatchObject([
      { name: 'home', state: 'ready' },
      { name: 'east', state: 'away', range: 1, organisations: null, serverVersion: null, detail: reason },
    ])
    // The range of a cell is also known while the home cell is away.
    const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/other' }
    expect(await run(['cells', 'list'], nowhere)).toMatchObject([
      { name: 'home', state: 'away', range: 0, detail: reason },
      { name: 'east', state: 'ready', range: 1 },
    ])
    expect(await run(['cells', 'list'], { PURSER_CELL_EAST: '' })).toMatchObject([
      { name: 'home' },
      { name: 'east', state: 'not set', range: 1, detail: 'set PURSER_CELL_EAST to its database' },
    ])
    const other = { PURSER_CELL_WEST: cells.environment.PURSER_CELL_EAST ?? '', PURSER_CELL_EAST: '' }
    expect(await run(['cells', 'list'], other)).toMatchObject([
      { name: 'home' },
      { name: 'west', state: 'not joined', detail: 'PURSER_CELL_WEST names the database of the cell east' },
      { name: 'east', state: 'not set' },
    ])
    const standby = { PURSER_READ_URL_EAST: cells.environment.PURSER_CELL_EAST ?? '' }
    expect((await run(['cells', 'list'], standby)).at(-1)).toMatchObject({
      ...{ name: 'east', state: 'ready', standby: 'not used', standbyLagMs: null },
      detail: 'standby: the server takes writes: it is a primary, not a standby',
    })
    const { database } = east.sandbox
    const [row] = await database.query<{ name: string }>('select quote_ident(current_database()) as name')
    const alter = (change: string) => database.query(`alter database ${row?.name} ${change}`, [], 'once')
    try {
      await alter('set default_transaction_read_only = on')
      expect((await run(['cells', 'list'])).at(-1)).toMatchObject({ name: 'east', state: 'read-only' })
    } finally {
      await alter('reset default_transaction_read_only')
    }
  })

  test('limits of an organisation are set in its cell, where the event is', async () => {
    const changesIn = async ({ sandbox }: LiveCell) =>
      (await sandbox.database.query<{ type: string }>(`select type from event where type like 'organisation.%'`)).length
    await run(['keys', 'create', '--organisation', 'Limited', '--cell', 'EAST'])
    await run(['organisations', 'limits', 'Limited', '--day-hard', '5000'])
    expect([await changesIn(home), await changesIn(east)]).toEqual([0, 1])
  })

  test('offers are imported into the catalogue of each, or of none', async () => {
    const file = join(folder, 'offers.jsonl')
    const offer = nationalOffer({ title: 'imported' })
    const keysOf = async () =>
      Promise.all([home, east].map(({ sandbox }) => sandbox.database.query('select external_key as key from offer')))
    writeFileSync(file, `${JSON.stringify(offer)}\n{}\n`)
    expect((await run(['offers', 'import', file])).at(-1)).toEqual({ imported: 0, faultyLines: 1 })
    expect(await keysOf()).toEqual([[], []])
    writeFileSync(file, `${JSON.stringify(offer)}\n`)
    await expect(run(['offers', 'import', file], away)).rejects.toThrow(/^the cell east is away: /)
    expect(await keysOf()).toEqual([[], []])
    expect(await run(['offers', 'import', file])).toEqual([{ imported: 1, faultyLines: 0 }])
    expect(await keysOf()).toEqual([[{ key: offer.key }], [{ key: offer.key }]])
  })

  test('the heads of the audit log are proven in the cell of their organisation', async () => {
    const heads = await Promise.all(
      [home, east].map(async ({ sandbox }) => (await sandbox.call('GET', '/v0/audit-log/head')).json.data),
    )
    const file = join(folder, 'heads.jsonl')
    writeFileSync(file, heads.map((head) => JSON.stringify(head)).join('\n'))
    expect(await run(['audit', 'verify', '--heads', file])).toMatchObject([{ proven: true }, { proven: true }])
    const words = ['verify', '--organisation', '1', '--sequence', '1', '--link', 'a'.repeat(64)]
    expect(await run(['audit', ...words])).toMatchObject([
      { proven: false, detail: 'the database has no such organisation' },
    ])
  })

  test('doctor checks the database of each', async () => {
    const databases = (found: { check: string; status: string }[]) =>
      found.filter(({ check }) => check.startsWith('database')).map(({ check, status }) => [check, status])
    const isDurable = (found: { detail: string }[]) => found.some(({ detail }) => detail.includes('durable'))
    const found = await check()
    expect(new Set(databases(found).map(([check]) => check))).toEqual(
      new Set(['database', 'database of the cell east']),
    )
    expect(isDurable(found) || databases(found).every(([, status]) => status === 'failed')).toBe(true)
    expect(databases(await check(away)).at(-1)).toEqual(['database of the cell east', 'failed'])
    const alone = await check({ PURSER_CELL_EAST: '' })
    expect(new Set(databases(alone).map(([check]) => check))).toEqual(new Set(['database']))
  })

  test('doctor asks cells whose servers are silent once each, all at a time, and its other lines stay', async () => {
    let [open, asked, most] = [0, 0, 0]
    const silent = createServer((socket) => {
      asked++
      most = Math.max(most, ++open)
      socket.on('error', () => undefined).on('close', () => open--)
    })
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
    const { port } = silent.address() as AddressInfo
    const url = (name: string) => `postgres://nobody@127.0.0.1:${port}/${name}`
    const names = ['south', 'west']
    const cellsAway = Object.fromEntries(names.map((name) => [`PURSER_CELL_${name.toUpperCase()}`, url(name)]))
    const readUrl = { PURSER_READ_URL_WEST: url('standby') }
    const found = await check({ ...cellsAway, ...readUrl })
    const others = await check()
    silent.close()
    expect({ asked, most }).toEqual({ asked: 2, most: 2 })
    expect(found).toEqual(expect.arrayContaining(others))
    const failed = names.map((name) => ['failed', `database of the cell ${name}`])
    const added = found.filter(({ check }) => /(south|west)$/.test(check)).map(({ status, check }) => [status, check])
    expect(added).toEqual([...failed, ['warning', 'standby of the cell west']])
  })

  test('verify says of which cell each law is', async () => {
    const found = await run(['verify'])
    expect(found.every(({ holds }) => holds)).toBe(true)
    expect(new Set(found.map(({ cell }) => cell))).toEqual(new Set(['home', 'east']))
    const alone = await run(['verify'], { PURSER_CELL_EAST: '' })
    expect(alone.some((law) => 'cell' in law)).toBe(false)
  })

  test('doctor names standbys that the service cannot use', async () => {
    const { DATABASE_URL = '', PURSER_CELL_EAST = '' } = cells.environment
    const found = await check({
      PURSER_READ_URL: PURSER_CELL_EAST,
      PURSER_READ_URL_EAST: PURSER_CELL_EAST,
    })
    expect(DATABASE_URL).not.toBe(PURSER_CELL_EAST)
    expect(found.filter(({ check }) => check.startsWith('standby'))).toMatchObject([
      {
        check: 'standby',
        status: 'warning',
        detail: expect.stringMatching(
          /^not used, and the primary answers all reads: the server has another database, which is no copy of that of the primary$/,
        ),
        next: 'Check PURSER_READ_URL, and whether the server follows that of DATABASE_URL',
      },
      {
        check: 'standby of the cell east',
        status: 'warning',
        detail: 'not used, and the primary answers all reads: the server takes writes: it is a primary, not a standby',
        next: 'Check PURSER_READ_URL_EAST, and whether the server follows that of PURSER_CELL_EAST',
      },
    ])
  })

  test('an archive has the organisations of all cells', async () => {
    const to = join(folder, 'archive')
    const before = new Date().toISOString()
    expect(await run(['archive', '--before', before, '--to', to])).toMatchObject([{ complete: true }])
    const organisations = readdirSync(to).flatMap((name) => /^events-(\d+)-/.exec(name)?.[1] ?? [])
    expect(new Set(organisations.map(inEast))).toEqual(new Set([false, true]))
    expect(await run(['archive', '--check', to])).toMatchObject([{ faults: [] }])
    // A second run has nothing to add.
    expect(await run(['archive', '--before', before, '--to', to])).toMatchObject([
      { files: readdirSync(to).length - 1 },
    ])
  })

  test('ACH files are listed with their cells, and found by their ids', async () => {
    await send(home, 20_00)
    await send(east, 30_00)
    const listed = (await run(['ach', 'list'])).filter(({ direction }) => direction === 'out')
    expect(listed.map(({ cell, credits }) => [cell, credits]).sort()).toEqual([
      ['east', 30_00],
      ['home', 20_00],
    ])
    const { id } = listed.find(({ cell }) => cell === 'east')
    expect(await run(['ach', 'show', id])).toMatchObject([{ id, credits: 30_00, batches: [{ number: 1 }] }])
    expect(await run(['ach', 'acknowledge', id])).toMatchObject([{ state: 'acknowledged' }])
    expect(await run(['ach', 'list', '--state', 'acknowledged'])).toMatchObject([{ id, cell: 'east' }])
    await expect(run(['ach', 'show', '7'])).rejects.toThrow('there is no ACH file 7')
    const company = ['company', '--organisation', 'Eastern', '--name', 'EASTERN INC']
    expect(await run(['ach', ...company])).toMatchObject([{ organisation: 'Eastern', name: 'EASTERN INC' }])
    // A bank with one cell has no column for it.
    const alone = await run(['ach', 'list'], { PURSER_CELL_EAST: '' })
    expect(alone.some((file) => 'cell' in file)).toBe(false)
  })

  test('an ACH file is taken by all cells, the day is reconciled over all, and an exception is resolved', async () => {
    // The money that accounts began with may have come on the last banking day.
    const settlesOn = lastBankingDay(lastBankingDay())
    const numbers = await Promise.all(
      [home, east].map(async ({ sandbox, payer }) => {
        const { json } = await sandbox.call('GET', `/v0/banking/accounts/${payer.accountId}`)
        return json.data.accountNumber as string
      }),
    )
    const entries = numbers.map((accountNumber, place) => ({
      sequence: place + 1,
      code: 22,
      amount: 7_00,
      accountNumber,
    }))
    const file = join(folder, 'in.ach')
    writeFileSync(file, incomingFile({ entries, settlesOn, to: ROUTING_NUMBER }))
    const before = (await accountOf(east.sandbox, east.payer.accountId)).balance
    expect(await run(['ach', 'take', file], away)).toMatchObject([{ state: 'waiting', awaited: [{ cell: 'east' }] }])
    expect(exitCode).toBe(5)
    expect(await run(['ach', 'take', file])).toMatchObject([{ state: 'applied', entries: 2 }])
    expect((await accountOf(east.sandbox, east.payer.accountId)).balance).toBe(before + 7_00)
    expect(await run(['ach', 'reconcile', settlesOn, '--statement', '1400'])).toMatchObject([
      { received: { count: 2, credits: 14_00 }, net: 14_00, difference: 0, statementDifference: 0 },
    ])
    writeFileSync(file, 'no file')
    expect(await run(['ach', 'take', file])).toMatchObject([{ state: 'refused' }])
    const [exception] = await run(['ach', 'exceptions'])
    const ids = { id: /^\d+$/, organisationId: /^\d+$/, fileId: /^\d+$/ }
    for (const [name, digits] of Object.entries(ids)) expect(exception[name]).toMatch(digits)
    expect(exception).toMatchObject({ kind: 'file_refused', amount: 0, paymentId: null, cell: 'home' })
    expect(await run(['ach', 'exceptions'], away)).toMatchObject([{ id: exception.id, cell: 'home' }])
    expect(exitCode).toBe(5)
    expect(notes).toEqual([expect.stringMatching(/^not shown: the cell east is away: /)])
    const names = (files: { cell: string }[]) => [...new Set(files.map(({ cell }) => cell))]
    expect(names(await run(['ach', 'list'], away))).toEqual(['home'])
    expect(exitCode).toBe(5)
    expect(notes).toHaveLength(1)
    expect(names(await run(['ach', 'list']))).toContain('home')
    expect([exitCode, notes]).toEqual([0, []])
    const words = ['resolve', exception.id, '--reason', 'sent again']
    expect(await run(['ach', ...words])).toMatchObject([{ id: exception.id }])
    expect(await run(['ach', 'exceptions'])).toEqual([])
  })

  test('a customer is erased in the cell that has it', async () => {
    const customerId = await makeCustomer(east.sandbox)
    expect(inEast(customerId)).toBe(true)
    expect(await run(['customers', 'erase', customerId, '--yes'])).toMatchObject([{ id: customerId, erased: true }])
    await expect(run(['customers', 'erase', '9999999', '--yes'])).rejects.toThrow('there is no customer 9999999')
    for (const { sandbox } of [home, east]) expect(await verifyLedger(sandbox.database)).toEqual([])
  })
})
