import { byVerb } from '../../cli/command.ts'
import type { FlagKind, OperationCommand } from '../../cli/operation-command.ts'
import type { OperationId } from '../../client/src/index.ts'
import { listedValues, resolved, type Schema } from '../../ground/schema.ts'
import { commandWords, kebab, shellWord } from '../../ground/text.ts'
import type { Operation } from '../../src/base/operation.ts'
import { exampleOf } from '../../src/http/openapi/examples.ts'
import { type JsonObject, pascal } from '../../src/http/openapi/schemas.ts'
import { variablesOf } from '../client/examples.ts'
import type { ApiDocument } from '../client/types.ts'

type Flag = OperationCommand['flags'][number]

/** More choices than these would fill the help; the service names them in its refusal. */
const MAX_CHOICES = 12
const MAX_COLUMNS = 9

const HEADER = '// Generated from the operations by `npm run cli`. Do not edit.\n'

/** The table of the commands of all operations, one line each. */
export function operationCommandsText(operations: Operation[], document: ApiDocument): string {
  const lines = operations.map((operation) => `  ${JSON.stringify(operationCommand(operation, document))},\n`)
  return `${HEADER}
import type { OperationCommand } from '../operation-command.ts'

export const operationCommands: readonly OperationCommand[] = [
${lines.join('')}]
`
}

/** The names that the help and the tables need before any operation is known. */
export function resourceNamesText(operations: Operation[], document: ApiDocument): string {
  const groups = new Map<string, Set<string>>()
  for (const { resource, verb } of operations) {
    const [first = '', second = verb] = resource.split('.')
    groups.set(first, (groups.get(first) ?? new Set()).add(second))
  }
  const rows = [...groups].map(
    ([name, words]) =>
      `  [${JSON.stringify(kebab(name))}, ${JSON.stringify([...words].toSorted(byVerb).map(kebab).join(', '))}],\n`,
  )
  return `${HEADER}
/** The kinds of records with their commands. */
export const resources: readonly (readonly [name: string, commands: string])[] = [
${rows.toSorted().join('')}]

/** Members of records that hold cents. On a terminal they are shown in dollars. */
export const moneyMembers: readonly string[] = ${JSON.stringify(moneyMembers(document))}
`
}

function operationCommand(operation: Operation, document: ApiDocument): OperationCommand {
  const described = document.paths[operation.path.replace(/:(\w+)/g, '{$1}')]?.[operation.method.toLowerCase()]
  if (!described) throw new Error(`the document lacks ${operation.id}`)
  const parameters = (place: string) => described.parameters.filter((each) => each.in === place)
  const body = operation.body && described.requestBody?.content['application/json'].schema
  const query = parameters('query').map(({ name, required, description, schema }): [string, Schema, boolean] => [
    name,
    { ...schema, ...(description && { description }) },
    required,
  ])
  const flags = [...query, ...membersOf(body, document)].flatMap((member) => flagsOf(...member, document))
  const columns = columnsOf(operation, document)
  return {
    id: operation.id as OperationId,
    summary: operation.summary,
    description: operation.description ?? '',
    args: parameters('path').map(({ name, description = '' }) => [name, description]),
    flags,
    ...(columns && { columns }),
    example: exampleLine(operation, flags),
  }
}

/** The forms that a schema chooses from; the schema itself if it has one form. */
function formsOf(schema: Schema, { components }: ApiDocument): Schema[] {
  const own = resolved(schema, components)
  return (own.oneOf ?? own.anyOf ?? [own]).map((form) => resolved(form, components))
}

/** The members of a body; of one with several forms, those of all forms. Required are those that every form requires. */
function membersOf(schema: Schema | undefined, document: ApiDocument): [string, Schema, boolean][] {
  const forms = formsOf(schema ?? {}, document)
  const merged = new Map<string, Schema>()
  for (const [name, member] of forms.flatMap(({ properties = {} }) => Object.entries(properties))) {
    const earlier = merged.get(name)
    const words = [...wordsOf(earlier ?? {}), ...wordsOf(resolved(member, document.components))]
    merged.set(name, earlier && words.length > 0 ? { ...earlier, enum: [...new Set(words)] } : (earlier ?? member))
  }
  return [...merged]
    .filter(([name]) => name !== 'idempotencyKey')
    .map(([name, member]) => [name, member, forms.every(({ required = [] }) => required.includes(name))])
}

/** The flags of a member: one, or one for each member of an inner record. */
function flagsOf(path: string, schema: Schema, required: boolean, document: ApiDocument): Flag[] {
  const own = withoutNull(resolved(schema, document.components), document)
  const about = schema.description ?? own.description ?? ''
  if (own.type === 'object' && own.properties) {
    return membersOf(own, document).flatMap(([name, member, needed]) =>
      flagsOf(`${path}.${name}`, member, required && needed, document),
    )
  }
  const one = own.type === 'array' ? resolved(own.items ?? {}, document.components) : own
  const words = wordsOf(one)
  const choices = words.length <= MAX_CHOICES ? words : []
  const kind = `${kindOf(one)}${own.type === 'array' ? '[]' : ''}` as FlagKind
  const needed = required ? 1 : 0
  return [choices.length > 0 ? [path, kind, about, needed, choices] : [path, kind, about, needed]]
}

