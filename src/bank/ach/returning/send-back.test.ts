import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestBank } from '../../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeExternalAccount,
  makePayer,
  type Payer,
  pay,
  receiveAch,
} from '../../../../test/support/ledger.ts'
import { otherBank } from '../../../../test/support/rails/ach-files.ts'
import { incomingFile, receiveEntry, returnOf, type SentEntry } from '../../../../test/support/rails/incoming.ts'
import { advanceTo, openRailBank } from '../../../../test/support/rails/leaving.ts'
import { readAchFile } from '../../../rails/ach/read-file.ts'

let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openRailBank()
  payer = await makePayer(bank, 500_00)
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

let sequence = 100
let files = 0
const balance = async () => (await accountOf(bank, payer.accountId)).balance as number
const suspense = async () =>
  (
    await bank.database.query<{ sum: number }>(
      `select coalesce(sum(balance), 0)::bigint as sum from account where kind = 'ach_suspense'`,
    )
  )[0]?.sum
const open = () =>
  bank.database.query<{ id: number; kind: string; detail: string; paymentId: number | null }>(
    `select id, kind, detail, payment_id as "paymentId" from ach_exception where resolved_at is null order by id`,
  )
const paymentOf = async (id: string) => (await bank.call('GET', `/v0/banking/payments/${id}`)).json.data

/** Takes an entry of another bank. */
async function take(entry: SentEntry, settlesOn: string): Promise<void> {
  const modifier = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[files++ % 26] as string
  const bytes = incomingFile({ entries: [entry], settlesOn, modifier })
  expect(await bank.takeFile({ name: 'in.ach', bytes })).toMatchObject({ state: 'applied' })
}

/** The last file of this bank. Every reader has to read it without a fault. */
async function lastFile() {
  const { json } = await bank.call('GET', '/v0/sandbox/ach-files?direction=outgoing&limit=1')
  const { text } = await bank.call('GET', `/v0/sandbox/ach-files/${json.data[0].id}/content`)
  const { file, faults, warnings } = readAchFile(Buffer.from(text))
  expect([faults, warnings]).toEqual([[], []])
  return file?.batches ?? []
}

/** A payment whose return has come too late, with its exception. */
async function lateReturn() {
  const { id } = (await pay(bank, payer, { amount: 5_00 })).json.data
  await advanceTo(bank, '2030-02-06T14:00:00Z')
  const payment = await paymentOf(id)
  await take(returnOf(payment, { sequence: ++sequence }), '2030-02-25')
  const [exception] = await open()
  expect(exception).toMatchObject({ kind: 'return_late', paymentId: Number(id) })
  return { payment, trace: otherBank + String(sequence).padStart(7, '0'), id: exception?.id ?? 0 }
}

