import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commands } from '../../../cli/commands.ts'
import { claimFurther } from '../../../src/cells/claim.ts'
import { start as move } from '../../../src/cells/commands/move.ts'
import { start as retire } from '../../../src/cells/commands/retire.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { machineFindings } from '../../../src/operator/doctor.ts'
import { killedMove } from '../../support/cells/killed-move.ts'
import { commandParts } from '../../support/cells/moves.ts'
import { type Cell, startTwoCells, type TwoCells } from '../../support/cells/two-cells.ts'
import { openTestBank, root, type TestBank } from '../../support/harness.ts'
import { accountOf, makePayer, type Payer, pay } from '../../support/ledger.ts'
import { testAch } from '../../support/rails/ach.ts'
import { incomingFile, lastBankingDay, returnOf } from '../../support/rails/incoming.ts'
import { passCutoff } from '../../support/rails/leaving.ts'
import { operate, runInProcess } from '../../support/run/command-line.ts'
import { endServices, runPurser, scratchFolder, startService, until } from '../../support/service.ts'

/** The cell of a live bank is retired, with ACH files that it has made and taken. */

const outgoing = mkdtempSync(join(tmpdir(), 'purser-retired-cell-'))
let cells: TwoCells
let live: { home: TestBank; east: TestBank }
/** The organisation that lives in the cell until it moves. */
let key: string
let payer: Payer
/** A file that the cell has sent, with a payment. */
let sent: { id: number; name: string }
let payment: { id: string; amount: number; traceNumber: string }

const eastOf = (bank: TestBank): TestBank => ({
  ...bank,
  key,
  call: (method, path, options) => bank.call(method, path, { key, ...options }),
})

beforeAll(async () => {
  cells = await startTwoCells({ ach: testAch(outgoing) })
  const liveOn = ({ name, server }: Cell) =>
    openTestBank({ on: { name, server, drop: async () => undefined }, mode: 'live', ach: testAch(outgoing) })
  live = { home: await liveOn(cells.home), east: await liveOn(cells.east) }
  key = await cells.east.bank.makeKey('Acme', null)
  const bank = eastOf(cells.east.bank)
  payer = await makePayer(bank, 500_00)
  const { json } = await pay(bank, payer, { amount: 12_00 })
  await passCutoff(cells.east.database)
  await live.east.moveFiles()
  payment = (await bank.call('GET', `/v0/banking/payments/${json.data.id}`)).json.data
  const { accountNumber } = await accountOf(bank, payer.accountId)
  const credit = incomingFile({
    entries: [{ sequence: 1, code: 22, amount: 5_00, accountNumber }],
    settlesOn: lastBankingDay(),
  })
  const shares = [{ name: 'east', shares: live.east.shares }]
  expect(await live.home.takeFile({ name: 'in-1.ach', bytes: credit }, shares)).toMatchObject({ state: 'applied' })
  const [file] = await cells.east.database.query<{ id: number; name: string }>(
    `select id, name from ach_file where direction = 'out'`,
  )
  sent = file ?? { id: 0, name: '' }
})
afterAll(async () => {
  await endServices()
  await live?.home.close()
  await live?.east.close()
  await cells?.stop()
  rmSync(outgoing, { recursive: true })
})

function retireEast(reached?: Parameters<typeof retire>[2], name = 'EAST'): Promise<void> {
  return retire(commandParts(cells), name, reached)
}

function list(changed: Record<string, string> = {}): Promise<Record<string, unknown>[]> {
  return operate(['cells', 'list'], { ...cells.environment, ...changed })
}

const stateOf = async (name: string) => (await list()).find((cell) => cell.name === name)?.state

/** Lets the test organisations of the cell end, as those that moved did. */
const end = (ago: string) =>
  cells.east.database.query(
    `update organisation set ended_at = clock_timestamp() - $1::interval, name = 'ended ' || id where name <> 'Acme'`,
    [ago],
  )

