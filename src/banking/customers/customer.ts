import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { Tags, Timestamp, Word } from '../../base/text.ts'
import { Address } from '../address.ts'

export const Email = Type.String({
  format: 'email',
  pattern: '^[^@\\s]+@[^@\\s]+$',
  maxLength: 254,
  examples: ['ada@example.com'],
})
export const Phone = Type.String({ pattern: '^\\+[1-9][0-9]{6,14}$', examples: ['+12125550123'] })

export const Customer = Type.Object(
  {
    id: RecordId(),
    type: Word(['individualCustomer']),
    createdAt: Timestamp,
    name: Type.String({ examples: ['Ada Example'] }),
    email: Type.Union([Type.String(), Type.Null()]),
    phone: Type.Union([Type.String(), Type.Null()]),
    address: Type.Union([Address, Type.Null()]),
    status: Word(['Active']),
    tags: Tags,
  },
  { $id: 'Customer' },
)
export type Customer = Static<typeof Customer>
