import { expect, test } from 'vitest'
import { operations } from '../../../../../client/src/index.ts'
import type { SnippetInput } from '../../../../../ground/snippets.ts'
import openapi from '../../../../../openapi.json' with { type: 'json' }
import { type Described, type Document, describedIn } from '../openapi.ts'
import { initialDrafts, inputOf, typesIn } from './initial.ts'
import type { World } from './world.ts'

const document = openapi as unknown as Document
const NOW = '2026-03-01T12:00:00.000Z'

test('ids of the example are replaced by records of this world', () => {
  const world = { account: [record('7', 'Open')], externalAccount: [record('8')] }
  expect(filled('createPayment', world)).toMatchObject({
    params: { accountId: '7' },
    body: { counterpartyAccountId: '8', originalType: 'ACH' },
  })
  expect(filled('createCard', world).body).toMatchObject({ type: 'individualDebitCard', accountId: '7' })
})

test('an operation that changes a state begins with a record in it', () => {
  const world = { account: [record('7', 'Open'), record('9', 'Frozen')] }
  expect(filled('unfreezeAccount', world).params).toEqual({ accountId: '9' })
  expect(filled('freezeAccount', world).params).toEqual({ accountId: '7' })
})

test('times are those of this bank', () => {
  const world = { account: [record('7', 'Open')] }
  expect(filled('createStatement', world).body).toEqual({ period: '2026-02' })
  expect(filled('getDailyReconciliation', {}).query).toEqual({ date: '2026-03-01' })
  expect(filled('listLedgerBalances', world).query).toEqual({ accountId: '7' })
})

test('every form is complete in a world with a record of each type, and holds no id of another world', () => {
  for (const id of Object.keys(operations)) {
    const described = operationNamed(id)
    const types = typesIn(document, described)
    const world = Object.fromEntries(types.map((type) => [type, [record('4711')]]))
    // No operation lists persons, so the form of this one shows the id of the example.
    const own = id === 'permitPersonRights' ? { personId: 'typed' } : {}
    const { params, ...input } = filled(id, world)
    // No list names the offers of the catalogue as records, so the form of an attribution shows that of the example.
    const shown = JSON.stringify({ ...input, params: { ...params, ...own } })
    expect(id === 'createAttributions' ? shown.replace(/"offerId":"\d+"/, '') : shown, id).not.toMatch(/"10000\d\d"/)
  }
})

/** The input that the form of an operation gives at first. Throws if a required member is missing. */
function filled(id: string, world: World): SnippetInput {
  const described = operationNamed(id)
  const input = inputOf(document, described, initialDrafts(document, described, world, NOW), undefined)
  if (input instanceof Error) throw new Error(`${id}: ${input.message}`)
  return input
}

function operationNamed(id: string): Described {
  const described = describedIn(document, id)
  if (!described) throw new Error(`${id} is not in the document`)
  return described
}

function record(id: string, state?: string) {
  return { id, label: id, state }
}
