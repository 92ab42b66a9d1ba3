import { parseInstant } from '../../base/clock.ts'
import { addFault, addWarning, type FaultCode, type Findings } from './findings.ts'

/** The characters of a line. */
export const LINE_LENGTH = 94

/** One field of a record. The same description reads it and writes it. */
export interface Field {
  kind: 'fixed' | 'reserved' | 'text' | 'digits' | 'number' | 'date' | 'time'
  /** The first column, from 1. */
  start: number
  length: number
  /** The content of a fixed field. */
  content?: string
  /** Whether digits, a date or a time may be blank, and whether a text may not. Blank is the empty text. */
  blank?: boolean
  /** The form of a text, and the fault of another form. */
  form?: { pattern: RegExp; code: FaultCode }
}

/** The fields of a record by their names. */
export type Layout = Readonly<Record<string, Field>>

/** A field whose content is the same in every file. */
export const fixed = (start: number, content: string) => ({
  kind: 'fixed' as const,
  start,
  length: content.length,
  content,
})
/** A field that is blank by the rules. */
export const reserved = (start: number, length: number) => ({ kind: 'reserved' as const, start, length })
/** A text: left-justified, filled with blanks. */
export const text = (start: number, length: number) => ({ kind: 'text' as const, start, length, blank: true })
/** A text that may not be blank. */
export const mandatory = (start: number, length: number, form?: Field['form']) => ({
  ...{ kind: 'text' as const, start, length, blank: false },
  ...(form && { form }),
})
/** As many digits as the field is long: a routing number, a trace number. */
export const digits = (start: number, length: number) => ({ kind: 'digits' as const, start, length, blank: false })
/** A number: right-justified, filled with zeros. */
export const number = (start: number, length: number) => ({ kind: 'number' as const, start, length })
/** A day, YYMMDD of this century; `YYYY-MM-DD` in memory. */
export const date = (start: number) => ({ kind: 'date' as const, start, length: 6, blank: false })
/** A time, HHMM, or blank; `HH:MM` in memory. */
export const time = (start: number) => ({ kind: 'time' as const, start, length: 4, blank: true })
/** The same field, which may be blank. */
export const optional = <F extends Field>(field: F) => ({ ...field, blank: true })

/** The values of a record. Fixed and reserved fields have none. */
export type Values<L extends Layout> = {
  -readonly [Name in keyof L as L[Name]['kind'] extends 'fixed' | 'reserved'
    ? never
    : Name]: L[Name]['kind'] extends 'number' ? number : string
}

/** The values of the fields that could be read. */
export type Read<L extends Layout> = Partial<Values<L>>

/** Reads a line of at least 94 characters. A field with a fault has no value. */
export function readRecord<L extends Layout>(layout: L, content: string, line: number, findings: Findings): Read<L> {
  const values: Record<string, string | number> = {}
  for (const name in layout) {
    const field = layout[name] as Field
    const raw = content.slice(field.start - 1, field.start - 1 + field.length)
    const value = readers[field.kind](raw, field, { name, line, findings })
    if (value !== undefined) values[name] = value
  }
  return values as Read<L>
}

interface Around {
  name: string
  line: number
  findings: Findings
}

type Reader = (raw: string, field: Field, around: Around) => string | number | undefined

const readers: Record<Field['kind'], Reader> = {
  fixed: (raw, { start, content = '' }, { line, findings }) => {
    if (raw === content) return
    addFault(findings, { line, column: start }, 'bad_constant', `must be ${shown(content)}, is ${shown(raw)}`)
  },
  reserved: (raw, { start }, { line, findings }) => {
    if (isBlank(raw)) return
    addWarning(findings, { line, column: start }, 'reserved_field', `reserved field is ${shown(raw)}, not blank`)
  },
  text: readText,
  digits: (raw, field, around) => (field.blank && isBlank(raw) ? '' : digitsOf(raw, field, around)),
  number: (raw, field, around) => {
    const found = digitsOf(raw, field, around)
    return found === undefined ? undefined : Number(found)
  },
  date: (raw, field, around) => {
    // Some banks fill a day that they do not name with zeros.
    if (field.blank && /^( *|0+)$/.test(raw)) return ''
    const day = `20${raw.slice(0, 2)}-${raw.slice(2, 4)}-${raw.slice(4)}`
    if (isDay(day)) return day
    return wrong(around, field, 'bad_date', `is ${shown(raw)}, which is no date YYMMDD`)
  },
  time: (raw, field, around) => {
    if (field.blank && isBlank(raw)) return ''
    if (TIME.test(raw)) return `${raw.slice(0, 2)}:${raw.slice(2)}`
    return wrong(around, field, 'bad_time', `is ${shown(raw)}, which is no time HHMM`)
  },
}