test('the home cell and an unknown cell are not retired', async () => {
  await expect(retireEast(undefined, 'home')).rejects.toThrow('the home cell cannot be retired')
  await expect(retireEast(undefined, 'west')).rejects.toThrow('there is no cell west; the cells are home, east')
})

test('a cell with organisations, with a move or with files under way is not retired', async () => {
  const { database } = cells.east
  await expect(retireEast()).rejects.toThrow(
    /^the cell east has 3 organisations: move them first, for example with purser organisations move 'Acme' --to home$/,
  )
  await killedMove(cells, 'Acme', 'home', 'subscribed')
  await expect(retireEast()).rejects.toThrow('a move of Acme from or to the cell east is not over: finish it with')
  await move(commandParts(cells), { name: 'Acme', to: 'home', reach: undefined })
  await end('1 minute')
  const [file] = await database.query<{ id: number }>(
    `update ach_file set state = 'unknown' where direction = 'out' returning id`,
  )
  await expect(retireEast()).rejects.toThrow(
    `the outcome of its delivery is unknown, note it with purser ach delivered ${file?.id} or`,
  )
  await database.query(`update ach_file set state = 'delivered' where direction = 'out'`)
  await expect(retireEast()).rejects.toThrow(/an organisation has left the cell east only now.*try again in \d+ s/)
  expect(await stateOf('east')).toBe('ready')
})

test('a move that was begun towards the cell holds it up', async () => {
  await cells.home.bank.makeKey('Coming', null)
  await killedMove(cells, 'Coming', 'east', 'begun')
  await expect(retireEast()).rejects.toThrow('a move of Coming from or to the cell east is not over')
  await operate(['organisations', 'move', 'Coming', '--abort'], cells.environment)
})

test.each(['fenced', 'file', 'handed over', 'swept'])(
  'a command that ends at the step "%s" leaves a cell that takes no organisations, and is run again',
  async (step) => {
    await cells.east.database.query(
      `update organisation set ended_at = clock_timestamp() - interval '10 minutes' where ended_at is not null`,
    )
    const broken = retireEast((reached) => {
      if (reached === step) throw new Error(`ended at ${step}`)
    })
    await expect(broken).rejects.toThrow(`ended at ${step}`)
    expect(await stateOf('east')).toBe('retiring')
    const create = operate(['organisations', 'create', 'Late', '--cell', 'east'], cells.environment)
    await expect(create).rejects.toThrow('the cell east is retired and takes no new organisations')
    await expect(move(commandParts(cells), { name: 'Coming', to: 'east', reach: undefined })).rejects.toThrow(
      'the cell east is retired and takes no new organisations',
    )
    await expect(cells.east.bank.makeKey('Late', null)).rejects.toThrow('takes no new organisations')
    for (const { database } of [cells.home, cells.east]) expect(await verifyLedger(database)).toEqual([])
  },
)

test('the example of the command retires the cell, and running it again changes nothing', async () => {
  const [line = ''] = commands.flatMap(({ path, examples }) =>
    path === 'cells retire' ? examples.map(({ run }) => run) : [],
  )
  for (let round = 1; round <= 2; round++) {
    const words = [join(root, 'bin/purser.js'), ...line.split(' ').slice(1)]
    const child = spawn(process.execPath, words, { env: { PATH: process.env.PATH, ...cells.environment } })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk
      })
    expect((await once(child, 'close'))[0], output).toBe(0)
    expect(output).toContain('{"cell":"east","retired":true}')
  }
  expect(await cells.east.database.query('select from organisation')).toEqual([])
  const retired = {
    ...{ name: 'east', state: 'retired', range: 1, retired: true },
    ...{ firstId: '100000000000000', lastId: '199999999999999' },
  }
  expect(await list()).toContainEqual(
    expect.objectContaining({ ...retired, detail: expect.stringContaining('remove') }),
  )
  expect(await machineFindings(cells.environment)).toContainEqual(
    expect.objectContaining({ status: 'warning', detail: 'the cell east is retired: PURSER_CELL_EAST has no effect' }),
  )
  // It stays in the list without its variable.
  expect(await list({ PURSER_CELL_EAST: '' })).toContainEqual(expect.objectContaining(retired))
})

