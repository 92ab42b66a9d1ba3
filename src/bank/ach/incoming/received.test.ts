import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../../test/support/harness.ts'
import { accountOf, expectSoundLedger, makePayer, type Payer, transactionsOf } from '../../../../test/support/ledger.ts'
import { incomingFile, type Sent } from '../../../../test/support/rails/incoming.ts'
import { railSettings } from '../../../../test/support/rails/settings.ts'
import { readAchFile } from '../../../rails/ach/read-file.ts'

const { settings, remove } = railSettings()
let bank: TestBank
let payer: Payer
let number: string
beforeAll(async () => {
  bank = await openTestBank({ ach: settings })
  // A Monday, 08:00 in New York.
  await bank.database.query(`update organisation set clock_offset = '2030-02-04T13:00:00Z' - clock_timestamp()`)
  payer = await makePayer(bank, 100_00)
  number = (await accountOf(bank, payer.accountId)).accountNumber
})
afterEach(() => expectSoundLedger(bank))
afterAll(async () => {
  await bank.close()
  remove()
})

async function advance(body: Record<string, unknown>) {
  const { status, text } = await bank.call('POST', '/v0/sandbox/clock/advance', { body })
  expect(status, text).toBe(200)
}
const balanceOf = async (id = payer.accountId) => (await accountOf(bank, id)).balance as number
async function balances() {
  const rows = await bank.database.query<{ kind: string; sum: number }>(
    `select kind, sum(balance)::bigint as sum from account where id < 0 group by kind`,
  )
  return Object.fromEntries(rows.map(({ kind, sum }) => [kind, sum]))
}
const listed = async (query = '') =>
  (await bank.call('GET', `/v0/banking/received-payments?limit=100${query}`)).json.data
const get = (id: string, key = bank.key) => bank.call('GET', `/v0/banking/received-payments/${id}`, { key })
const giveBack = (id: string, returnCode: string, key = bank.key) =>
  bank.call('POST', `/v0/banking/received-payments/${id}/return`, { body: { returnCode }, key })
const eventsOf = async (id: string) =>
  (await bank.call('GET', `/v0/events?entityType=receivedPayment&entityId=${id}&limit=100`)).json.data.map(
    ({ type, entity }: { type: string; entity: { version: number } }) => [type, entity.version],
  )
let sequence = 0
let modifiers = 0
const modifier = () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'[modifiers++ % 36] as string

/** Receives one entry, and returns its received payment if the account has one. */
async function receive(settlesOn: string, entry: Partial<Sent['entries'][number]>, batch?: Sent['batch']) {
  const own = { sequence: ++sequence, code: 22, amount: 7_00, accountNumber: number, ...entry }
  const bytes = incomingFile({ entries: [own], settlesOn, modifier: modifier(), ...(batch && { batch }) })
  expect(await bank.takeFile({ name: 'in.ach', bytes })).toMatchObject({ state: 'applied' })
  return (await listed())[0]
}

describe('a received credit', () => {
  test('is pending until 09:00 of its settlement day, and completed then', async () => {
    const before = await balanceOf()
    const { ach_settlement: settled = 0 } = await balances()
    const received = await receive('2030-02-05', { addenda: { type: 'payment', text: 'Week 5' } })
    expect(received).toMatchObject({
      ...{ type: 'achReceivedPayment', accountId: payer.accountId, amount: 7_00, direction: 'Credit' },
      ...{ status: 'Pending', description: 'WAGES', secCode: 'PPD', traceNumber: '021000020000001' },
      ...{ counterparty: { name: 'NORTHWIND', routingNumber: '021000021' }, addenda: 'Week 5' },
      ...{ receiverName: 'MARY EXAMPLE', expectedCompletionDate: '2030-02-05' },
    })
    const { json } = await bank.call('GET', '/v0/sandbox/clock')
    expect(json.data.upcoming).toContainEqual({
      ...{ at: '2030-02-05T14:00:00.000Z', type: 'receivedPayment.completed', id: received.id, count: 1 },
    })
    await advance({ to: '2030-02-05T13:59:59Z' })
    expect(await balanceOf()).toBe(before)
    await advance({ to: '2030-02-05T14:00:00Z' })
    expect(await balanceOf()).toBe(before + 7_00)
    expect((await get(received.id)).json.data).toEqual({ ...received, status: 'Completed' })
    expect((await transactionsOf(bank, payer.accountId)).at(-1)).toMatchObject({
      ...{ amount: 7_00, direction: 'Credit', summary: 'NORTHWIND  |  WAGES' },
    })
    expect(await eventsOf(received.id)).toEqual([
      ['receivedPayment.created', 1],
      ['receivedPayment.completed', 2],
    ])
    expect(await balances()).toMatchObject({ ach_settlement: settled - 7_00 })
  })

  test('reaches a frozen account at once where its time is past', async () => {
    const frozen = await makePayer(bank)
    await bank.call('POST', `/v0/banking/accounts/${frozen.accountId}/freeze`)
    const { accountNumber } = await accountOf(bank, frozen.accountId)
    const received = await receive('2030-02-05', { accountNumber, code: 32 })
    expect(received).toMatchObject({ accountId: frozen.accountId, status: 'Completed' })
    expect(await balanceOf(frozen.accountId)).toBe(7_00)
  })

  test('to a closed account is returned with R02, one to no account with R03', async () => {
    const before = await balances()
    const closed = await makePayer(bank)
    await bank.call('POST', `/v0/banking/accounts/${closed.accountId}/close`, { body: { reason: 'ByCustomer' } })
    const { accountNumber } = await accountOf(bank, closed.accountId)
    const received = await receive('2030-02-05', { accountNumber })
    expect(received).toMatchObject({ accountId: closed.accountId, status: 'MarkedForReturn', returnCode: 'R02' })
    await receive('2030-02-05', { accountNumber: '999999999999', amount: 8_00 })
    await receive('2030-02-05', { code: 52, amount: 9_00 })
    const { ach_suspense: suspense = 0, ach_settlement: settlement = 0 } = before
    expect(await balances()).toMatchObject({ ach_suspense: suspense + 24_00, ach_settlement: settlement - 24_00 })
    const rows = await bank.database.query(
      `select return_code as code from received_payment where account_id is null order by id`,
    )
    expect(rows).toEqual([{ code: 'R03' }, { code: 'R03' }])
    expect((await listed()).filter(({ accountId }: { accountId: string }) => accountId === 'null')).toEqual([])
  })
})

