import { type Components, listedValues, resolved, type Schema, schemaName } from '../../../ground/schema.ts'
import type { JsonObject, NamedSchemas } from '../openapi/schemas.ts'

/** The deepest nesting of members that is shown. */
const MAX_DEPTH = 6

/** One line for a value: its name, its type, its limits, its description; then the lines of its members, indented. */
export function valueLines(name: string, schema: JsonObject, schemas: NamedSchemas, required: boolean): string[] {
  return linesOf(name, schema as Schema, { components: { schemas }, required, depth: 0 })
}

/** The lines of the members of a record, of a list's records, or of each of its forms. */
export function memberLines(schema: JsonObject, schemas: NamedSchemas): string[] {
  return membersOf(schema as Schema, { components: { schemas }, required: true, depth: 0 })
}

interface Place {
  components: Components
  required: boolean
  depth: number
}

function linesOf(name: string, schema: Schema, place: Place): string[] {
  const own = resolved(schema, place.components)
  const about = schema.description ?? own.description
  const facts = [typeOf(own, place.components), ...limitsOf(own), ...(place.required ? ['required'] : [])]
  const line = `${'  '.repeat(place.depth)}- \`${name}\` (${facts.join(', ')})${about ? `: ${oneLine(about)}` : ''}`
  return [line, ...membersOf(own, { ...place, depth: place.depth + 1 })]
}

function membersOf(schema: Schema, place: Place): string[] {
  if (place.depth > MAX_DEPTH) return []
  const { oneOf, anyOf, items } = resolved(schema, place.components)
  const forms = oneOf ?? anyOf
  if (forms) return formLines(forms, place)
  if (items) return membersOf(items, place)
  return linesByMember(schema, place).flatMap((lines) => lines.split('\n'))
}

/** The members that all forms share, and then each form under a line with its name and its other members. */
function formLines(forms: Schema[], place: Place): string[] {
  const records = forms.filter((form) => membersOf(form, place).length > 0)
  const [only, ...others] = records
  if (others.length === 0) return only ? membersOf(only, place) : []
  const shared = new Set(
    records
      .map((form) => linesByMember(form, place))
      .reduce((all, lines) => all.filter((each) => lines.includes(each))),
  )
  const inner = { ...place, depth: place.depth + 1 }
  const sharedInner = new Set([...shared].map(indented))
  return [
    ...shared,
    ...records.flatMap((form) => [
      `${'  '.repeat(place.depth)}- as \`${schemaName(form) ?? 'object'}\`:`,
      ...linesByMember(form, inner).filter((lines) => !sharedInner.has(lines)),
    ]),
  ]
}

/** For each member of a record one text: its line, and the lines of its own members. Any other value is one text. */
function linesByMember(schema: Schema, place: Place): string[] {
  const { oneOf, anyOf, items, properties = {}, required = [] } = resolved(schema, place.components)
  if (oneOf ?? anyOf ?? items) return [membersOf(schema, place).join('\n')]
  return Object.entries(properties).map(([name, member]) =>
    linesOf(name, member, { ...place, required: required.includes(name) }).join('\n'),
  )
}

function indented(lines: string): string {
  return lines.replaceAll(/^/gm, '  ')
}

function typeOf(schema: Schema, components: Components): string {
  const forms = schema.oneOf ?? schema.anyOf
  if (forms) return [...new Set(forms.map((form) => typeOf(resolved(form, components), components)))].join(' or ')
  const values = listedValues(schema)
  if (values.length > 0) return `${values.length > 1 ? 'one of ' : ''}${values.map(code).join(', ')}`
  if (schema.type === 'array') return `list of ${typeOf(resolved(schema.items ?? {}, components), components)}`
  if (schema.contentEncoding) return `${schema.contentEncoding} text`
  return [schema.type ?? 'any value', ...(schema.format ? [schema.format] : [])].join(' ')
}

const limits: [keyword: string, text: string][] = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'length at least'],
  ['maxLength', 'length at most'],
  ['minItems', 'entries at least'],
  ['maxItems', 'entries at most'],
  ['default', 'default'],
]

function limitsOf(schema: Schema): string[] {
  const values = schema as JsonObject
  return limits.flatMap(([keyword, text]) => (keyword in values ? [`${text} ${code(values[keyword])}`] : []))
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}
