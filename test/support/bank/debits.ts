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