describe('a return that came too late', () => {
  test('is dishonored by the next file, and a contest of the other bank brings the money again', async () => {
    const { payment, trace, id } = await lateReturn()
    await advanceTo(bank, '2030-02-25T15:00:00Z')
    const before = await balance()
    const reason = 'Eleven days late'
    for (const [code, text] of [
      ['R73', '--dishonor takes a code: R61, R62, R67, R68, R69, R70'],
      ['toString', '--dishonor takes a code'],
    ] as const) {
      await expect(bank.resolveException(id, { reason, to: 'dishonor', code })).rejects.toThrow(text)
    }
    await expect(bank.resolveException(id, { reason, to: 'contest', code: 'R73' })).rejects.toThrow(
      `ACH exception ${id} is not the dishonor of a return with money`,
    )
    const both = await Promise.allSettled(
      [1, 2].map(() => bank.resolveException(id, { reason, to: 'dishonor', code: 'R68' })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))).toEqual([
      expect.objectContaining({ resolution: 'Dishonored', returnCode: 'R68', amount: 5_00, direction: 'Credit' }),
    ])
    expect([await suspense(), await open()]).toEqual([5_00, []])

    await advanceTo(bank, '2030-02-25T19:15:00Z')
    const [batch] = await lastFile()
    expect(batch).toMatchObject({ serviceClass: 220, bank: '81234567', effectiveDate: '2030-02-26' })
    expect(batch?.entries).toMatchObject([
      {
        ...{ code: 21, routingNumber: '021000021', amount: 5_00 },
        addenda: {
          ...{ type: 'dishonour', code: 'R68', originalTrace: payment.traceNumber, originalBank: otherBank },
          ...{ returnTrace: trace, returnSettlementDay: '056', returnReason: '03', information: '' },
        },
      },
    ])
    const dishonorTrace = batch?.entries[0]?.traceNumber ?? ''
    await advanceTo(bank, '2030-02-26T14:00:00Z')
    expect([await suspense(), await balance(), (await paymentOf(payment.id)).status]).toEqual([0, before, 'Sent'])

    const contest = {
      ...{ type: 'contest' as const, code: 'R73', originalTrace: payment.traceNumber, originalBank: otherBank },
      ...{ returnedOn: '2030-02-25', originalSettlementDay: '037', returnTrace: trace, returnSettlementDay: '056' },
      ...{ returnReason: '03', dishonourTrace: dishonorTrace, dishonourSettlementDay: '057', dishonourReason: '68' },
    }
    await take({ sequence: ++sequence, code: 21, amount: 5_00, addenda: contest }, '2030-02-28')
    const [contested] = await open()
    expect(contested).toMatchObject({
      ...{ kind: 'dishonor_contested', detail: `R73 of dishonor ${dishonorTrace}`, paymentId: Number(payment.id) },
    })
    await expect(bank.resolveException(contested?.id ?? 0, { reason, to: 'dishonor', code: 'R68' })).rejects.toThrow(
      'is not a return with money',
    )
    await bank.resolveException(contested?.id ?? 0, { reason, to: 'account', accountId: Number(payer.accountId) })
    expect([await suspense(), await balance()]).toEqual([0, before + 5_00])
  })

  test('is dishonored if that settles within five banking days, and no later', async () => {
    // The return settles on Monday, 25 March 2030.
    const { id: paymentId } = (await pay(bank, payer, { amount: 6_00 })).json.data
    await advanceTo(bank, '2030-03-25T15:00:00Z')
    await take(returnOf(await paymentOf(paymentId), { sequence: ++sequence }), '2030-03-25')
    const [exception] = await open()
    const id = exception?.id ?? 0
    // After the last cut-off of Friday, the next one settles on Tuesday, 2 April.
    await advanceTo(bank, '2030-03-30T02:15:01Z')
    const late = bank.resolveException(id, { reason: 'Late', to: 'dishonor', code: 'R68' })
    await expect(late).rejects.toThrow('it is too late for R68: it would have to settle by 2030-04-01')
    await bank.resolveException(id, { reason: 'Late', to: 'writeOff' })
    const { id: second } = (await pay(bank, payer, { amount: 6_00 })).json.data
    await advanceTo(bank, '2030-04-12T15:00:00Z')
    await take(returnOf(await paymentOf(second), { sequence: ++sequence }), '2030-04-12')
    await advanceTo(bank, '2030-04-19T02:14:59Z')
    const [last] = await open()
    await bank.resolveException(last?.id ?? 0, { reason: 'In time', to: 'dishonor', code: 'R68' })
    await advanceTo(bank, '2030-04-22T15:00:00Z')
    expect(await suspense()).toBe(0)
  })
})

