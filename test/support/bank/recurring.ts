import { expect } from 'vitest'
import type { CallOptions, Reply, TestBank } from '../harness.ts'
import type { Payer } from '../ledger.ts'

const path = '/v0/banking/recurring-payments'

/** Asks for a recurring payment, monthly from 15 February 2030 on unless said otherwise. */
export function recur(
  bank: TestBank,
  payer: Payer,
  body: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Reply> {
  const { accountId, externalAccountId } = payer
  const counterparty =
    'toAccountId' in body ? { type: 'bookPayment' } : { type: 'achPayment', counterpartyAccountId: externalAccountId }
  const plain = { accountId, ...counterparty, amount: 20_00, description: 'Rent', interval: 'Monthly' }
  return bank.call('POST', path, { body: { ...plain, startDate: '2030-02-15', ...body }, ...options })
}

/** A recurring payment, with the calls that change and read it. */
export async function recurring(bank: TestBank, payer: Payer, body: Record<string, unknown> = {}) {
  const { status, text, json } = await recur(bank, payer, body)
  expect(status, text).toBe(201)
  const id: string = json.data.id
  return {
    id,
    created: json.data,
    read: async () => (await bank.call('GET', `${path}/${id}`)).json.data,
    send: async (word: string, input?: unknown) => {
      const answer = await bank.call('POST', `${path}/${id}/${word}`, input === undefined ? {} : { body: input })
      expect(answer.status, answer.text).toBe(200)
      return answer.json.data
    },
    /** Its runs in the order of their due dates: date, status and reason. */
    runs: async () => {
      const { json: listed } = await bank.call('GET', `${path}/${id}/runs?limit=1000&sort=createdAt`)
      return listed.data.map(({ dueDate, status, reason }: Record<string, string>) =>
        [dueDate, status, reason].filter((each) => each !== null).join(' '),
      )
    },
    payments: () => allOf(bank, `/v0/banking/payments?recurringPaymentId=${id}&sort=createdAt`),
    allRuns: () => allOf(bank, `${path}/${id}/runs?sort=createdAt`),
  }
}

/** The records of all pages of a list. */
async function allOf(bank: TestBank, list: string) {
  const page = async (offset: number) => (await bank.call('GET', `${list}&limit=1000&offset=${offset}`)).json.data
  const records = await page(0)
  for (let last = records; last.length === 1_000; records.push(...last)) last = await page(records.length)
  return records
}

export async function advanceTo(bank: TestBank, to: string) {
  const { status, text, json } = await bank.call('POST', '/v0/sandbox/clock/advance', { body: { to } })
  expect(status, text).toBe(200)
  return json.data
}
