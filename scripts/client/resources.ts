import { type Operation, routeOf } from '../../src/base/operation.ts'
import { pascal } from '../../src/http/openapi/schemas.ts'
import { exampleText } from './examples.ts'
import { type ApiDocument, commentOf, HEADER, type OperationTypes, operationTypes } from './types.ts'

/** The table that the client sends requests by. */
export function operationsText(operations: Operation[]): string {
  const lines = operations.map((operation) => {
    const row = routeOf(operation).map((part) => (part === null ? 'null' : `'${part}'`))
    return `  ${operation.id}: [${row.join(', ')}],`
  })
  return `${HEADER}
import type { OperationId } from './types.ts'

/** Name in the client, method, path, the part of the request that holds the input, and the kind of answer. */
type Row = readonly [
  name: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  takes: 'query' | 'body' | null,
  gives: 'record' | 'list' | 'file' | 'nothing',
]

/** Every operation by its id. */
export const operations: Readonly<Record<OperationId, Row>> = {
${lines.join('\n')}
}
`
}

/** Operations by the parts of their resource's name: `sandbox.clock` is the group `clock` in the group `sandbox`. */
interface Group {
  groups: Map<string, Group>
  operations: Operation[]
}

/** The interface of all methods, grouped by resource. */
export function resourcesText(operations: Operation[], document: ApiDocument): string {
  const declarations: string[] = []
  const root = grouped(operations)
  const body = [...root.groups].map(
    ([name, group]) => `  ${name}: ${groupText([name], group, document, declarations)}\n`,
  )
  const text = `${declarations.join('\n')}\n/** All methods of the client, grouped by the kind of record. */\nexport interface Resources {\n${body.join('')}}\n`
  return `${HEADER}
import type { List } from '../list.ts'
import type { Result } from '../purser.ts'
import type { CallOptions } from '../transport.ts'
import type * as types from './types.ts'

${text}`
}

function grouped(operations: Operation[]): Group {
  const root: Group = { groups: new Map(), operations: [] }
  for (const operation of operations) {
    let group = root
    for (const name of operation.resource.split('.')) {
      const inner = group.groups.get(name) ?? { groups: new Map(), operations: [] }
      group.groups.set(name, inner)
      group = inner
    }
    group.operations.push(operation)
  }
  return root
}

/** Adds the interface of a group and returns its name. */
function groupText(path: string[], group: Group, document: ApiDocument, declarations: string[]): string {
  const name = `${path.map(pascal).join('')}Resource`
  const inner = [...group.groups].map(
    ([word, each]) => `  ${word}: ${groupText([...path, word], each, document, declarations)}\n`,
  )
  const methods = group.operations.map((operation) => methodText(operation, operationTypes(operation, document)))
  declarations.push(`export interface ${name} {\n${[...inner, ...methods].join('')}}\n`)
  return name
}

function methodText(operation: Operation, types: OperationTypes): string {
  const { summary, description = '' } = operation
  // One sentence about a read and two about a write: the package stays small, and the page of the operation has the rest.
  const [paragraph = ''] = description.split('\n\n')
  const effect = paragraph
    .split(/(?<=\.)\s+(?=[A-Z`])/)
    .slice(0, operation.method === 'GET' ? 1 : 2)
    .join(' ')
  // A call without a body reads as its signature does.
  const example = types.body ? `\n\n@example\n${exampleText(operation, types)}` : ''
  const text = `${effect || `${summary}.`}${example}`
  return `${commentOf(text, '  ')}  ${operation.verb}(${parametersOf(types).join(', ')}): ${resultOf(types)}\n`
}

function resultOf({ item, answer }: OperationTypes): string {
  return item ? `List<${named(item)}>` : `Result<${named(answer)}>`
}

function parametersOf({ params, query, body }: OperationTypes): string[] {
  const input = body ? ['body', body] : ['query', query]
  const [name, part] = input as ['body' | 'query', OperationTypes['body']]
  return [
    ...params.map((each) => `${each.name}: ${each.type}`),
    ...(part ? [`${name}${part.optional ? '?' : ''}: ${named(part.type)}`] : []),
    'options?: CallOptions',
  ]
}

/** A type with the names of declared types as this file knows them. A list of all names would be a kilobyte, packed. */
function named(type: string): string {
  return type.replaceAll(/\b(?!(?:Record|Uint8Array)\b)[A-Z]\w*/g, 'types.$&')
}

/** The methods that are not made of an operation, by resource. */
const WRITTEN: [resource: string, line: string][] = [
  ['events', '`purser.events.follow(options?): AsyncGenerator<Event>`: events as they come'],
  ['requests', '`purser.requests.follow(options?): AsyncGenerator<LoggedRequest>`: requests as they come'],
  [
    'sandbox.clock',
    '`purser.sandbox.clock.advance(by): Result<ClockAdvance>`: the same with a text, `P3D`, `2027-01-01` or `next`',
  ],
  ['webhooks', '`purser.webhooks.unwrap(body, headers, secret): Promise<Event>`: verify a webhook request'],
  ['webhooks', '`purser.webhooks.sign(event, secret): Promise<Record<string, string>>`: sign an event, for tests'],
  ['any operation', '`purser.call(operationId, input): Result<…>`: call an operation by its id'],
]

/** The reference of all methods, one line each. */
export function apiText(operations: Operation[], document: ApiDocument): string {
  const made = operations.map((operation) => [operation.resource, lineOf(operation, document)] as const)
  const resources = new Map<string, string[]>()
  for (const [name, line] of [...made, ...WRITTEN]) resources.set(name, [...(resources.get(name) ?? []), `- ${line}`])
  const sections = [...resources].map(([name, lines]) => `## ${name}\n\n${lines.join('\n')}\n`)
  return `# Methods of purser-client

Generated from the operations by \`npm run client\`. Every method that sends a request takes \`options?\` as its last
parameter. A \`Result<T>\` is a promise of \`T\`; a \`List<T>\` is read with \`for await\`.

${sections.join('\n')}`
}

function lineOf(operation: Operation, document: ApiDocument): string {
  const { resource, verb, summary, method, path } = operation
  const types = operationTypes(operation, document)
  const { params, query, body } = types
  const input = query ? [`query${query.optional ? '?' : ''}`] : body ? [`body${body.optional ? '?' : ''}`] : []
  const call = `purser.${resource}.${verb}(${[...params.map(({ name }) => name), ...input].join(', ')})`
  const does = summary.charAt(0).toLowerCase() + summary.slice(1)
  return `\`${call}: ${resultOf(types)}\`: ${does}; \`${method} ${path}\``
}
