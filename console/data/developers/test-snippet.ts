import { type LoggedRequestDetail, type OperationId, operations } from '../../../client/src/index.ts'
import { clientCall, literal, type SnippetInput, Variable } from '../../../ground/snippets.ts'
import { inputOf, jsonOf } from './exchange.ts'

/** The records that a scenario makes, by the names that inputs have for them. */
const made: Record<string, string> = {
  customerId: 'customerId',
  accountId: 'accountId',
  cardId: 'cardId',
  externalAccountId: 'externalAccountId',
  counterpartyAccountId: 'externalAccountId',
  paymentId: 'paymentId',
  transactionId: 'transactionId',
  authorizationId: 'authorizationId',
  statementId: 'statementId',
  applicationId: 'applicationId',
  documentId: 'documentId',
}
/** Refusals that a fault rule causes. */
const faults = [429, 500, 503]

type Logged = Pick<LoggedRequestDetail, 'operation' | 'path' | 'query' | 'status' | 'code' | 'request' | 'response'>

/**
 * A request and its answer as a test for Vitest that runs by itself. Ids of this organisation become those of a scenario,
 * except if the answer is about an id that does not exist.
 */
export function testSnippet(logged: Logged): string {
  const used = new Set<string>()
  const input = inputOf(logged)
  const named = logged.code?.endsWith('_not_found') ? input : (withVariables(input, used) as SnippetInput)
  const scenario = used.size > 0 && [
    `  const { ${[...used].sort().join(', ')} } = await purser.sandbox.scenarios.create({ seed: 1 })`,
  ]
  const fault = logged.status >= 400 &&
    faults.includes(logged.status) && [
      `  await purser.sandbox.faults.create({`,
      `    match: { operation: '${logged.operation}' },`,
      `    effect: { status: ${logged.status} },`,
      `  })`,
    ]
  return [
    "import { type Bank, startPurser } from 'purser/testing'",
    "import { afterAll, beforeAll, expect, test } from 'vitest'",
    '',
    'let bank: Bank',
    'beforeAll(async () => {',
    '  bank = await startPurser()',
    '}, 60_000)',
    'afterAll(() => bank.stop())',
    '',
    `test('${logged.operation} answers ${logged.status}${logged.code ? ` ${logged.code}` : ''}', async () => {`,
    '  const { purser } = await bank.organisation()',
    ...(scenario || []),
    ...(fault || []),
    ...(logged.status < 400 ? success(logged, named) : refusal(logged, named)),
    '})',
    '',
  ].join('\n')
}

function success(logged: Logged, input: SnippetInput): string[] {
  const id = logged.operation as OperationId
  const call = clientCall(operations[id], input, '  ')
  if (operations[id][4] === 'list') {
    return [`  const { data } = await ${call}.page()`, '  expect(data).toEqual(expect.any(Array))']
  }
  const echoed = echoOf(input.body, jsonOf(logged.response.body))
  const checks = echoed && `  expect(data).toMatchObject(${literal(echoed, '  ')})`
  return [
    `  const { ${checks ? 'data, ' : ''}response } = await ${call}.withResponse()`,
    `  expect(response.status).toBe(${logged.status})`,
    ...(checks ? [checks] : []),
  ]
}

function refusal({ operation, status, code }: Logged, input: SnippetInput): string[] {
  const id = operation as OperationId
  const call = clientCall(operations[id], input, '  ')
  return [
    `  const answer = ${operations[id][4] === 'list' ? `${call}.page()` : call}`,
    `  await expect(answer).rejects.toMatchObject({ status: ${status}${code ? `, code: '${code}'` : ''} })`,
  ]
}

/** The plain members of a body that the answer repeats. */
function echoOf(body: unknown, answer: unknown): Record<string, unknown> | undefined {
  const data = (answer as { data?: Record<string, unknown> } | undefined)?.data ?? {}
  const same = Object.entries((body ?? {}) as Record<string, unknown>).filter(
    ([name, value]) => !(value instanceof Variable) && typeof value !== 'object' && data[name] === value,
  )
  return same.length > 0 ? Object.fromEntries(same) : undefined
}

/** A value with variables in place of the ids of records that a scenario makes. */
function withVariables(value: unknown, used: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => withVariables(each, used))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const variable = typeof each === 'string' ? made[name] : undefined
      if (variable === undefined) return [name, withVariables(each, used)]
      used.add(variable)
      return [name, new Variable(variable)]
    }),
  )
}
