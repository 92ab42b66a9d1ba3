import { isIP } from 'node:net'
import { type TSchema, Type } from 'typebox'

/** A copy of a schema with a description of its own. */
export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  const value = { value: description, enumerable: true, configurable: true, writable: true }
  // TypeBox keeps the kind of a schema in members that a spread would not copy.
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), description: value }) as Schema
}

/** A text with a minimum and a maximum length, counted in code points. */
export function Text(
  minLength: number,
  maxLength: number,
  options: { examples?: string[]; description?: string } = {},
) {
  return Type.String({ minLength, maxLength, ...options })
}

/** The text of a search. */
export function SearchText(description: string) {
  return Text(1, 100, { description, examples: ['Ada'] })
}

export const Timestamp = Type.String({
  description: 'UTC, with milliseconds',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  examples: ['2026-01-31T12:00:00.000Z'],
})

/**
 * A time in a request: a date-time with an offset, or a date, which stands for its midnight in UTC. `words` are texts that
 * the operation takes in place of a time.
 */
export function Instant({ words, ...options }: { description: string; examples?: string[]; words?: string[] }) {
  return Type.String({
    examples: ['2026-01-31T12:00:00Z', '2026-01-31'],
    ...options,
    'x-instant': true,
    ...(words && { 'x-words': words }),
  })
}

/** The time at which a record was created. */
export const CreatedAt = described(Timestamp, 'Time of creation, in bank time')

/** The time of a record's last change; null before the first. */
export const UpdatedAt = Type.Union([Timestamp, Type.Null()], {
  description: 'Time of the last change, in bank time; null before the first',
})

/** A word in an answer. The known words are listed; one that an upstream adds later is passed on unchanged. */
export function Word(known: readonly string[], options: { description?: string } = {}) {
  return Type.Unsafe<string>({ type: 'string', enum: [...known], 'x-extensible-enum': true, ...options })
}

/** A copy of a schema in which every `Word` takes any text: the form of an answer, whichever provider it comes from. */
export function withOpenWords<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withOpenWords) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).filter(([name]) => name !== 'enum' || !('x-extensible-enum' in schema))
  return Object.fromEntries(members.map(([name, value]) => [name, withOpenWords(value)])) as T
}

/** Free-form names and values on a record. */
export const Tags = Type.Record(Type.String(), Type.String({ maxLength: 255 }), {
  maxProperties: 15,
  propertyNames: { type: 'string', minLength: 1, maxLength: 255 },
  examples: [{ purpose: 'savings' }],
  $id: 'Tags',
  description: 'Names and values of your own, kept with the record: at most 15, each up to 255 characters',
})

const CONTROL_CHARACTER = /\p{Cc}/u
/** From here on the regular expression is faster than the loop, four times for an upload. */
const LONG_TEXT = 1_024

/** Whether a text has neither control characters nor lone surrogates; no request may hold either. */
export function isCleanText(text: string): boolean {
  if (text.length > LONG_TEXT) return !CONTROL_CHARACTER.test(text) && text.isWellFormed()
  let surrogates = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false
    surrogates ||= code >= 0xd800 && code < 0xe000
  }
  return !surrogates || text.isWellFormed()
}

/** Whether a text is an IPv4 or IPv6 address. */
export function isIpAddress(text: string): boolean {
  return isIP(text) !== 0
}

/** A text as JSON. Most texts need no escaping, and checking that is faster than JSON.stringify. */
export function quoted(text: string): string {
  return isCleanText(text) && !text.includes('"') && !text.includes('\\') ? `"${text}"` : JSON.stringify(text)
}

/** A text with each secret replaced by `***`. */
export function veiled(text: string, secrets: string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
}

/** A number with its noun: `1 fault`, `3 faults`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
const NEW_LINE = 10

/** A line that is longer than it may be. */
export class LongLine extends Error {
  readonly number: number

  constructor(number: number) {
    super(`line ${number} is too long`)
    this.number = number
  }
}

/** Splits bytes into lines, and holds no more than one. Throws LongLine before more than `longest` bytes of a line are in memory. */
export async function* linesIn(
  source: AsyncIterable<Buffer>,
  longest: (number: number) => number,
): AsyncGenerator<Buffer> {
  let number = 1
  let parts: Buffer[] = []
  let length = 0
  const take = (part: Buffer) => {
    length += part.length
    if (length > longest(number)) throw new LongLine(number)
    parts.push(part)
  }
  const end = () => {
    const line = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    number++
    parts = []
    length = 0
    return line
  }
  for await (const chunk of source) {
    let from = 0
    for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, from)) {
      take(chunk.subarray(from, at))
      yield end()
      from = at + 1
    }
    if (from < chunk.length) take(chunk.subarray(from))
  }
  if (length > 0) yield end()
}
