import type { TObject, TSchema } from 'typebox'
import { parseInstant } from '../../base/clock.ts'
import { isCleanText } from '../../base/text.ts'
import { type Faults, shortName, unknownMessage } from './faults.ts'

/** No operation has more than 20 parameters, and a list may be sent as one parameter for each of its values. */
const MAX_PARAMETERS = 100
/** The values that a list in a query may have; there are fewer event types. */
const MAX_VALUES = 100

interface Property {
  type?: string
  enum?: unknown[]
  items?: TSchema
  /** A number, or one of some words in its place. */
  anyOf?: Property[]
  /** A text of the filter language: a blank one counts as absent, and its own parser reports the faults in it. */
  'x-clause'?: true
  'x-instant'?: true
}

/** Turns a query string into the values that its schema speaks of, and adds a fault for each that it cannot read. */
export function queryReader(schema: TObject | undefined): (search: string, faults: Faults) => Record<string, unknown> {
  const properties = new Map(Object.entries((schema?.properties ?? {}) as Record<string, Property>))
  const names = [...properties.keys()]
  return (search, faults) => {
    const values: Record<string, unknown> = {}
    if (search === '') return values
    for (const [name, texts] of parametersOf(search, faults)) {
      const property = properties.get(name)
      if (property) {
        const value = readParameter(name, texts, property, faults)
        if (value !== undefined) values[name] = value
      } else faults.add({ parameter: shortName(name), code: 'unknown', message: unknownMessage(name, names) })
    }
    return values
  }
}

/** The parameters of a query string, each with its texts in order. */
function parametersOf(search: string, faults: Faults): Map<string, string[]> {
  const sent = new Map<string, string[]>()
  const pairs = search.split('&').filter((text) => text !== '')
  if (pairs.length > MAX_PARAMETERS) {
    const parameter = shortName(pairs[MAX_PARAMETERS] ?? '')
    faults.add({ parameter, code: 'too_long', message: `a query must have at most ${MAX_PARAMETERS} parameters` })
    return sent
  }
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const name = decoded(at < 0 ? pair : pair.slice(0, at))
    const text = at < 0 ? '' : decoded(pair.slice(at + 1))
    if (name === undefined || text === undefined) {
      const parameter = shortName(name ?? pair)
      faults.add({ parameter, code: 'bad_format', message: `${parameter} is not percent-encoded UTF-8` })
    } else if (!sent.get(name)?.push(text)) sent.set(name, [text])
  }
  return sent
}

/** Undefined for bytes that are not UTF-8, where URLSearchParams would write U+FFFD. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function readParameter(parameter: string, texts: string[], property: Property, faults: Faults): unknown {
  const fault = (code: string, message: string) => void faults.add({ parameter, code, message })
  if (property.type === 'array') {
    const item = (property.items ?? {}) as Property
    const parts = texts.flatMap((text) => text.split(','))
    if (parts.length > MAX_VALUES) return fault('too_long', `${parameter} must have at most ${MAX_VALUES} values`)
    return parts.map((text) => readParameter(parameter, [text], item, faults))
  }
  if (property.anyOf) return readAlternative(parameter, texts, property.anyOf, faults)
  const [text = '', ...more] = texts
  if (more.length > 0) return fault('repeated', `${parameter} may be sent once`)
  if (property['x-clause']) return /^ *$/.test(text) ? undefined : text
  if (text.trim() === '') return fault('blank', `${parameter} must not be blank`)
  if (!isCleanText(text)) return fault('control_character', `${parameter} holds a control character`)
  if (property.type === 'integer') {
    if (!/^[0-9]+$/.test(text)) return fault('wrong_type', `${parameter} must be a whole number in decimal digits`)
    const number = Number(text)
    return Number.isSafeInteger(number) ? number : fault('out_of_range', `${parameter} is too large`)
  }
  if (property.type === 'boolean') {
    const match = /^(true|false)$/i.exec(text)
    return match ? text.toLowerCase() === 'true' : fault('wrong_type', `${parameter} must be true or false`)
  }
  if (property['x-instant']) {
    const expected = 'an RFC 3339 date-time or YYYY-MM-DD'
    return parseInstant(text) ?? fault('bad_format', `${parameter} must be ${expected} (a + in a query is written %2B)`)
  }
  // Enumerations match in any letter case; the schema refuses a word that matches none.
  return property.enum?.find((word) => String(word).toLowerCase() === text.toLowerCase()) ?? text
}

/** A value of the first schema, or one of the words of the others. */
function readAlternative(
  parameter: string,
  texts: string[],
  [first = {}, ...others]: Property[],
  faults: Faults,
): unknown {
  const words = others.flatMap((other) => (other.enum ?? []) as string[])
  const [text = ''] = texts
  const word = texts.length === 1 && words.find((known) => known.toLowerCase() === text.toLowerCase())
  const found = faults.list.length
  const value = word || readParameter(parameter, texts, first, faults)
  const fault = faults.list[found]
  if (fault?.code === 'wrong_type') fault.message += `, or ${words.join(', ')}`
  return value
}
