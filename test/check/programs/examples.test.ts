import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commands } from '../../../cli/commands.ts'
import { Purser } from '../../../client/src/index.ts'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import type { AchFile } from '../../../src/rails/ach/file.ts'
import { needsCells, runHere, shellWords } from '../../support/examples/command.ts'
import { createServiceDatabase, root } from '../../support/harness.ts'
import { smallCatalogue } from '../../support/offers.ts'
import { samples, textOf } from '../../support/rails/ach-files.ts'
import { incomingFile, lastBankingDay } from '../../support/rails/incoming.ts'
import { operate } from '../../support/run/command-line.ts'
import {
  databaseUrl,
  endServices,
  preparedDataDir,
  type Service,
  scratchFolder,
  startService,
} from '../../support/service.ts'

/**
 * Commands that need the data folder for themselves, in the order in which they can follow each other. A service that runs with
 * one encryption key could not read what is sealed with the next one.
 */
const alone = [
  ...['keys rotate-encryption', 'snapshot save', 'snapshot list', 'snapshot restore', 'snapshot delete'],
  ...['start', 'reset', 'bench'],
]
/** Variables that an operator sets for one command. */
const variablesOf: Record<string, Record<string, string>> = {
  'keys rotate-encryption': { PURSER_ENCRYPTION_KEY_NEW: Buffer.alloc(32, 9).toString('base64') },
}
/**
 * Commands that run in the process of the test, because they only call the service. All others run as processes, in the
 * folder of a user: they read standard input or files, write files, last, or start other programs.
 */
const inProcess = /^purser (api|clock|completion|events|get|logs|open|scenario|trigger)\b/
/** An app for the storm that does nothing. Its law holds, or is broken from the beginning. */
const quietApp = (law: true | string) => ({
  start: [
    process.execPath,
    '-e',
    `require('http').createServer((request, response) => response.end('${JSON.stringify({ 'a law': law })}')).listen(process.env.PORT, '127.0.0.1')`,
  ],
  ...{ webhooks: '/webhooks', laws: '/laws', actions: { pay: '/pay' } },
})
/** Every example ends well within this time, and shows within it that it lasts. */
const PATIENCE_MS = 90_000

const folder = scratchFolder()
const app = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
let service: Service
let purser: Purser
let environment: Record<string, string | undefined>
let rail: RailService

beforeAll(async () => {
  const dataDir = await preparedDataDir()
  service = await startService({ PURSER_DATA_DIR: dataDir })
  purser = new Purser({ url: service.url, apiKey: service.key })
  mkdirSync(join(folder, 'bin'))
  symlinkSync(join(root, 'bin/purser.js'), join(folder, 'bin/purser'))
  const lines = smallCatalogue().map((offer) => JSON.stringify(offer))
  writeFileSync(join(folder, 'offers.jsonl'), `${lines.join('\n')}\n`)
  const offer = { merchantName: 'Sample Bistro', title: '10% cash back', commission: 10 }
  writeFileSync(join(folder, 'campaign-offers.jsonl'), `${JSON.stringify(offer)}\n`)
  writeFileSync(join(folder, 'payments.ach'), textOf(samples['two credits, one with an addenda'] as AchFile))
  writeFileSync(join(folder, 'storm.json'), JSON.stringify(quietApp(true)))
  writeFileSync(join(folder, 'life.json'), JSON.stringify({ now: '2026-03-06T14:00:00Z', steps: [{ do: 'restart' }] }))
  mkdirSync(join(folder, 'former-bank'))
  writeFileSync(join(folder, 'former-bank/customers.csv'), 'id,name,email,createdAt\nC-1,Ada Example,,2025-01-05\n')
  const [{ recipient }] = (await operate(['keys', 'identity', join(folder, 'secret.txt')], {})) as [
    { recipient: string },
  ]
  const ids: Record<string, string> = {
    ...(await variables()),
    ...{ PERSON: await invitedPerson(dataDir), RECIPIENT: recipient },
  }
  const payment = {
    accountId: ids.ACCOUNT,
    counterpartyAccountId: ids.EXTERNAL_ACCOUNT,
    amount: 100,
    description: 'Rent',
  }
  writeFileSync(join(folder, 'payments.json'), JSON.stringify([{ ...payment, originalType: 'ACH' }]))
  writeFileSync(
    join(folder, 'payments.csv'),
    [Object.keys(payment), Object.values(payment)].map((cells) => cells.join()).join('\n'),
  )
  environment = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    ...{
      HOME: folder,
      PORT: '0',
      PURSER_DEMO: 'off',
      PURSER_DATA_DIR: dataDir,
      PURSER_URL: service.url,
      PURSER_API_KEY: service.key,
    },
    ...ids,
  }
  rail = await openRail()
  writeFileSync(join(folder, 'heads.jsonl'), `${JSON.stringify(await purser.auditLog.head())}\n`)
})
afterAll(async () => {
  app.close()
  await endServices()
  await rail.drop()
})

