import { type Static, Type } from 'typebox'
import type { Fault } from '../base/problem.ts'

/** A postal address as it was sent. */
export const Address = Type.Object({
  street: Type.String({ minLength: 1, maxLength: 255, examples: ['1 Sample Street'] }),
  street2: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
  city: Type.String({ minLength: 1, maxLength: 255, examples: ['Springfield'] }),
  state: Type.String({ minLength: 1, maxLength: 255, examples: ['IL'] }),
  postalCode: Type.String({ minLength: 1, maxLength: 20, examples: ['62701'] }),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', examples: ['US'] })),
})
export type Address = Static<typeof Address>

export function addressFaults(_address: Address, _pointer: string): Fault[] {
  return []
}
