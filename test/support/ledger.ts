import { expect } from 'vitest'
import { readFirstRows } from '../../src/bank/first-states/first-states.ts'
import type { Database } from '../../src/database/database.ts'
import { type ChainBreach, verifyChains } from '../../src/events/chain/verify-chain.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import type { CallOptions, Reply, TestBank } from './harness.ts'
import { ask, connect, until } from './service.ts'
import { makeAccount, makeCustomer } from './world.ts'

/** Fails with the offending rows when a law of the ledger does not hold, and with the events whose chain does not. */
export async function expectSoundLedger({ database }: { database: Database }): Promise<void> {
  expect(await verifyLedger(database)).toEqual([])
  expect(await chainBreaches(database)).toEqual([])
}

export async function chainBreaches(database: Database): Promise<ChainBreach[]> {
  const reports = await verifyChains(database, { readRows: readFirstRows })
  return reports.flatMap(({ breaches }) => breaches)
}

/** A customer with an account that holds some money, and somebody at another bank to pay. */
export interface Payer {
  customerId: string
  accountId: string
  externalAccountId: string
}

export async function makePayer(bank: TestBank, balance = 0, options: CallOptions = {}): Promise<Payer> {
  const customerId = await makeCustomer(bank)
  const accountId = await makeAccount(bank, { customerId })
  if (balance > 0) expect((await receiveAch(bank, accountId, { amount: balance }, options)).status).toBe(201)
  return { customerId, accountId, externalAccountId: await makeExternalAccount(bank, customerId) }
}

export async function makeExternalAccount(
  bank: TestBank,
  customerId: string,
  body: Record<string, unknown> = {},
): Promise<string> {
  const { status, text, json } = await bank.call('POST', `/v0/banking/customers/${customerId}/external-accounts`, {
    body: {
      type: 'Person',
      name: 'Grace Sample',
      routingNumber: '021000021',
      accountNumber: '9876543210',
      accountType: 'Checking',
      ...body,
    },
  })
  expect(status, text).toBe(201)
  return json.data.id
}

/** An external account of a customer that names an account of this very bank. */
export async function makeOwnBankAccount(bank: TestBank, customerId: string, accountId: string): Promise<string> {
  const { routingNumber, accountNumber, name } = await accountOf(bank, accountId)
  return makeExternalAccount(bank, customerId, { routingNumber, accountNumber, name })
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
export async function accountOf(bank: TestBank, accountId: string): Promise<any> {
  const { status, text, json } = await bank.call('GET', `/v0/banking/accounts/${accountId}`)
  expect(status, text).toBe(200)
  return json.data
}

export function pay(
  bank: TestBank,
  { accountId, externalAccountId }: { accountId: string; externalAccountId: string },
  body: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Reply> {
  return bank.call('POST', `/v0/banking/accounts/${accountId}/payments`, {
    body: {
      amount: 20_00,
      counterpartyAccountId: externalAccountId,
      description: 'Rent',
      originalType: 'ACH',
      ...body,
    },
    ...options,
  })
}

export function receiveAch(
  bank: TestBank,
  accountId: string,
  body: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Reply> {
  return bank.call('POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, {
    body: { amount: 100_00, companyName: 'Sample Payroll', ...body },
    ...options,
  })
}

export function returnPayment(bank: TestBank, paymentId: string, returnCode = 'R01'): Promise<Reply> {
  return bank.call('POST', `/v0/sandbox/payments/${paymentId}/return`, { body: { returnCode } })
}

/** Locks an account in a transaction of its own. Returns the function that releases it. */
export function holdAccount(bank: TestBank, accountId: number | string): Promise<() => Promise<void>> {
  return holdRows(bank, 'select from account where id = $1 for no key update', accountId)
}

/** Runs a statement that locks rows in a transaction of its own. Returns the function that releases them. */
export async function holdRows(
  { server }: Pick<TestBank, 'server'>,
  statement: string,
  id: number | string,
): Promise<() => Promise<void>> {
  const client = await connect(server)
  await client.query('begin')
  await client.query(statement, [id])
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}

/** Waits until so many statements on a bank's database wait for locks that others hold. */
export async function locksAwaited({ server }: Pick<TestBank, 'server'>, count = 1): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(`${count} statements to wait for locks`, async () => (await ask(server, waiting)).length >= count)
}

/** Every transaction of an account in the order of posting. */
export async function transactionsOf(
  bank: TestBank,
  accountId: string,
): Promise<{ id: string; amount: number; direction: 'Credit' | 'Debit'; balance: number; createdAt: string }[]> {
  const all = []
  for (;;) {
    const { json } = await bank.call(
      'GET',
      `/v0/banking/transactions?accountId=${accountId}&sort=createdAt&limit=1000&offset=${all.length}`,
    )
    if (json.data.length === 0) return all
    all.push(...json.data)
  }
}
