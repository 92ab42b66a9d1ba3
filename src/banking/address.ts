import { type Static, Type } from 'typebox'
import type { Rule } from '../base/rules.ts'

const members = {
  street: Type.String({ minLength: 1, maxLength: 255, examples: ['1 Sample Street'] }),
  street2: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
  city: Type.String({ minLength: 1, maxLength: 255, examples: ['Springfield'] }),
  state: Type.String({ minLength: 1, maxLength: 255, examples: ['IL'] }),
  postalCode: Type.String({ minLength: 1, maxLength: 20, examples: ['62701'] }),
  country: Type.Optional(
    Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1; US by default', examples: ['US'] }),
  ),
}

/** A postal address, kept as the caller sent it. */
export const Address = Type.Object(members, { $id: 'Address' })
export type Address = Static<typeof Address>

const rules: Rule[] = [{ rule: 'usAddress', members: ['state', 'postalCode', 'country'] }]

/** An address that something is sent to, or that a person is identified by. */
export const MailingAddress = Type.Object(members, { $id: 'MailingAddress', 'x-rules': rules })
