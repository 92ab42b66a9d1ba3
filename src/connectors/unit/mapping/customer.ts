import { Customer } from '../../../banking/customers/customer.ts'
import type { VerificationToken } from '../../../banking/customers/verification-token.ts'
import { childOf, IncompleteRecord, idOf, instant, optionalText, type Resource, tagsOf, text } from '../resource.ts'
import { addressOf } from './address.ts'
import { fitting } from './fitting.ts'

const asCustomer = fitting(Customer)

export function customer(resource: Resource): Customer {
  const shown = {
    id: idOf(resource),
    type: resource.type,
    createdAt: instant(resource, 'createdAt'),
    name: nameOf(resource),
    email: emailOf(resource) ?? null,
    phone: phoneOf(resource) ?? null,
    address: addressOf(resource.attributes.address) ?? null,
    status: text(resource, 'status'),
    tags: tagsOf(resource),
  }
  return asCustomer(shown, resource)
}

export function verificationToken(resource: Resource): VerificationToken {
  return { verificationToken: text(resource, 'verificationToken') }
}

/** The name of a customer or applicant: a person has two, a business has one. */
export function nameOf(resource: Resource): string {
  const { first, last } = childOf(resource.attributes, 'fullName')
  const parts = [first, last].filter((part) => typeof part === 'string')
  const name = parts.length > 0 ? parts.join(' ') : optionalText(resource, 'name')
  if (name === undefined) throw new IncompleteRecord(`a ${resource.type} has no name`)
  return name
}

/** The e-mail address of a person, or of the contact of a business, which has none of its own. */
export function emailOf(resource: Resource): string | undefined {
  const { email } = childOf(resource.attributes, 'contact')
  return optionalText(resource, 'email') ?? (typeof email === 'string' ? email : undefined)
}

/** The phone number of a customer, or else of the contact of a business. */
function phoneOf({ attributes }: Resource): string | undefined {
  return numberOf(attributes.phone) ?? numberOf(childOf(attributes, 'contact').phone)
}

function numberOf(phone: unknown): string | undefined {
  const { countryCode, number } = childOf(phone)
  return typeof countryCode === 'string' && typeof number === 'string' ? `+${countryCode}${number}` : undefined
}
