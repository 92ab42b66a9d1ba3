import { expect } from 'vitest'
import type { CallOptions, Reply, TestBank } from '../harness.ts'
import { makeExternalAccount, makePayer, type Payer, pay } from '../ledger.ts'

const path = '/v0/banking/external-accounts'

export async function giveMandate(bank: TestBank, id: string, body: Record<string, unknown> = {}): Promise<void> {
  const given = { authorization: 'Online', textVersion: '2026-01', authorizedAt: '2025-11-03', address: '203.0.113.7' }
  const { status, text } = await bank.call('PUT', `${path}/${id}/mandate`, { body: { ...given, ...body } })
  expect(status, text).toBe(200)
}

export async function attest(bank: TestBank, id: string): Promise<void> {
  const { status, text } = await bank.call('POST', `${path}/${id}/attest`, { body: { reference: 'case 2026-0042' } })
  expect(status, text).toBe(200)
}

/** Amounts that are wrong for micro-entries: three answers, each another. */
export function wrongAmounts([first = 0, second = 0]: number[]): number[][] {
  const other = [...Array(99).keys()].map((each) => each + 1).filter((each) => each !== first && each !== second)
  return other.slice(0, 3).map((each) => [each, first])
}

/** The amounts of the micro-entries that the holder of an external account sees. */
export async function amountsSeen(bank: TestBank, id: string): Promise<number[]> {
  const { json } = await bank.call('GET', `/v0/sandbox/external-accounts/${id}/micro-entries`)
  const credits = json.data.entries.filter(({ direction }: { direction: string }) => direction === 'Credit')
  return credits.map(({ amount }: { amount: number }) => amount)
}

/** Sends micro-entries to an external account, and returns three wrong answers. */
export async function startedAmounts(bank: TestBank, id: string): Promise<number[][]> {
  const { status, text } = await bank.call('POST', `${path}/${id}/verification`, { body: { method: 'MicroEntries' } })
  expect(status, text).toBe(201)
  return wrongAmounts(await amountsSeen(bank, id))
}

/** An external account that money can be collected from. */
export async function makeDebitable(
  bank: TestBank,
  customerId: string,
  body: Record<string, unknown> = {},
  mandate: Record<string, unknown> = {},
): Promise<string> {
  const id = await makeExternalAccount(bank, customerId, body)
  await attest(bank, id)
  await giveMandate(bank, id, mandate)
  return id
}

/** A customer with an account, and an external account that money can be collected from. */
export async function makeDebtor(bank: TestBank, body: Record<string, unknown> = {}): Promise<Payer> {
  const payer = await makePayer(bank)
  return { ...payer, externalAccountId: await makeDebitable(bank, payer.customerId, body) }
}

export function collect(
  bank: TestBank,
  payer: Payer,
  body: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Reply> {
  return pay(bank, payer, { direction: 'Debit', ...body }, options)
}
