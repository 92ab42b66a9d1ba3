import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestBank } from '../../../../test/support/harness.ts'
import { accountOf, expectSoundLedger, makePayer, type Payer } from '../../../../test/support/ledger.ts'
import { incomingFile, returnOf, type SentEntry } from '../../../../test/support/rails/incoming.ts'
import { openRailBank } from '../../../../test/support/rails/leaving.ts'

let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openRailBank()
  payer = await makePayer(bank, 10_00)
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

let sequence = 0

/** Takes the return of an unknown payment, and returns the id of its exception. */
async function exceptionOf(own: Partial<SentEntry> = {}): Promise<number> {
  const unknown = returnOf({ traceNumber: '812345679999999', amount: 3_00 }, { sequence: ++sequence })
  const bytes = incomingFile({
    ...{ entries: [{ ...unknown, ...own }], settlesOn: '2030-02-05' },
    modifier: String(sequence % 10),
  })
  expect(await bank.takeFile({ name: 'in.ach', bytes })).toMatchObject({ state: 'applied', exceptions: 1 })
  const [row] = await bank.database.query<{ id: number }>(`select max(id) as id from ach_exception`)
  return row?.id ?? 0
}

async function sums() {
  const rows = await bank.database.query<{ kind: string; sum: number }>(
    `select kind, sum(balance)::bigint as sum from account where kind in ('ach_suspense', 'ach_write_off') group by kind`,
  )
  const { ach_suspense: suspense = 0, ach_write_off: writtenOff = 0 } = Object.fromEntries(
    rows.map(({ kind, sum }) => [kind, sum]),
  )
  return { suspense, writtenOff }
}
const balance = async () => (await accountOf(bank, payer.accountId)).balance

describe('an exception', () => {
  test('is resolved to an account of a customer: a credit is paid in, a debit is taken', async () => {
    const before = await balance()
    const to = { to: 'account', accountId: Number(payer.accountId) } as const
    const credit = await exceptionOf()
    expect((await sums()).suspense).toBe(3_00)
    expect(await bank.resolveException(credit, { reason: 'Found by hand', ...to })).toEqual({
      ...{ id: String(credit), kind: 'return_unmatched', detail: 'R03 of trace 812345679999999' },
      ...{ amount: 3_00, direction: 'Credit', createdAt: expect.any(String) },
      ...{ resolution: 'Account', reason: 'Found by hand', accountId: payer.accountId },
      resolvedAt: expect.stringMatching(/^2030/),
    })
    expect([await balance(), await sums()]).toEqual([before + 3_00, { suspense: 0, writtenOff: 0 }])
    await bank.resolveException(await exceptionOf({ code: 26, amount: 4_00 }), { reason: 'Taken back', ...to })
    expect([await balance(), (await sums()).suspense]).toEqual([before - 1_00, 0])
    const { json } = await bank.call('GET', '/v0/audit-log?limit=100')
    expect(json.data.map(({ action }: { action: string }) => action)).toContain('achException.resolved')
  })

  test('is written off in both directions', async () => {
    await bank.resolveException(await exceptionOf(), { reason: 'Small', to: 'writeOff' })
    expect(await sums()).toEqual({ suspense: 0, writtenOff: 3_00 })
    await bank.resolveException(await exceptionOf({ code: 26, amount: 1_00 }), { reason: 'Small', to: 'writeOff' })
    expect(await sums()).toEqual({ suspense: 0, writtenOff: 2_00 })
  })

  test('is resolved once, also by two commands at the same time', async () => {
    const id = await exceptionOf()
    const before = (await sums()).writtenOff
    const both = await Promise.allSettled(
      [1, 2].map((n) => bank.resolveException(id, { reason: `Command ${n}`, to: 'writeOff' })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const again = bank.resolveException(id, { reason: 'Again', to: 'writeOff' })
    await expect(again).rejects.toThrow(`ACH exception ${id} was resolved before`)
    expect((await sums()).writtenOff).toBe(before + 3_00)
  })

  test('without money is noted', async () => {
    await bank.takeFile({ name: 'wrong.ach', bytes: Buffer.from('no file') })
    const [row] = await bank.database.query<{ id: number }>(`select id from ach_exception where kind = 'file_refused'`)
    const id = row?.id ?? 0
    const moved = bank.resolveException(id, { reason: 'x', to: 'writeOff' })
    await expect(moved).rejects.toThrow('has no money: give a reason alone')
    expect(await bank.resolveException(id, { reason: 'Sent again', to: 'none' })).toMatchObject({
      ...{ resolution: 'Noted', amount: 0 },
    })
  })

  test('stays open where the money cannot go there', async () => {
    const id = await exceptionOf()
    const refused = async (resolution: Parameters<TestBank['resolveException']>[1], text: string, of = id) =>
      expect(bank.resolveException(of, resolution)).rejects.toThrow(text)
    const reason = 'A reason'
    await refused({ reason, to: 'none' }, 'has 300 cents in suspense: say --account ID or --write-off')
    await refused({ reason, to: 'account', accountId: 9_000_000 }, 'has no account 9000000')
    await refused({ reason, to: 'writeOff' }, 'there is no ACH exception 9000000', 9_000_000)
    const closed = await makePayer(bank)
    await bank.call('POST', `/v0/banking/accounts/${closed.accountId}/close`, { body: { reason: 'ByCustomer' } })
    await refused({ reason, to: 'account', accountId: Number(closed.accountId) }, 'is closed: reopen it first')
    const poor = await makePayer(bank)
    const debit = await exceptionOf({ code: 26 })
    await refused({ reason, to: 'account', accountId: Number(poor.accountId) }, 'cannot take the amount', debit)
    expect((await sums()).suspense).toBe(0)
    const open = await bank.database.query(`select from ach_exception where resolved_at is null`)
    expect(open).toHaveLength(2)
  })
})
