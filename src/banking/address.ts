import { type Static, Type } from 'typebox'
import type { Rule } from '../base/rules.ts'

const members = {
  street: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Street and number',
    examples: ['1 Sample Street'],
  }),
  street2: Type.Optional(
    Type.Union([Type.String({ maxLength: 255 }), Type.Null()], { description: 'Apartment, suite or floor' }),
  ),
  city: Type.String({ minLength: 1, maxLength: 255, description: 'City or town', examples: ['Springfield'] }),
  state: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'State, in the United States by its two letters',
    examples: ['IL'],
  }),
  postalCode: Type.String({
    minLength: 1,
    maxLength: 20,
    description: 'Postal code, in the United States a ZIP or ZIP+4 code',
    examples: ['62701'],
  }),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{2}$',
      description: 'Country by the two letters of ISO 3166-1; absent for `US`',
      examples: ['US'],
    }),
  ),
}

/** A postal address, kept as the caller sent it. */
export const Address = Type.Object(members, { $id: 'Address', description: 'A postal address, as the caller sent it' })
export type Address = Static<typeof Address>

const rules: Rule[] = [{ rule: 'usAddress', members: ['state', 'postalCode', 'country'] }]

/** An address that something is sent to, or that a person is identified by. */
export const MailingAddress = Type.Object(members, {
  $id: 'MailingAddress',
  description: 'A postal address that something is sent to, or that identifies a person',
  'x-rules': rules,
})
