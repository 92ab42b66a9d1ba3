import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { advanceBankTime, organisationNamed, setBankTime } from '../../../test/support/bank-time.ts'
import { deferred } from '../../../test/support/deferred.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { locksAwaited } from '../../../test/support/ledger.ts'
import { makeAccount, makeCustomer } from '../../../test/support/world.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { insertAccount } from '../accounts/accounts.sql.ts'

let bank: TestBank
let organisationId: number
let customerId: string

// A bank a test: its clock goes forward only.
beforeEach(async () => {
  bank = await openTestBank()
  organisationId = await organisationNamed(bank, 'first')
  await setBankTime(bank, organisationId, '2026-01-10T12:00:00Z')
  customerId = await makeCustomer(bank)
})
afterEach(async () => {
  expect(await verifyLedger(bank.database)).toEqual([])
  await bank.close()
})

interface Row {
  id: number
  account_id: number
  period: string
  opening_balance: number
  closing_balance: number
  first_seq: number
  last_seq: number
}

const rows = () => bank.database.query<Row>(`select * from statement order by account_id, period`)

const accountsNow = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeAccount(bank, { customerId })))

const sorted = (ids: (string | number)[]) => ids.map(Number).sort((a, b) => a - b)

async function receive(accountId: string, amount: number, direction = 'Credit'): Promise<void> {
  const body = { amount, direction, companyName: 'Payroll' }
  const { status, text } = await bank.call('POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, { body })
  expect(status, text).toBe(201)
}

describe("the month's turn", () => {
  test.each([0, 1, 3, 4, 7])('makes one statement for each of %i accounts, three a transaction', async (count) => {
    const ids = await accountsNow(count)
    await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
    const chunks: number[] = []
    const made: number[] = []
    const total = await bank.monthTurns.turnMonth(organisationId, '2026-01', {
      chunk: 3,
      made: (_transaction, statements) => {
        chunks.push(statements.length)
        made.push(...statements.map(({ accountId }) => accountId))
      },
    })
    expect(total).toBe(count)
    expect(chunks).toEqual([3, 3, 3].map((size, index) => Math.min(size, count - index * 3)).filter((size) => size > 0))
    expect(sorted(made)).toEqual(sorted(ids))
    expect((await rows()).map(({ account_id, period }) => [account_id, period])).toEqual(
      sorted(ids).map((id) => [id, '2026-01']),
    )
  })

  test('makes statements of quiet, frozen and closed accounts too, and of no later one', async () => {
    const [quiet = '', frozen = '', closed = ''] = await accountsNow(3)
    await receive(closed, 9_00)
    await bank.call('POST', `/v0/banking/accounts/${frozen}/freeze`)
    await bank.call('POST', `/v0/banking/accounts/${closed}/close`, { body: { reason: 'ByCustomer' } })
    await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
    const later = await makeAccount(bank, { customerId })
    await bank.monthTurns.turnMonth(organisationId, '2026-01')
    const made = await rows()
    expect(made.map(({ account_id }) => account_id)).toEqual(sorted([quiet, frozen, closed]))
    expect(made.map(({ closing_balance }) => closing_balance)).toEqual([0, 0, 9_00])
    expect(made.map(({ account_id }) => account_id)).not.toContain(Number(later))
  })

  test('opens each month with what the month before closed with, also when nothing moved', async () => {
    const id = await makeAccount(bank, { customerId })
    await receive(id, 10_00)
    await receive(id, 3_00, 'Debit')
    await advanceBankTime(bank, organisationId, '2026-03-20T00:00:00Z')
    const young = await makeAccount(bank, { customerId })
    await receive(id, 1_00)
    await receive(young, 2_00)
    await advanceBankTime(bank, organisationId, '2026-05-01T00:00:00Z')
    const shown = (await rows()).map((row) => [
      row.account_id,
      row.period,
      row.opening_balance,
      row.closing_balance,
      row.first_seq,
      row.last_seq,
    ])
    expect(shown).toEqual([
      [Number(id), '2026-01', 0, 7_00, 1, 2],
      [Number(id), '2026-02', 7_00, 7_00, 3, 2],
      [Number(id), '2026-03', 7_00, 8_00, 3, 3],
      [Number(id), '2026-04', 8_00, 8_00, 4, 3],
      [Number(young), '2026-03', 0, 2_00, 1, 1],
      [Number(young), '2026-04', 2_00, 2_00, 2, 1],
    ])
  })

  test('may come late and leaves out postings after the month', async () => {
    const id = await makeAccount(bank, { customerId })
    await receive(id, 10_00)
    await setBankTime(bank, organisationId, '2026-02-15T00:00:00Z')
    await receive(id, 5_00)
    await advanceBankTime(bank, organisationId, '2026-03-01T00:00:00Z')
    expect((await rows()).map((row) => [row.opening_balance, row.closing_balance])).toEqual([
      [0, 10_00],
      [10_00, 15_00],
    ])
  })

  test('ends with the last instant of a month: a posting of the next instant is of the next month', async () => {
    const id = await makeAccount(bank, { customerId })
    const freezeAt = (time: string) =>
      bank.database.query(`update organisation set frozen_at = $2::timestamptz where id = $1::bigint`, [
        organisationId,
        time,
      ])
    await freezeAt('2026-01-31T23:59:59.999Z')
    await receive(id, 10_00)
    await freezeAt('2026-02-01T00:00:00.000Z')
    await receive(id, 5_00)
    await bank.monthTurns.turnMonth(organisationId, '2026-01')
    await freezeAt('2026-03-01T00:00:00.000Z')
    await receive(id, 1_00)
    await bank.monthTurns.turnMonth(organisationId, '2026-02')
    const edges = ({ opening_balance, closing_balance, first_seq, last_seq }: Row) =>
      [opening_balance, closing_balance, first_seq, last_seq] as const
    expect((await rows()).map(edges)).toEqual([
      [0, 10_00, 1, 1],
      [10_00, 15_00, 2, 2],
    ])
  })

  test('stopped half-way and called again it completes each account once', async () => {
    const ids = await accountsNow(7)
    await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
    let calls = 0
    const stopped = bank.monthTurns.turnMonth(organisationId, '2026-01', {
      chunk: 2,
      made: () => {
        if (++calls === 3) throw new Error('killed')
      },
    })
    await expect(stopped).rejects.toThrow('killed')
    const before = await rows()
    expect(before).toHaveLength(4)
    expect(await bank.monthTurns.nextMonthTurn(organisationId)).toMatchObject({ period: '2026-01' })
    expect(await bank.monthTurns.turnMonth(organisationId, '2026-01', { chunk: 2 })).toBe(3)
    const after = await rows()
    expect(after.map(({ account_id }) => account_id)).toEqual(sorted(ids))
    expect(after).toEqual(expect.arrayContaining(before))
    expect(await bank.monthTurns.turnMonth(organisationId, '2026-01')).toBe(0)
  })

  test('made by two at once it makes each statement once', async () => {
    const ids = await accountsNow(25)
    await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
    const turn = () => bank.monthTurns.turnMonth(organisationId, '2026-01', { chunk: 2 })
    const counts = await Promise.all([turn(), turn(), turn()])
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25)
    expect((await rows()).map(({ account_id }) => account_id)).toEqual(sorted(ids))
  })

  test('waits for a posting on its way that has a time before it', async () => {
    const id = await makeAccount(bank, { customerId })
    await receive(id, 10_00)
    const locked = deferred()
    const go = deferred()
    const posting = bank.database.transaction(async (transaction) => {
      const [account] = await transaction.query<{ seq: number }>(
        `select seq from account where id = $1::bigint for no key update`,
        [id],
      )
      expect(account?.seq).toBe(1)
      locked.resolve()
      await go.promise
      await transaction.query(
        `with clearing as (update account set seq = seq + 1, balance = balance - 100, posted_at = '2026-01-31T23:59:59.999Z'
           where organisation_id = $2::bigint and id < 0 returning *),
         own as (update account set seq = seq + 1, balance = balance + 100, posted_at = '2026-01-31T23:59:59.999Z'
           where id = $1::bigint returning *)
         insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id, credit_seq,
           credit_balance, amount, source_kind, party, created_at)
         select 2000000, $2::bigint, c.id, c.seq, c.balance, o.id, o.seq, o.balance, 100, 'received_ach', 'Late', o.posted_at
         from clearing c, own o`,
        [id, organisationId],
      )
    })
    await locked.promise
    await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
    const turn = bank.monthTurns.turnMonth(organisationId, '2026-01')
    await locksAwaited(bank)
    expect(await Promise.race([turn, nextTurn('waits')])).toBe('waits')
    go.resolve()
    await posting
    expect(await turn).toBe(1)
    expect(await rows()).toMatchObject([{ opening_balance: 0, closing_balance: 11_00, first_seq: 1, last_seq: 2 }])
  })

  test('waits for an account on its way that has a time before it', async () => {
    const inserted = deferred()
    const go = deferred()
    const opening = bank.database.transaction(async (transaction) => {
      await insertAccount(transaction, { id: 2_000_000, organisationId, customerId: Number(customerId), tags: {} })
      inserted.resolve()
      await go.promise
    })
    await inserted.promise
    await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
    const turn = bank.monthTurns.turnMonth(organisationId, '2026-01')
    await locksAwaited(bank)
    expect(await Promise.race([turn, nextTurn('waits')])).toBe('waits')
    go.resolve()
    await opening
    expect(await turn).toBe(1)
  })

  test('is refused for a month that is not over', async () => {
    await accountsNow(1)
    await expect(bank.monthTurns.turnMonth(organisationId, '2026-01')).rejects.toMatchObject({
      code: 'period_not_over',
    })
    expect(await rows()).toEqual([])
  })

  test('leaves other organisations alone', async () => {
    const other = await organisationNamed(bank, 'second')
    await setBankTime(bank, other, '2026-01-10T12:00:00Z')
    const { json } = await bank.call('POST', '/v0/sandbox/customers', { key: bank.otherKey, body: { name: 'Grace' } })
    const body = { customerId: json.data.id }
    await bank.call('POST', '/v0/banking/accounts', { key: bank.otherKey, body })
    const [own = ''] = await accountsNow(1)
    await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
    expect(await bank.monthTurns.turnMonth(organisationId, '2026-01')).toBe(1)
    expect((await rows()).map(({ account_id }) => account_id)).toEqual([Number(own)])
  })
})

