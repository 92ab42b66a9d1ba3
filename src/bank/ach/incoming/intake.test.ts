import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../../test/support/harness.ts'
import { accountOf, expectSoundLedger, makePayer, type Payer, pay } from '../../../../test/support/ledger.ts'
import { otherBank } from '../../../../test/support/rails/ach-files.ts'
import { changeOf, incomingFile, returnOf, type Sent } from '../../../../test/support/rails/incoming.ts'
import { receivedFile } from '../../../../test/support/rails/received-file.ts'
import { railSettings } from '../../../../test/support/rails/settings.ts'

const { settings, remove } = railSettings()
const { incoming } = settings

let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openTestBank({ ach: settings })
  // A Monday, 08:00 in New York.
  await bank.database.query(`update organisation set clock_offset = '2030-02-04T13:00:00Z' - clock_timestamp()`)
  payer = await makePayer(bank, 1_000_00)
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
const now = async () => (await bank.call('GET', '/v0/sandbox/clock')).json.data.now as string
const paymentOf = async (id: string) => (await bank.call('GET', `/v0/banking/payments/${id}`)).json.data
const balanceOf = async () => (await accountOf(bank, payer.accountId)).balance as number
const take = (sent: Sent, name = 'in.ach') => bank.takeFile({ name, bytes: incomingFile(sent) })
const exceptions = () =>
  bank.database.query<{ kind: string; amount: number }>('select kind, amount from ach_exception order by file_id, line')
async function balances() {
  const rows = await bank.database.query<{ kind: string; sum: number }>(
    `select kind, sum(balance)::bigint as sum from account where id < 0 group by kind`,
  )
  return Object.fromEntries(rows.map(({ kind, sum }) => [kind, sum]))
}

/** A payment that is in a file, and with `settled` has settled. */
async function sent(amount: number, settled = true) {
  const { json } = await pay(bank, payer, { amount })
  await advance({ by: settled ? 'P4D' : 'PT15H' })
  const payment = await paymentOf(json.data.id)
  expect(payment.status).toBe(settled ? 'Sent' : 'Clearing')
  return payment as { id: string; amount: number; traceNumber: string; settlementDate: string }
}
let sequence = 0
let modifiers = 0
const modifier = () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'[modifiers++ % 36] as string

