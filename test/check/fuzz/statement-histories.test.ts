import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dollars } from '../../../ground/text.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { advanceBankTime, bankTime, organisationNamed, setBankTime } from '../../support/bank-time.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { pdfPages } from '../../support/pdf-text.ts'
import { seedOfTest } from '../../support/random.ts'

const HISTORIES = process.env.SOAK ? 250 : 40

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

/** One thing that happens; `which` picks among the accounts or payments there are. */
type Step =
  | { kind: 'open' }
  | { kind: 'receive' | 'draw' | 'pay' | 'payOwn'; which: number; amount: number }
  | { kind: 'return' | 'freeze' | 'close' | 'reopen'; which: number }
  | { kind: 'days'; days: number }
  | { kind: 'almostTurn' }

const which = fc.nat(100)
const movement = (kind: 'receive' | 'draw' | 'pay' | 'payOwn'): fc.Arbitrary<Step> =>
  fc.record({ kind: fc.constant(kind), which, amount: fc.integer({ min: 1, max: 500_00 }) })
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: movement('receive'), weight: 6 },
  { arbitrary: movement('draw'), weight: 2 },
  { arbitrary: movement('pay'), weight: 3 },
  { arbitrary: movement('payOwn'), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constantFrom('return', 'freeze', 'close', 'reopen'), which }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('days' as const), days: fc.integer({ min: 1, max: 70 }) }), weight: 4 },
  { arbitrary: fc.record({ kind: fc.constant('almostTurn' as const) }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('open' as const) }), weight: 1 },
)

interface Movement {
  createdAt: string
  amount: number
  direction: 'Credit' | 'Debit'
}

let histories = 0

describe('statements', () => {
  test('say what the ledger says, month by month, whatever happened', async () => {
    let statements = 0
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      statements += await live(steps)
    })
    await fc.assert(property, { seed: seedOfTest(), numRuns: HISTORIES, endOnFailure: Boolean(process.env.SOAK) })
    expect(await verifyLedger(bank.database)).toEqual([])
    process.stdout.write(`${HISTORIES} histories, ${statements} statements equal the ledger\n`)
  })
})