test('the home cell has its files with their bytes, and returns of them are applied without it', async () => {
  const environment = { ...cells.environment, PURSER_CELL_EAST: '' }
  const child = spawn(process.execPath, [join(root, 'bin/purser.js'), 'ach', 'show', String(sent.id), '--content'], {
    env: { PATH: process.env.PATH, ...environment },
  })
  let content = ''
  child.stdout.on('data', (chunk: Buffer) => {
    content += chunk
  })
  await once(child, 'close')
  expect(content).toBe(readFileSync(join(outgoing, sent.name), 'utf8'))
  const listed = await operate(['ach', 'list'], environment)
  const ofEast = listed.filter(({ id, organisationId }) => Number(id) >= 10 ** 14 && organisationId === null)
  expect(ofEast.map(({ direction, entries }) => [direction, entries]).sort()).toEqual([
    ['in', 1],
    ['out', 1],
  ])
  const bytes = incomingFile({
    entries: [returnOf(payment, { sequence: 9 })],
    settlesOn: lastBankingDay(),
    modifier: 'B',
  })
  expect(await live.home.takeFile({ name: 'in-2.ach', bytes }, [])).toMatchObject({ state: 'applied', exceptions: 0 })
  const { json } = await eastOf(cells.home.bank).call('GET', `/v0/banking/payments/${payment.id}`)
  expect(json.data.status).toBe('Returned')
  expect(await verifyLedger(cells.home.database)).toEqual([])
})

test('commands leave it out with a warning while its variable is set, and its server may be stopped', async () => {
  const stopped = { ...cells.environment, PURSER_CELL_EAST: 'postgres://nobody@127.0.0.1:9/none' }
  for (const words of [
    ['ach', 'list'],
    ['ach', 'show', String(sent.id)],
    ['audit', 'verify', '--organisation', '1', '--sequence', '1', '--link', 'a'.repeat(64)],
    ['keys', 'list'],
    ['migrate'],
    ['organisations', 'list'],
    ['verify'],
  ]) {
    const { stderr } = await runInProcess(words, { environment: stopped })
    expect(
      stderr.split('\n').filter((line) => line.includes('is retired and is not opened: remove PURSER_CELL_EAST')),
    ).toHaveLength(1)
  }
  const listed = await runPurser(['organisations', 'list', '--json'], { environment: stopped })
  expect(listed).toMatchObject({ code: 0, stderr: expect.stringContaining('warning: the cell east is retired') })
  const toEast = runPurser(['organisations', 'move', 'Acme', '--to', 'east'], { environment: stopped })
  expect(await toEast).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no cell east') })
})

test('its name and its range are not given out again, and a start leaves it out with a warning', async () => {
  const { home, east } = cells
  const joining = { name: 'east', setting: 'PURSER_CELL_EAST', database: east.database }
  await expect(claimFurther(home.database, joining)).rejects.toThrow(
    'the cell east is retired: remove PURSER_CELL_EAST and the variable of its standby; a new cell needs another name',
  )
  const service = await startService({
    ...cells.environment,
    PURSER_CELL_EAST: 'postgres://nobody@127.0.0.1:9/none',
    PURSER_DATA_DIR: join(scratchFolder(), 'data'),
    PURSER_API_KEY: 'a-key-of-the-service',
  })
  expect(service.output()).toContain('warning: the cell east is retired and is not opened: remove PURSER_CELL_EAST')
  // An unknown key is unknown at once: no cell is away.
  await until('an answer', async () => {
    const { status } = await fetch(`${service.url}/v0/banking/cards`, {
      headers: { 'x-service-api-key': 'unknown-key' },
    })
    return status === 401
  })
  await service.stop()
})
