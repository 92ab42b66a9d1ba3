import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { reconcileDay } from '../../../src/bank/ach/reconciliation.ts'
import { readSent } from '../../../src/bank/ach/witness/sent-file.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { readAchFile } from '../../../src/rails/ach/read-file.ts'
import { createDatabase, openTestBank, type TestBank, type TestDatabase } from '../../support/harness.ts'
import { makeExternalAccount, makePayer, type Payer, pay } from '../../support/ledger.ts'
import { signIn } from '../../support/people/sign-in.ts'
import { testAch } from '../../support/rails/ach.ts'
import { incomingFile, lastBankingDay, returnOf } from '../../support/rails/incoming.ts'
import { passCutoff } from '../../support/rails/leaving.ts'
import { choicesOfTest } from '../../support/random.ts'
import { databaseUrl, runPurser, scratchFolder } from '../../support/service.ts'

/*
 * A bank whose database goes back to a random point in time while its files stay in the world. A copy of the database stands
 * for a backup: nothing in it says that it is one.
 */

const RUNS = process.env.SOAK ? 50 : 3

let databases: TestDatabase[] = []
afterEach(async () => {
  for (const database of databases) await database.drop()
  databases = []
})

interface Bank {
  sandbox: TestBank
  live: TestBank
}

/** A sandbox makes the records; the bank in live mode shares its database. */
async function open(on: TestDatabase, outgoing: string): Promise<Bank> {
  const kept = { ...on, drop: async () => undefined }
  const ach = testAch(outgoing)
  return {
    sandbox: await openTestBank({ on: kept, ach, overdraftCents: 1_000_000_00 }),
    live: await openTestBank({ on: kept, mode: 'live', ach }),
  }
}

async function close({ sandbox, live }: Bank): Promise<void> {
  await live.close()
  await sandbox.close()
}

test(`no payment leaves twice and no trace number is used twice by a restored bank, ${RUNS} times`, async () => {
  const { below } = choicesOfTest()
  for (let run = 0; run < RUNS; run++) {
    const outgoing = join(scratchFolder(), 'out')
    mkdirSync(outgoing)
    const first = await createDatabase()
    databases.push(first)
    let bank = await open(first, outgoing)
    const payers: Payer[] = []
    for (let count = 0; count < 3; count++) payers.push(await makePayer(bank.sandbox, 500_00))
    // Each payment has an amount of its own, so that it is recognised in every file.
    let amount = 100
    const payAll = (count: number) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const payer = payers[below(payers.length)] as Payer
          expect((await pay(bank.sandbox, payer, { amount: amount++ })).status).toBe(201)
        }),
      )
    // Payments are made while files are built and delivered.
    const step = async () => {
      await payAll(1 + below(20))
      await passCutoff(bank.sandbox.database)
      await Promise.all([bank.live.moveFiles(), payAll(below(10)), bank.live.moveFiles()])
    }

    const [before, after] = [below(3), 1 + below(3)]
    for (let count = 0; count < before; count++) await step()
    if (below(2) === 0) await payAll(below(20))
    await close(bank)
    const copy = await createDatabase(first.name)
    databases.push(copy)
    bank = await open(first, outgoing)
    for (let count = 0; count < after; count++) await step()
    await bank.live.moveFiles()
    await close(bank)

    bank = await open(copy, outgoing)
    await payAll(1 + below(20))
    await passCutoff(bank.sandbox.database)
    await expect(bank.live.moveFiles()).rejects.toThrow('ACH is held')
    await resume(bank, outgoing)
    await step()
    await bank.live.moveFiles()

    const files = filesIn(outgoing)
    const entries = files.flatMap(({ file }) => file?.batches.flatMap((batch) => batch.entries) ?? [])
    const amounts = entries.map((entry) => entry.amount)
    expect(new Set(amounts).size, 'payments').toBe(amounts.length)
    const traces = entries.map(({ traceNumber }) => traceNumber)
    expect(new Set(traces).size, 'trace numbers').toBe(traces.length)
    // Without the chain of hashes, which reports the cut-offs that are changed here.
    expect(await verifyLedger(bank.sandbox.database)).toEqual([])
    for (const day of new Set(
      files.flatMap(({ file }) => file?.batches.map(({ effectiveDate }) => effectiveDate) ?? []),
    )) {
      const { difference, originated } = await reconcileDay(bank.sandbox.database, null, day)
      expect([difference, originated.count]).toEqual([0, entries.length])
    }
    await close(bank)
  }
})

