import { Problem } from '../../base/problem.ts'

export type ClauseParameter = 'whereClause' | 'columnNames' | 'values' | 'orderByClause'

/** The codes of faults in a clause. They are stable, because clients branch on them. */
export type ClauseCode =
  | 'syntax'
  | 'too_long'
  | 'too_deep'
  | 'too_many_predicates'
  | 'too_many_columns'
  | 'too_many_values'
  | 'too_many_order_terms'
  | 'unknown_column'
  | 'column_out_of_range'
  | 'value_out_of_range'
  | 'placeholder_gap'
  | 'unused_value'
  | 'value_arity'
  | 'value_type'
  | 'null_comparison'
  | 'operator_type'
  | 'bad_pattern'
  | 'duplicate_order_column'

/** A placeholder, `$C1` or `$V1`, with its number and position. */
export interface Placeholder {
  index: number
  at: number
}

const MAX_PLACEHOLDERS = 100

const oneEach = () => 1

/** The maximum length of each parameter, as sent. */
const limits: Record<ClauseParameter, { most: number; unit: string; sizeOf: (character: string) => number }> = {
  whereClause: { most: 2_000, unit: 'characters', sizeOf: oneEach },
  columnNames: { most: 500, unit: 'characters', sizeOf: oneEach },
  values: { most: 16_384, unit: 'bytes', sizeOf: (character) => Buffer.byteLength(character) },
  orderByClause: { most: 200, unit: 'characters', sizeOf: oneEach },
}

/** Reads one parameter from left to right and skips spaces. Other white space is refused as control characters. */
export class Reader {
  readonly parameter: ClauseParameter
  readonly text: string
  /** The position of the next token. */
  at = 0

  constructor(parameter: ClauseParameter, text: string) {
    this.parameter = parameter
    this.text = text
    this.#refuseLong()
    const unclean = text.search(/[\p{Cc}\p{Cs}]/u)
    if (unclean >= 0) throw this.refusal('syntax', 'control characters are not allowed', unclean)
    this.#skipSpaces()
  }

  /** Takes the text that a sticky pattern matches here, if any. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const token = pattern.exec(this.text)?.[0]
    if (token === undefined) return undefined
    this.at += token.length
    this.#skipSpaces()
    return token
  }

  takeKeyword(...words: string[]): string | undefined {
    const start = this.at
    const word = this.take(/[A-Za-z]+/y)?.toUpperCase()
    if (word !== undefined && words.includes(word)) return word
    this.at = start
    return undefined
  }

  /** Takes `$C1` if `letter` is C. The grammar allows three digits; the limit of 100 is checked separately. */
  placeholder(letter: 'C' | 'V'): Placeholder {
    const { at } = this
    const token = this.take(letter === 'C' ? /\$C[1-9]\d{0,2}/y : /\$V[1-9]\d{0,2}/y)
    if (token === undefined) throw this.expected(letter === 'C' ? 'a column such as $C1' : 'a value such as $V1')
    const index = Number(token.slice(2))
    if (index > MAX_PLACEHOLDERS) {
      const code = letter === 'C' ? 'column_out_of_range' : 'value_out_of_range'
      throw this.refusal(code, `the last placeholder is $${letter}${MAX_PLACEHOLDERS}`, at)
    }
    return { index, at }
  }

  expect(pattern: RegExp, what: string): void {
    if (this.take(pattern) === undefined) throw this.expected(what)
  }

  expectKeyword(...words: string[]): string {
    const word = this.takeKeyword(...words)
    if (word === undefined) throw this.expected(words.join(' or '))
    return word
  }

  /** Requires the end of the parameter; `what` names the tokens that could have followed. */
  expectEnd(what: string): void {
    if (this.at < this.text.length) throw this.expected(`${what}the end`)
  }

  expected(what: string): Problem {
    return this.refusal('syntax', `${what} was expected`)
  }

  /** Builds the problem. Positions count characters from 1. */
  refusal(code: ClauseCode, reason: string, at = this.at): Problem {
    const position = [...this.text.slice(0, at)].length + 1
    const message = `${this.parameter}, character ${position}: ${reason}${this.#hint(code)}`
    return new Problem('invalid_request', { detail: message, errors: [{ parameter: this.parameter, code, message }] })
  }

  #hint(code: ClauseCode): string {
    const isClause = this.parameter === 'whereClause' || this.parameter === 'orderByClause'
    if (code !== 'syntax' || !isClause || this.text.includes('$C')) return ''
    return '. It holds no $C1: a shell expands $C1 between double quotes, so write it between single quotes'
  }

  #refuseLong(): void {
    const { most, unit, sizeOf } = limits[this.parameter]
    let size = 0
    let at = 0
    for (const character of this.text) {
      size += sizeOf(character)
      if (size > most) throw this.refusal('too_long', `it may hold ${most} ${unit} and goes on here`, at)
      at += character.length
    }
  }

  #skipSpaces(): void {
    while (this.text[this.at] === ' ') this.at++
  }
}
