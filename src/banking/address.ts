import { type Static, Type } from 'typebox'
import type { Fault } from '../base/problem.ts'

/** A postal address, kept as the caller sent it. */
export const Address = Type.Object(
  {
    street: Type.String({ minLength: 1, maxLength: 255, examples: ['1 Sample Street'] }),
    street2: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
    city: Type.String({ minLength: 1, maxLength: 255, examples: ['Springfield'] }),
    state: Type.String({ minLength: 1, maxLength: 255, examples: ['IL'] }),
    postalCode: Type.String({ minLength: 1, maxLength: 20, examples: ['62701'] }),
    country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', examples: ['US'] })),
  },
  { $id: 'Address' },
)
export type Address = Static<typeof Address>

/** The faults of a shipping address. In the United States a state has two letters and a postal code is a ZIP code. */
export function addressFaults({ state, postalCode, country = 'US' }: Address, pointer: string): Fault[] {
  if (country !== 'US') return []
  const faults: Fault[] = []
  if (!/^[A-Za-z]{2}$/.test(state)) {
    faults.push({ pointer: `${pointer}/state`, code: 'bad_format', message: 'state must be two letters in the US' })
  }
  if (!/^[0-9]{5}(-[0-9]{4})?$/.test(postalCode)) {
    const message = 'postalCode must be a ZIP or ZIP+4 in the US'
    faults.push({ pointer: `${pointer}/postalCode`, code: 'bad_format', message })
  }
  return faults
}
