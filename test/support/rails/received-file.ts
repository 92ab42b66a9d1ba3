import { dayNumberOf } from '../../../src/rails/ach/calendar.ts'
import { otherBank } from './ach-files.ts'

/** An entry of a file whose lines the test writes itself, with any SEC code. */
export interface LineEntry {
  code: number
  amount: number
  accountNumber: string
  sequence: number
  /** Nine digits; by default those of the bank of the tests. */
  routingNumber?: string
  /** Columns 40 to 78. */
  text?: string
  /** Types of addenda: `05` is numbered, others have the trace number of the entry. */
  addenda?: string[]
}

export interface LineBatch {
  secCode: string
  entries: LineEntry[]
  /** Columns 5 to 20. */
  companyName?: string
}

/** The bytes of an incoming file. Counts, hashes and totals are right; nothing else is checked. */
export function receivedFile(batches: LineBatch[], settlesOn: string, modifier = 'A', createdAt = '0600'): Buffer {
  const day = settlesOn.slice(2).replaceAll('-', '')
  const lines = [
    `101 812345678 061000146${day}${createdAt}${modifier}094101${'PURSER'.padEnd(23)}${'OPERATOR'.padEnd(31)}`,
  ]
  const all = { count: 0, hash: 0, debits: 0, credits: 0 }
  for (const [index, { secCode, entries, companyName = 'NORTHWIND' }] of batches.entries()) {
    const end = otherBank + digits(index + 1, 7)
    const company = '1555000111'
    lines.push(
      `5200${companyName.padEnd(36)}${company}${secCode}${'WAGES'.padEnd(16)}${day}${dayNumberOf(settlesOn)}1${end}`,
    )
    const own = { count: 0, hash: 0, debits: 0, credits: 0 }
    for (const entry of entries) {
      const made = linesOf(secCode, entry)
      lines.push(...made)
      own.count += made.length
      own.hash += Number(made[0]?.slice(3, 11))
      if (entry.code % 10 < 5) own.credits += entry.amount
      else own.debits += entry.amount
    }
    lines.push(`8200${totals(own, 6)}${company}${' '.repeat(25)}${end}`)
    for (const key of ['count', 'hash', 'debits', 'credits'] as const) all[key] += own[key]
  }
  const blocks = Math.ceil((lines.length + 1) / 10)
  lines.push(`9${digits(batches.length, 6)}${digits(blocks, 6)}${totals(all, 8)}${' '.repeat(39)}`)
  while (lines.length < blocks * 10) lines.push('9'.repeat(94))
  const odd = lines.find((line) => line.length !== 94)
  if (odd) throw new Error(`a line has ${odd.length} characters: ${odd}`)
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1')
}

function linesOf(secCode: string, entry: LineEntry): string[] {
  const { code, amount, accountNumber, sequence, routingNumber = '812345678', text = '', addenda = [] } = entry
  const trace = otherBank + digits(sequence, 7)
  const account = secCode === 'IAT' ? digits(addenda.length, 4).padEnd(17) : accountNumber.padEnd(17)
  const middle = secCode === 'IAT' ? accountNumber.padEnd(39) : text.padEnd(39)
  const head = `6${code}${routingNumber}${account}${digits(amount, 10)}${middle}`
  return [
    `${head}${addenda.length > 0 ? 1 : 0}${trace}`,
    ...addenda.map((type, index) =>
      type === '05'
        ? `705${`Remittance ${index + 1}`.padEnd(80)}${digits(index + 1, 4)}${trace.slice(-7)}`
        : `7${type}${'TERMINAL 1'.padEnd(76)}${trace}`,
    ),
  ]
}

function totals(
  { count, hash, debits, credits }: Record<'count' | 'hash' | 'debits' | 'credits', number>,
  width: number,
) {
  return `${digits(count, width)}${digits(hash % 10 ** 10, 10)}${digits(debits, 12)}${digits(credits, 12)}`
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