/** A service whose payments leave with ACH files, and files with two batches each. */
interface RailService {
  environment: Record<string, string | undefined>
  files: [string, string]
  /** Files whose payments have settled. */
  settled: [string, string]
  /** The exception of a file that was refused. */
  exception: string
  /** Puts the first file into a state. */
  setState(state: string): Promise<void>
  drop(): Promise<void>
}

async function openRail(): Promise<RailService> {
  const { server, drop } = await createServiceDatabase()
  const settings = {
    PURSER_DATA_DIR: scratchFolder(),
    DATABASE_URL: databaseUrl(server),
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    PURSER_ACH: 'windows',
  }
  const other = await startService({ ...settings, PURSER_DEMO: 'off' })
  const bank = new Purser({ url: other.url, apiKey: other.key })
  const database = openDatabase({ servers: [server], connections: 1, timeouts: plainTimeouts })
  const { accountId, externalAccountId } = await bank.sandbox.scenarios.create({ seed: 1 })
  // In the morning in New York, so that two files are built on one day, and none has settled before the other is built.
  const goOn = async (days: number) => {
    const { now } = await bank.sandbox.clock.get()
    const day = new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10)
    await bank.sandbox.clock.advance({ to: `${day}T13:00:00Z` })
  }
  await goOn(1)
  const newestFile = async () => {
    const [file] = await database.query<{ id: number }>(`select id from ach_file order by id desc limit 1`)
    return file?.id
  }
  const makeFile = async (): Promise<string> => {
    for (const secCode of ['PPD', 'CCD'] as const) {
      const payment = { amount: 1_00, counterpartyAccountId: externalAccountId, description: 'Rent', secCode }
      await bank.payments.create(accountId, { ...payment, originalType: 'ACH' })
    }
    for (const known = await newestFile(); (await newestFile()) === known; ) {
      await bank.sandbox.clock.advance({ to: 'next' })
    }
    return String(await newestFile())
  }
  const settled: RailService['settled'] = [await makeFile(), await makeFile()]
  await goOn(4)
  const files: RailService['files'] = [await makeFile(), await makeFile()]
  const [exception] = await database.query<{ id: number }>(
    `insert into ach_exception (id, organisation_id, file_id, kind, detail, created_at)
     select nextval('record_id'), organisation_id, id, 'file_refused', 'the file has faults', now() from ach_file where id = $1::bigint
     returning id`,
    [files[0]],
  )
  writeFileSync(
    join(folder, 'returns.ach'),
    incomingFile({ entries: [{ sequence: 1, amount: 5_00 }], settlesOn: lastBankingDay() }),
  )
  return {
    environment: { ...settings, PURSER_URL: other.url, PURSER_API_KEY: other.key },
    files,
    settled,
    exception: String(exception?.id),
    setState: async (state) => {
      await database.query(`update ach_file set state = $2 where id = $1::bigint`, [files[0], state])
    },
    drop: async () => {
      await database.close()
      await drop()
    },
  }
}

/** The variables of the commands for ACH files, with a file in a state that the command takes. */
async function railVariables(path: string, line: string): Promise<Record<string, string | undefined>> {
  if (path === 'ach deliver' || path === 'ach delivered') await rail.setState('unknown')
  const files = path === 'ach reverse' ? rail.settled : rail.files
  return { ...rail.environment, EXCEPTION: rail.exception, FILE: files[line.includes('--batch') ? 1 : 0] }
}

/** The variables of examples: ids of a demo world, of a key and of a request, and a date. */
async function variables(): Promise<Record<string, string>> {
  const world = await purser.sandbox.scenarios.create({ seed: 1 })
  const key = await purser.apiKeys.create({ name: 'for examples' })
  const campaign = await purser.campaigns.create({ name: 'Spring' })
  const former = await purser.sandbox.customers.create({ name: 'Grace Sample' })
  const { response } = await purser.customers.get(world.customerId).withResponse()
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
  const ids = Object.entries(world).map(([name, id]) => [snake(name.replace(/Id$/, '')), String(id)])
  const { now } = await purser.sandbox.clock.get()
  return {
    ...Object.fromEntries(ids),
    KEY: key.id,
    CAMPAIGN: campaign.id,
    FORMER_CUSTOMER: former.id,
    REQUEST: response.requestId ?? '',
    SOME_DAY: new Date(Date.parse(now) + 200 * 86_400_000).toISOString().slice(0, 10),
  }
}

