import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Desk } from '../desk.ts'
import { call, root, type Service, scratchFolder, startService } from '../service.ts'

/** The rows of a history that is imported from files, at most. */
export const historyRows = 1_000_000
/** The payments of an organisation that leaves and arrives, at most. */
export const movedPayments = 100_000
const ACCOUNTS = 100
const BATCH = 1_000
const LINES = 10_000
const START_MS = Date.UTC(2025, 0, 1)

/** A history from files; and an organisation that leaves one bank, with all of its payments, and arrives in another. */
export async function moveRounds(desk: Desk): Promise<void> {
  await importHistory(desk, Math.min(historyRows, ...desk.options.sizes))
  await moveOrganisation(desk, Math.min(movedPayments, ...desk.options.sizes))
}

/** The whole command counts: both readings of the files, the writing, and the check of the laws. */
async function importHistory(desk: Desk, rows: number): Promise<void> {
  const folder = join(scratchFolder(), 'former')
  const dataDir = scratchFolder()
  await writeFiles(folder, rows)
  await (await startService(dataDir)).stop()
  await purser(['keys', 'create', '--organisation', 'Former', '--data-dir', dataDir])
  const { seconds } = await timed(() => purser(['import', folder, '--organisation', 'Former', '--data-dir', dataDir]))
  desk.figures.add('history rows', rows / seconds)
  desk.say(`${rows} rows of history in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s`)
  await expectVerified(desk, dataDir)
}

/** Accounts that are paid into and pay in turn, a second after the other. */
async function writeFiles(folder: string, rows: number): Promise<void> {
  mkdirSync(folder)
  const numbers = Array.from({ length: ACCOUNTS }, (_, number) => number)
  const each = rows / ACCOUNTS
  const balance = Math.ceil(each / 2) * 1_000 - Math.floor(each / 2) * 400
  const write = (name: string, lines: string[]) => writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
  write('customers.csv', ['id,name,createdAt', ...numbers.map((number) => `C-${number},Ada Example,2025-01-01`)])
  write('accounts.csv', [
    'id,customerId,openedAt,balance',
    ...numbers.map((number) => `A-${number},C-${number},2025-01-01,${balance}`),
  ])
  const history = createWriteStream(join(folder, 'history.csv'))
  history.write('id,accountId,at,amount,counterparty,description\n')
  for (let first = 0; first < rows; first += LINES) {
    const lines = Array.from({ length: Math.min(LINES, rows - first) }, (_, at) => rowOf(first + at))
    if (!history.write(lines.join(''))) await once(history, 'drain')
  }
  history.end()
  await finished(history)
}

function rowOf(row: number): string {
  const paysIn = Math.floor(row / ACCOUNTS) % 2 === 0
  const at = new Date(START_MS + row * 1_000).toISOString()
  return `T-${row},A-${row % ACCOUNTS},${at},${paysIn ? '1000,Sample Payroll,Salary' : '-400,Landlord,Rent'}\n`
}

async function moveOrganisation(desk: Desk, payments: number): Promise<void> {
  const [from, to] = [scratchFolder(), scratchFolder()]
  const [secret, archive] = [join(from, 'secret.txt'), join(from, 'first.age')]
  const service = await startService(from)
  await makePayments(service, payments)
  await service.stop()
  const made = JSON.parse(await purser(['keys', 'identity', secret]))
  const words = ['--to', archive, '--recipient', made.recipient, '--data-dir', from]
  const out = await timed(() => purser(['export', 'organisation', 'default', ...words]))
  const bank = join(to, 'bank')
  const read = await timed(() => purser(['import', archive, '--identity', secret, '--take-over', '--data-dir', bank]))
  desk.figures.add('export seconds of an organisation', out.seconds)
  desk.figures.add('import seconds of an organisation', read.seconds)
  desk.figures.add('archive bytes', readFileSync(archive).length)
  desk.say(`${payments} payments: export ${out.seconds.toFixed(1)} s, import ${read.seconds.toFixed(1)} s`)
  const { figures } = JSON.parse(read.result) as { figures: { what: string; archive: string; bank: string }[] }
  for (const { what, archive: before, bank: after } of figures) {
    desk.say(`  ${what}: ${before}, ${after}`)
    if (before !== after) desk.fault(`${what} was ${before}, and is ${after}`)
  }
  await expectVerified(desk, bank)
  await expectSame(desk, await startService(from), await startService(bank))
}

/** Makes accounts that have money, and pays from them in batches. */
async function makePayments({ url }: Service, payments: number): Promise<void> {
  const places: { accountId: string; counterpartyAccountId: string }[] = []
  for (let number = 0; number < ACCOUNTS; number++) {
    const { id: customerId } = await call(url, 'POST', '/v0/sandbox/customers', { name: `Ada Example ${number}` })
    const { id: accountId } = await call(url, 'POST', '/v0/banking/accounts', { customerId })
    const funds = { amount: payments * 10_00, companyName: 'Sample Payroll' }
    await call(url, 'POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, funds)
    const external = await call(url, 'POST', `/v0/banking/customers/${customerId}/external-accounts`, {
      ...{
        type: 'Person',
        name: 'Grace Sample',
        routingNumber: '021000021',
        accountNumber: String(9_000_000 + number),
      },
      accountType: 'Checking',
    })
    places.push({ accountId, counterpartyAccountId: external.id })
  }
  for (let made = 0; made < payments; made += BATCH) {
    const orders = Array.from({ length: Math.min(BATCH, payments - made) }, (_, at) => ({
      ...{ ...places[(made + at) % ACCOUNTS], amount: 10_00, description: 'Rent', originalType: 'ACH' },
    }))
    await call(url, 'POST', '/v0/banking/payments/batch', { payments: orders })
  }
}

/** Compares what both banks answer about accounts, the latest transactions and the head of the chain. */
async function expectSame(desk: Desk, one: Service, other: Service): Promise<void> {
  for (const path of ['/v0/banking/accounts?limit=1000', '/v0/banking/payments?limit=1000', '/v0/audit-log/head']) {
    const [before, after] = await Promise.all([one, other].map(({ url }) => call(url, 'GET', path)))
    if (JSON.stringify(before) !== JSON.stringify(after)) desk.fault(`${path} differs after the import`)
  }
  await Promise.all([one.stop(), other.stop()])
}

async function expectVerified(desk: Desk, dataDir: string): Promise<void> {
  const { seconds } = await timed(() => purser(['verify', '--data-dir', dataDir]))
  desk.say(`purser verify: all holds, ${seconds.toFixed(1)} s`)
}

async function timed(work: () => Promise<string>): Promise<{ seconds: number; result: string }> {
  const startedMs = performance.now()
  const result = await work()
  return { seconds: (performance.now() - startedMs) / 1_000, result }
}

/** Runs a command and returns what it prints. Throws if it fails. */
async function purser(words: string[]): Promise<string> {
  const child = spawn(process.execPath, ['bin/purser.js', ...words], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => (stdout += text))
  child.stderr.on('data', (text) => (stderr += text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`purser ${words.join(' ')} ended with ${code}: ${stderr.slice(-1_000)}`)
  return stdout
}
