import { type Static, Type } from 'typebox'
import { Authorization } from '../banking/authorizations/authorization.ts'
import { Amount } from '../base/cents.ts'
import { Id } from '../base/ids.ts'
import { described, Text } from '../base/text.ts'
import { sandboxWrite } from './sandbox.ts'

const ChargingMerchant = Type.Object(
  {
    name: Text(1, 100, { description: 'Name of the merchant; offers match by it', examples: ['Sample Coffee'] }),
    category: Type.Optional(Text(1, 100, { description: 'Trade of the merchant', examples: ['Restaurants'] })),
    location: Type.Optional(Text(1, 100, { description: 'Place of the purchase', examples: ['Springfield, IL'] })),
  },
  { $id: 'ChargingMerchant', description: 'The merchant that charges the card' },
)

const CreateAuthorizationBody = Type.Object(
  { amount: described(Amount, 'Amount to hold, in cents'), merchant: ChargingMerchant },
  { description: 'The charge' },
)
export type CreateAuthorizationInput = Static<typeof CreateAuthorizationBody> & { cardId: string }

/** Sandbox. Authorizes a charge of a card, as a merchant would: the amount is held, or the authorization is declined. */
export const createAuthorization = sandboxWrite({
  id: 'createAuthorization',
  resource: 'sandbox.authorizations',
  verb: 'create',
  area: 'sandbox',
  method: 'POST',
  path: '/v0/sandbox/cards/:cardId/authorizations',
  summary: 'Create authorization',
  description:
    'Charges a card as a merchant would. Where the card is `Active` and not expired, its account `Open` and the amount available, it is held for up to seven days; otherwise the answer is an authorization that is `Declined`, with `reason`. Both answer 201.\n\nAn unknown card is `card_not_found`. `authorization.created` or `authorization.declined` follows. Settle, reverse or refund it next.',
  status: 201,
  scope: 'sandbox:write',
  params: Type.Object({ cardId: Id('card') }),
  body: CreateAuthorizationBody,
  data: Authorization,
  problems: ['card_not_found', 'balance_limit'],
  run: ({ sandbox, write }, { params, body }) => sandbox.createAuthorization(write, { cardId: params.cardId, ...body }),
})