describe('a return', () => {
  test('gives the money back, from Sent and from Clearing, once', async () => {
    const { ach_settlement: settlement } = await balances()
    const clearing = await sent(11_00, false)
    const before = await balanceOf()
    const settlesOn = (await now()).slice(0, 10)
    const file: Sent = { entries: [returnOf(clearing, { sequence: ++sequence })], settlesOn, modifier: modifier() }
    expect(await take(file)).toMatchObject({ state: 'applied', entries: 1, exceptions: 0 })
    expect(await paymentOf(clearing.id)).toMatchObject({ status: 'Returned', returnCode: 'R03' })
    expect(await balanceOf()).toBe(before + 11_00)
    expect(await take(file)).toMatchObject({ state: 'already applied', entries: 1 })
    expect(await balanceOf()).toBe(before + 11_00)
    await advance({ by: 'P4D' })
    expect((await paymentOf(clearing.id)).status).toBe('Returned')
    expect(await balances()).toMatchObject({ ach_settlement: settlement })

    const settled = await sent(12_00)
    await take({
      entries: [returnOf(settled, { sequence: ++sequence, code: 'R02' })],
      settlesOn: settled.settlementDate,
      modifier: modifier(),
    })
    expect(await paymentOf(settled.id)).toMatchObject({ status: 'Returned', returnCode: 'R02' })
    const { json } = await bank.call('GET', `/v0/events?entityType=payment&entityId=${settled.id}&limit=100`)
    expect(json.data.map(({ type }: { type: string }) => type)).toEqual([
      'payment.created',
      'payment.clearing',
      'payment.sent',
      'payment.returned',
    ])
  })

  test('that is late, repeated or of no payment is an exception, and its money is in suspense', async () => {
    const payment = await sent(13_00)
    const before = await balanceOf()
    const known = (await exceptions()).length
    const { ach_suspense: suspense = 0 } = await balances()
    const late = { entries: [returnOf(payment, { sequence: ++sequence })], settlesOn: '2030-03-28' }
    expect(await take({ ...late, modifier: modifier() })).toMatchObject({ state: 'applied', exceptions: 1 })
    expect((await paymentOf(payment.id)).status).toBe('Sent')
    const inTime = { settlesOn: payment.settlementDate, modifier: modifier() }
    const twice = [returnOf(payment, { sequence: ++sequence }), returnOf(payment, { sequence: ++sequence })]
    await take({ ...inTime, entries: twice })
    expect(await balanceOf()).toBe(before + 13_00)
    const unknown = { traceNumber: '812345679999999', amount: 1_00 }
    const debit = { ...returnOf({ ...unknown, amount: 3_00 }, { sequence: sequence + 2 }), code: 26 }
    const entries = [returnOf(unknown, { sequence: sequence + 1 }), debit]
    await take({ ...inTime, modifier: modifier(), entries })
    sequence += 2
    expect((await exceptions()).slice(known)).toEqual([
      { kind: 'return_late', amount: 13_00 },
      { kind: 'return_repeated', amount: 13_00 },
      { kind: 'return_unmatched', amount: 1_00 },
      { kind: 'return_unmatched', amount: 3_00 },
    ])
    expect((await balances()).ach_suspense).toBe(suspense + 26_00 + 1_00 - 3_00)
  })

  test('of another organisation matches nothing in a sandbox', async () => {
    const payment = await sent(2_00)
    const [other] = await bank.database.query<{ id: number }>(`select id from organisation where name = 'second'`)
    const bytes = incomingFile({
      entries: [returnOf(payment, { sequence: ++sequence })],
      settlesOn: payment.settlementDate,
      modifier: modifier(),
    })
    const intake = await bank.takeFile({ name: 'in.ach', bytes, organisationId: other?.id })
    expect(intake).toMatchObject({ state: 'applied', exceptions: 1 })
    expect((await paymentOf(payment.id)).status).toBe('Sent')
  })

  test('that is dishonored, contested or refuses a change is left to the operator', async () => {
    const known = (await exceptions()).length
    const answer = {
      ...{ originalTrace: '812345670000001', originalBank: otherBank },
      ...{ returnTrace: '812345670000002', returnSettlementDay: '035', returnReason: '03' },
    }
    const entries: Sent['entries'] = [
      {
        ...{ sequence: ++sequence, code: 21, amount: 5_00 },
        addenda: { type: 'dishonour', code: 'R68', ...answer, information: '' },
      },
      {
        ...{ sequence: ++sequence, code: 26, amount: 6_00 },
        addenda: {
          ...{ type: 'contest', code: 'R73', ...answer, returnedOn: '', originalSettlementDay: '' },
          ...{ dishonourTrace: '812345670000003', dishonourSettlementDay: '', dishonourReason: '68' },
        },
      },
    ]
    await take({ entries, settlesOn: '2030-03-04', modifier: modifier() })
    expect((await exceptions()).slice(known)).toEqual([
      { kind: 'return_dishonored', amount: 5_00 },
      { kind: 'dishonor_contested', amount: 6_00 },
    ])
  })
})

describe('a notification of change', () => {
  const notify = async (payment: { traceNumber: string }, code: string, data: string) =>
    take({
      entries: [changeOf(payment, { sequence: ++sequence, code, data })],
      settlesOn: '2030-03-05',
      modifier: modifier(),
      batch: { secCode: 'COR', serviceClass: 220 },
    })
  const externalAccount = async () =>
    (await bank.call('GET', `/v0/banking/customers/${payer.customerId}/external-accounts`)).json.data[0]

  test('corrects the external account, and the payment stays as it is', async () => {
    const payment = await sent(1_00)
    const before = await externalAccount()
    expect(await notify(payment, 'C03', '011401533   5566778899')).toMatchObject({ exceptions: 0 })
    const corrected = await externalAccount()
    expect(corrected).toEqual({
      ...before,
      routingNumber: '011401533',
      accountNumber: '5566778899',
      bank: expect.any(String),
    })
    expect(await notify(payment, 'C05', '32')).toMatchObject({ exceptions: 0 })
    expect(await externalAccount()).toEqual({ ...corrected, accountType: 'Savings' })
    expect(await paymentOf(payment.id)).toEqual(payment)
    const { json } = await bank.call('GET', '/v0/events?type=externalAccount.corrected')
    expect(json.data.map(({ entity, data }: never) => [(entity as { version: number }).version, data])).toEqual([
      [2, corrected],
      [3, { ...corrected, accountType: 'Savings' }],
    ])
    const clear = await bank.database.query(`select from event_page where position('5566778899' in events) > 0`)
    expect(clear).toEqual([])
    const known = (await exceptions()).length
    await notify(payment, 'C09', '12345')
    await notify(payment, 'C01', 'NOT-A-NUMBER')
    expect((await exceptions()).slice(known)).toEqual(Array(2).fill({ kind: 'change_not_usable', amount: 0 }))
  })

  test('that matches nothing is an exception', async () => {
    const known = (await exceptions()).length
    await notify({ traceNumber: '812345679999999' }, 'C01', '5566778899')
    expect((await exceptions()).slice(known)).toEqual([{ kind: 'change_unmatched', amount: 0 }])
  })
})