function filesIn(outgoing: string) {
  return readdirSync(outgoing)
    .filter((name) => name.endsWith('.ach'))
    .map((name) => ({ name, ...readAchFile(readFileSync(join(outgoing, name))) }))
}

/** Names all files that left, twice: a repeated command changes nothing. */
async function resume({ live }: Bank, outgoing: string): Promise<{ files: number; lost: number }> {
  const sent = filesIn(outgoing).map(({ name }) =>
    readSent(readFileSync(join(outgoing, name)), { ach: testAch(outgoing) }, name),
  )
  const decisions = {
    ...{ sent, sentNames: [], notSent: [], trustDatabase: false },
    ...{ isElsewhere: async () => false, endMoved: async () => undefined },
  }
  const resumed = await live.rail.resume(decisions)
  expect(await live.rail.resume(decisions)).toEqual({ files: 0, lost: 0 })
  return resumed
}

test('micro-entries that left before a restore do not leave again', async () => {
  const outgoing = join(scratchFolder(), 'out')
  mkdirSync(outgoing)
  const first = await createDatabase()
  databases.push(first)
  let bank = await open(first, outgoing)
  const { externalAccountId } = await makePayer(bank.sandbox)
  const path = `/v0/banking/external-accounts/${externalAccountId}/verification`
  expect((await bank.sandbox.call('POST', path, { body: { method: 'MicroEntries' } })).status).toBe(201)
  await bank.sandbox.database.query(`update account_verification set cutoff_at = now() - interval '1 second'`)
  await close(bank)
  const copy = await createDatabase(first.name)
  databases.push(copy)
  bank = await open(first, outgoing)
  await bank.live.takeFiles()
  await bank.live.moveFiles()
  await close(bank)

  bank = await open(copy, outgoing)
  await resume(bank, outgoing)
  await bank.live.takeFiles()
  await bank.live.moveFiles()
  const entries = filesIn(outgoing).flatMap(({ file }) => file?.batches.flatMap((batch) => batch.entries) ?? [])
  expect(entries).toHaveLength(3)
  const [row] = await bank.sandbox.database.query<{
    amounts: number[]
    traces: string[]
    lost: number
    credits: number
  }>(
    `select v.amounts, v.trace_numbers as traces, b.credits, (select count(*)::int from ach_exception) as lost
     from account_verification v join ach_batch b on b.id = v.ach_batch_id and b.file_id = v.ach_file_id`,
  )
  const [one = 0, two = 0] = row?.amounts ?? []
  const amountOf = (trace: string) => entries.find(({ traceNumber }) => traceNumber === trace)?.amount
  expect(row?.traces.map(amountOf)).toEqual([one, two, one + two])
  expect(row).toMatchObject({ lost: 0, credits: one + two })
  expect(await verifyLedger(bank.sandbox.database)).toEqual([])
  await close(bank)
})

test('entries that verify an account, of a verification that the backup lacks, are written off at once', async () => {
  const outgoing = join(scratchFolder(), 'out')
  mkdirSync(outgoing)
  const first = await createDatabase()
  databases.push(first)
  let bank = await open(first, outgoing)
  const payer = await makePayer(bank.sandbox, 500_00)
  const prenoted = await makeExternalAccount(bank.sandbox, payer.customerId, { accountNumber: '1000000004' })
  await close(bank)
  const copy = await createDatabase(first.name)
  databases.push(copy)
  bank = await open(first, outgoing)
  for (const [id, method] of [
    [payer.externalAccountId, 'MicroEntries'],
    [prenoted, 'Prenote'],
  ]) {
    const path = `/v0/banking/external-accounts/${id}/verification`
    expect((await bank.sandbox.call('POST', path, { body: { method } })).status).toBe(201)
  }
  await pay(bank.sandbox, payer, { amount: 12_34 })
  await bank.sandbox.database.query(`update account_verification set cutoff_at = now() - interval '1 second'`)
  await passCutoff(bank.sandbox.database)
  await bank.live.takeFiles()
  await bank.live.moveFiles()
  await close(bank)

  bank = await open(copy, outgoing)
  expect(await resume(bank, outgoing)).toMatchObject({ lost: 1 })
  const resolutions = await bank.sandbox.database.query(
    `select resolution, count(*)::int as count, sum(case direction when 'Debit' then amount else -amount end)::int as sum
     from ach_exception where kind = 'payment_lost' group by resolution order by resolution`,
  )
  expect(resolutions).toEqual([
    { resolution: 'Noted', count: 1, sum: 0 },
    { resolution: 'WrittenOff', count: 3, sum: 0 },
    { resolution: null, count: 1, sum: 12_34 },
  ])
  const internal = await bank.sandbox.database.query<{ kind: string; sum: number }>(
    `select kind, sum(balance)::bigint as sum from account where kind in ('ach_suspense', 'ach_write_off') group by kind`,
  )
  expect(Object.fromEntries(internal.map(({ kind, sum }) => [kind, sum]))).toEqual({
    ach_suspense: -12_34,
    ach_write_off: 0,
  })
  expect(await verifyLedger(bank.sandbox.database)).toEqual([])
  await close(bank)
})

