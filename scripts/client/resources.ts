import { type Operation, routeOf } from '../../src/base/operation.ts'
import { pascal } from '../../src/http/openapi/schemas.ts'
import { exampleText } from './examples.ts'
import { type ApiDocument, briefly, commentOf, HEADER, type OperationTypes, operationTypes } from './types.ts'

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
  const routes = new Map(
    operations.map(({ method, path, resource, verb }) => [`${method} ${path}`, `${resource}.${verb}`]),
  )
  const source: Source = { document, routes, declarations: [] }
  const body = [...grouped(operations).groups].map(
    ([name, group]) => `  ${name}: ${groupText([name], group, source)}\n`,
  )
  const text = `${source.declarations.join('\n')}\n/** All methods of the client, grouped by the kind of record. */\nexport interface Resources {\n${body.join('')}}\n`
  return `${HEADER}
import type { List } from '../list.ts'
import type { Result } from '../purser.ts'
import type { CallOptions } from '../transport.ts'
import type { ${typesIn(text).join(', ')} } from './types.ts'

${text}`
}

/** The material of the interfaces of groups, and those that are made. */
interface Source {
  document: ApiDocument
  /** The names of the methods by their routes, which descriptions name. */
  routes: Map<string, string>
  declarations: string[]
}

/** The names of types in a text of interfaces, except those that are declared elsewhere. */
function typesIn(text: string): string[] {
  const code = text.replace(/\/\*\*[\s\S]*?\*\//g, '')
  const elsewhere = /Resources?$|^(List|Result|CallOptions|Record|Uint8Array)$/
  const names = new Set(code.match(/\b[A-Z]\w*/g))
  return [...names].filter((name) => !elsewhere.test(name)).toSorted()
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
function groupText(path: string[], group: Group, source: Source): string {
  const name = `${path.map(pascal).join('')}Resource`
  const inner = [...group.groups].map(([word, each]) => `  ${word}: ${groupText([...path, word], each, source)}\n`)
  const methods = group.operations.map((operation) => methodText(operation, source))
  source.declarations.push(`export interface ${name} {\n${[...inner, ...methods].join('')}}\n`)
  return name
}

function methodText(operation: Operation, { document, routes }: Source): string {
  const { summary, description = '' } = operation
  const types = operationTypes(operation, document)
  const [paragraph = ''] = description.split('\n\n')
  const named = paragraph
    .replace(/\s+/g, ' ')
    .replace(/`([A-Z]+ \/[^`]*)`/g, (text, route) => `\`${routes.get(route) ?? text.slice(1, -1)}\``)
  const effect = briefly(named, operation.method === 'GET' ? 1 : 2)
  // A call without a body reads as its signature does.
  const example = types.body ? `\n\n@example\n${exampleText(operation, types)}` : ''
  const text = `${effect || `${summary}.`}${example}`
  return `${commentOf(text, '  ')}  ${operation.verb}(${parametersOf(types).join(', ')}): ${resultOf(types)}\n`
}

function resultOf({ item, answer }: OperationTypes): string {
  return item ? `List<${item}>` : `Result<${answer}>`
}

function parametersOf({ params, query, body }: OperationTypes): string[] {
  const input = body ? ['body', body] : ['query', query]
  const [name, part] = input as ['body' | 'query', OperationTypes['body']]
  return [
    ...params.map((each) => `${each.name}: ${each.type}`),
    ...(part ? [`${name}${part.optional ? '?' : ''}: ${part.type}`] : []),
    'options?: CallOptions',
  ]
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