describe('the next turn', () => {
  test('is that of the month in which the organisation was made, or its oldest account', async () => {
    const [row] = await bank.database.query<{ period: string }>(
      `select to_char(created_at, 'YYYY-MM') as period from organisation where id = $1::bigint`,
      [organisationId],
    )
    const { period } = await bank.monthTurns.nextMonthTurn(organisationId)
    expect(period).toBe(row?.period)
    await accountsNow(1)
    const next = { period: '2026-01', dueAt: '2026-02-01T00:00:00.000Z' }
    expect(await bank.monthTurns.nextMonthTurn(organisationId)).toEqual(next)
  })

  test('moves on month by month, over the end of a year, and never back', async () => {
    const { nextMonthTurn, finishTurn } = bank.monthTurns
    await finishTurn(organisationId, '2025-11')
    const next = { period: '2025-12', dueAt: '2026-01-01T00:00:00.000Z' }
    expect(await nextMonthTurn(organisationId)).toEqual(next)
    await finishTurn(organisationId, '2025-12')
    await finishTurn(organisationId, '2025-10')
    expect(await nextMonthTurn(organisationId)).toEqual({ period: '2026-01', dueAt: '2026-02-01T00:00:00.000Z' })
  })

  test('fails for an unknown organisation', async () => {
    await expect(bank.monthTurns.nextMonthTurn(1)).rejects.toThrow('there is no organisation 1')
  })
})
