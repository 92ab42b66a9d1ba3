import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { reconcileDay } from '../../../src/bank/ach/reconciliation.ts'
import type { Decisions } from '../../../src/bank/ach/witness/resume.ts'
import { readSent } from '../../../src/bank/ach/witness/sent-file.ts'
import { noteMove } from '../../../src/bank/ach/witness/witness.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { easternOf } from '../../../src/rails/ach/calendar.ts'
import { readAchFile } from '../../../src/rails/ach/read-file.ts'
import { recurring } from '../../support/bank/recurring.ts'
import { createDatabase, openTestBank, type TestBank, type TestDatabase } from '../../support/harness.ts'
import { makePayer, type Payer, pay } from '../../support/ledger.ts'
import { testAch } from '../../support/rails/ach.ts'
import { passCutoff } from '../../support/rails/leaving.ts'

/** A sandbox makes the records; the bank in live mode shares its database. */
interface Bank {
  sandbox: TestBank
  live: TestBank
}

let folder: string
let outgoing: string
let databases: TestDatabase[]
let bank: Bank
let payer: Payer

async function open(on: TestDatabase): Promise<Bank> {
  const kept = { ...on, drop: async () => undefined }
  const ach = testAch(outgoing)
  return {
    sandbox: await openTestBank({ on: kept, ach }),
    live: await openTestBank({ on: kept, mode: 'live', ach }),
  }
}

async function close({ sandbox, live }: Bank): Promise<void> {
  await live.close()
  await sandbox.close()
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'purser-witness-'))
  outgoing = join(folder, 'out')
  mkdirSync(outgoing)
  databases = [await createDatabase()]
  bank = await open(databases[0] as TestDatabase)
  payer = await makePayer(bank.sandbox, 500_00)
})
afterEach(async () => {
  // Without the chain of hashes, which reports the cut-offs that are changed here.
  expect(await verifyLedger(bank.sandbox.database)).toEqual([])
  await close(bank)
  for (const database of databases) await database.drop()
  rmSync(folder, { recursive: true })
})

/** Payments whose cut-off has passed. */
async function payLate(...amounts: number[]): Promise<string[]> {
  const ids: string[] = []
  for (const amount of amounts) ids.push((await pay(bank.sandbox, payer, { amount })).json.data.id)
  await passCutoff(bank.sandbox.database)
  return ids
}

/** A copy of the database, as a backup: nothing in it says that it is one. */
async function backUp(): Promise<TestDatabase> {
  await close(bank)
  const copy = await createDatabase(databases[0]?.name)
  databases.push(copy)
  bank = await open(databases[0] as TestDatabase)
  return copy
}

async function restore(copy: TestDatabase): Promise<void> {
  await close(bank)
  bank = await open(copy)
}

const filesIn = (path = outgoing) => readdirSync(path).filter((name) => name.endsWith('.ach'))
const entriesIn = (name: string) =>
  readAchFile(readFileSync(join(outgoing, name))).file?.batches.flatMap(({ entries }) => entries) ?? []
const statusOf = async (id: string) => (await bank.sandbox.call('GET', `/v0/banking/payments/${id}`)).json.data.status

function decided(said: Partial<Decisions> & { files?: string[] }): Decisions {
  const { files = [], ...rest } = said
  const sent = files.map((name) => readSent(readFileSync(join(outgoing, name)), { ach: testAch(outgoing) }, name))
  const nobody = { isElsewhere: async () => false, endMoved: async () => undefined }
  return { sent, sentNames: [], notSent: [], trustDatabase: false, ...nobody, ...rest }
}

