import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Tags, Text } from '../../base/text.ts'
import { type Address, MailingAddress } from '../address.ts'
import { bankingWrite } from '../provider.ts'
import { Card, type CardType } from './card.ts'

const common = {
  accountId: Id('account', 'The account that purchases are paid from'),
  customerId: Type.Optional(
    Type.String({
      description: 'Id of the customer who holds the card; needed only if an account has several',
      'x-resource': 'customer',
    }),
  ),
  tags: Type.Optional(Tags),
}

const PhysicalCard = Type.Object(
  {
    type: Type.Literal('individualDebitCard', { description: 'A physical card' }),
    ...common,
    design: Type.Optional(
      Text(1, 50, { description: 'Look of the card; absent for `default`', examples: ['default'] }),
    ),
    shippingAddress: MailingAddress,
  },
  { $id: 'PhysicalCard', description: 'A card that is shipped to its holder' },
)
const VirtualCard = Type.Object(
  { type: Type.Literal('individualVirtualDebitCard', { description: 'A virtual card' }), ...common },
  { $id: 'VirtualCard', description: 'A card for purchases online, without plastic' },
)
const CreateCardBody = Type.Union([PhysicalCard, VirtualCard], {
  description: 'The new card, physical or virtual',
  discriminator: { propertyName: 'type' },
})

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
  path: '/v0/banking/cards',
  summary: 'Create physical card',
  description:
    'Creates a debit card for an account. A physical card (`type` `individualDebitCard`) needs a `shippingAddress`, has a `design`, and is `Inactive` until its holder activates it. A virtual card (`individualVirtualDebitCard`) is `Active` at once.\n\nThe account must be `Open`, otherwise `account_not_open`. A `customerId` that does not own the account is refused with `customer_not_found`.\n\nEmits `card.created`. `POST /v0/banking/cards/:cardId/activate` activates a physical card.',
  status: 201,
  body: CreateCardBody,
  data: Card,
  problems: ['account_not_found', 'customer_not_found', 'account_not_open', 'customer_erased'],
  run: ({ bank, write }, { body }) => bank.createCard(write, body),
})