test('a dishonor that left after the backup does not leave again', async () => {
  const outgoing = join(scratchFolder(), 'out')
  mkdirSync(outgoing)
  const first = await createDatabase()
  databases.push(first)
  let bank = await open(first, outgoing)
  await makePayer(bank.sandbox)
  const unknown = { traceNumber: '812345670001234', amount: 9_00 }
  const bytes = incomingFile({ entries: [returnOf(unknown, { sequence: 1 })], settlesOn: lastBankingDay() })
  expect(await bank.live.takeFile({ name: 'in.ach', bytes })).toMatchObject({ state: 'applied', exceptions: 1 })
  const [exception] = await bank.live.database.query<{ id: number }>('select id from ach_exception')
  const dishonor = { reason: 'Misrouted', to: 'dishonor', code: 'R61' } as const
  await bank.live.resolveException(exception?.id ?? 0, dishonor)
  await bank.sandbox.database.query(`update received_payment set return_cutoff_at = now() - interval '1 second'`)
  await close(bank)
  const copy = await createDatabase(first.name)
  databases.push(copy)
  bank = await open(first, outgoing)
  await bank.live.takeFiles()
  await bank.live.moveFiles()
  await close(bank)
  expect(filesIn(outgoing)).toHaveLength(1)

  bank = await open(copy, outgoing)
  expect(await resume(bank, outgoing)).toEqual({ files: 1, lost: 0 })
  await bank.live.takeFiles()
  await bank.live.moveFiles()
  const entries = filesIn(outgoing).flatMap(({ file }) => file?.batches.flatMap((batch) => batch.entries) ?? [])
  expect(entries).toMatchObject([{ amount: 9_00, addenda: { type: 'dishonour', code: 'R61' } }])
  const rows = await bank.sandbox.database.query(
    `select r.return_trace as trace, f.state from received_payment r join ach_file f on f.id = r.return_file_id
     join ach_batch b on b.id = r.return_batch_id and b.file_id = f.id`,
  )
  expect(rows).toEqual([{ trace: entries[0]?.traceNumber, state: 'delivered' }])
  expect(await verifyLedger(bank.sandbox.database)).toEqual([])
  await close(bank)
})

