import { expect } from 'vitest'
import type { CallOptions, Reply, TestBank } from '../harness.ts'
import { makePayer, type Payer } from '../ledger.ts'

/** Decides about a payment that waits for a review. */
export function decide(
  bank: TestBank,
  paymentId: string,
  move: 'approve' | 'reject',
  options: CallOptions = {},
): Promise<Reply> {
  return bank.call('POST', `/v0/review/payments/${paymentId}/${move}`, { body: { reason: 'Checked' }, ...options })
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
export async function paymentOf(bank: TestBank, id: string): Promise<any> {
  return (await bank.call('GET', `/v0/banking/payments/${id}`)).json.data
}

/** The types and the data of the events of a payment. */
export async function eventsOf(bank: TestBank, id: string): Promise<[type: string, data: unknown][]> {
  const { json } = await bank.call('GET', `/v0/events?entityType=payment&entityId=${id}`)
  return json.data.map(({ type, data }: { type: string; data: unknown }) => [type, data])
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
export async function queueOf(bank: TestBank, query = ''): Promise<any[]> {
  return (await bank.call('GET', `/v0/review/payments?${query}`)).json.data
}

/** A payer whose payments above 10.00 are reviewed. */
export async function makeReviewed(bank: TestBank, balance = 100_00): Promise<Payer> {
  const payer = await makePayer(bank, balance)
  const body = { payment: { soft: 10_00 } }
  expect((await bank.call('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, { body })).status).toBe(200)
  return payer
}