describe('a file', () => {
  const credit = (accountNumber: string, changes: Partial<Sent['entries'][number]> = {}): Sent['entries'][number] => ({
    ...{ sequence: ++sequence, code: 22, amount: 7_00, accountNumber, ...changes },
  })

  test('has one effect however often it comes, and an entry in two files has one', async () => {
    const { accountNumber } = await accountOf(bank, payer.accountId)
    const before = await balanceOf()
    const settlesOn = '2030-02-04'
    const entry = credit(accountNumber)
    const file: Sent = { entries: [entry], settlesOn, modifier: modifier() }
    const [one, two] = await Promise.all([take(file), take(file)])
    expect([one?.state, two?.state].sort()).toEqual(['already applied', 'applied'])
    expect(await balanceOf()).toBe(before + 7_00)
    const other = credit(accountNumber, { amount: 8_00 })
    expect(await take({ entries: [entry, other], settlesOn, modifier: modifier() })).toMatchObject({ state: 'applied' })
    expect(await balanceOf()).toBe(before + 15_00)
    expect(await bank.database.query(`select outcome from ach_received_entry where outcome = 'repeated'`)).toHaveLength(
      1,
    )
  })

  test('is refused as a whole where it has a fault, is for another bank, or repeats the header of another', async () => {
    const { accountNumber } = await accountOf(bank, payer.accountId)
    const before = await balanceOf()
    const known = (await exceptions()).length
    const file: Sent = { entries: [credit(accountNumber)], settlesOn: '2030-02-05', modifier: modifier() }
    const broken = Buffer.from(incomingFile(file).toString('latin1').replace('0000000700', '0000000701'), 'latin1')
    expect(await bank.takeFile({ name: 'broken.ach', bytes: broken })).toMatchObject({ state: 'refused' })
    expect(await bank.takeFile({ name: 'broken.ach', bytes: broken })).toMatchObject({
      reason: 'the file was refused before',
    })
    expect(await bank.takeFile({ name: 'empty', bytes: Buffer.alloc(0) })).toMatchObject({ state: 'refused' })
    const elsewhere = { ...file, header: { destination: '011401533' } }
    expect(await take(elsewhere)).toMatchObject({ state: 'refused', reason: expect.stringContaining('011401533') })
    expect(await balanceOf()).toBe(before)
    expect(await take(file)).toMatchObject({ state: 'applied' })
    const other = { ...file, entries: [credit(accountNumber)] }
    expect(await take(other)).toMatchObject({ state: 'refused', reason: expect.stringContaining('same origin') })
    expect(await balanceOf()).toBe(before + 7_00)
    expect((await exceptions()).slice(known)).toEqual(Array(4).fill({ kind: 'file_refused', amount: 0 }))
  })

  test('has each entry booked, returned or left to the operator by itself, whatever its SEC code', async () => {
    const { accountNumber } = await accountOf(bank, payer.accountId)
    const before = await balanceOf()
    const known = (await exceptions()).length
    const { ach_suspense: suspense = 0 } = await balances()
    const settlesOn = '2030-02-04'
    const entry = (code: number, amount: number, text = '', addenda: string[] = []) => ({
      ...{ code, amount, accountNumber, sequence: ++sequence, text, addenda },
    })
    const name = `${' '.repeat(15)}GRACE SAMPLE`
    const bytes = receivedFile(
      [
        {
          secCode: 'PPD',
          entries: [entry(22, 10_00, name), { ...entry(22, 11_00, name), routingNumber: '812345679' }],
        },
        { secCode: 'IAT', entries: [entry(22, 12_00, '', ['10', '11'])], companyName: '' },
        { secCode: 'CTX', entries: [entry(22, 13_00, `${' '.repeat(15)}0002GRACE SAMPLE`, ['05', '05'])] },
        { secCode: 'ARC', entries: [entry(27, 1_00)] },
        { secCode: 'POS', entries: [entry(27, 2_00, name, ['02'])] },
        {
          secCode: 'CIE',
          entries: [entry(22, 14_00, 'GRACE SAMPLE   7'), { ...entry(22, 15_00), accountNumber: '77' }],
        },
        { secCode: 'ZZZ', entries: [entry(22, 16_00), entry(27, 3_00)] },
      ],
      settlesOn,
      modifier(),
    )
    expect(await bank.takeFile({ name: 'mixed.ach', bytes })).toMatchObject({
      ...{ state: 'applied', entries: 10, exceptions: 4 },
    })
    expect(await balanceOf()).toBe(before + 10_00 + 13_00 - 1_00 - 2_00 + 14_00)
    expect((await exceptions()).slice(known)).toEqual([
      { kind: 'entry_invalid', amount: 11_00 },
      { kind: 'entry_unsupported', amount: 12_00 },
      { kind: 'entry_unsupported', amount: 16_00 },
      { kind: 'entry_unsupported', amount: 3_00 },
    ])
    // That of the unknown account is on its way back.
    expect((await balances()).ach_suspense).toBe(suspense + 11_00 + 12_00 + 15_00 + 16_00 - 3_00)
    const { json } = await bank.call('GET', `/v0/banking/received-payments?accountId=${payer.accountId}&limit=5`)
    expect(
      json.data.map(({ secCode, receiverName, addenda }: Record<string, string>) => [secCode, receiverName, addenda]),
    ).toEqual([
      ['CIE', 'GRACE SAMPLE', undefined],
      ['POS', 'GRACE SAMPLE', 'TERMINAL 1'],
      ['ARC', '', undefined],
      ['CTX', 'GRACE SAMPLE', `${'Remittance 1'.padEnd(80)}Remittance 2`],
      ['PPD', 'GRACE SAMPLE', undefined],
    ])
    const { json: day } = await bank.call('GET', `/v0/banking/ach-reconciliation?date=${settlesOn}`)
    expect(day.data.difference).toBe(0)
  })

  test('may write an account number with blanks, dashes and leading zeros', async () => {
    const { accountNumber } = await accountOf(bank, payer.accountId)
    const before = await balanceOf()
    const dashed = `${accountNumber.slice(0, 4)}-${accountNumber.slice(4)}`
    const forms = [accountNumber.padStart(17, '0'), accountNumber.padStart(17), dashed, `00-${dashed}`]
    const others = [accountNumber.replace(/.$/, '-'), '0000', `${accountNumber}0`]
    const entries = [...forms, ...others].map((number) => credit(number))
    const taken = await take({ entries, settlesOn: '2030-02-04', modifier: modifier() })
    expect(taken).toMatchObject({ state: 'applied', exceptions: 0 })
    expect(await balanceOf()).toBe(before + forms.length * 7_00)
    const returned = await bank.database.query<{ code: string }>(
      `select return_code as code from received_payment
       where file_id = $1 and return_code is not null`,
      [taken.fileId],
    )
    expect(returned.map(({ code }) => code)).toEqual(others.map(() => 'R03'))
  })

  test('is taken from the folder of its organisation and moved away', async () => {
    const { accountNumber } = await accountOf(bank, payer.accountId)
    const before = await balanceOf()
    const [own] = await bank.database.query<{ id: number }>(`select id from organisation where name = 'first'`)
    const path = join(incoming, String(own?.id))
    mkdirSync(path, { recursive: true })
    const put = (name: string, bytes: Buffer, ageMs: number) => {
      writeFileSync(join(path, name), bytes)
      const at = (Date.now() - ageMs) / 1_000
      utimesSync(join(path, name), at, at)
    }
    put(
      'good.ach',
      incomingFile({ entries: [credit(accountNumber)], settlesOn: '2030-02-05', modifier: modifier() }),
      5_000,
    )
    put('bad.ach', Buffer.from('no ACH file'), 5_000)
    // Young for a minute: a busy machine may look into the folder seconds later.
    put('young.ach', Buffer.from('half a fi'), -60_000)
    put('.temporary', Buffer.from('half a fi'), 5_000)
    await bank.takeFiles()
    expect(await balanceOf()).toBe(before + 7_00)
    expect(readdirSync(path).sort()).toEqual(['.temporary', 'done', 'refused', 'young.ach'])
    expect(readdirSync(join(path, 'done'))).toEqual([expect.stringMatching(/^\d+-good\.ach$/)])
    expect(readdirSync(join(path, 'refused'))).toEqual([expect.stringMatching(/^\d+-bad\.ach$/)])
  })
})
