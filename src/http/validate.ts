import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import type { Operation } from '../base/operation.ts'
import { type Fault, invalidRequest, MAX_FAULTS } from '../base/problem.ts'
import { isCleanText } from '../base/text.ts'
import { queryReader, unknownMessage } from './query.ts'

Settings.Set({ maxErrors: MAX_FAULTS })

/** What arrived, before anything is known about it. */
export interface Arrival {
  params: Record<string, string>
  search: string
  body: unknown
}

export interface Accepted {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
}

/** Builds the one place where a request is validated; what it answers has the types of the operation's schemas. */
export function requestReader(operation: Operation): (arrival: Arrival) => Accepted {
  const readQuery = queryReader(operation.query)
  const checkQuery = checker(operation.query)
  const checkBody = checker(operation.body ?? emptyBody)
  const bodyNames = Object.keys(operation.body?.properties ?? {})
  /** A read that nothing has to be sent with. */
  const bare = operation.method === 'GET' && checkQuery({}).length === 0

  return ({ params, search, body }) => {
    const faults: Fault[] = []
    for (const parameter in params) {
      if (!isCleanText(params[parameter] ?? '')) {
        faults.push({ parameter, code: 'control_character', message: `${parameter} holds a control character` })
      }
    }
    const query = readQuery(search, faults)
    if (bare && search === '' && faults.length === 0) return { params, query, body: {} }
    const unread = faults.map(({ parameter }) => parameter)
    for (const fault of checkQuery(query)) {
      const parameter = (fault.pointer ?? '').split('/')[1] ?? ''
      // A parameter that could not be read is a fault already; the schema need not call it missing too.
      if (!unread.includes(parameter)) faults.push({ parameter, code: fault.code, message: fault.message })
    }
    const content = operation.method === 'GET' ? {} : (body ?? {})
    if (!isClean(content, 0)) textFaults(content, '', 0, faults)
    if (faults.every(({ pointer }) => pointer === undefined)) faults.push(...checkBody(content, bodyNames))
    if (faults.length > 0) throw invalidRequest(faults)
    return { params, query, body: content as Record<string, unknown> }
  }
}

const emptyBody = { type: 'object', properties: {} } as unknown as TObject

const DEEPEST = 32

/** Whether there is nothing for `textFaults` to find, which has to spell out where it looks. */
function isClean(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isCleanText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === DEEPEST) return false
  for (const name of Object.keys(value)) {
    if (!isCleanText(name) || !isClean((value as Record<string, unknown>)[name], depth + 1)) return false
  }
  return true
}

/** Control characters and lone surrogates are refused anywhere, names of members included. */
function textFaults(value: unknown, pointer: string, depth: number, faults: Fault[]): void {
  if (faults.length >= MAX_FAULTS) return
  if (typeof value === 'string') {
    if (!isCleanText(value)) {
      faults.push({
        pointer,
        code: 'control_character',
        message: `${pointer} must hold no control character or lone surrogate`,
      })
    }
  } else if (typeof value === 'object' && value !== null) {
    if (depth === DEEPEST) {
      faults.push({ pointer, code: 'too_deep', message: `the body must not nest deeper than ${DEEPEST} levels` })
      return
    }
    for (const [name, member] of Object.entries(value)) {
      const inner = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (!isCleanText(name)) {
        faults.push({
          pointer: inner.toWellFormed(),
          code: 'control_character',
          message: 'is a name with a control character',
        })
      } else textFaults(member, inner, depth + 1, faults)
    }
  }
}

function checker(schema: TObject | undefined): (value: unknown, known?: string[]) => Fault[] {
  if (!schema) return () => []
  const compiled = Compile(strict(schema))
  return (value, known = []) => (compiled.Check(value) ? [] : faultsOf(compiled.Errors(value), { schema, known }))
}

/** What a fault is explained with: the schema that found it, and the names it knows. */
interface Rules {
  schema: TObject
  known: string[]
}

/** An example says more about a form than a pattern does. */
function exampleOf({ schema }: Rules, schemaPath: string): string | undefined {
  const steps = schemaPath.split('/').slice(1)
  const found = steps.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], schema)
  return (found as { examples?: string[] } | undefined)?.examples?.[0]
}

/** A copy in which no object takes members that its schema does not name. */
function strict(schema: TSchema): TSchema {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties') {
      const members = Object.entries(value as Record<string, TSchema>).map(([key, member]) => [key, strict(member)])
      copy[name] = Object.fromEntries(members)
    } else if (name === 'anyOf') copy[name] = (value as TSchema[]).map(strict)
    else if (name === 'items') copy[name] = strict(value as TSchema)
    else if (name !== '$id') copy[name] = value
  }
  if (copy.properties) copy.additionalProperties = false
  return copy
}

function faultsOf(errors: TLocalizedValidationError[], rules: Rules): Fault[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath)
  return errors.flatMap((error) => {
    // The branches of a union each complain; one sentence for the whole is enough.
    const inUnion = unions.some((path) => error.instancePath === path || error.instancePath.startsWith(`${path}/`))
    return inUnion && error.keyword !== 'anyOf' ? [] : faultOf(error, rules)
  })
}

function faultOf(error: TLocalizedValidationError, rules: Rules): Fault[] {
  const pointer = error.instancePath
  // An element of a list is told under the list's name.
  const name = pointer.split('/').findLast((part) => !/^\d+$/.test(part))
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((missing) => ({
        pointer: `${pointer}/${missing}`,
        code: 'required',
        message: `${missing} is required`,
      }))
    case 'additionalProperties':
      return error.params.additionalProperties.map((unknown) => ({
        pointer: `${pointer}/${unknown.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        code: 'unknown',
        message: pointer === '' ? unknownMessage(unknown, rules.known) : `${unknown} is not known`,
      }))
    // The boolean schema `false` is how an unknown member is refused; additionalProperties has named it.
    case 'boolean':
      return []
    case 'type':
      return [{ pointer, code: 'wrong_type', message: `${name || 'the body'} ${error.message}` }]
    case 'const':
      return [{ pointer, code: 'not_allowed', message: `${name} must be ${String(error.params.allowedValue)}` }]
    case 'enum':
      return [
        { pointer, code: 'not_allowed', message: `${name} must be one of ${error.params.allowedValues.join(', ')}` },
      ]
    case 'minLength':
    case 'minItems':
      return [{ pointer, code: 'too_short', message: `${name} ${error.message}` }]
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return [{ pointer, code: 'too_long', message: `${name} ${error.message}` }]
    case 'minimum':
    case 'maximum':
      return [{ pointer, code: 'out_of_range', message: `${name} ${error.message}` }]
    case 'propertyNames':
      return [{ pointer, code: 'bad_format', message: `${name} has a name that is too short or too long` }]
    case 'anyOf':
      return [{ pointer, code: 'wrong_type', message: `${name} has none of the types it may have` }]
    default: {
      const example = error.keyword === 'pattern' ? exampleOf(rules, error.schemaPath) : undefined
      const message = example ? `${name} has the wrong form; an example is ${example}` : `${name} ${error.message}`
      return [{ pointer, code: 'bad_format', message }]
    }
  }
}
