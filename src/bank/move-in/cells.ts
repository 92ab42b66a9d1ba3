import type { Address } from '../../banking/address.ts'
import { parseInstant } from '../../base/clock.ts'

/** The values of a row by the names of their columns. */
export type Cells = ReadonlyMap<string, string>

const addressParts = ['street', 'city', 'state', 'postalCode'] as const

/** The address in a row; undefined if it has none. */
export function addressIn(cells: Cells): Address | undefined {
  const [street, city, state, postalCode] = addressParts.map((name) => cells.get(name))
  if (!street || !city || !state || !postalCode) return undefined
  const [street2, country] = [cells.get('street2'), cells.get('country')]
  return { street, ...(street2 && { street2 }), city, state, postalCode, ...(country && { country }) }
}

/** The parts that an address lacks. */
export function addressFaults(cells: Cells, isNeeded: boolean): string[] {
  const missing = addressParts.filter((name) => !cells.has(name))
  const isAbsent = missing.length === addressParts.length
  return missing.length === 0 || (isAbsent && !isNeeded) ? [] : [`the address has no ${missing.join(', ')}`]
}

/** A time that was checked. */
export function instantIn(cells: Cells, column: string): string {
  return parseInstant(cells.get(column) ?? '') ?? ''
}

/** A number of cents that was checked; 0 if it is empty. */
export function centsIn(cells: Cells, column: string): number {
  return Number(cells.get(column) ?? 0)
}
