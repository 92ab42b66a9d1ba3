import type { Address } from '../../../banking/address.ts'
import { childOf } from '../resource.ts'

/** An address in the upstream's form: complete, without an empty second line. */
export function sentAddress({ street2, ...address }: Address): Address {
  return { ...address, ...(street2 && { street2 }), country: address.country ?? 'US' }
}

/** An address in the interface's form; undefined without one. */
export function addressOf(value: unknown): Address | undefined {
  const { street, street2, city, state, postalCode, country } = childOf(value)
  if (typeof street !== 'string') return undefined
  const word = (part: unknown) => (typeof part === 'string' ? part : '')
  return {
    street,
    ...(typeof street2 === 'string' && { street2 }),
    city: word(city),
    state: word(state),
    postalCode: word(postalCode),
    country: word(country) || 'US',
  }
}