/** The other schema of a union with null. */
function withoutNull(schema: Schema, { components }: ApiDocument): Schema {
  const [form, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (!form || others.length > 0) return schema
  const { description } = schema
  return { ...resolved(form, components), ...(description !== undefined && { description }) }
}

function kindOf({ type, contentEncoding, ...schema }: Schema & { contentEncoding?: string }): FlagKind {
  if (contentEncoding === 'base64') return 'file'
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return branches.every((branch) => branch.type === 'integer') ? 'integer' : 'text'
  if (schema.const === true) return 'boolean'
  const kinds: Record<string, FlagKind> = { integer: 'integer', number: 'number', boolean: 'boolean', object: 'json' }
  return kinds[type ?? ''] ?? 'text'
}

function wordsOf(schema: Schema): string[] {
  return schema.const === true ? [] : listedValues(schema).map(String)
}

/** Members of a list's records that fit into a table, in the order in which they are looked for. */
function columnsOf(operation: Operation, document: ApiDocument): string[] | undefined {
  const answer = document.components.schemas[`${pascal(operation.id)}Response`]?.properties?.data
  if (operation.method !== 'GET' || answer?.type !== 'array') return undefined
  const money = moneyMembers(document)
  const [form = {}] = formsOf(answer.items ?? {}, document)
  const names = Object.entries(form.properties ?? {}).flatMap(([name, member]) => {
    if (isCell(member, document)) return [name]
    // The other party of a record is shown by its name, unless a summary has it.
    return resolved(member, document.components).properties?.name && !form.properties?.summary ? [`${name}.name`] : []
  })
  const ranks = [
    /^(id|sequence)$/,
    /^status$/,
    { test: (name: string) => name === 'amount' },
    /^(name|label|title|summary|last4Digits|url|(counterparty|merchant)\.name)$/,
    /name|description/i,
    { test: (name: string) => money.includes(name) },
    /At$|^at$|timestamp/,
  ]
  const rank = (name: string) => {
    const at = ranks.findIndex((each) => each.test(name))
    return at >= 0 ? at : ranks.length
  }
  return names.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_COLUMNS)
}

/** Whether a member is one value, a list of words or a reference to a record. The others are left to `--json`. */
function isCell(member: Schema, document: ApiDocument): boolean {
  return formsOf(member, document).every(({ type, items, properties = {} }) => {
    if (type === 'array') return !['object', 'array'].includes(resolved(items ?? {}, document.components).type ?? '')
    return type !== 'object' || Object.keys(properties).toSorted().join() === 'id,type'
  })
}

/** Names of members that hold cents in every schema that has them as a whole number. */
function moneyMembers({ components }: ApiDocument): string[] {
  const money = new Set<string>()
  const visit = (name: string, schema: Schema) => {
    const integer = [schema, ...(schema.anyOf ?? [])].some(({ type }) => type === 'integer')
    const text = [schema, ...(schema.anyOf ?? [])].map(({ description = '' }) => description).join(' ')
    if (integer && /\bcents\b/i.test(text)) money.add(name)
    for (const [inner, member] of Object.entries(schema.properties ?? {})) visit(inner, member)
    if (schema.items) visit(name, schema.items)
  }
  for (const schema of Object.values(components.schemas)) visit('', schema)
  return [...money].toSorted()
}

/** The command line with the request of the operation's example. */
function exampleLine(operation: Operation, flags: readonly Flag[]): string {
  const { params = {}, query = {}, body = {} } = exampleOf(operation).request
  const input = operation.body ? body : query
  const words = [
    'purser',
    commandWords(`${operation.resource}.${operation.verb}`),
    ...Object.keys(params).map((name) => variable(name)),
  ]
  for (const [path, kind] of flags) {
    const value = memberAt(input, path)
    if (value === undefined) continue
    const name = `--${flagName(path)}`
    for (const each of kind.endsWith('[]') ? (value as unknown[]) : [value]) {
      if (kind === 'boolean' && each === true) words.push(name)
      else if (kind === 'file') words.push(name, String(memberAt(input, 'name') ?? 'passport.png'))
      else words.push(name, valueWord(path, each))
    }
  }
  return words.join(' ')
}

function valueWord(path: string, value: unknown): string {
  if (typeof value === 'object') return shellWord(JSON.stringify(value))
  const name = path.slice(path.lastIndexOf('.') + 1)
  return Object.keys(variablesOf({ [name]: value })).length > 0 ? variable(name) : shellWord(String(value))
}

/** A value that differs between banks is a variable of the shell: `accountId` is `$ACCOUNT_ID`. */
function variable(name: string): string {
  return `"$${kebab(name).replaceAll('-', '_').toUpperCase()}"`
}

function memberAt(record: JsonObject, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as JsonObject | undefined)?.[name], record)
}

function flagName(path: string): string {
  return path.split('.').map(kebab).join('.')
}