test('a return of ours that the other bank dishonors is contested by the next file, and the exception names its account', async () => {
  await advanceTo(bank, '2030-05-06T15:00:00Z')
  const received = await receiveEntry(bank, payer.accountId, { settlesOn: '2030-05-06', amount: 8_00 })
  const before = await balance()
  await bank.call('POST', `/v0/banking/received-payments/${received.id}/return`, { body: { returnCode: 'R06' } })
  await advanceTo(bank, '2030-05-07T15:00:00Z')
  const [returned] = await lastFile()
  const returnTrace = returned?.entries[0]?.traceNumber ?? ''
  const original = { originalTrace: received.traceNumber, originalBank: '81234567' }
  const dishonour = {
    ...{ type: 'dishonour' as const, code: 'R69', ...original, returnTrace, returnSettlementDay: '127' },
    ...{ returnReason: '06', information: '' },
  }
  await take({ sequence: ++sequence, code: 21, amount: 8_00, addenda: dishonour }, '2030-05-08')
  const [exception] = await open()
  expect(exception).toMatchObject({
    kind: 'return_dishonored',
    detail: `R69 of return ${returnTrace}, received payment ${received.id} of account ${payer.accountId}`,
  })
  const trace = otherBank + String(sequence).padStart(7, '0')
  expect(
    await bank.resolveException(exception?.id ?? 0, { reason: 'No errors', to: 'contest', code: 'R76' }),
  ).toMatchObject({ resolution: 'Contested', returnCode: 'R76' })
  await advanceTo(bank, '2030-05-07T19:15:00Z')
  const [batch] = await lastFile()
  expect(batch?.entries).toMatchObject([
    {
      ...{ code: 21, amount: 8_00 },
      addenda: {
        ...{ type: 'contest', code: 'R76', ...original, returnTrace, returnSettlementDay: '127', returnReason: '06' },
        ...{ returnedOn: '2030-05-07', originalSettlementDay: '126' },
        ...{ dishonourTrace: trace, dishonourSettlementDay: '128', dishonourReason: '69' },
      },
    },
  ])
  await advanceTo(bank, '2030-05-09T15:00:00Z')
  expect([await suspense(), await balance()]).toEqual([0, before - 8_00])
})

test('the other banks of a sandbox contest a dishonor by the account number, and dishonor a return by the name of the company', async () => {
  const externalAccountId = await makeExternalAccount(bank, payer.customerId, { accountNumber: '9993030073' })
  await advanceTo(bank, '2030-06-03T14:30:00Z')
  const { id } = (await pay(bank, { ...payer, externalAccountId }, { amount: 9_00 })).json.data
  const received = await receiveAch(bank, payer.accountId, { amount: 3_00, companyName: 'DISHONOR R69' })
  expect(received.status).toBe(201)
  const [{ id: receivedId }] = (await bank.call('GET', '/v0/banking/received-payments?limit=1')).json.data
  const path = `/v0/banking/received-payments/${receivedId}/return`
  expect((await bank.call('POST', path, { body: { returnCode: 'R06' } })).status).toBe(200)
  // The return settles on 4 June, the dishonor on the 6th.
  await advanceTo(bank, '2030-06-06T14:00:00Z')
  const [dishonored, ...others] = await open()
  expect(others).toEqual([])
  expect(dishonored).toMatchObject({
    kind: 'return_dishonored',
    detail: expect.stringContaining(`, received payment ${receivedId} of account ${payer.accountId}`),
  })
  const to = { to: 'account', accountId: Number(payer.accountId) } as const
  await bank.resolveException(dishonored?.id ?? 0, { reason: 'Their fields were right', ...to })
  // The payment settled on 4 June; its return comes 45 days later.
  await advanceTo(bank, '2030-07-19T14:00:00Z')
  const [late] = await open()
  expect(late).toMatchObject({ kind: 'return_late', paymentId: Number(id) })
  await bank.resolveException(late?.id ?? 0, { reason: 'Late', to: 'dishonor', code: 'R68' })
  await advanceTo(bank, '2030-07-24T14:00:00Z')
  const [contested] = await open()
  expect(contested).toMatchObject({
    kind: 'dishonor_contested',
    detail: expect.stringMatching(/^R73 /),
    paymentId: Number(id),
  })
  await bank.resolveException(contested?.id ?? 0, { reason: 'They are right', ...to })
  expect(await suspense()).toBe(0)
})
