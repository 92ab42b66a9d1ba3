import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type LoggedRequestDetail, operations } from '../../../client/src/index.ts'
import { booleans, inputOf, lists, numbers, refusalToReplay } from './exchange.ts'
import { testSnippet } from './test-snippet.ts'

const message = { headers: {}, body: null, truncated: false }
const logged: LoggedRequestDetail = {
  sequence: 1,
  id: 'req_1',
  requestId: 'r',
  at: '2026-11-16T23:05:59.204Z',
  operation: 'getAccount',
  method: 'GET',
  path: '/v0/banking/accounts/17',
  query: null,
  status: 200,
  code: null,
  ms: 1,
  apiKeyId: '3',
  idempotencyKey: null,
  replayed: false,
  request: message,
  response: message,
  events: [],
}
const payment = { amount: 2000, counterpartyAccountId: '9', originalType: 'ACH', description: "Mary's lunch" }
const paid: LoggedRequestDetail = {
  ...logged,
  operation: 'createPayment',
  method: 'POST',
  path: '/v0/banking/accounts/17/payments',
  status: 201,
  request: { ...message, body: JSON.stringify(payment) },
  response: { ...message, body: JSON.stringify({ data: { id: '5', amount: 2000, description: "Mary's lunch" } }) },
}

describe('the input of a logged request', () => {
  test('has the ids of the path, the values of the query and the body', () => {
    expect(inputOf(paid)).toEqual({ params: { accountId: '17' }, body: payment })
    expect(
      inputOf({ ...logged, operation: 'listPayments', query: 'limit=5&status=Sent&count=true&accountId=17' }),
    ).toEqual({ query: { limit: 5, status: ['Sent'], count: true, accountId: '17' } })
    expect(inputOf({ ...logged, path: '/v0/banking/accounts/%E0%A4%A' })).toEqual({ params: { accountId: '%E0%A4%A' } })
  })

  test('knows the parameters that are numbers, lists or true and false, as the description of the interface does', () => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
      paths: Record<string, Record<string, Described>>
    }
    for (const described of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      const id = described.operationId as keyof typeof operations
      if (!operations[id]) continue
      for (const { name, in: place, schema } of described.parameters ?? []) {
        if (place !== 'query') continue
        const types = [schema.type, ...(schema.anyOf ?? []).map(({ type }) => type)]
        const numeric = numbers[name]
        expect([id, name, numeric === true || numeric?.includes(id) === true]).toEqual([
          id,
          name,
          types.includes('integer'),
        ])
        expect([id, name, lists[name]?.includes(id) === true]).toEqual([id, name, types.includes('array')])
        expect([id, name, booleans[name] === true]).toEqual([id, name, types.includes('boolean')])
      }
    }
  })

  test('a body that the log has only in part is not sent again', () => {
    expect(refusalToReplay(paid)).toBeUndefined()
    expect(refusalToReplay({ request: { ...message, body: '{"ssn":"[redacted]"}' } })).toMatch(/secrets/)
    expect(refusalToReplay({ request: { ...message, body: '{', truncated: true } })).toMatch(/10 KB/)
  })
})

interface Described {
  operationId?: string
  parameters?: { name: string; in: string; schema: { type?: string; anyOf?: { type?: string }[] } }[]
}

describe('a request as a test', () => {
  test('uses the records of a scenario and expects the members that the answer repeats', () => {
    const text = testSnippet(paid)
    expect(text).toContain("import { type Bank, startPurser } from 'purser/testing'")
    expect(text).toContain(
      'const { accountId, externalAccountId } = await purser.sandbox.scenarios.create({ seed: 1 })',
    )
    expect(text).toContain(
      'await purser.payments.create(accountId, {\n    amount: 2000,\n    counterpartyAccountId: externalAccountId,',
    )
    expect(text).toContain('expect(response.status).toBe(201)')
    expect(text).toContain("expect(data).toMatchObject({ amount: 2000, description: 'Mary\\'s lunch' })")
  })

  test('expects the refusal, with the id that does not exist', () => {
    const text = testSnippet({ ...logged, status: 404, code: 'account_not_found' })
    expect(text).toContain("const answer = purser.accounts.get('17')")
    expect(text).toContain("await expect(answer).rejects.toMatchObject({ status: 404, code: 'account_not_found' })")
    expect(text).not.toContain('scenarios')
  })

  test('brings about a failure of the service by a fault rule', () => {
    const text = testSnippet({ ...logged, status: 503, code: 'unavailable' })
    expect(text).toContain("match: { operation: 'getAccount' },\n    effect: { status: 503 },")
  })
})
