import type { Customer } from '../../../banking/customers/customer.ts'
import type { VerificationToken } from '../../../banking/customers/verification-token.ts'
import { childOf, idOf, instant, optionalText, type Resource, tagsOf, text } from '../resource.ts'
import { addressOf } from './address.ts'

export function customer(resource: Resource): Customer {
  return {
    id: idOf(resource),
    type: resource.type,
    createdAt: instant(resource, 'createdAt'),
    name: nameOf(resource),
    email: optionalText(resource, 'email') ?? null,
    phone: phoneOf(resource.attributes.phone),
    address: addressOf(resource.attributes.address) ?? null,
    status: optionalText(resource, 'status') ?? 'Active',
    tags: tagsOf(resource),
  }
}

export function verificationToken(resource: Resource): VerificationToken {
  return { verificationToken: text(resource, 'verificationToken') }
}

/** The name of a customer: a person has two, a business has one. */
export function nameOf(resource: Resource): string {
  const { first, last } = childOf(resource.attributes, 'fullName')
  const parts = [first, last].filter((part) => typeof part === 'string')
  return parts.length > 0 ? parts.join(' ') : (optionalText(resource, 'name') ?? '')
}

function phoneOf(value: unknown): string | null {
  const { countryCode, number } = childOf(value)
  return typeof number === 'string' ? `+${typeof countryCode === 'string' ? countryCode : ''}${number}` : null
}
