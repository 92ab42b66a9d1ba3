import type { TObject, TSchema } from 'typebox'
import { parseInstant } from '../base/clock.ts'
import type { Fault } from '../base/problem.ts'
import { isCleanText } from '../base/text.ts'

interface Property {
  type?: string
  enum?: unknown[]
  items?: TSchema
  /** A text of the filter language: blank is absent, and what is wrong in it is told by its own reader. */
  'x-clause'?: true
  'x-instant'?: true
}

/** Turns a query string into the values that its schema speaks of, noting every fault on the way. */
export function queryReader(schema: TObject | undefined): (search: string, faults: Fault[]) => Record<string, unknown> {
  const properties = new Map(Object.entries((schema?.properties ?? {}) as Record<string, Property>))
  return (search, faults) => {
    const values: Record<string, unknown> = {}
    if (search === '') return values
    const sent = new Map<string, string[]>()
    for (const pair of search.split('&').filter((text) => text !== '')) {
      const at = pair.indexOf('=')
      const name = decoded(at < 0 ? pair : pair.slice(0, at))
      const text = at < 0 ? '' : decoded(pair.slice(at + 1))
      if (name === undefined || text === undefined) {
        const parameter = name ?? pair
        faults.push({ parameter, code: 'bad_format', message: `${parameter} is not percent-encoded UTF-8` })
      } else if (!sent.get(name)?.push(text)) sent.set(name, [text])
    }
    for (const [name, texts] of sent) {
      const property = properties.get(name)
      if (!property) {
        faults.push({ parameter: name, code: 'unknown', message: unknownMessage(name, [...properties.keys()]) })
        continue
      }
      const value = readParameter(name, texts, property, faults)
      if (value !== undefined) values[name] = value
    }
    return values
  }
}

/** Unlike URLSearchParams, which takes any bytes and puts U+FFFD for what is no UTF-8, this answers undefined. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function readParameter(parameter: string, texts: string[], property: Property, faults: Fault[]): unknown {
  const fault = (code: string, message: string) => void faults.push({ parameter, code, message })
  if (property.type === 'array') {
    const item = (property.items ?? {}) as Property
    return texts.flatMap((text) => text.split(',')).map((text) => readParameter(parameter, [text], item, faults))
  }
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
  // Enumerations match in any letter case; what matches none is left for the schema to refuse.
  return property.enum?.find((word) => String(word).toLowerCase() === text.toLowerCase()) ?? text
}

/** A typo in a money filter must not return everything, so the nearest known name is offered. */
export function unknownMessage(name: string, known: string[]): string {
  const nearest = known
    .map((candidate) => ({ candidate, distance: distance(name.slice(0, 64).toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0]
  if (nearest && nearest.distance <= Math.max(2, nearest.candidate.length / 2)) {
    return `${name} is not known; did you mean ${nearest.candidate}?`
  }
  return known.length > 0
    ? `${name} is not known; known are ${known.join(', ')}`
    : `${name} is not known; none is taken`
}

/** Levenshtein's: how many characters to change, add or drop. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