/** A restored bank that a file has left since, and how its operator runs `purser ach resume`. */
async function restoredBank() {
  const outgoing = join(scratchFolder(), 'out')
  mkdirSync(outgoing)
  const first = await createDatabase()
  databases.push(first)
  let bank = await open(first, outgoing)
  const payer = await makePayer(bank.sandbox, 500_00)
  await pay(bank.sandbox, payer, { amount: 12_34 })
  await passCutoff(bank.sandbox.database)
  await close(bank)
  const copy = await createDatabase(first.name)
  databases.push(copy)
  bank = await open(first, outgoing)
  await bank.live.moveFiles()
  await close(bank)
  const [file = ''] = filesIn(outgoing).map(({ name }) => join(outgoing, name))

  const { destination, destinationName, originName, companyName, companyId } = testAch(outgoing)
  const environment = {
    ...{
      PURSER_MODE: 'live',
      PURSER_ACH: 'windows',
      PURSER_ROUTING_NUMBER: '021000021',
      PURSER_ACH_ORIGIN: '812345678',
    },
    ...{ PURSER_ACH_DESTINATION: destination, PURSER_ACH_DESTINATION_NAME: destinationName },
    ...{ PURSER_ACH_ORIGIN_NAME: originName, PURSER_ACH_COMPANY_NAME: companyName, PURSER_ACH_COMPANY_ID: companyId },
    ...{ PURSER_ACH_OUTGOING: outgoing, PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') },
    ...{ DATABASE_URL: databaseUrl(copy.server), PURSER_DATA_DIR: join(outgoing, '..') },
  }
  return { file, outgoing, environment, copy }
}

test('the operator learns what left, names the files, and files leave again', async () => {
  const { file, outgoing, environment } = await restoredBank()
  const resumeWith = (...words: string[]) => runPurser(['ach', 'resume', ...words], { environment })
  const shown = await resumeWith()
  expect(shown).toMatchObject({ code: 1, stderr: '' })
  expect(JSON.parse(shown.stdout)).toMatchObject({
    ...{ held: true, reason: 'databaseOlder', waiting: { count: 1, amount: 12_34, known: 1 } },
    ahead: [{ file: file.split('/').at(-1), entries: 1, credits: 12_34 }],
  })
  expect(await resumeWith('--already-sent', join(outgoing, 'other.ach'))).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining('say what became of') },
  })
  expect(await resumeWith('--not-sent', file)).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining('is in the outgoing folder') },
  })
  const resumed = await resumeWith('--already-sent', file)
  expect(resumed).toMatchObject({ code: 0 })
  expect(JSON.parse(resumed.stdout)).toMatchObject({ held: false, files: 1, lost: 0 })
  expect(await resumeWith()).toMatchObject({ code: 0, stdout: expect.stringContaining('"held":false') })
})

test('with a rule, the operator opens ACH with the decisions alone that two persons have permitted', async () => {
  const { file, outgoing, environment, copy } = await restoredBank()
  const rule = { PURSER_TWO_SIGNATURES: 'railResume' }
  const resumeWith = (...words: string[]) =>
    runPurser(['ach', 'resume', ...words], { environment: { ...environment, ...rule } })
  const asked = await resumeWith('--already-sent', file)
  expect(asked).toMatchObject({ code: 1, stderr: '' })
  const { held, permit } = JSON.parse(asked.stdout)
  expect([held, permit.decisions]).toEqual([true, [`${file.split('/').at(-1)} left`]])

  const on = { ...copy, drop: async () => undefined }
  const bank = await openTestBank({ on, signatures: { from: { railResume: 0 }, expiryMs: 86_400_000 } })
  const [ada, bob] = [await signIn(bank, { first: 'risk' }), await signIn(bank, { first: 'risk' })]
  const permitted = async (content: object) => {
    const proposed = await ada.call('POST', '/v0/permits/rail-resume', { body: { ...content, reason: 'Restored' } })
    expect(proposed.status, proposed.text).toBe(202)
    expect(await resumeWith('--already-sent', file)).toMatchObject({ code: 1, stdout: asked.stdout })
    const { json } = await bob.call('POST', `/v0/proposals/${proposed.json.data.id}/approve`, { body: {} })
    expect(json.data.state).toBe('Executed')
  }
  // Other words for the same digest, and other decisions, open nothing.
  await permitted({ ...permit, decisions: ['nothing left'] })
  expect(await resumeWith('--already-sent', file)).toMatchObject({ code: 1, stdout: asked.stdout })
  await permitted(permit)
  const others = await resumeWith('--already-sent', file, '--not-sent', 'another.ach')
  expect(JSON.parse(others.stdout)).toMatchObject({ held: true, permit: { decisions: expect.any(Array) } })
  const resumed = await resumeWith('--already-sent', file)
  expect(resumed).toMatchObject({ code: 0 })
  expect(JSON.parse(resumed.stdout)).toMatchObject({ held: false, files: 1, lost: 0 })
  expect(await resumeWith('--already-sent', file)).toMatchObject({ code: 0 })
  expect(readdirSync(outgoing)).toContain(file.split('/').at(-1))
  await bank.close()
})
