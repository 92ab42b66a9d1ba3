import { type Static, Type } from 'typebox'
import { Authorization } from '../banking/authorizations/authorization.ts'
import { Amount } from '../base/cents.ts'
import { Id } from '../base/ids.ts'
import { Text } from '../base/text.ts'
import { sandboxWrite } from './sandbox.ts'

const ChargingMerchant = Type.Object(
  {
    name: Text(1, 100, { examples: ['Sample Coffee'] }),
    category: Type.Optional(Text(1, 100, { examples: ['Restaurants'] })),
    location: Type.Optional(Text(1, 100, { examples: ['Springfield, IL'] })),
  },
  { $id: 'ChargingMerchant' },
)

const CreateAuthorizationBody = Type.Object({ amount: Amount, merchant: ChargingMerchant })
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
  status: 201,
  scope: 'sandbox:write',
  params: Type.Object({ cardId: Id('card') }),
  body: CreateAuthorizationBody,
  data: Authorization,
  problems: ['card_not_found', 'balance_limit'],
  run: ({ sandbox, write }, { params, body }) => sandbox.createAuthorization(write, { cardId: params.cardId, ...body }),
})
