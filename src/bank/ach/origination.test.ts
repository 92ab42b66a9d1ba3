import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeExternalAccount,
  makeOwnBankAccount,
  makePayer,
  type Payer,
  pay,
  returnPayment,
} from '../../../test/support/ledger.ts'
import { testAch } from '../../../test/support/rails/ach.ts'
import { advanceTo, sendPayments } from '../../../test/support/rails/leaving.ts'
import { readAchFile } from '../../rails/ach/read-file.ts'
import { holdBuildingFiles } from '../records/ach-files.sql.ts'

const outgoing = mkdtempSync(join(tmpdir(), 'purser-ach-'))
const settings = testAch(outgoing)

let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openTestBank({ ach: settings })
  // A Monday, 08:00 in New York.
  await bank.database.query(`update organisation set clock_offset = '2030-02-04T13:00:00Z' - clock_timestamp()`)
})
afterEach(() => expectSoundLedger(bank))
afterAll(async () => {
  await bank.close()
  rmSync(outgoing, { recursive: true })
})

async function advance(body: Record<string, unknown>) {
  const { status, text, json } = await bank.call('POST', '/v0/sandbox/clock/advance', { body })
  expect(status, text).toBe(200)
  return json.data
}

const cancel = (id: string) => bank.call('POST', `/v0/banking/payments/${id}/cancel`)
const paymentOf = async (id: string) => (await bank.call('GET', `/v0/banking/payments/${id}`)).json.data
const balances = async () => {
  const rows = await bank.database.query<{ kind: string; sum: number }>(
    `select kind, sum(balance)::bigint as sum from account where id < 0 group by kind order by kind`,
  )
  return Object.fromEntries(rows.map(({ kind, sum }) => [kind, sum]))
}
const files = () =>
  bank.database.query<{ id: number; name: string; state: string; entry_count: number; credits: number }>(
    `select id, name, state, entry_count, credits from ach_file where direction = 'out' order by id`,
  )
async function eventsOf(id: string) {
  const { json } = await bank.call('GET', `/v0/events?entityType=payment&entityId=${id}&limit=100`)
  return json.data
}

