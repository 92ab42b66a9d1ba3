import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ask, getCard, makeCard, makeCardIn, moveCard, shippingAddress } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount } from '../../../test/support/world.ts'
import { MAX_PENDING_REPLACEMENTS } from '../../banking/cards/card.ts'
import type { Queryable } from '../../database/database.ts'

let bank: TestBank
/** The statements on cards since the test began. */
const statements: { text: string; values: unknown[] }[] = []

beforeAll(async () => {
  const watched = (queryable: Queryable): Queryable => ({
    query: (text, values = [], use) => {
      if (/\bcard\b/.test(text)) statements.push({ text, values })
      return queryable.query(text, values, use)
    },
  })
  bank = await openTestBank({
    around: (database) => ({
      ...database,
      transaction: (work, options) => database.transaction((transaction) => work(watched(transaction)), options),
    }),
  })
})
afterAll(() => bank.close())
beforeEach(() => void statements.splice(0))

let nextId = 50_000_000

/** Puts cards in front of a card, each one a replacement of the one before; returns the last. */
async function addReplacements(card: string, count: number, status: string, activated: boolean): Promise<string> {
  const before = nextId
  nextId += count
  await bank.database.query(
    `insert into card (id, organisation_id, account_id, customer_id, created_at, last4, expires, status, type, design,
       shipping_address, replaces_card_id, activated_at)
     select $5::bigint + place, organisation_id, account_id, customer_id, created_at, last4, expires, $3, type, design,
       shipping_address, case place when 1 then first.id else $5::bigint + place - 1 end,
       case when $4 then created_at end
     from card first, generate_series(1, $2::int) place where first.id = $1`,
    [card, count, status, activated, before],
  )
  return String(nextId)
}

const replace = (id: string) => bank.call('POST', `/v0/banking/cards/${id}/replace`, { body: { shippingAddress } })

/** How many rows of cards a statement reads and how many it changes; what it does is rolled back. */
async function workOf({ text, values }: { text: string; values: unknown[] }): Promise<number> {
  class Rollback extends Error {}
  let rows = 0
  const count = (node: PlanNode): void => {
    if (node['Relation Name'] === 'card') rows += (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1)
    for (const child of node.Plans ?? []) count(child)
  }
  await bank.database
    .transaction(async (transaction) => {
      const [explained] = await transaction.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (analyze, format json) ${text}`,
        values,
        'once',
      )
      for (const { Plan } of explained?.['QUERY PLAN'] ?? []) count(Plan)
      throw new Rollback()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Rollback)) throw error
    })
  return rows
}

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  Plans?: PlanNode[]
}

describe('the activation of a replacement', () => {
  test('reads no card behind the last one that was activated, however often a card was replaced', async () => {
    const first = await makeCardIn(bank, 'ClosedByCustomer', await makeAccount(bank))
    const old = await addReplacements(first.id, 9_000, 'ClosedByCustomer', true)
    const { id } = await makeCard(bank, first.accountId)
    await bank.database.query(`update card set replaces_card_id = $2 where id = $1`, [id, old])
    statements.splice(0)
    await moveCard(bank, id, 'activate')
    expect(statements.length).toBeLessThanOrEqual(5)
    await bank.database.query(`update card set status = 'Inactive', activated_at = null where id = $1`, [id])
    for (const statement of statements.splice(0)) expect(await workOf(statement), statement.text).toBeLessThanOrEqual(4)
  })

  test('ends every card that was never activated in one statement', async () => {
    const first = await makeCardIn(bank, 'Active', await makeAccount(bank))
    const last = await addReplacements(first.id, MAX_PENDING_REPLACEMENTS, 'Inactive', false)
    statements.splice(0)
    await moveCard(bank, last, 'activate')
    expect(statements.length).toBeLessThanOrEqual(5)
    const cards = await ask(bank, 'GET', `/v0/banking/cards?accountId=${first.accountId}&limit=1000`)
    const live = cards.filter(({ status }: { status: string }) => status !== 'ClosedByCustomer')
    expect(live.map(({ id }: { id: string }) => id)).toEqual([last])
    expect(cards).toHaveLength(MAX_PENDING_REPLACEMENTS + 1)
  })

  test('ends a card that still works behind replacements that were lost before they were activated', async () => {
    const first = await makeCardIn(bank, 'Active', await makeAccount(bank))
    const lost = await addReplacements(first.id, 50, 'Lost', false)
    const { id } = (await replace(lost)).json.data
    await moveCard(bank, id, 'activate')
    expect((await getCard(bank, first.id)).status).toBe('ClosedByCustomer')
    expect((await getCard(bank, lost)).status).toBe('Lost')
  })
})

describe('a chain of replacements', () => {
  test('ends at 100 cards that were never activated, lost ones included', async () => {
    for (const status of ['Inactive', 'Lost']) {
      const first = await makeCardIn(bank, 'Active', await makeAccount(bank))
      const last = await addReplacements(first.id, MAX_PENDING_REPLACEMENTS - 1, status, false)
      const { json } = await replace(last)
      const refused = await replace(json.data.id)
      expect(refused.json).toMatchObject({
        status: 409,
        code: 'card_wrong_state',
        detail: expect.stringContaining('100 replacements'),
      })
      await moveCard(bank, json.data.id, 'activate')
      expect((await replace(json.data.id)).status).toBe(201)
    }
  })
})
