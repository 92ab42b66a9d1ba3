import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Operation, TBody } from '../../base/operation.ts'
import { isCleanText } from '../../base/text.ts'
import { Faults, pointerTo } from './faults.ts'
import { withoutNullMembers } from './null-members.ts'
import { queryReader } from './query.ts'
import { addSchemaFaults, type RequestSchema } from './schema-faults.ts'

/** A request as it arrived, before any of it was judged. */
interface Arrival {
  params: Record<string, string>
  search: string
  body: unknown
}

export interface Accepted {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
}

type Reader = (arrival: Arrival) => Accepted

/** Compiled once for all services of a process. */
const readers = new WeakMap<Operation, Reader>()

/**
 * The validation of an operation's requests. Its answer has the types of the operation's schemas. It is compiled at the first
 * request: to compile that of all operations would take a tenth of the time of a start. Messages call the body by its name.
 */
export function requestReader(operation: Operation, bodyName = 'the body'): Reader {
  let own: Reader | undefined
  return (arrival) => {
    own ??= readers.get(operation) ?? compiledReader(operation, bodyName)
    return own(arrival)
  }
}

function compiledReader(operation: Operation, bodyName: string): Reader {
  const reader = newReader(operation, bodyName)
  readers.set(operation, reader)
  return reader
}

function newReader(operation: Operation, bodyName: string): Reader {
  const readQuery = queryReader(operation.query)
  const query = checker(operation.query ?? noMembers)
  const body = { ...checker(operation.body ?? noMembers), name: bodyName }
  const needsNothing = operation.method === 'GET' && query.accepts({})
  // A PUT replaces a whole record: a body that was forgotten must not empty it.
  const absent = operation.method === 'PUT' ? null : {}

  return (arrival) => {
    const faults = new Faults()
    addParamFaults(arrival.params, faults)
    const values = readQuery(arrival.search, faults)
    if (needsNothing && arrival.search === '' && faults.list.length === 0) {
      return { params: arrival.params, query: values, body: {} }
    }
    if (!query.accepts(values)) addQueryFaults(query.schema, values, faults)
    const content = operation.method === 'GET' ? {} : readBody(body, arrival.body ?? absent, faults)
    if (faults.list.length > 0) throw faults.problem()
    return { params: arrival.params, query: values, body: content as Record<string, unknown> }
  }
}

const noMembers = { type: 'object', properties: {} } as unknown as TObject

interface Checker {
  schema: TBody
  /** Members that are texts of any characters. */
  raw: string[]
  accepts(value: unknown): boolean
}

/** Compiled for the requests that are right; `addSchemaFaults` finds what is wrong with the others. */
function checker(schema: TBody): Checker {
  const compiled = Compile(strict(schema))
  const needsMore = isJudgedFurther(schema as RequestSchema)
  const members = Object.entries((schema as RequestSchema).properties ?? {})
  return {
    schema,
    raw: members.filter(([, member]) => 'x-raw' in member).map(([name]) => name),
    accepts: (value) => compiled.Check(value) && (!needsMore || faultsOf(schema, value).list.length === 0),
  }
}

function faultsOf(schema: TBody, value: unknown): Faults {
  const faults = new Faults()
  addSchemaFaults(schema, value, faults)
  return faults
}

const LEFT_OUT = new Set(['$id', 'uniqueItems', 'format'])

/**
 * A copy in which no object takes members that its schema does not name, and without `uniqueItems`: the compiled check
 * hashes every element of a list of any length, `addSchemaFaults` only those of a list that is not too long. Formats are
 * left out, too: patterns judge, and `addSchemaFaults` looks at days.
 */
function strict(schema: TSchema): TSchema {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties') {
      const members = Object.entries(value as Record<string, TSchema>).map(([key, member]) => [key, strict(member)])
      copy[name] = Object.fromEntries(members)
    } else if (name === 'anyOf') copy[name] = (value as TSchema[]).map(strict)
    else if (name === 'items') copy[name] = strict(value as TSchema)
    else if (!LEFT_OUT.has(name)) copy[name] = value
  }
  if (copy.properties) copy.additionalProperties = false
  return copy
}