describe('a payment that leaves with a file', () => {
  test('is pending, clearing from the cut-off on, and sent when it settles', async () => {
    payer = await makePayer(bank, 500_00)
    const { ach_clearing: before = 0, ach_settlement: settled = 0 } = await balances()
    const { status, json } = await pay(bank, payer, { amount: 20_00, addenda: 'Invoice 1' })
    expect(status).toBe(201)
    const pending = { status: 'Pending', secCode: 'PPD', expectedCompletionDate: '2030-02-05' }
    expect(json.data).toMatchObject(pending)
    expect(json.data).not.toHaveProperty('sameDay')
    expect(json.data).not.toHaveProperty('traceNumber')
    const { id } = json.data
    expect((await accountOf(bank, payer.accountId)).balance).toBe(480_00)
    expect((await balances()).ach_clearing).toBe(before + 20_00)

    const { happened } = await advance({ to: '2030-02-04T15:00:00Z' })
    expect(happened).toContainEqual({ at: '2030-02-04T15:00:00.000Z', type: 'payment.clearing', id })
    const clearing = await paymentOf(id)
    expect(clearing).toEqual({
      ...json.data,
      status: 'Clearing',
      traceNumber: expect.stringMatching(/^81234567\d{7}$/),
    })
    expect((await cancel(id)).json.code).toBe('payment_not_cancelable')
    expect((await balances()).ach_clearing).toBe(before + 20_00)

    await advance({ to: '2030-02-05T13:30:00Z' })
    const sent = await paymentOf(id)
    expect(sent).toEqual({ ...clearing, status: 'Sent', settlementDate: '2030-02-05' })
    expect(await balances()).toMatchObject({ ach_clearing: before, ach_settlement: settled + 20_00 })

    const events = await eventsOf(id)
    expect(
      events.map(({ type, data, entity }: never) => [type, data, (entity as { version: number }).version]),
    ).toEqual([
      ['payment.created', json.data, 1],
      ['payment.clearing', clearing, 2],
      ['payment.sent', sent, 3],
    ])
  })

  test('is in the file that is delivered, which reads back as the payment, once', async () => {
    const [file] = await files()
    expect(file).toMatchObject({
      name: '20300204-1000-812345678-A.ach',
      state: 'delivered',
      entry_count: 1,
      credits: 20_00,
    })
    await bank.moveFiles()
    await bank.moveFiles()
    const [organisation = ''] = readdirSync(outgoing)
    expect(readdirSync(join(outgoing, organisation))).toEqual(['20300204-1000-812345678-A.ach'])
    expect((await files())[0]?.state).toBe('delivered')
    const bytes = readFileSync(join(outgoing, organisation, file?.name ?? ''))
    const { file: read, faults, warnings } = readAchFile(bytes)
    expect([faults, warnings]).toEqual([[], []])
    expect(read?.batches).toMatchObject([
      {
        companyName: 'SAMPLE',
        companyId: '1234567890',
        secCode: 'PPD',
        description: 'Rent',
        entries: [
          {
            code: 22,
            routingNumber: '021000021',
            accountNumber: '9876543210',
            amount: 20_00,
            name: 'Grace Sample',
            addenda: { type: 'payment', text: 'Invoice 1' },
          },
        ],
      },
    ])
    const [stored] = await bank.database.query<{ sealed_content: Buffer }>(
      `select sealed_content from ach_file where direction = 'out'`,
    )
    expect(stored?.sealed_content.includes('9876543210')).toBe(false)
  })

  test('settles on the same day where it asks for it in time, and a list finds it', async () => {
    await advance({ to: '2030-02-07T14:00:00Z' })
    const { json } = await pay(bank, payer, { amount: 10_00, sameDay: true, secCode: 'WEB' })
    expect(json.data).toMatchObject({ sameDay: true, secCode: 'WEB', expectedCompletionDate: '2030-02-07' })
    const { json: found } = await bank.call('GET', '/v0/banking/payments?paymentFeature=SameDay')
    expect(found.data.map(({ id }: { id: string }) => id)).toEqual([json.data.id])
    await advance({ to: '2030-02-07T17:59:00Z' })
    expect((await paymentOf(json.data.id)).status).toBe('Clearing')
    await advance({ to: '2030-02-07T18:00:00Z' })
    expect((await paymentOf(json.data.id)).status).toBe('Sent')
  })

  test('is returned while it clears and after it was sent, over the settlement account', async () => {
    const before = await balances()
    const first = (await pay(bank, payer, { amount: 11_00 })).json.data
    const second = (await pay(bank, payer, { amount: 12_00 })).json.data
    expect((await returnPayment(bank, first.id, 'R03')).json.code).toBe('payment_not_returnable')
    await advance({ by: 'PT12H' })
    const early = await returnPayment(bank, first.id, 'R03')
    expect(early.json.data).toMatchObject({ status: 'Returned', returnCode: 'R03' })
    await expectSoundLedger(bank)
    await advance({ by: 'P2D' })
    expect((await paymentOf(first.id)).status).toBe('Returned')
    expect((await paymentOf(second.id)).status).toBe('Sent')
    await returnPayment(bank, second.id, 'R02')
    expect(await balances()).toEqual(before)
  })

  test('to an account of this bank is sent at once', async () => {
    const other = await makePayer(bank)
    const externalAccountId = await makeOwnBankAccount(bank, payer.customerId, other.accountId)
    const { json } = await pay(bank, { ...payer, externalAccountId }, { amount: 1_00, sameDay: true })
    expect(json.data.status).toBe('Sent')
    expect(json.data).not.toHaveProperty('expectedCompletionDate')
  })

  test('is refused where no file can carry it', async () => {
    const rich = await makePayer(bank, 9_999_999_999)
    await bank.call('POST', `/v0/sandbox/accounts/${rich.accountId}/receive-ach`, {
      body: { amount: 100, companyName: 'More' },
    })
    const refusal = async (...of: Parameters<typeof pay>) => {
      const { status, json } = await pay(...of)
      return [status, json.code]
    }
    const over = [422, 'amount_over_rail_limit']
    expect(await refusal(bank, rich, { amount: 10_000_000_000 })).toEqual(over)
    expect(await refusal(bank, rich, { amount: 1_000_000_01, sameDay: true })).toEqual(over)
    expect(await refusal(bank, rich, { amount: 1, secCode: 'TEL' })).toEqual([400, 'invalid_request'])
    const externalAccountId = await makeExternalAccount(bank, rich.customerId, { routingNumber: '021000022' })
    expect(await refusal(bank, { ...rich, externalAccountId }, { amount: 1 })).toEqual([422, 'invalid_routing_number'])
    const reserved = [422, 'reserved_description']
    for (const description of [
      'Reversal',
      'PURCHASE',
      'acctverify',
      'Return fee',
      'Rétry pymt',
      'RECLAIM 7',
      'NONSETTLED',
    ]) {
      expect(await refusal(bank, rich, { amount: 1, description }), description).toEqual(reserved)
    }
    expect(await refusal(bank, rich, { amount: 1, description: 'Payroll', secCode: 'CCD' })).toEqual(reserved)
    expect(await refusal(bank, rich, { amount: 1, description: 'Payroll', secCode: 'PPD' })).toEqual([201, undefined])
    expect(await refusal(bank, rich, { amount: 1, description: 'Purchases' })).toEqual([201, undefined])
  })
})

