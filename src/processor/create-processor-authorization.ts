import { Type } from 'typebox'
import { Authorization } from '../banking/authorizations/authorization.ts'
import { chargeMembers } from '../banking/authorizations/charge.ts'
import { Id } from '../base/ids.ts'
import { processorId, processorWrite } from './processor.ts'

const CreateProcessorAuthorizationBody = Type.Object({ ...chargeMembers, processorId }, { description: 'The charge' })

/** Extension. Decides a charge of a card: the amount is held, or the authorization is declined. */
export const createProcessorAuthorization = processorWrite({
  id: 'createProcessorAuthorization',
  resource: 'processorAuthorizations',
  verb: 'create',
  area: 'processor',
  method: 'POST',
  path: '/v0/processor/cards/:cardId/authorizations',
  summary: 'Authorize purchase',
  description:
    'Decides a purchase at once. It is approved if the card is `Active` and not expired, its account `Open`, the purchase within the limits of the card and the amount available, and if the decision hook of your app, if there is one, does not decline it: then the amount is held for up to seven days. Otherwise the answer is an authorization that is `Declined`, with `reason`. Both answer 201.\n\nAn unknown card is `card_not_found`. `authorization.created` or `authorization.declined` follows.\n\nThe same `processorId` with the same content is answered as before; with another content it is `processor_id_reused`. A refusal is not kept: the message may be sent again.',
  status: 201,
  scope: 'processor:write',
  params: Type.Object({ cardId: Id('card') }),
  body: CreateProcessorAuthorizationBody,
  data: Authorization,
  problems: ['card_not_found', 'balance_limit', 'processor_id_reused'],
  run: ({ processor, write }, { params, body }) =>
    processor.createProcessorAuthorization(write, { ...params, ...body }),
})
