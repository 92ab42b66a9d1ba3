import { expect, test } from 'vitest'
import { operations } from '../../../../../client/src/index.ts'
import openapi from '../../../../../openapi.json' with { type: 'json' }
import { type Described, type Document, describedIn, groupsOf } from '../openapi.ts'
import { draftOf, readDraft } from './draft.ts'

const document = openapi as unknown as Document

test('the document describes every operation of the client, each in one group', () => {
  const ids = groupsOf(document).flatMap((group) => group.operations.map(({ id }) => id))
  expect(ids.toSorted()).toEqual(Object.keys(operations).toSorted())
  for (const id of ids) {
    const { title, params } = described(id)
    expect(title, id).toMatch(/^[A-Z][a-z]/)
    const [, , path] = operations[id]
    expect(params.map(({ name }) => `:${name}`).filter((name) => !path.includes(name))).toEqual([])
  }
})

test('a form filled with the example of an operation gives the example again', () => {
  for (const id of Object.keys(operations)) {
    const { body } = described(id)
    if (!body) continue
    const example = body.example ?? {}
    const draft = draftOf(document, body.schema, example)
    expect(readDraft(document, body.schema, draft, '', true), id).toEqual(example)
  }
})

test('members that are empty are left out, required ones are named', () => {
  const { schema = {} } = described('createPayment').body ?? {}
  const draft = draftOf(document, schema, { amount: 2000 })
  expect(() => readDraft(document, schema, draft, '', true)).toThrow('counterpartyAccountId is missing')
  const customer = described('createCustomer').body?.schema ?? {}
  const named = draftOf(document, customer, { name: 'Ada', address: { street: '1 Sample Street' } })
  expect(() => readDraft(document, customer, named, '', true)).toThrow('address.city is missing')
})

test('a text that is no number is refused, null and lists are kept', () => {
  const { schema = {} } = described('createPayment').body ?? {}
  const draft = draftOf(document, schema, { amount: 'many' })
  expect(() => readDraft(document, schema, draft, '', true)).toThrow('amount is not a number')
  const endpoint = described('updateWebhookEndpoint').body?.schema ?? {}
  const value = { description: null, events: ['card.*', 'payment.*'] }
  expect(readDraft(document, endpoint, draftOf(document, endpoint, value), '', true)).toEqual(value)
})

test('a body of several kinds takes the one that its word names, and shared members move along', () => {
  const { schema = {} } = described('createCard').body ?? {}
  const draft = draftOf(document, schema, { type: 'individualVirtualDebitCard', accountId: '1' })
  if (draft.kind !== 'choice') throw new Error('the body is no choice')
  expect(draft.at).toBe(1)
  expect(readDraft(document, schema, draft, '', true)).toEqual({ type: 'individualVirtualDebitCard', accountId: '1' })
  const physical = draft.options[0]
  if (physical?.kind !== 'object') throw new Error('the option is no object')
  expect(physical.members.type).toEqual({ kind: 'text', text: 'individualDebitCard' })
  expect(physical.members.accountId).toEqual({ kind: 'text', text: '1' })
})

function described(id: string): Described {
  const found = describedIn(document, id)
  if (!found) throw new Error(`${id} is not in the document`)
  return found
}
