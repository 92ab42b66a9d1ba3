import type { Schema } from '../../../../../ground/schema.ts'
import { type Document, plainSchema } from '../openapi.ts'

/** The state of a form made from a schema. A text that is empty is left out. */
export type Draft =
  | { kind: 'text'; text: string; isNull?: boolean }
  | { kind: 'object'; members: Record<string, Draft> }
  | { kind: 'list'; items: Draft[] }
  /** One of several schemas. */
  | { kind: 'choice'; at: number; options: Draft[] }
  /** Anything that has no form, as JSON. */
  | { kind: 'json'; text: string }

/** The kind of control that a schema gets. */
function controlOf(schema: Schema): Draft['kind'] {
  if (schema.oneOf) return 'choice'
  if (schema.properties) return 'object'
  if (schema.type === 'array' && schema.items) return 'list'
  if (schema.type === 'object' || schema.additionalProperties !== undefined) return 'json'
  return 'text'
}

/** A form filled with a value; with nothing if the value is undefined. */
export function draftOf(document: Document, schema: Schema, value: unknown): Draft {
  const plain = plainSchema(document, schema)
  switch (controlOf(plain)) {
    case 'choice':
      return choiceDraft(document, plain, value)
    case 'object': {
      const given = (value ?? {}) as Record<string, unknown>
      const members = Object.entries(plain.properties ?? {})
      return {
        kind: 'object',
        members: Object.fromEntries(members.map(([name, each]) => [name, draftOf(document, each, given[name])])),
      }
    }
    case 'list': {
      const items = Array.isArray(value) ? value : []
      return { kind: 'list', items: items.map((each) => draftOf(document, plain.items ?? {}, each)) }
    }
    case 'json':
      return { kind: 'json', text: value === undefined ? '' : JSON.stringify(value, undefined, 1) }
    default:
      return value === null ? { kind: 'text', text: '', isNull: true } : { kind: 'text', text: String(value ?? '') }
  }
}

/** The option of a discriminated value, the first one otherwise. All options take over the members that they share. */
function choiceDraft(document: Document, { oneOf = [], discriminator }: Schema, value: unknown): Draft {
  const word = (value as Record<string, unknown> | undefined)?.[discriminator?.propertyName ?? '']
  const at = oneOf.findIndex((each) => wordsOf(document, each, discriminator?.propertyName).includes(word))
  return {
    kind: 'choice',
    at: Math.max(at, 0),
    options: oneOf.map((each) => choiceOption(document, each, discriminator?.propertyName, value)),
  }
}

function choiceOption(document: Document, schema: Schema, member: string | undefined, value: unknown): Draft {
  const [word] = wordsOf(document, schema, member)
  return draftOf(document, schema, member === undefined ? value : { ...(value as object), [member]: word })
}

/** The words by which a discriminator chooses a schema. */
export function wordsOf(document: Document, schema: Schema, member: string | undefined): unknown[] {
  const { properties = {} } = plainSchema(document, schema)
  const plain = plainSchema(document, properties[member ?? ''] ?? {})
  return plain.enum ?? (plain.const === undefined ? [] : [plain.const])
}

/** The value of a form; undefined if nothing was filled in. Throws the first fault. */
export function readDraft(document: Document, schema: Schema, draft: Draft, path: string, required: boolean): unknown {
  const plain = plainSchema(document, schema)
  switch (draft.kind) {
    case 'choice': {
      const option = plain.oneOf?.[draft.at]
      const chosen = draft.options[draft.at]
      return option && chosen && readDraft(document, option, chosen, path, required)
    }
    case 'object':
      return objectValue(document, plain, draft, path, required)
    case 'list': {
      if (draft.items.length === 0 && !required) return undefined
      return draft.items.map((each, at) => readDraft(document, plain.items ?? {}, each, `${path}[${at}]`, true))
    }
    case 'json':
      return jsonValue(draft.text, path, required)
    default:
      return draft.isNull ? null : scalarValue(plain, draft.text, path, required)
  }
}

function objectValue(
  document: Document,
  { properties = {}, required: names = [] }: Schema,
  { members }: Extract<Draft, { kind: 'object' }>,
  path: string,
  required: boolean,
): unknown {
  if (!required && Object.values(members).every(isEmpty)) return undefined
  const values = Object.entries(properties).flatMap(([name, schema]) => {
    const draft = members[name]
    const inner = path === '' ? name : `${path}.${name}`
    const value = draft && readDraft(document, schema, draft, inner, names.includes(name))
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(values)
}

/** Whether nothing was filled in. */
function isEmpty(draft: Draft): boolean {
  if (draft.kind === 'object') return Object.values(draft.members).every(isEmpty)
  if (draft.kind === 'list') return draft.items.length === 0
  if (draft.kind === 'choice') return false
  return draft.text === '' && !(draft.kind === 'text' && draft.isNull)
}

function jsonValue(text: string, path: string, required: boolean): unknown {
  if (text.trim() === '') {
    if (required) throw new Error(`${path || 'The body'} is missing`)
    return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${path || 'The body'} is not JSON`)
  }
}

/** The service checks limits and patterns; here a text becomes a value of its type. */
function scalarValue(schema: Schema, text: string, path: string, required: boolean): unknown {
  if (text === '') {
    if (required) throw new Error(`${path} is missing`)
    return undefined
  }
  const types = [schema.type, ...(schema.anyOf ?? []).map(({ type }) => type)]
  if (types.includes('boolean')) return text === 'true'
  const number = Number(text)
  if (types.some((type) => type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(number)) {
    return number
  }
  if (types.includes('string')) return text
  if (types.includes('integer') || types.includes('number')) throw new Error(`${path} is not a number`)
  return text
}