/** Lives one history in an organisation of its own, and returns how many statements were compared. */
async function live(steps: Step[]): Promise<number> {
  const name = `history-${histories++}`
  const key = await bank.makeKey(name, null)
  const organisationId = await organisationNamed(bank, name)
  await setBankTime(bank, organisationId, '2025-11-20T00:00:00Z')
  const post = (path: string, body: unknown) => bank.call('POST', `/v0/${path}`, { key, body })
  const customerId = (await post('sandbox/customers', { name: 'Ada Example' })).json.data.id
  const elsewhere = await external('021000021', '9876543210')
  const accounts: { id: string; createdAt: string; externalId: string }[] = []
  const payments: string[] = []
  await open()
  for (const one of steps) await take(one)
  const now = await bankTime(bank, organisationId)
  await advanceBankTime(bank, organisationId, `${Number(now.slice(0, 4)) + 1}-01-01T00:00:00.000Z`)
  let compared = 0
  for (const account of accounts) compared += await compare(account)
  return compared

  async function external(routingNumber: string, accountNumber: string): Promise<string> {
    const body = { type: 'Person', name: 'Grace Sample', routingNumber, accountNumber, accountType: 'Checking' }
    return (await post(`banking/customers/${customerId}/external-accounts`, body)).json.data.id
  }

  async function open(): Promise<void> {
    const { id, createdAt, accountNumber } = (await post('banking/accounts', { customerId })).json.data
    accounts.push({ id, createdAt, externalId: await external('812345678', accountNumber) })
  }

  async function take(one: Step): Promise<void> {
    if (one.kind === 'open') return open()
    if (one.kind === 'days' || one.kind === 'almostTurn') {
      const { dueAt } = await bank.monthTurns.nextMonthTurn(organisationId)
      const time = Date.parse(await bankTime(bank, organisationId))
      const later = one.kind === 'days' ? time + one.days * 86_400_000 : Math.max(time, Date.parse(dueAt ?? '') - 40)
      return advanceBankTime(bank, organisationId, new Date(later).toISOString())
    }
    const account = pick(accounts, one.which)
    if (one.kind === 'receive' || one.kind === 'draw') {
      const direction = one.kind === 'receive' ? 'Credit' : 'Debit'
      const body = { amount: one.amount, companyName: 'Payroll', direction }
      return answered(await post(`sandbox/accounts/${account.id}/receive-ach`, body))
    }
    if (one.kind === 'pay' || one.kind === 'payOwn') {
      const counterpartyAccountId = one.kind === 'pay' ? elsewhere : pick(accounts, one.which + 1).externalId
      const body = { amount: one.amount, counterpartyAccountId, description: 'Rent', originalType: 'ACH' }
      const reply = await post(`banking/accounts/${account.id}/payments`, body)
      if (reply.status === 201) payments.push(reply.json.data.id)
      return answered(reply)
    }
    if (one.kind === 'return') {
      if (payments.length === 0) return
      return answered(await post(`sandbox/payments/${pick(payments, one.which)}/return`, { returnCode: 'R01' }))
    }
    const body = one.kind === 'close' ? { reason: 'ByCustomer' } : undefined
    answered(await post(`banking/accounts/${account.id}/${one.kind}`, body))
  }

  async function compare(account: { id: string; createdAt: string }): Promise<number> {
    const get = (path: string) => bank.call('GET', `/v0/banking/${path}`, { key })
    const all = await get(`transactions?accountId=${account.id}&sort=createdAt&limit=1000`)
    const movements: Movement[] = all.json.data
    const listed = (await get(`statements?accountId=${account.id}&sort=createdAt&limit=1000`)).json.data
    const rows = await bank.database.query<{ opening: number; closing: number; first: number; last: number }>(
      `select opening_balance as opening, closing_balance as closing, first_seq as first, last_seq as last
       from statement where account_id = $1::bigint order by period`,
      [account.id],
    )
    const { period: next } = await bank.monthTurns.nextMonthTurn(organisationId)
    const months = monthsBetween(account.createdAt.slice(0, 7), next)
    expect(listed.map(({ period }: { period: string }) => period)).toEqual(months)
    const expected = months.map((month) => {
      const before = movements.filter(({ createdAt }) => createdAt.slice(0, 7) < month)
      const within = movements.filter(({ createdAt }) => createdAt.slice(0, 7) === month)
      const [opening, change] = [sum(before), sum(within)]
      return { opening, closing: opening + change, first: before.length + 1, last: before.length + within.length }
    })
    expect(rows).toEqual(expected)
    const chosen = movements.length % months.length
    await compareDocuments(listed[chosen].id, movements, months[chosen] ?? '')
    return months.length
  }

  async function compareDocuments(statementId: string, movements: Movement[], month: string): Promise<void> {
    const within = movements.filter(({ createdAt }) => createdAt.slice(0, 7) === month)
    const path = `/v0/banking/statements/${statementId}`
    const { json } = await bank.call('GET', `${path}?format=html`, { key })
    const pages = pdfPages((await bank.call('GET', `${path}/pdf`, { key })).bytes)
    const texts = pages.flat().join('\n')
    for (const direction of ['Credit', 'Debit'] as const) {
      const some = within.filter((one) => one.direction === direction)
      const label = `Total ${direction.toLowerCase()}s (${some.length})`
      const total = `${direction === 'Credit' && some.length > 0 ? '+' : ''}${dollars(sum(some))}`
      expect(json.data.html).toContain(`${label}<b>${total}</b>`)
      expect(texts).toContain(`${label}\n${total}\n`)
    }
    const rows = [...json.data.html.matchAll(/<td class="number">([+-]\$[\d,.]+)<\/td>/g)].map(([, amount]) => amount)
    const amounts = within.map((one) => `${one.direction === 'Credit' ? '+' : ''}${dollars(sum([one]))}`)
    expect(rows).toEqual(amounts)
  }
}

function answered({ status, text }: { status: number; text: string }): void {
  expect([200, 201, 409, 422], text).toContain(status)
}

function pick<T>(items: T[], which: number): T {
  return items[which % items.length] as T
}

function sum(movements: Movement[]): number {
  return movements.reduce((total, { amount, direction }) => total + (direction === 'Credit' ? amount : -amount), 0)
}

function monthsBetween(first: string, end: string): string[] {
  const months: string[] = []
  for (let [year = 0, month = 0] = first.split('-').map(Number); ; month++) {
    if (month === 13) [year, month] = [year + 1, 1]
    const period = `${year}-${String(month).padStart(2, '0')}`
    if (period >= end) return months
    months.push(period)
  }
}
