import { readBai2 } from './bai2.ts'
import { readCamt053 } from './camt053.ts'
import type { KindMapping } from './codes.ts'
import { type CsvMapping, readCsv } from './csv.ts'
import { type BankStatement, MAX_BYTES, StatementFault } from './statement.ts'

/** The ways in which banks differ. */
export interface StatementForm {
  kinds: KindMapping
  /** Absent if the bank sends no CSV. */
  csv?: CsvMapping | undefined
  /** The account of a CSV, which does not name one. */
  account: string
}

/** Reads a file of statements: BAI2, camt.053, or CSV if its columns are known. Throws a `StatementFault` if it cannot be trusted. */
export function readStatements(bytes: Uint8Array, { kinds, csv, account }: StatementForm): BankStatement[] {
  if (bytes.length > MAX_BYTES) throw new StatementFault('too_large', `the file has more than ${MAX_BYTES} bytes`)
  const text = textOf(bytes)
  const start = text.slice(0, 1_000).trimStart()
  if (start.startsWith('<')) return readCamt053(text.trimStart())
  if (/^01\s*,/.test(start)) return readBai2(text.trimStart(), kinds)
  if (csv) return readCsv(text, csv, account)
  throw new StatementFault('format', 'the file is neither BAI2 nor camt.053')
}

/** The text of a file: UTF-8 with or without a mark in front; BAI2 of old systems may be Latin-1. */
function textOf(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new StatementFault('encoding', 'the file is not UTF-8: it has zero bytes')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    if (bytes[0] === '0'.charCodeAt(0)) return Buffer.from(bytes).toString('latin1')
    throw new StatementFault('encoding', 'the file is not UTF-8')
  }
}
