import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../../test/support/ledger.ts'
import { testAch } from '../../../test/support/rails/ach.ts'
import { passCutoff } from '../../../test/support/rails/leaving.ts'
import { verifyLedger, verifyOrganisation } from '../../ledger/verify.ts'
import { readAchFile } from '../../rails/ach/read-file.ts'

const outgoing = mkdtempSync(join(tmpdir(), 'purser-ach-'))
/** A sandbox makes the records; the bank in live mode shares its database. */
let sandbox: TestBank
let live: TestBank
let payers: Payer[]

beforeAll(async () => {
  sandbox = await openTestBank({ ach: testAch(outgoing) })
  const on = { name: '', server: sandbox.server, drop: async () => undefined }
  live = await openTestBank({ on, mode: 'live', ach: testAch(outgoing) })
  const other = {
    ...sandbox,
    call: ((method, path, options) =>
      sandbox.call(method, path, { ...options, key: sandbox.otherKey })) as TestBank['call'],
  }
  payers = [await makePayer(sandbox, 500_00), await makePayer(other, 500_00)]
})
// Without the chain of hashes, which reports the cut-offs that are changed here.
afterEach(async () => expect(await verifyLedger(sandbox.database)).toEqual([]))
afterAll(async () => {
  await live.close()
  await sandbox.close()
  rmSync(outgoing, { recursive: true })
})

/** Payments of both organisations whose cut-off has passed. */
async function payLate(amounts: [number, number]): Promise<void> {
  const [first, second] = payers as [Payer, Payer]
  await pay(sandbox, first, { amount: amounts[0] })
  await sandbox.call('POST', `/v0/banking/accounts/${second.accountId}/payments`, {
    key: sandbox.otherKey,
    body: {
      amount: amounts[1],
      counterpartyAccountId: second.externalAccountId,
      description: 'Rent',
      originalType: 'ACH',
    },
  })
  await passCutoff(sandbox.database)
}

interface FileRow {
  organisation_id: number | null
  part: number
  modifier: string
  name: string
  state: string
  entry_count: number
  credits: number
}
const files = () =>
  sandbox.database.query<FileRow>(
    `select organisation_id, part, modifier, name, state, entry_count, credits from ach_file where direction = 'out' order by id`,
  )

test('a live bank builds one file a cut-off, with batches of each organisation', async () => {
  await payLate([20_00, 30_00])
  await Promise.all([live.moveFiles(), live.moveFiles()])
  await live.moveFiles()
  const [file, ...more] = await files()
  expect(more).toEqual([])
  expect(file).toMatchObject({
    organisation_id: null,
    part: 1,
    modifier: 'A',
    state: 'delivered',
    entry_count: 2,
    credits: 50_00,
  })
  expect(readdirSync(outgoing)).toEqual(['.purser-journal', file?.name])
  // Its group may read it.
  expect(statSync(join(outgoing, file?.name ?? '')).mode & 0o777).toBe(0o640 & ~process.umask())
  const { file: read, faults } = readAchFile(readFileSync(join(outgoing, file?.name ?? '')))
  expect(faults).toEqual([])
  expect(read?.batches.map(({ number, entries }) => [number, entries.map(({ amount }) => amount)])).toEqual([
    [1, [20_00]],
    [2, [30_00]],
  ])
  const batches = await sandbox.database.query<{ organisation_id: number }>(
    `select organisation_id from ach_batch order by number`,
  )
  expect(new Set(batches.map(({ organisation_id }) => organisation_id)).size).toBe(2)
  for (const { organisation_id } of batches) {
    const { laws } = await verifyOrganisation(sandbox.database, organisation_id, 60_000)
    expect(laws.filter(({ holds }) => !holds)).toEqual([])
  }
})

test('a payment that was committed late leaves with the next part of the cut-off', async () => {
  await payLate([1_00, 2_00])
  await live.moveFiles()
  expect((await files())[1]).toMatchObject({ part: 2, modifier: 'B', state: 'delivered', entry_count: 2 })
})

test('a day whose modifiers are used up lends those of the next day', async () => {
  await sandbox.database.query(
    `insert into ach_file (id, key_organisation_id, direction, window_at, part, modifier, created_on, name, state,
       sealed_content, sha256)
     select 9000000 + n, f.key_organisation_id, 'out', f.window_at - interval '1 hour', n, substr('CDEFGHIJKLMNOPQRSTUVWXYZ0123456789', n, 1),
       f.created_on, 'file ' || n, 'void', '', sha256(n::text::bytea)
     from ach_file f, generate_series(1, 34) n where f.modifier = 'A' and f.direction = 'out'`,
  )
  await payLate([3_00, 4_00])
  await live.moveFiles()
  const last = (await files()).find(({ part }) => part === 3)
  expect(last).toMatchObject({ modifier: 'A', state: 'delivered', entry_count: 2 })
  expect(last?.name).not.toBe((await files())[0]?.name)
  await sandbox.database.query(`delete from ach_file where state = 'void'`)
})
