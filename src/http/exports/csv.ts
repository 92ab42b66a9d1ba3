import type { TSchema } from 'typebox'

/** A column of a file: the path of its member in a record. */
export interface Column {
  name: string
  path: string[]
}

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}

/** The columns of records of a schema. A member of an inner object has a dot in its name. */
export function columnsOf(schema: TSchema): Column[] {
  const paths = pathsOf(schema as Schema, [])
  const columns = new Map(paths.map((path) => [path.join('.'), path]))
  // A member that is an object in one branch and none in another.
  const inner = [...columns.keys()].filter((name) => ![...columns.keys()].some((other) => other.startsWith(`${name}.`)))
  return inner.map((name) => ({ name, path: columns.get(name) ?? [] }))
}

function pathsOf({ anyOf, properties }: Schema, before: string[]): string[][] {
  const branches = (anyOf ?? []).filter(({ type }) => type !== 'null')
  // The data of events has a form for each of a hundred types.
  if (branches.length > 0 && branches.every(isObject) && (before.length === 0 || branches.length < 5)) {
    return branches.flatMap((branch) => pathsOf(branch, before))
  }
  if (!properties) return [before]
  return Object.entries(properties).flatMap(([name, member]) => pathsOf(member, [...before, name]))
}

const isObject = ({ properties, anyOf }: Schema): boolean => (properties ?? anyOf) !== undefined

export function headOf(columns: Column[]): string {
  return lineOf(columns.map(({ name }) => name))
}

export function csvLine(columns: Column[], record: unknown): string {
  return lineOf(columns.map(({ path }) => path.reduce<unknown>(memberOf, record)))
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[name]
}

/** RFC 4180. */
function lineOf(values: unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  // A spreadsheet would run a text that begins like a formula.
  const harmless = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
