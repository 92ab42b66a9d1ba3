import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { accountOf, expectSoundLedger, makePayer, type Payer, pay } from '../../../test/support/ledger.ts'
import { testAch } from '../../../test/support/rails/ach.ts'
import { receiveEntry } from '../../../test/support/rails/incoming.ts'
import { operate, runInProcess } from '../../../test/support/run/command-line.ts'
import { databaseUrl } from '../../../test/support/service.ts'

const outgoing = mkdtempSync(join(tmpdir(), 'purser-ach-'))
let bank: TestBank
let payer: Payer

beforeAll(async () => {
  bank = await openTestBank({ ach: testAch(outgoing) })
  // A Monday, 08:00 in New York.
  await bank.database.query(`update organisation set clock_offset = '2030-02-04T13:00:00Z' - clock_timestamp()`)
  payer = await makePayer(bank, 500_00)
})
afterEach(() => expectSoundLedger(bank))
afterAll(async () => {
  await bank.close()
  rmSync(outgoing, { recursive: true })
})

const environment = () => ({
  DATABASE_URL: databaseUrl(bank.server),
  PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  PURSER_DATA_DIR: outgoing,
})

/** Runs a command of `purser ach`, and returns the records that it prints. */
const run = (...words: string[]) => operate(['ach', ...words], environment())

/** The files that the command lists. */
const list = (state?: string) => run('list', ...(state ? ['--state', state] : []))

async function advance(body: Record<string, unknown>): Promise<void> {
  const { status, text } = await bank.call('POST', '/v0/sandbox/clock/advance', { body })
  expect(status, text).toBe(200)
}

/** Payments that are clearing in a new file, and the file. */
async function clearing(...bodies: Record<string, unknown>[]): Promise<{ file: string; payments: string[] }> {
  const payments: string[] = []
  for (const body of bodies) payments.push((await pay(bank, payer, body)).json.data.id)
  const [row] = await bank.database.query<{ at: string }>(`select max(cutoff_at) as at from payment`)
  await advance({ to: row?.at })
  const [latest] = (await list()).filter(({ direction }) => direction === 'out')
  return { file: latest.id, payments }
}

/** Undoes the delivery of a file, which happens at its cut-off. */
async function withdraw(file: string): Promise<void> {
  const [row] = await bank.database.query<{ name: string; folder: string }>(
    `update ach_file set state = 'built', delivered_at = null, answer_at = null
     where id = $1::bigint returning name, organisation_id::text as folder`,
    [file],
  )
  rmSync(join(outgoing, row?.folder ?? '', row?.name ?? ''))
}

const statusOf = async (id: string) => (await bank.call('GET', `/v0/banking/payments/${id}`)).json.data.status
const balance = async () => (await accountOf(bank, payer.accountId)).balance