const TIME = /^([01]\d|2[0-3])[0-5]\d$/
const PRINTABLE = /^[\x20-\x7e]*$/
const NOT_ASCII = /[^\x20-\x7e]/g
const LETTER = /^\p{L}$/u

function readText(raw: string, field: Field, around: Around): string | undefined {
  if (!PRINTABLE.test(raw) && !areLetters(raw, field, around)) return undefined
  const value = withoutTrailingBlanks(raw)
  if (!field.blank && value === '') return wrong(around, field, 'blank_field', 'is blank')
  if (field.form && !field.form.pattern.test(value)) {
    return wrong(around, field, field.form.code, `is ${shown(value)}`)
  }
  return value
}

/** Whether the characters outside ASCII are letters: these are flagged, others are faults. */
function areLetters(raw: string, { start }: Field, { name, line, findings }: Around): boolean {
  const others = [...raw.matchAll(NOT_ASCII)]
  const bad = others.find(([character]) => !LETTER.test(character))
  const [found] = bad ?? others[0] ?? ['']
  const place = { line, column: start + ((bad ?? others[0])?.index ?? 0) }
  if (bad) addFault(findings, place, 'bad_character', `${phrase(name)} has the character ${codePoint(found)}`)
  else addWarning(findings, place, 'not_ascii', `${phrase(name)} has the letter ${codePoint(found)}`)
  return bad === undefined
}

function digitsOf(raw: string, field: Field, around: Around): string | undefined {
  if (/^\d+$/.test(raw)) return raw
  return wrong(around, field, 'bad_number', `is ${shown(raw)}, which is not ${field.length} digits`)
}

function wrong({ name, line, findings }: Around, { start }: Field, code: FaultCode, text: string): undefined {
  addFault(findings, { line, column: start }, code, `${phrase(name)} ${text}`)
}

/** Writes a record as a line of 94 characters. A value that does not fit leaves a fault. */
export function writeRecord<L extends Layout>(layout: L, values: Values<L>, line: number, findings: Findings): string {
  return writeFields(layout, values, line, findings)
}

/** Writes a record whose layout is known at run time only. */
export function writeFields(
  layout: Layout,
  values: Record<string, string | number>,
  line: number,
  findings: Findings,
): string {
  let content = ''
  for (const name in layout) {
    const field = layout[name] as Field
    const value = values[name] ?? ''
    const raw = writers[field.kind](value, field)
    if (raw?.length !== field.length) {
      const text = `${phrase(name)} ${shown(String(value))} does not fit its field`
      addFault(findings, { line, column: field.start }, 'does_not_fit', text)
    }
    content += raw ?? ''
  }
  return content
}

/** The content of a field; of another length, or undefined, if the value does not fit. */
const writers: Record<Field['kind'], (value: string | number, field: Field) => string | undefined> = {
  fixed: (_, { content }) => content,
  reserved: (_, { length }) => ' '.repeat(length),
  text: (value, { length }) => {
    const content = withoutTrailingBlanks(String(value))
    return PRINTABLE.test(content) ? content.padEnd(length) : undefined
  },
  digits: (value, { blank, length }) => {
    if (blank && value === '') return ' '.repeat(length)
    return /^\d+$/.test(String(value)) ? String(value) : undefined
  },
  number: (value, { length }) => {
    return Number.isSafeInteger(value) && Number(value) >= 0 ? String(value).padStart(length, '0') : undefined
  },
  date: (value, { blank }) => {
    if (blank && value === '') return ' '.repeat(6)
    return /^20\d\d-\d\d-\d\d$/.test(String(value)) ? String(value).slice(2).replaceAll('-', '') : undefined
  },
  time: (value) => (value === '' ? '    ' : String(value).replace(/^(\d\d):(\d\d)$/, '$1$2')),
}

/** Whether a text `YYYY-MM-DD` is a day of the calendar. */
function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && parseInstant(text) !== undefined
}

function isBlank(raw: string): boolean {
  return /^ *$/.test(raw)
}

/** Leading blanks stay: they are part of what a bank sends. */
function withoutTrailingBlanks(raw: string): string {
  let end = raw.length
  while (end > 0 && raw[end - 1] === ' ') end--
  return raw.slice(0, end)
}

/** The name of a field in words: `entryHash` is entry hash. */
function phrase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** A value in quotes, without the characters that a terminal would act on. */
export function shown(value: string): string {
  return `"${value.slice(0, LINE_LENGTH).replace(NOT_ASCII, codePoint)}"`
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