describe('a received debit', () => {
  test('takes the money at settlement where there is enough', async () => {
    const before = await balanceOf()
    const received = await receive('2030-02-05', { code: 27, amount: 5_00 }, { companyName: 'SAMPLE GYM' })
    expect(received).toMatchObject({ status: 'Completed', direction: 'Debit' })
    expect(await balanceOf()).toBe(before - 5_00)
  })

  test.each([
    ['R01', 'more than there is', async () => makePayer(bank, 1_00)],
    [
      'R01',
      'money that is held',
      async () => {
        const held = await makePayer(bank, 10_00)
        const body = { amount: 4_01, reason: 'Dispute' }
        expect((await bank.call('POST', `/v0/banking/accounts/${held.accountId}/holds`, { body })).status).toBe(201)
        return held
      },
    ],
    [
      'R16',
      'from a frozen account',
      async () => {
        const frozen = await makePayer(bank, 50_00)
        await bank.call('POST', `/v0/banking/accounts/${frozen.accountId}/freeze`)
        return frozen
      },
    ],
    [
      'R02',
      'from a closed account',
      async () => {
        const closed = await makePayer(bank)
        await bank.call('POST', `/v0/banking/accounts/${closed.accountId}/close`, { body: { reason: 'ByCustomer' } })
        return closed
      },
    ],
  ])('is returned with %s where it takes %s', async (code, _title, make) => {
    const { accountId } = await make()
    const { accountNumber, balance } = await accountOf(bank, accountId)
    const { ach_suspense: suspense = 0 } = await balances()
    const received = await receive('2030-02-05', { code: 37, amount: 6_00, accountNumber })
    expect(received).toMatchObject({ accountId, status: 'MarkedForReturn', returnCode: code })
    expect(await balanceOf(accountId)).toBe(balance)
    expect((await balances()).ach_suspense).toBe(suspense - 6_00)
  })
})

describe('entries of one account', () => {
  const statuses = async (accountId: string) =>
    (await listed(`&accountId=${accountId}&sort=createdAt`))
      .filter(({ amount }: { amount: number }) => amount === 60_00)
      .map(({ direction, status }: { direction: string; status: string }) => `${direction} ${status}`)
  /** Some accounts with 100.00, and a file with entries of 60.00: one of each code for each account. */
  async function taken(settlesOn: string, codes: number[]) {
    const payers = await Promise.all(Array.from({ length: 8 }, () => makePayer(bank, 100_00)))
    const numbers = await Promise.all(
      payers.map(async ({ accountId }) => (await accountOf(bank, accountId)).accountNumber),
    )
    const entries = codes.flatMap((code) =>
      numbers.map((accountNumber) => ({ sequence: ++sequence, code, amount: 60_00, accountNumber })),
    )
    const bytes = incomingFile({ entries, settlesOn, modifier: modifier() })
    expect(await bank.takeFile({ name: 'in.ach', bytes })).toMatchObject({ state: 'applied' })
    return payers.map(({ accountId }) => accountId)
  }

  test('are applied in the order of the file', async () => {
    for (const accountId of await taken('2030-02-05', [27, 27, 22, 27])) {
      expect(await statuses(accountId)).toEqual([
        ...['Debit Completed', 'Debit MarkedForReturn', 'Credit Completed', 'Debit Completed'],
      ])
      expect(await balanceOf(accountId)).toBe(40_00)
    }
  })

  test('that wait for their time are booked in that order, too', async () => {
    const accountIds = await taken('2030-02-06', [27, 27])
    await advance({ to: '2030-02-06T13:30:00Z' })
    for (const accountId of accountIds) {
      expect(await statuses(accountId)).toEqual(['Debit Completed', 'Debit MarkedForReturn'])
    }
  })
})