describe('a delivery', () => {
  test('leaves another file of the same name alone, and its outcome is unknown', async () => {
    const { json } = await pay(bank, payer, { amount: 1_00 })
    const [organisation = ''] = readdirSync(outgoing)
    const [payment] = await bank.database.query<{ name: string }>(
      `select to_char(cutoff_at at time zone 'America/New_York', 'YYYYMMDD-HH24MI') || '-812345678-A.ach' as name
       from payment where id = $1::bigint`,
      [json.data.id],
    )
    const path = join(outgoing, organisation, payment?.name ?? '')
    writeFileSync(path, 'another file')
    await advance({ by: 'P4D' })
    expect((await files()).at(-1)?.state).toBe('unknown')
    expect(readFileSync(path, 'utf8')).toBe('another file')
    await bank.moveFiles()
    expect((await files()).at(-1)?.state).toBe('unknown')
  })

  /** A file whose process ended while it was delivering, and its path. */
  async function interrupted(): Promise<string> {
    await pay(bank, payer, { amount: 1_00 })
    await advance({ by: 'P4D' })
    const last = (await files()).at(-1)
    await bank.database.query(`update ach_file set state = 'delivering' where id = $1::bigint`, [last?.id])
    const [organisation = ''] = readdirSync(outgoing)
    const path = join(outgoing, organisation, last?.name ?? '')
    rmSync(path)
    return path
  }
  const lastState = async () => (await files()).at(-1)?.state

  test('whose process ended is unknown where the file is not in its folder, and is not repeated', async () => {
    const path = await interrupted()
    await bank.moveFiles()
    expect(await lastState()).toBe('unknown')
    await bank.moveFiles()
    expect([await lastState(), existsSync(path)]).toEqual(['unknown', false])
  })

  test('whose process ended after the file got its name is delivered', async () => {
    const path = await interrupted()
    await bank.database.query(`update ach_file set state = 'built' where state = 'delivering'`)
    await bank.moveFiles()
    const bytes = readFileSync(path)
    await bank.database.query(`update ach_file set state = 'delivering' where id = (select max(id) from ach_file)`)
    await bank.moveFiles()
    expect([await lastState(), readFileSync(path).equals(bytes)]).toEqual(['delivered', true])
  })

  test('whose process ended before that is repeated, and what it left is removed', async () => {
    const path = await interrupted()
    await bank.database.query(`update ach_file set state = 'built' where state = 'delivering'`)
    const folder = join(path, '..')
    const left = `.${path.slice(folder.length + 1)}.${randomUUID()}`
    writeFileSync(join(folder, left), 'half a file')
    await bank.moveFiles()
    expect([await lastState(), existsSync(path)]).toEqual(['delivered', true])
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('by several processes at once happens once', async () => {
    const path = await interrupted()
    await bank.database.query(`update ach_file set state = 'built' where state = 'delivering'`)
    await Promise.all([bank.moveFiles(), bank.moveFiles(), bank.moveFiles()])
    expect([await lastState(), existsSync(path)]).toEqual(['delivered', true])
  })
})

test('a file that is written takes no more payments', async () => {
  const { json } = await pay(bank, payer, { amount: 1_00 })
  const last = (await files()).at(-1)
  // As a process would that lost its lock, and that another has overtaken.
  await bank.database.query(
    `insert into ach_file (id, organisation_id, key_organisation_id, direction, window_at, part, modifier, created_on, name, state)
     select 9000000, organisation_id, organisation_id, 'out', cutoff_at, 1, 'A', '2031-01-01', 'late', 'building'
     from payment where id = $1::bigint`,
    [json.data.id],
  )
  const held = await bank.database.transaction((transaction) =>
    holdBuildingFiles(transaction, [9_000_000, last?.id ?? 0]),
  )
  expect(held).toEqual([9_000_000])
  await bank.database.query('delete from ach_file where id = 9000000')
})

test('payments settle after the acknowledgement of their file, if it is required', async () => {
  const waiting = await openTestBank({ ach: { ...testAch(), acknowledge: 'required' } })
  await waiting.database.query(`update organisation set clock_offset = '2030-02-05T15:00:00Z' - clock_timestamp()`)
  const { paymentIds } = await sendPayments(waiting, [1_00])
  const status = async () => (await waiting.call('GET', `/v0/banking/payments/${paymentIds[0]}`)).json.data.status
  await advanceTo(waiting, '2030-02-08T15:00:00Z')
  expect(await status()).toBe('Clearing')
  expect((await waiting.call('GET', '/v0/sandbox/clock')).json.data.due).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ type: 'achBatch.settled' })]),
  )
  await waiting.database.query(`update ach_file set state = 'acknowledged' where direction = 'out'`)
  await advanceTo(waiting, '2030-02-08T15:01:00Z')
  expect(await status()).toBe('Sent')
  await expectSoundLedger(waiting)
  await waiting.close()
})
