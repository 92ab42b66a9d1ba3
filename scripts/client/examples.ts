import type { Operation } from '../../src/base/operation.ts'
import { exampleOf } from '../../src/http/openapi/examples.ts'
import { type JsonObject, pascal } from '../../src/http/openapi/schemas.ts'
import type { OperationTypes } from './types.ts'

/** The longest objects on one line: as an argument, and as a member on a line of its own. */
const [LONGEST_ARGUMENT, LONGEST_MEMBER] = [70, 100]
const LONGEST_TEXT = 60

/** The call of an operation by the client, with the request of its example. */
export function exampleText(operation: Operation, types: OperationTypes): string {
  const { params = {}, query = {}, body = {} } = exampleOf(operation).request
  const input = types.body ? body : types.item ? withoutLimit(query) : query
  const needed = (types.body && !types.body.optional) || (types.query && !types.query.optional)
  const values = [
    ...types.params.map(({ name }) => valueText(name, params[name])),
    ...(needed || Object.keys(input).length > 0 ? [objectText(input)] : []),
  ]
  const call = `purser.${operation.resource}.${operation.verb}(${values.join(', ')})`
  const name = resultName(operation, types)
  if (types.item) return `for await (const ${name} of ${call}) {\n  console.log(${name}.${shownMember(operation)})\n}`
  if (types.data === 'undefined') return `await ${call}`
  return `const ${name} = await ${call}`
}

/** The values of an example that are variables in its text, by name: ids, and texts too long to be read. */
export function variablesOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {}
  const members = Object.entries(value)
  const own = members.filter(([name, member]) => isVariable(name, member))
  return Object.assign({}, ...members.map(([, member]) => variablesOf(member)), Object.fromEntries(own))
}

function isVariable(name: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  return /^id$|Id$/.test(name) || String(value).length > LONGEST_TEXT
}

/** The number of records a page holds makes no difference to a loop over all of them. */
function withoutLimit({ limit: _limit, ...query }: JsonObject): JsonObject {
  return query
}

function valueText(name: string, value: unknown, indent = ''): string {
  if (isVariable(name, value)) return name
  if (Array.isArray(value)) return `[${value.map((each) => valueText('', each, indent)).join(', ')}]`
  if (typeof value === 'object' && value !== null) return objectText(value as JsonObject, indent)
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
}

/** An object on one line, or a line for each member if it is long. */
function objectText(members: JsonObject, indent = ''): string {
  const within = `${indent}  `
  const texts = Object.entries(members).map(([name, value]) =>
    isVariable(name, value) ? name : `${/^\w+$/.test(name) ? name : `'${name}'`}: ${valueText(name, value, within)}`,
  )
  if (texts.length === 0) return '{}'
  const line = `{ ${texts.join(', ')} }`
  if (line.length <= (indent ? LONGEST_MEMBER : LONGEST_ARGUMENT) && !line.includes('\n')) return line
  return `{\n${texts.map((text) => `${within}${text},\n`).join('')}${indent}}`
}

/** The name of the answer: that of the resource if the answer is its record, else that of the record's type. */
function resultName({ resource }: Operation, { item, data }: OperationTypes): string {
  const type = (item ?? data).replace(/^Listed|(WithSecret|Detail|Info)$/g, '')
  const words = resource.split('.').at(-1) ?? ''
  const singular = words.endsWith('ies') ? `${words.slice(0, -3)}y` : words.replace(/s$/, '')
  if (type === 'Uint8Array') return 'bytes'
  // A word of the language is no name of a variable.
  if (singular === 'import') return 'entry'
  if (!/^\w+$/.test(type) || type.endsWith(pascal(singular))) return singular
  return type[0]?.toLowerCase() + type.slice(1)
}

/** The first member of a list's records; their id if they have one. */
function shownMember({ data }: Operation): string {
  const { properties = { id: {} } } = (data as { items?: { properties?: JsonObject } }).items ?? {}
  return 'id' in properties ? 'id' : (Object.keys(properties)[0] ?? 'id')
}
