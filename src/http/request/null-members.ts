import type { TSchema } from 'typebox'
import { branchOf, type RequestSchema } from './schema-faults.ts'

type Annotated = RequestSchema & { 'x-null'?: 'refused' }

/**
 * The value without its optional members that are null: many clients write null for what they leave out. A member stays
 * if its schema admits null (in a PATCH it clears the field), and if `x-null` says that null is refused, because
 * leaving the member out means more than the caller may have meant. Returns the same object if nothing was dropped.
 */
export function withoutNullMembers(schema: TSchema, value: unknown): unknown {
  return dropNulls(schema as RequestSchema, value)
}

function dropNulls(schema: RequestSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return dropNullsOfItems(schema, value)
  const { properties, required = [] } = formOf(schema, value)
  if (!properties) return value
  const members = value as Record<string, unknown>
  let changed: Record<string, unknown> | undefined
  // By the names that the schema knows: a hostile body may have a hundred thousand others.
  for (const [name, member] of Object.entries(properties) as [string, Annotated][]) {
    if (!Object.hasOwn(members, name)) continue
    if (members[name] === null) {
      if (required.includes(name) || member['x-null'] === 'refused' || admitsNull(member)) continue
      changed ??= { ...members }
      delete changed[name]
      continue
    }
    const inner = dropNulls(member, members[name])
    if (inner === members[name]) continue
    changed ??= { ...members }
    changed[name] = inner
  }
  return changed ?? value
}

/** A list that is too long is refused as it is. */
function dropNullsOfItems({ items, maxItems = Number.POSITIVE_INFINITY }: RequestSchema, values: unknown[]): unknown[] {
  if (!items?.properties || values.length > maxItems) return values
  const changed = values.map((value) => dropNulls(items, value))
  return changed.some((value, at) => value !== values[at]) ? changed : values
}

/** The schema of an object: the branch that it chooses, and of a union with null the other branch. */
function formOf(schema: RequestSchema, value: object): RequestSchema {
  if (schema.discriminator) return branchOf(schema, value) ?? {}
  const [form, ...others] = schema.anyOf?.filter((branch) => !admitsNull(branch)) ?? [schema]
  return others.length === 0 ? (form ?? {}) : {}
}

function admitsNull({ type, anyOf, enum: words }: RequestSchema): boolean {
  return type === 'null' || (words?.includes(null) ?? false) || (anyOf?.some(admitsNull) ?? false)
}