test('a prenote has no effect', async () => {
  const before = await listed()
  await receive('2030-02-05', { code: 23, amount: 0 })
  expect(await listed()).toEqual(before)
})

describe('a return by the organisation', () => {
  test('takes the money of a credit at once and gives that of a debit back', async () => {
    const before = await balanceOf()
    const credit = await receive('2030-02-05', { amount: 4_00 })
    const debit = await receive('2030-02-05', { code: 27, amount: 3_00 })
    expect(await balanceOf()).toBe(before + 1_00)
    const { status, json } = await giveBack(credit.id, 'R23')
    expect([status, json.data]).toEqual([
      200,
      { ...credit, status: 'MarkedForReturn', returnCode: 'R23', returnReason: 'Credit refused by the receiver' },
    ])
    expect((await giveBack(debit.id, 'R10')).json.data).toMatchObject({ status: 'MarkedForReturn', returnCode: 'R10' })
    expect(await balanceOf()).toBe(before)
    expect((await giveBack(debit.id, 'R10')).json.code).toBe('received_payment_not_returnable')
    expect(await eventsOf(credit.id)).toEqual([
      ['receivedPayment.created', 1],
      ['receivedPayment.completed', 2],
      ['receivedPayment.markedForReturn', 3],
    ])
  })

  test('of one that is not booked yet books it to suspense when its time comes', async () => {
    const before = await balanceOf()
    const { ach_suspense: suspense = 0 } = await balances()
    const received = await receive('2030-02-06', { amount: 2_00 })
    expect((await giveBack(received.id, 'R23')).json.data).toMatchObject({ status: 'MarkedForReturn' })
    expect((await balances()).ach_suspense).toBe(suspense)
    await advance({ to: '2030-02-06T14:00:00Z' })
    expect(await balanceOf()).toBe(before)
    expect((await eventsOf(received.id)).map(([type]: string[]) => type)).toEqual([
      'receivedPayment.created',
      'receivedPayment.markedForReturn',
    ])
  })
})

describe('returns', () => {
  test('leave with a file at the next cut-off, and settle out of suspense', async () => {
    const marked = (await listed('&status=MarkedForReturn')) as { id: string }[]
    expect(marked.length).toBeGreaterThan(0)
    const upcoming = async () => (await bank.call('GET', '/v0/sandbox/clock')).json.data.upcoming
    const leaving = { at: expect.any(String), type: 'receivedPayment.returning', id: marked[0]?.id, count: 1 }
    expect(await upcoming()).toContainEqual(leaving)
    const { at } = (await upcoming()).find(({ type }: { type: string }) => type === leaving.type)
    await advance({ to: at })
    expect(await upcoming()).not.toContainEqual({ ...leaving, at })
    expect(await upcoming()).toContainEqual(expect.objectContaining({ type: 'achBatch.settled' }))
    await advance({ by: 'P5D' })
    await bank.moveFiles()
    const folder = join(settings.outgoing, readdirSync(settings.outgoing)[0] as string)
    const files = readdirSync(folder).map((name) => readAchFile(readFileSync(join(folder, name))))
    expect(files.flatMap(({ faults, warnings }) => [...faults, ...warnings])).toEqual([])
    const entries = files.flatMap(({ file }) => file?.batches.flatMap((batch) => batch.entries) ?? [])
    expect(entries).toHaveLength(
      (await bank.database.query('select from received_payment where return_code is not null')).length,
    )
    expect(entries).toContainEqual(
      expect.objectContaining({
        ...{ code: 51, amount: 9_00, routingNumber: '021000021', name: 'MARY EXAMPLE' },
        addenda: expect.objectContaining({ type: 'return', code: 'R03', originalBank: '81234567' }),
      }),
    )
    expect(await listed('&status=MarkedForReturn')).toEqual([])
    expect((await get(marked[0]?.id ?? '')).json.data.status).toBe('Returned')
    expect((await eventsOf(marked[0]?.id ?? '')).at(-1)[0]).toBe('receivedPayment.returned')
    expect((await balances()).ach_suspense).toBe(0)
    const [row] = await bank.database.query<{ left: number }>(
      `select count(*) as left from received_payment where status = 'MarkedForReturn'`,
    )
    expect(row?.left).toBe(0)
  })
})
