import { Address } from '../../../banking/address.ts'
import { childOf } from '../resource.ts'
import { compiledOnce } from './fitting.ts'

const validator = compiledOnce(Address)

/** An address in the upstream's form: complete, without an empty second line. */
export function sentAddress({ street2, ...address }: Address): Address {
  return { ...address, ...(street2 && { street2 }), country: address.country ?? 'US' }
}

/** An address in the interface's form; undefined without a complete one. */
export function addressOf(value: unknown): Address | undefined {
  const { street, street2, city, state, postalCode, country } = childOf(value)
  const address = {
    street,
    ...(typeof street2 === 'string' && { street2 }),
    city,
    state,
    postalCode,
    country: country ?? 'US',
  }
  return validator().Check(address) ? address : undefined
}
