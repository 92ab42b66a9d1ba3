import type { CardStatus } from '../../src/banking/cards/card.ts'
import { failureOf } from './bank/call.ts'
import type { CallOptions, Reply, TestBank } from './harness.ts'
import { makeAccount, newMessageId } from './world.ts'

export const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const shippingAddress = {
  street: '1 Sample Street',
  street2: 'Apt 2',
  city: 'Springfield',
  state: 'IL',
  postalCode: '62701',
  country: 'US',
}

/** A record in a test: its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
type Data = any

/** Makes a call that must succeed and answers its data. */
export async function ask(bank: TestBank, method: string, path: string, body?: unknown, key = bank.key): Promise<Data> {
  const reply = await bank.call(method, path, { body, key })
  if (reply.status >= 300) throw failureOf(method, path, reply)
  return reply.json.data
}

/** Creates an account with a balance. */
export async function makeFunded(bank: TestBank, amount: number, key = bank.key): Promise<string> {
  if (key === bank.key) return fund(bank, await makeAccount(bank), amount)
  const { id: customerId } = await ask(bank, 'POST', '/v0/sandbox/customers', { name: 'Ada Example' }, key)
  const { id } = await ask(bank, 'POST', '/v0/banking/accounts', { customerId }, key)
  return fund(bank, id, amount, key)
}

async function fund(bank: TestBank, accountId: string, amount: number, key = bank.key): Promise<string> {
  const body = { amount, companyName: 'Sample Payroll' }
  await ask(bank, 'POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, body, key)
  return accountId
}

/** Creates a physical card, which is inactive. */
export async function makeCard(bank: TestBank, accountId: string, key = bank.key): Promise<Data> {
  return ask(bank, 'POST', '/v0/banking/cards', { type: 'individualDebitCard', accountId, shippingAddress }, key)
}

export async function makeVirtualCard(bank: TestBank, accountId: string, key = bank.key): Promise<Data> {
  return ask(bank, 'POST', '/v0/banking/cards', { type: 'individualVirtualDebitCard', accountId }, key)
}

export function getCard(bank: TestBank, id: string, key = bank.key): Promise<Data> {
  return ask(bank, 'GET', `/v0/banking/cards/${id}`, undefined, key)
}

export function moveCard(bank: TestBank, id: string, move: string, key = bank.key): Promise<Data> {
  return ask(bank, 'POST', `/v0/banking/cards/${id}/${move}`, undefined, key)
}

export const cardStatuses: CardStatus[] = [
  'Inactive',
  'Active',
  'Frozen',
  'Lost',
  'Stolen',
  'ClosedByCustomer',
  'SuspectedFraud',
]

/** Creates a physical card and brings it to a status. */
export async function makeCardIn(bank: TestBank, status: CardStatus, accountId?: string): Promise<Data> {
  const moves: Record<CardStatus, string[]> = {
    Inactive: [],
    Active: ['activate'],
    Frozen: ['activate', 'freeze'],
    Lost: ['activate', 'report-lost'],
    Stolen: ['activate', 'report-stolen'],
    ClosedByCustomer: ['activate', 'close'],
    SuspectedFraud: ['activate'],
  }
  const { id } = await makeCard(bank, accountId ?? (await makeAccount(bank)))
  for (const move of moves[status]) await moveCard(bank, id, move)
  // No operation leads to this status; only upstream banks report it.
  if (status === 'SuspectedFraud') {
    await bank.database.query(`update card set status = 'SuspectedFraud' where id = $1`, [id])
  }
  return getCard(bank, id)
}

export function authorize(bank: TestBank, cardId: string, amount: number, key = bank.key): Promise<Data> {
  const body = { amount, merchant: { name: 'Sample Coffee' } }
  return ask(bank, 'POST', `/v0/sandbox/cards/${cardId}/authorizations`, body, key)
}

export function getAuthorization(bank: TestBank, id: string, key = bank.key): Promise<Data> {
  return ask(bank, 'GET', `/v0/banking/authorizations/${id}`, undefined, key)
}

export function settle(bank: TestBank, id: string, body: Record<string, unknown> = {}): Promise<Reply> {
  return bank.call('POST', `/v0/sandbox/authorizations/${id}/settle`, { body })
}

export function reverse(bank: TestBank, id: string): Promise<Reply> {
  return bank.call('POST', `/v0/sandbox/authorizations/${id}/reverse`)
}

export function refund(bank: TestBank, id: string, body: Record<string, unknown> = {}): Promise<Reply> {
  return bank.call('POST', `/v0/sandbox/authorizations/${id}/refund`, { body })
}

/** Sends a message of the card processor, under an id of its own unless the content has one. */
export function sendMessage(
  bank: TestBank,
  path: string,
  content: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Reply> {
  const body = { processorId: newMessageId(), ...content }
  return bank.call('POST', `/v0/processor/${path}`, { body, ...options })
}

/** Authorizes a purchase as the card processor. */
export function charge(bank: TestBank, cardId: string, amount: number, content: Record<string, unknown> = {}) {
  return sendMessage(bank, `cards/${cardId}/authorizations`, { amount, merchant: { name: 'Sample Hotel' }, ...content })
}

/** The status and the code of a refusal. */
export const refusalOf = ({ status, json }: Reply) => [status, json.code]

/** The balance, the hold and the available amount of an account. */
export async function moneyOf(bank: TestBank, accountId: string, key = bank.key) {
  const { balance, hold, available } = await ask(bank, 'GET', `/v0/banking/accounts/${accountId}`, undefined, key)
  return { balance, hold, available }
}

export async function bankNow(bank: TestBank, key = bank.key): Promise<string> {
  return (await ask(bank, 'GET', '/v0/sandbox/clock', undefined, key)).now
}

export function advance(bank: TestBank, body: Record<string, unknown>, key = bank.key): Promise<Data> {
  return ask(bank, 'POST', '/v0/sandbox/clock/advance', body, key)
}

/** Advances the clock in steps of 400 days, the most of one call. */
export async function advanceTo(bank: TestBank, to: string, key = bank.key): Promise<void> {
  while (later(await bankNow(bank, key), 400) < to) await advance(bank, { by: 'P400D' }, key)
  await advance(bank, { to }, key)
}

/** Creates an organisation whose clock is at the 2nd of a month, so that no month ends within two weeks. */
export async function makeOrganisation(bank: TestBank, name: string): Promise<string> {
  const key = await bank.makeKey(name, null)
  const now = new Date(await bankNow(bank, key))
  await advance(bank, { to: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2)).toISOString() }, key)
  return key
}

export function later(instant: string, days: number, ms = 0): string {
  return new Date(Date.parse(instant) + days * 86_400_000 + ms).toISOString()
}

/** Runs a task many times at once; returns the results in the order of the calls. */
export function times<T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => work(at)))
}