test('a database that is older than the outgoing folder sends nothing, until the operator names the files that left', async () => {
  const kept = await payLate(1_00, 2_00, 3_00)
  const copy = await backUp()
  await bank.live.moveFiles()
  const lost = await payLate(5_00, 6_00)
  await bank.live.moveFiles()
  const left = filesIn()
  expect(left).toHaveLength(2)
  const traces = left.flatMap(entriesIn).map(({ traceNumber }) => traceNumber)

  await restore(copy)
  await expect(bank.live.moveFiles()).rejects.toThrow('the database was restored')
  await expect(bank.live.takeFiles()).rejects.toThrow('ACH is held')
  expect(filesIn()).toEqual(left)
  const held = await bank.live.rail.held()
  expect(held).toMatchObject({
    reason: 'databaseOlder',
    ahead: [
      { file: left[0], entries: 3, credits: 6_00 },
      { file: left[1], entries: 2, credits: 11_00 },
    ],
    behind: [],
    waiting: { count: 3, amount: 6_00, known: 3 },
  })
  // A payment of the new history has the id of one that is lost.
  const later = await payLate(7_00, 8_00)
  expect(later[0]).toBe(lost[0])

  await expect(bank.live.rail.resume(decided({}))).rejects.toThrow(`say what became of ${left.join(', ')}`)
  await expect(bank.live.rail.resume(decided({ files: left.slice(1) }))).rejects.toThrow(`what became of ${left[0]}`)
  await expect(bank.live.rail.resume(decided({ files: left.slice(0, 1), notSent: left.slice(1) }))).rejects.toThrow(
    'is in the outgoing folder',
  )
  expect(await bank.live.rail.resume(decided({ files: left }))).toEqual({ files: 2, lost: 2 })
  expect(await bank.live.rail.resume(decided({ files: left }))).toEqual({ files: 0, lost: 0 })
  expect(await bank.live.rail.holdReason()).toBeUndefined()
  expect(await Promise.all(kept.map(statusOf))).toEqual(['Clearing', 'Clearing', 'Clearing'])
  expect(await Promise.all(later.map(statusOf))).toEqual(['Pending', 'Pending'])

  await bank.live.moveFiles()
  const [third, ...more] = filesIn().filter((name) => !left.includes(name))
  expect(more).toEqual([])
  expect(entriesIn(third ?? '').map(({ amount }) => amount)).toEqual([7_00, 8_00])
  for (const { traceNumber } of entriesIn(third ?? '')) expect(traces).not.toContain(traceNumber)
  const exceptions = await bank.sandbox.database.query(
    `select kind, direction, amount from ach_exception where resolved_at is null order by amount`,
  )
  expect(exceptions).toEqual([
    { kind: 'payment_lost', direction: 'Debit', amount: 5_00 },
    { kind: 'payment_lost', direction: 'Debit', amount: 6_00 },
  ])
  const [day] = await bank.sandbox.database.query<{ day: string }>(
    `select min(settles_on)::text as day from ach_received_entry where kind = 'lostPayment'`,
  )
  expect(await reconcileDay(bank.sandbox.database, null, day?.day ?? '')).toMatchObject({
    originated: { count: 7, credits: 32_00 },
    difference: 0,
  })
})

test('runs of recurring payments wait with the files, and one that left before the restore is not made again', async () => {
  const savings = await makePayer(bank.sandbox)
  const plan = { startDate: easternOf(new Date().toISOString()).day, interval: 'Weekly' }
  const rent = await recurring(bank.sandbox, payer, { ...plan, amount: 9_00 })
  const other = await recurring(bank.sandbox, payer, { ...plan, amount: 8_00 })
  const saved = await recurring(bank.sandbox, payer, { ...plan, amount: 4_00, toAccountId: savings.accountId })
  await bank.sandbox.database.query(
    `update recurring_payment set next_at = clock_timestamp() - interval '10 days' where id <> $1::bigint`,
    [other.id],
  )
  const copy = await backUp()
  await bank.live.catchUp()
  await passCutoff(bank.sandbox.database)
  await bank.live.moveFiles()
  const left = filesIn()
  expect(left.flatMap(entriesIn).map(({ amount }) => amount)).toContain(9_00)

  await restore(copy)
  const runsOf = async ({ id }: { id: string }) => {
    const { json } = await bank.sandbox.call('GET', `/v0/banking/recurring-payments/${id}/runs`)
    return json.data.map(({ dueDate, status, reason }: Record<string, unknown>) => [dueDate, status, reason])
  }
  await bank.live.catchUp()
  expect(await runsOf(rent)).toEqual([])
  expect(await runsOf(saved)).toEqual([[plan.startDate, 'Succeeded', null]])
  await bank.live.rail.resume(decided({ files: left }))
  await bank.live.catchUp()
  expect(await runsOf(rent)).toEqual([[plan.startDate, 'Skipped', 'sentBeforeRestore']])
  const { json } = await bank.sandbox.call('GET', `/v0/banking/payments?recurringPaymentId=${rent.id}`)
  expect(json.data).toEqual([])
  const exceptions = await bank.sandbox.database.query<{ detail: string }>('select detail from ach_exception')
  expect(exceptions.some(({ detail }) => detail.endsWith(`a run of recurring payment ${rent.id}`))).toBe(true)
})

test('a promotion without loss, a restart and the first start on this version hold nothing', async () => {
  await bank.sandbox.database.query(
    `insert into database_history (number, place, mark, found_at) values (99, 'elsewhere/00000002', 'abcdef01', now())`,
  )
  await payLate(1_00)
  await bank.live.moveFiles()
  expect(filesIn()).toHaveLength(1)
  await restore(databases[0] as TestDatabase)
  await payLate(2_00)
  await bank.live.moveFiles()
  expect(filesIn()).toHaveLength(2)
})