describe('the operator', () => {
  test('lists files, and shows one with its batches and its content', async () => {
    const { file } = await clearing({ amount: 20_00 }, { amount: 5_00, description: 'Gas' })
    const listed = await list()
    expect(listed.filter(({ direction }) => direction === 'out')).toEqual([
      {
        id: file,
        name: '20300204-1000-812345678-A.ach',
        direction: 'out',
        state: 'delivered',
        organisationId: expect.stringMatching(/^\d+$/),
        windowAt: '2030-02-04T15:00:00.000Z',
        entries: 2,
        debits: 0,
        credits: 25_00,
        deliveredAt: expect.stringMatching(/^2030-02-04T15:00/),
      },
    ])
    expect(await list('unknown')).toEqual([])
    const [shown] = await run('show', file)
    expect(shown).toMatchObject({
      id: file,
      batches: [
        { number: 1, state: 'clearing' },
        { number: 2, entries: 1 },
      ],
    })
    const [organisation = ''] = readdirSync(outgoing)
    const bytes = readFileSync(join(outgoing, organisation, shown.name))
    const { stdout } = await runInProcess(['ach', 'show', file, '--content'], { environment: environment() })
    expect(stdout).toBe(bytes.toString())
    expect(await run('acknowledge', file)).toEqual([{ id: file, state: 'acknowledged' }])
  })

  test('decides about a file whose delivery has an unknown outcome', async () => {
    const { file } = await clearing({ amount: 1_00 })
    const unknown = () => bank.database.query(`update ach_file set state = 'unknown' where id = $1::bigint`, [file])
    await unknown()
    await run('deliver', file)
    await bank.moveFiles()
    expect((await run('show', file))[0]).toMatchObject({ state: 'delivered' })
    await unknown()
    await run('delivered', file)
    expect((await run('show', file))[0]).toMatchObject({
      state: 'delivered',
      deliveredAt: expect.stringMatching(/^2030/),
    })
  })

  test('gets a clear error for an unknown id and a wrong state', async () => {
    const { file } = await clearing({ amount: 1_00 })
    for (const id of ['1234567890', 'abc', '0']) {
      for (const word of ['show', 'deliver', 'reject'])
        await expect(run(word, id)).rejects.toThrow(`there is no ACH file ${id}`)
    }
    await expect(run('deliver', file)).rejects.toThrow(`ACH file ${file} is delivered`)
    await withdraw(file)
    await expect(run('deliver', file)).rejects.toThrow(`ACH file ${file} is built`)
    await expect(run('acknowledge', file)).rejects.toThrow(`ACH file ${file} is built`)
    await expect(run('reject', file, '--batch', '7')).rejects.toThrow(`ACH file ${file} has no batch 7`)
    await expect(run('reject', file, '--batch', 'x')).rejects.toThrow('--batch takes the number of a batch')
    await expect(run('list', '--state', 'gone')).rejects.toThrow('--state takes building')
    await advance({ by: 'P4D' })
    await expect(run('reject', file)).rejects.toThrow('has settled')
  })

  test('takes back a batch, and then the rest of its file, but no payment twice', async () => {
    const reverse = (...words: string[]) =>
      operate(['ach', 'reverse', ...words], { ...environment(), PURSER_ACH: 'windows' })
    const { file, payments } = await clearing({ amount: 3_00 }, { amount: 4_00 }, { amount: 5_00, description: 'Gas' })
    const [first, second, third] = payments
    for (const [words, text] of [
      [[file], '--reason'],
      [[file, '--reason', 'Fraud'], '--reason takes'],
      [['x', '--reason', 'Duplicate'], 'x is no id of a file'],
      [[file, '--reason', 'Duplicate', '--discovered', 'today'], '--discovered takes an RFC 3339 date-time'],
      [[file, '--batch', '0', '--reason', 'Duplicate'], '--batch takes the number of a batch'],
      [[file, '--batch', '7', '--reason', 'Duplicate'], `batch 7 of ACH file ${file} has no payments that have left`],
    ] as const) {
      await expect(reverse(...words)).rejects.toThrow(text)
    }
    await expect(run('reverse', file, '--reason', 'Duplicate')).rejects.toThrow('with PURSER_ACH=windows only')
    for (const [discovered, code] of [
      ['2029-01-31', 'reversal_too_late'],
      ['2031-01-31T12:00:00+02:00', 'invalid_request'],
    ] as const) {
      const [refused] = await reverse(file, '--reason', 'Duplicate', '--discovered', discovered)
      expect(refused).toMatchObject({ reversed: 0, refused: payments.map((paymentId) => ({ paymentId, code })) })
    }
    const own = (await run('show', file))[0].batches.find(({ entries }: { entries: number }) => entries === 1)
    expect(await reverse(file, '--batch', String(own.number), '--reason', 'WrongDate')).toEqual([
      { id: file, batch: own.number, reversed: 1, refused: [] },
    ])
    expect(await reverse(file, '--reason', 'Duplicate')).toEqual([
      {
        id: file,
        reversed: 2,
        refused: [
          { paymentId: third, code: 'payment_not_reversible', detail: expect.stringContaining('reverses it already') },
        ],
      },
    ])
    const { json } = await bank.call('GET', `/v0/banking/payments?accountId=${payer.accountId}&limit=3`)
    expect(
      json.data
        .map(({ reversalOf, reversalReason, direction, amount, status }: Record<string, unknown>) => [
          ...[reversalOf, reversalReason, direction, amount, status],
        ])
        .sort(),
    ).toEqual(
      [
        [first, 'Duplicate', 'Debit', 3_00, 'Pending'],
        [second, 'Duplicate', 'Debit', 4_00, 'Pending'],
        [third, 'WrongDate', 'Debit', 5_00, 'Pending'],
      ].sort(),
    )
    await advance({ by: 'P9D' })
    expect(await statusOf(json.data[0].id)).toBe('Sent')
  })

  test('rejects a batch, and then the rest of its file: payments are rejected and their money is back', async () => {
    const before = await balance()
    const limits = `/v0/banking/accounts/${payer.accountId}/limits`
    await bank.call('PUT', limits, { body: { month: { hard: 500_00 } } })
    const used = async () => (await bank.call('GET', limits)).json.data.month.used
    const usedBefore = await used()
    const bodies = [{ amount: 7_00, description: 'One' }, { amount: 8_00, description: 'Two' }, { amount: 9_00 }]
    const { file, payments } = await clearing(...bodies)
    await withdraw(file)
    expect(await balance()).toBe(before - 24_00)
    await run('reject', file, '--batch', '1')
    await expect(run('reject', file, '--batch', '1')).rejects.toThrow('was rejected before')
    await advance({ by: 'PT1M' })
    expect(await Promise.all(payments.map(statusOf))).toEqual(['Rejected', 'Clearing', 'Clearing'])
    expect([await balance(), await used()]).toEqual([before - 17_00, usedBefore + 17_00])
    await expectSoundLedger(bank)
    expect(await run('reject', file)).toEqual([{ id: file, state: 'rejected', batches: 2 }])
    await advance({ by: 'P4D' })
    expect(await Promise.all(payments.map(statusOf))).toEqual(['Rejected', 'Rejected', 'Rejected'])
    expect([await balance(), await used()]).toEqual([before, usedBefore])
    const { json } = await bank.call(
      'GET',
      `/v0/events?type=payment.rejected&entityType=payment&entityId=${payments[0]}`,
    )
    expect(json.data).toMatchObject([{ data: { id: payments[0], status: 'Rejected' } }])
    // A rejected file is not delivered.
    await bank.moveFiles()
    expect((await run('show', file))[0]).toMatchObject({ state: 'rejected', deliveredAt: null })
    await expect(run('reject', file)).rejects.toThrow(`ACH file ${file} is rejected`)
  })

  test('rejects a batch of returns: the received payments leave with the next file', async () => {
    const received = []
    const settlesOn = '2030-02-11'
    for (const amount of [1_00, 2_00])
      received.push(await receiveEntry(bank, payer.accountId, { settlesOn, code: 27, amount }))
    for (const { id } of received)
      await bank.call('POST', `/v0/banking/received-payments/${id}/return`, { body: { returnCode: 'R10' } })
    const row = async () =>
      bank.database.query<{ status: string; file: string | null; batch: string | null }>(
        `select status, return_file_id::text as file, return_batch_id::text as batch from received_payment
         where return_code is not null order by id`,
      )
    const [due] = await bank.database.query<{ at: string }>(`select max(return_cutoff_at) as at from received_payment`)
    await advance({ to: due?.at })
    const [{ file } = { file: null }] = await row()
    await run('reject', String(file), '--batch', '1')
    // A killed process has not noticed the rejection yet.
    await expectSoundLedger(bank)
    await advance({ by: 'PT1S' })
    expect(await row()).toEqual(received.map(() => ({ status: 'MarkedForReturn', file: null, batch: null })))
    await expectSoundLedger(bank)
    await advance({ by: 'P1D' })
    const [next] = await row()
    expect(next?.file).not.toBe(file)
    expect(await row()).toEqual(received.map(() => next))
    await advance({ by: 'P3D' })
    expect((await row()).map(({ status }) => status)).toEqual(['Returned', 'Returned'])
    const { json } = await bank.call('GET', '/v0/banking/ach-batches?type=returns')
    expect(json.data.map(({ status }: { status: string }) => status)).toEqual(['Settled', 'Rejected'])
  })

  test('names the company of an organisation, and takes it back', async () => {
    await run('company', '--organisation', 'first', '--name', 'ACME INC', '--id', '9876543210')
    const { file } = await clearing({ amount: 1_00 })
    const [shown] = await run('show', file)
    expect(shown.batches).toMatchObject([{ companyName: 'ACME INC', companyId: '9876543210' }])
    expect(await run('company', '--organisation', 'first', '--name', '')).toEqual([
      { organisation: 'first', name: null, companyId: '9876543210' },
    ])
    await expect(run('company', '--organisation', 'nobody', '--name', 'X')).rejects.toThrow(
      'there is no organisation nobody',
    )
    for (const [message, ...words] of [
      ['--name takes up to 16 ASCII characters', '--organisation', 'first', '--name', 'Größe'],
      ['--id takes up to 10', '--organisation', 'first', '--id', '12345678901'],
      ['--organisation', '--name', 'X'],
      ['--name or --id is needed', '--organisation', 'first'],
    ] as [string, ...string[]][]) {
      await expect(run('company', ...words)).rejects.toThrow(message)
    }
  })
})
