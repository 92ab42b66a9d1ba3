import type { TSchema } from 'typebox'
import { type Operation, scopeWords } from '../base/operation.ts'
import { refusals } from '../base/refusals.ts'
import { exampleOf } from '../http/openapi/examples.ts'
import { codesOf } from '../http/openapi/problems.ts'
import {
  answerSchema,
  bodySchema,
  type JsonObject,
  type NamedSchemas,
  parameterSchema,
} from '../http/openapi/schemas.ts'
import { unknownMessage } from '../http/request/faults.ts'
import { refusedCall, type ToolResult, textResult } from './answer.ts'
import { type CallingTool, operationsOf, type Session, toolOf } from './session.ts'

/** The tools that call operations, in the order in which they are described. */
const callingTools: CallingTool[] = ['read', 'write', 'sandbox']

/** Describes one operation, or lists all that the key may call. */
export function describe(session: Session, { operation: id }: { operation?: string }): ToolResult {
  if (id === undefined) return textResult(overview(session))
  const operation = session.operations.find((one) => one.id === id)
  if (operation) return textResult(described(operation))
  const names = session.operations.map((one) => one.id)
  return refusedCall(`${unknownMessage(id, names)}. Other operations do not exist here, or this key may not call them.`)
}

/** The ids that each tool calls, one line a tool. */
export function idsByTool(session: Session): string {
  const lines = callingTools.map((tool) => {
    const ids = operationsOf(session, tool).map(({ id }) => id)
    return ids.length > 0 ? `${tool}: ${ids.join(' ')}` : ''
  })
  return lines.filter((line) => line !== '').join('\n')
}

function overview(session: Session): string {
  const { mode, version, operations } = session
  const parts = callingTools.map((tool) => {
    const lines = operationsOf(session, tool).map(({ id, summary }) => `- ${id}: ${summary}`)
    return lines.length > 0 ? `\nTool ${tool}\n${lines.join('\n')}` : ''
  })
  return `Purser ${version}, ${mode} mode. This key may call ${operations.length} operations; describe with an operation shows its input.
${parts.filter((part) => part !== '').join('\n')}`
}

const MAX_TEXT = 20_000

function described(operation: Operation): string {
  const schemas: NamedSchemas = {}
  const input = inputSchema(operation, schemas)
  const head = `${operation.id}: ${operation.summary}

${operation.description ?? ''}

Tool: ${toolOf(operation)}. Scope: ${scopeWords(operation, String) || 'any'}. HTTP: ${operation.method} ${operation.path}.

Problems: ${problemLines(operation)}

Example:
${example(operation)}

Input (JSON Schema):
${compact({ ...input, ...named(schemas) })}`
  const answer = operation.contentType ? '' : answerText(operation)
  if (Buffer.byteLength(head + answer) <= MAX_TEXT) return head + answer
  return `${head.slice(0, MAX_TEXT - 200)}\n\nThe schema of the answer is too long to be shown here; the example shows an answer.`
}

/** One flat schema: no operation has the same name in its path, its query or its body twice. */
function inputSchema({ params, query, body }: Operation, schemas: NamedSchemas): JsonObject {
  const properties: JsonObject = {}
  for (const [name, member] of Object.entries({ ...params?.properties, ...query?.properties })) {
    properties[name] = parameterSchema(member as TSchema, schemas)
  }
  const path = Object.keys(params?.properties ?? {})
  const asked = ((query as { required?: string[] } | undefined)?.required ?? []) as string[]
  if (!body) return { type: 'object', properties, required: [...path, ...asked] }
  const reference = bodySchema('Body', body, schemas) as { $ref: string }
  const { Body: whole = {} } = schemas
  if (whole.oneOf) return { type: 'object', properties, required: path, allOf: [reference] }
  delete schemas.Body
  const required = [...path, ...((whole.required as string[] | undefined) ?? [])]
  return { ...whole, properties: { ...properties, ...(whole.properties as JsonObject) }, required }
}

function answerText({ data, status, signature }: Operation): string {
  const proposed = signature
    ? '\n\nStatus 202 means that nothing has changed yet: data is a proposal that a second person has to approve.'
    : ''
  if (status === 204) return `\n\nThe answer has no data.${proposed}`
  const schemas: NamedSchemas = {}
  const schema = answerSchema(data, schemas)
  return `\n\nAnswer (JSON Schema of data):\n${compact({ ...schema, ...named(schemas) })}${proposed}`
}

/** Without the words that only our own tools read, and the pattern that every text of a request has. */
function compact(schema: JsonObject): string {
  return JSON.stringify(schema, (name, value) => {
    if (name === 'x-resource' || (name === 'pattern' && String(value).includes('\\u0000-\\u001f'))) return undefined
    return value
  })
}

function named(schemas: NamedSchemas): JsonObject {
  return Object.keys(schemas).length > 0 ? { components: { schemas } } : {}
}

/** The codes that belong to the operation, with their reasons; then those that every operation has. */
function problemLines(operation: Operation): string {
  const own = operation.problems.map((code) => `\n- ${code} (${refusals[code].status}): ${refusals[code].detail}`)
  const others = codesOf(operation, operation.method).filter((code) => !operation.problems.includes(code))
  return `${own.join('')}\n- as everywhere: ${[...new Set(others)].join(', ')}`
}

function example(operation: Operation): string {
  const { request, response } = exampleOf(operation)
  const input = { ...request.params, ...request.query, ...request.body }
  const intent = toolOf(operation) === 'write' ? { intent: `${operation.summary.toLowerCase()} 2026-11` } : {}
  const call = { operation: operation.id, ...(Object.keys(input).length > 0 && { input }), ...intent }
  const answer = response && JSON.stringify(response.data)
  return `${toolOf(operation)} ${JSON.stringify(call)}${answer && answer.length < 4_000 ? `\nanswers data ${answer}` : ''}`
}