/** Whether a schema says more than the compiled check looks at: unique items, days, and rules between members. */
function isJudgedFurther({ uniqueItems, format, properties = {}, anyOf = [], items, ...rest }: RequestSchema): boolean {
  const parts = [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]
  const isOwn = uniqueItems === true || format === 'date' || rest['x-rules'] !== undefined
  return isOwn || parts.some(isJudgedFurther)
}

function addParamFaults(params: Record<string, string>, faults: Faults): void {
  for (const parameter in params) {
    if (!isCleanText(params[parameter] ?? '')) {
      faults.add({ parameter, code: 'control_character', message: `${parameter} holds a control character` })
    }
  }
}

function addQueryFaults(schema: TBody, values: Record<string, unknown>, faults: Faults): void {
  const unread = new Set(faults.list.map(({ parameter }) => parameter))
  for (const { pointer = '', code, message } of faultsOf(schema, values).list) {
    const parameter = pointer.split('/')[1] ?? ''
    // A parameter that could not be read is a fault already; the schema need not call it missing too.
    if (!unread.has(parameter)) faults.add({ parameter, code, message })
  }
}

/** The body as the operation gets it, with the faults of its texts or, if those are in order, of its schema. */
function readBody({ schema, raw, name, accepts }: Checker & { name: string }, body: unknown, faults: Faults): unknown {
  const judged = raw.length > 0 ? withoutTexts(body, raw) : body
  if (!isClean(judged, 0)) {
    addTextFaults(judged, { pointer: '', depth: 0, name }, faults)
    return body
  }
  if (accepts(body)) return body
  const content = withoutNullMembers(schema, body)
  if (content !== body && accepts(content)) return content
  const found = faults.list.length
  addSchemaFaults(schema, content, faults, name)
  if (faults.list.length === found && !faults.full) {
    throw new Error('the compiled check refuses a body in which no fault is found')
  }
  return content
}

/** An object without those of the named members that are texts. */
function withoutTexts(value: unknown, names: string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).filter(([name, member]) => typeof member !== 'string' || !names.includes(name)),
  )
}

const MAX_DEPTH = 32

/** Whether `addTextFaults` has nothing to find. Faster, because it need not write pointers. */
function isClean(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isCleanText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every((item) => isClean(item, depth + 1))
  for (const name of Object.keys(value)) {
    if (!isCleanText(name) || !isClean((value as Record<string, unknown>)[name], depth + 1)) return false
  }
  return true
}

/** The place of a value in a body, and the name that messages call the body by. */
interface TextPlace {
  pointer: string
  depth: number
  name: string
}

/** The fault of a text in words. Base64 that a tool has wrapped is the usual case of a line break. */
function unwanted(text: string): string {
  const isWrapped = /[\r\n]/.test(text) && isCleanText(text.replaceAll(/[\r\n]/g, ''))
  return isWrapped ? 'no line break; send Base64 in one line' : 'no control character or lone surrogate'
}

/** Control characters and lone surrogates are refused anywhere, names of members included. */
function addTextFaults(value: unknown, place: TextPlace, faults: Faults): void {
  if (faults.full) return
  const { pointer, depth } = place
  if (typeof value === 'string') {
    if (!isCleanText(value)) {
      faults.add({
        pointer,
        code: 'control_character',
        message: `${pointer} must hold ${unwanted(value)}`,
      })
    }
  } else if (typeof value === 'object' && value !== null) {
    if (depth === MAX_DEPTH) {
      faults.add({ pointer, code: 'too_deep', message: `${place.name} must not nest deeper than ${MAX_DEPTH} levels` })
      return
    }
    for (const [name, member] of Object.entries(value)) {
      if (faults.full) return
      const inner = pointerTo(pointer, name)
      if (!isCleanText(name)) {
        faults.add({
          pointer: inner.toWellFormed(),
          code: 'control_character',
          message: 'is a name with a control character',
        })
      } else addTextFaults(member, { ...place, pointer: inner, depth: depth + 1 }, faults)
    }
  }
}
