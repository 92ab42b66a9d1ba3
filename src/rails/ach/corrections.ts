import { hasRoutingChecksum } from '../../base/routing-number.ts'
import { transactionCode } from './codes.ts'

/** The values that a notification of change corrects. */
export interface Correction {
  routingNumber?: string
  accountNumber?: string
  /** A transaction code. */
  code?: number
  name?: string
  individualId?: string
}

type Part = keyof Correction

/** The columns of the corrected data, from 0, by change code. */
const columns: Record<string, [part: Part, start: number, end: number][]> = {
  C01: [['accountNumber', 0, 17]],
  C02: [['routingNumber', 0, 9]],
  C03: [
    ['routingNumber', 0, 9],
    ['accountNumber', 12, 29],
  ],
  C04: [['name', 0, 22]],
  C05: [['code', 0, 2]],
  C06: [
    ['accountNumber', 0, 17],
    ['code', 20, 22],
  ],
  C07: [
    ['routingNumber', 0, 9],
    ['accountNumber', 9, 26],
    ['code', 26, 28],
  ],
  C09: [['individualId', 0, 22]],
}

/**
 * The correction in the data of a notification of change; undefined if it has no such form. Values are in columns by
 * the rules. Some banks only separate them by blanks, so words are tried after the columns.
 */
export function correctionOf(code: string, data: string): Correction | undefined {
  const parts = columns[code]
  if (!parts) return undefined
  const byColumn = parts.map(([part, start, end]) => [part, data.slice(start, end).trim()] as const)
  const isAligned = [...data].every(
    (each, at) => each === ' ' || parts.some(([, start, end]) => at >= start && at < end),
  )
  const words = wordsOf(code, data)
  const byWord = parts.map(([part], index) => [part, words[index] ?? ''] as const)
  // A value that reaches out of its columns would be cut, and money would go to another account.
  const aligned = isAligned ? valuesOf(byColumn) : undefined
  return aligned ?? (words.length === parts.length && parts.length > 1 ? valuesOf(byWord) : undefined)
}

/** The values that blanks separate. The routing number and the account number of a C07 have no column between them. */
function wordsOf(code: string, data: string): string[] {
  const words = data.trim().split(/ +/)
  const [first = '', ...others] = words
  return code === 'C07' && words.length === 2 ? [first.slice(0, 9), first.slice(9), ...others] : words
}

function valuesOf(parts: (readonly [Part, string])[]): Correction | undefined {
  if (!parts.every(([part, value]) => forms[part](value))) return undefined
  return Object.fromEntries(parts.map(([part, value]) => [part, part === 'code' ? Number(value) : value]))
}

const forms: Record<Part, (value: string) => boolean> = {
  routingNumber: (value) => /^\d{9}$/.test(value) && hasRoutingChecksum(value),
  accountNumber: (value) => /^\S{1,17}$/.test(value),
  code: (value) => /^\d\d$/.test(value) && transactionCode(Number(value)) !== undefined,
  name: (value) => value !== '',
  individualId: (value) => value !== '',
}
