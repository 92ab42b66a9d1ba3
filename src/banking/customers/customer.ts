import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { CreatedAt, Tags, Word } from '../../base/text.ts'
import { Address } from '../address.ts'

export const Email = Type.String({
  format: 'email',
  pattern: '^[^@\\s]+@[^@\\s]+$',
  maxLength: 254,
  description: 'E-mail address',
  examples: ['ada@example.com'],
})
export const Phone = Type.String({
  pattern: '^\\+[1-9][0-9]{6,14}$',
  description: 'Phone number in the form of E.164',
  examples: ['+12125550123'],
})

export const Customer = Type.Object(
  {
    id: RecordId(),
    type: Word(['individualCustomer'], { description: 'Kind of customer' }),
    createdAt: CreatedAt,
    name: Type.String({ description: 'Full name; `Erased` after the erasure', examples: ['Ada Example'] }),
    email: Type.Union([Type.String(), Type.Null()], { description: 'E-mail address; null if it is unknown' }),
    phone: Type.Union([Type.String(), Type.Null()], { description: 'Phone number; null if it is unknown' }),
    address: Type.Union([Address, Type.Null()], { description: 'Postal address; null if it is unknown' }),
    status: Word(['Active', 'Archived', 'Erased'], {
      description:
        '`Active`, or `Erased` if the operator has erased the personal data; another provider may archive a customer, and may have other words',
    }),
    tags: Tags,
  },
  { $id: 'Customer', description: 'A person who can have accounts' },
)
export type Customer = Static<typeof Customer>
