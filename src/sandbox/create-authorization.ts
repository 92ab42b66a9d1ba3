import { Type } from 'typebox'
import { Authorization } from '../banking/authorizations/authorization.ts'
import { chargeMembers } from '../banking/authorizations/charge.ts'
import { Id } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

const CreateAuthorizationBody = Type.Object(chargeMembers, { description: 'The charge' })

/** Sandbox. Authorizes a charge of a card, as a merchant would: the amount is held, or the authorization is declined. */
export const createAuthorization = sandboxWrite({
  id: 'createAuthorization',
  resource: 'sandbox.authorizations',
  verb: 'create',
  path: '/v0/sandbox/cards/:cardId/authorizations',
  summary: 'Create authorization',
  description:
    'Charges a card as a merchant would. It is approved if the card is `Active` and not expired, its account is `Open`, the purchase is within the limits of the card, the amount is available, and the decision hook of your app, if there is one, does not decline it. The amount is then held for up to seven days. Otherwise the authorization is `Declined`, with a `reason`. Both answer 201.\n\nAn unknown card is refused with `card_not_found`. Emits `authorization.created` or `authorization.declined`. Settle, reverse or refund it next.',
  status: 201,
  params: Type.Object({ cardId: Id('card') }),
  body: CreateAuthorizationBody,
  data: Authorization,
  problems: ['card_not_found', 'balance_limit'],
  run: ({ sandbox, write }, { params, body }) => sandbox.createAuthorization(write, { cardId: params.cardId, ...body }),
})
