import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { type Fault, invalidRequest } from '../../base/problem.ts'
import { Tags, Text } from '../../base/text.ts'
import { Address, addressFaults } from '../address.ts'
import { bankingWrite } from '../provider.ts'
import { Card, CardType } from './card.ts'

const CreateCardInput = Type.Object({
  type: CardType,
  accountId: Id('account'),
  customerId: Type.Optional(
    Type.String({
      description: 'Id of the customer who holds the card; needed only where an account has several',
      'x-resource': 'customer',
    }),
  ),
  design: Type.Optional(Text(1, 50, { examples: ['default'] })),
  shippingAddress: Type.Optional(Address),
  tags: Type.Optional(Tags),
})
export type CreateCardInput = Static<typeof CreateCardInput>

/** B5. Creates a physical card, which is shipped and starts inactive. Extension: a virtual card, which is active at once. */
export const createCard = bankingWrite({
  id: 'createCard',
  number: 'B5',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/cards',
  summary: 'Create physical card',
  status: 201,
  scope: 'banking:write',
  body: CreateCardInput,
  data: Card,
  problems: ['account_not_found', 'customer_not_found', 'account_not_open'],
  run: async ({ bank, write }, { body }) => {
    const errors = body.type === 'individualDebitCard' ? physicalFaults(body) : virtualFaults(body)
    if (errors.length > 0) throw invalidRequest(errors)
    return bank.createCard(write, body)
  },
})

function physicalFaults({ shippingAddress }: CreateCardInput): Fault[] {
  const pointer = '/shippingAddress'
  if (!shippingAddress) return [{ pointer, code: 'required', message: 'shippingAddress is required' }]
  return addressFaults(shippingAddress, pointer)
}

function virtualFaults(body: CreateCardInput): Fault[] {
  return (['design', 'shippingAddress'] as const)
    .filter((name) => body[name] !== undefined)
    .map((name) => ({ pointer: `/${name}`, code: 'unknown', message: `a virtual card takes no ${name}` }))
}