test('a missing folder and an empty one in its place hold the files, and nothing is created', async () => {
  await payLate(1_00)
  rmSync(outgoing, { recursive: true })
  await expect(bank.live.moveFiles()).rejects.toThrow('the outgoing folder does not exist')
  expect(readdirSync(folder)).not.toContain('out')
  expect(await bank.live.rail.holdReason()).toBe('folderMissing')
  mkdirSync(outgoing)
  await bank.live.moveFiles()
  const [first] = filesIn()
  renameSync(outgoing, `${outgoing}-mounted`)
  mkdirSync(outgoing)
  await payLate(2_00)
  await expect(bank.live.moveFiles()).rejects.toThrow('the outgoing folder has no journal')
  expect(readdirSync(outgoing)).toEqual([])
  // The mount is back.
  rmSync(outgoing, { recursive: true })
  renameSync(`${outgoing}-mounted`, outgoing)
  await bank.live.moveFiles()
  expect(filesIn()).toHaveLength(2)
  // A new folder for good: the operator says that the files had left, but for the last one, which is sent again.
  const [, second = ''] = filesIn()
  rmSync(outgoing, { recursive: true })
  mkdirSync(outgoing)
  expect(await bank.live.rail.held()).toMatchObject({ behind: [{ file: first }, { file: second }], ahead: [] })
  await bank.live.rail.resume(decided({ notSent: [second], trustDatabase: true }))
  expect(await bank.live.rail.holdReason()).toBeUndefined()
  await bank.live.moveFiles()
  expect(filesIn()).toEqual([second])
})

test('a restored database is held without a journal, too, if a file had been delivered before', async () => {
  await payLate(1_00)
  await bank.live.moveFiles()
  rmSync(join(outgoing, '.purser-journal'))
  await bank.sandbox.database.query('delete from ach_journal')
  expect(await bank.live.rail.holdReason()).toBeUndefined()
  await bank.sandbox.database.query(
    `insert into database_history (number, place, mark, found_at)
     values (99, 'elsewhere/00000002', 'abcdef01', clock_timestamp() + interval '1 second')`,
  )
  expect(await bank.live.rail.holdReason()).toBe('journalMissing')
  await expect(bank.live.rail.resume(decided({}))).rejects.toThrow('if there are none, say --trust-database')
  await bank.live.rail.resume(decided({ trustDatabase: true }))
  expect(await bank.live.rail.holdReason()).toBeUndefined()
  await payLate(2_00)
  await bank.live.moveFiles()
  expect(filesIn()).toHaveLength(2)
})

test('a journal of another bank, and one that was written to, hold the files', async () => {
  await payLate(1_00)
  await bank.live.moveFiles()
  const journal = join(outgoing, '.purser-journal')
  const before = readFileSync(journal, 'utf8')
  appendFileSync(journal, '{"file":"cut off')
  expect(await bank.live.rail.holdReason()).toBeUndefined()
  await payLate(2_00)
  await bank.live.moveFiles()
  expect(readFileSync(journal, 'utf8').split('\n')).toHaveLength(3)
  rmSync(journal)
  appendFileSync(journal, before.replace('"entries":1', '"entries":2').repeat(2))
  expect(await bank.live.rail.holdReason()).toBe('differs')
})

test('a cell that is brought back from before a move sends nothing of the organisation that has left it', async () => {
  await payLate(1_00)
  const copy = await backUp()
  const rail = { database: bank.live.database, locks: bank.sandbox.database, ach: testAch(outgoing) }
  await noteMove(rail, { organisationId: 1_000_001, movesTo: 'east' })
  expect(await bank.live.rail.holdReason()).toBeUndefined()
  await restore(copy)
  await expect(bank.live.moveFiles()).rejects.toThrow('ACH is held')
  expect(await bank.live.rail.held()).toMatchObject({ ahead: [{ organisation: '1000001', movesTo: 'east' }] })
  const ended: number[] = []
  const endMoved = async (id: number) => void ended.push(id)
  await bank.live.rail.resume(decided({ isElsewhere: async (id) => id === 1_000_001, endMoved }))
  expect(ended).toEqual([1_000_001])
  expect(await bank.live.rail.holdReason()).toBeUndefined()
})

test('a file whose line is not in the journal has not left, and is delivered', async () => {
  await payLate(1_00)
  await bank.live.moveFiles()
  const [name = ''] = filesIn()
  // As if the process had been killed before it wrote the line.
  rmSync(join(outgoing, name))
  rmSync(join(outgoing, '.purser-journal'))
  await bank.sandbox.database.query(`update ach_file set state = 'delivering' where name = $1`, [name])
  await bank.live.moveFiles()
  expect(filesIn()).toEqual([name])
  // Killed after the line: somebody may have fetched the file.
  rmSync(join(outgoing, name))
  await bank.sandbox.database.query(`update ach_file set state = 'delivering' where name = $1`, [name])
  await bank.live.moveFiles()
  expect(filesIn()).toEqual([])
  expect(await bank.sandbox.database.query(`select state from ach_file where name = $1`, [name])).toEqual([
    { state: 'unknown' },
  ])
})
