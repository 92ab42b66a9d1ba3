import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Tags, Text } from '../../base/text.ts'
import { type Address, MailingAddress } from '../address.ts'
import { bankingWrite } from '../provider.ts'
import { Card, type CardType } from './card.ts'

const common = {
  accountId: Id('account'),
  customerId: Type.Optional(
    Type.String({
      description: 'Id of the customer who holds the card; needed only where an account has several',
      'x-resource': 'customer',
    }),
  ),
  tags: Type.Optional(Tags),
}

const PhysicalCard = Type.Object(
  {
    type: Type.Literal('individualDebitCard'),
    ...common,
    design: Type.Optional(Text(1, 50, { description: 'The look of the card', examples: ['default'] })),
    shippingAddress: MailingAddress,
  },
  { $id: 'PhysicalCard' },
)
const VirtualCard = Type.Object({ type: Type.Literal('individualVirtualDebitCard'), ...common }, { $id: 'VirtualCard' })
const CreateCardBody = Type.Union([PhysicalCard, VirtualCard], { discriminator: { propertyName: 'type' } })

/** Either kind of card. A virtual one has neither design nor address. */
export type CreateCardInput = Omit<Static<typeof PhysicalCard>, 'type' | 'shippingAddress'> & {
  type: CardType
  shippingAddress?: Address
}

/** B5. Creates a physical card, which is shipped and starts inactive. Extension: a virtual card, which is active at once. */
export const createCard = bankingWrite({
  id: 'createCard',
  resource: 'cards',
  verb: 'create',
  number: 'B5',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/cards',
  summary: 'Create physical card',
  status: 201,
  scope: 'banking:write',
  body: CreateCardBody,
  data: Card,
  problems: ['account_not_found', 'customer_not_found', 'account_not_open'],
  run: ({ bank, write }, { body }) => bank.createCard(write, body),
})