/** The id of a person whom the operator has invited. */
async function invitedPerson(dataDir: string): Promise<string> {
  const settings = { PURSER_DATA_DIR: dataDir, HOME: folder }
  const { output, errors } = await runHere(['people', 'invite', 'Grace Sample', '--role', 'viewer', '--json'], settings)
  const { id } = JSON.parse(output) as { id?: string }
  expect(id, errors).toBeDefined()
  return String(id)
}

const examples = commands.flatMap(({ path, examples: own }) => own.map((each) => ({ path, ...each })))

test.each(commands.map(({ path, examples: own }) => ({ path, own })))('purser $path has an example', ({ own }) => {
  expect(own.length).toBeGreaterThan(0)
})

// Those that need two cells run in test/check/cells/cell-moves.test.ts, which has them, and those that need a backup in
// test/check/crash/drill.test.ts. Those that need a statement of the bank run in src/operator/closing/closing.test.ts, and those that need
// an organisation at Unit in src/operator/former-files/from-unit.test.ts.
const runsElsewhere = (path: string) => needsCells(path) || /^(drill|settlement|day) |^export unit$/.test(path)
test.each(examples.filter(({ path }) => !alone.includes(path) && !runsElsewhere(path)))('$run', execute)

test('a storm stores the life of each bug in a file of its own, and a replay stores none', async () => {
  writeFileSync(join(folder, 'broken.json'), JSON.stringify(quietApp('it is broken')))
  const storedBy = async (...options: string[]): Promise<string | undefined> => {
    const args = ['storm', 'broken.json', ...options]
    const run = promisify(execFile)('purser', args, { cwd: folder, env: environment })
    const { code, stderr } = await run.catch((error) => error)
    expect(code, stderr).toBe(1)
    return /The life is in (\S+):/.exec(stderr)?.[1]
  }
  // Lives of the seeds 1 and 6 begin on different days.
  const stored = [
    await storedBy('--lives', '1', '--seed', '1'),
    await storedBy('--lives', '1', '--seed', '6'),
    await storedBy('--lives', '1', '--seed', '1'),
    await storedBy('--replay', 'storm-life-2.json'),
  ]
  expect(stored).toEqual(['storm-life.json', 'storm-life-2.json', 'storm-life.json', undefined])
})

describe('with the data folder for themselves', () => {
  beforeAll(async () => {
    await service.stop()
  })
  const inOrder = alone.flatMap((each) => examples.filter(({ path }) => path === each))
  test.each(inOrder)('$run', execute)
})

interface Example {
  path: string
  run: string
  lasting?: boolean
}

/** Runs a command line. One that lasts is ended by Ctrl-C. */
async function execute({ path, run: line, lasting = false }: Example): Promise<void> {
  if (!lasting && inProcess.test(line)) {
    const { code, output, errors } = await runHere(shellWords(line, environment), environment)
    expect(code, `${line}\n${output}${errors}`).toBe(0)
    return
  }
  const { port } = app.address() as AddressInfo
  const text = line.replaceAll('localhost:3000', `127.0.0.1:${port}`)
  const env = {
    ...environment,
    ...variablesOf[path],
    ...(/^ach (?!company)/.test(path) && (await railVariables(path, line))),
    // An archive is read into a new bank.
    ...(path === 'import' && line.includes('--identity') && { PURSER_DATA_DIR: scratchFolder() }),
  }
  const child = spawn('sh', ['-c', lasting ? `exec ${text}` : text], { cwd: folder, env, detached: true })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => output.push(data))
  child.stdin.end()
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  const late = setTimeout(() => killGroup(child, 'SIGKILL'), PATIENCE_MS)
  if (lasting) await interrupt(child, output, line)
  const [code] = await ended
  clearTimeout(late)
  expect(lasting ? [0, 130] : [0], `${line}\n${Buffer.concat(output)}`).toContain(code)
}

/** Sends Ctrl-C to the process group, as a terminal does, once the command has begun: it shows so by its output. */
async function interrupt(child: ChildProcess, output: Buffer[], line: string): Promise<void> {
  const begun = () => (/^purser start/.test(line) ? /listening on/ : /./).test(Buffer.concat(output).toString())
  while (!begun() && child.exitCode === null && child.signalCode === null) {
    // An event and a request, for the commands that follow them.
    if (/ --follow/.test(line)) await purser.sandbox.customers.create({ name: 'Ada Example' })
    await sleep(100)
  }
  expect(begun(), line).toBe(true)
  killGroup(child, 'SIGINT')
}

function killGroup({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
