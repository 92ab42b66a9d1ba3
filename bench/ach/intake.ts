import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase, plainTimeouts } from '../../src/database/database.ts'
import { lastBankingDay } from '../../test/support/rails/incoming.ts'
import { type LineEntry, receivedFile } from '../../test/support/rails/received-file.ts'
import { takePulse } from '../../test/support/worst-case.ts'
import { checkLaws, type Desk } from '../desk.ts'
import { cpuMs } from '../machine.ts'
import { call, type Service, scratchFolder, startService } from '../service.ts'

export const intakeEntries = 100_000
/** The accounts that the entries of a file are for. */
export const intakeAccounts = [1, 1_000] as const
/** The pause between two files of the other organisation. */
const PAUSE_MS = 1_000

interface Bank {
  service: Service
  database: Database
  /** The organisation of the large files, and another one, with the numbers of their accounts. */
  large: Receiver
  small: Receiver
}

interface Receiver {
  organisationId: string
  numbers: string[]
}

/** Large files of one organisation, while another one has files with one entry. */
export async function intakeRounds(desk: Desk): Promise<void> {
  const { options } = desk
  const count = Math.min(intakeEntries, ...options.sizes)
  for (let round = 1; round <= options.rounds; round++) {
    const bank = await makeBank(options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [])
    for (const [place, accounts] of intakeAccounts.entries()) await measureFile(desk, bank, { place, accounts, count })
    await checkLaws(bank.database)
    await bank.database.close()
    await bank.service.stop()
  }
}

async function makeBank(nodeFlags: string[]): Promise<Bank> {
  const service = await startService(scratchFolder(), { environment: { PURSER_ACH: 'windows' }, nodeFlags })
  const { url } = service
  const database = openDatabase({
    servers: [{ ...service.connection, ssl: false }],
    connections: 2,
    timeouts: { ...plainTimeouts, statementMs: 0 },
  })
  const numbers: string[] = []
  const { id: customerId } = await call(url, 'POST', '/v0/sandbox/customers', { name: 'Ada Example' })
  for (let made = 0; made < Math.max(...intakeAccounts); made++) {
    numbers.push((await call(url, 'POST', '/v0/banking/accounts', { customerId })).accountNumber)
  }
  const [own] = await database.query<{ id: number }>('select id from organisation')
  const { id, apiKey: issued } = await call(url, 'POST', '/v0/sandbox/organisations', {})
  const other = await call(url, 'POST', '/v0/sandbox/customers', { name: 'Grace Sample' }, issued.key)
  const account = await call(url, 'POST', '/v0/banking/accounts', { customerId: other.id }, issued.key)
  return {
    ...{ service, database },
    large: { organisationId: String(own?.id), numbers },
    small: { organisationId: id, numbers: [account.accountNumber] },
  }
}

async function measureFile(
  desk: Desk,
  bank: Bank,
  { place, accounts, count }: { place: number; accounts: number; count: number },
): Promise<void> {
  const { service, database, large } = bank
  const { pid, url } = service
  const pulse = await takePulse(url, '/livez')
  const numbers = large.numbers.slice(0, accounts)
  const [startedMs, before] = [performance.now(), cpuMs(pid)]
  put(bank, large, `large-${place}.ach`, entriesOf(numbers, count, place * count), place)
  const done = applied(database, `large-${place}.ach`)
  const slowestMs = await takeSmall(bank, place, done)
  const seconds = (performance.now() - startedMs) / 1_000
  const after = cpuMs(pid)
  const pulseMs = await pulse.slowest()
  await pulse.stop()
  const cpuSeconds = ((after?.own ?? 0) + (after?.started ?? 0) - (before?.own ?? 0) - (before?.started ?? 0)) / 1_000
  const rate = count / seconds
  for (const [what, value] of Object.entries({ rate, slowestMs, pulseMs, cpuMs: (cpuSeconds * 1_000) / count })) {
    desk.figures.add(`intake ${accounts} ${what}`, value)
  }
  desk.say(
    `${count} entries of ${accounts} accounts: ${Math.round(rate)}/s, CPU ${cpuSeconds.toFixed(1)} s (service ${(((after?.own ?? 0) - (before?.own ?? 0)) / 1_000).toFixed(1)} s); slowest file of ` +
      `another organisation ${slowestMs.toFixed(0)} ms, slowest probe ${pulseMs.toFixed(1)} ms`,
  )
}

/** Files with one entry of the other organisation until the large one is applied. Returns the longest time until one was booked. */
async function takeSmall(bank: Bank, place: number, done: Promise<void>): Promise<number> {
  let isDone = false
  const ended = done.then(() => {
    isDone = true
  })
  let slowestMs = 0
  for (let file = 1; !isDone; file++) {
    const startedMs = performance.now()
    const name = `small-${place}-${file}.ach`
    put(bank, bank.small, name, entriesOf(bank.small.numbers, 1, place * 10_000 + file), place * 1_000 + file)
    await applied(bank.database, name)
    slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    await Promise.race([ended, sleep(PAUSE_MS)])
  }
  await ended
  return slowestMs
}

function entriesOf(numbers: string[], count: number, before: number): LineEntry[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ code: 22, amount: 1_00, accountNumber: numbers[at % numbers.length] as string, sequence: before + at + 1 },
    text: `${' '.repeat(15)}ADA EXAMPLE`,
  }))
}

/** Puts a file into the folder of an organisation, where it counts as complete at once. */
function put(
  { service }: Bank,
  { organisationId }: Receiver,
  name: string,
  entries: LineEntry[],
  minute: number,
): void {
  const folder = join(service.dataDir, 'ach', 'in', organisationId)
  mkdirSync(folder, { recursive: true })
  const createdAt = new Date(minute * 60_000).toISOString().slice(11, 16).replace(':', '')
  writeFileSync(join(folder, `.${name}`), receivedFile([{ secCode: 'PPD', entries }], lastBankingDay(), 'A', createdAt))
  utimesSync(join(folder, `.${name}`), 0, 0)
  renameSync(join(folder, `.${name}`), join(folder, name))
}

async function applied(database: Database, name: string): Promise<void> {
  for (;;) {
    const [row] = await database.query<{ state: string }>('select state from ach_file where name = $1', [name])
    if (row?.state === 'applied') return
    if (row?.state === 'refused') throw new Error(`${name} was refused`)
    await sleep(20)
  }
}
