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
  path: '/v0/processor/cards/:cardId/authorizations',
  summary: 'Authorize purchase',
  description:
    'Decides a purchase at once. It is approved if the card is `Active` and not expired, its account is `Open`, the purchase is within the limits of the card, the amount is available, and the decision hook of your app, if there is one, does not decline it. The amount is then held for up to seven days. Otherwise the authorization is `Declined`, with a `reason`. Both answer 201.\n\nAn unknown card is refused with `card_not_found`. Emits `authorization.created` or `authorization.declined`.\n\nThe same `processorId` with the same content gets the same answer; with other content it is refused with `processor_id_reused`. Refusals are not kept, so a refused message may be sent again.',
  status: 201,
  params: Type.Object({ cardId: Id('card') }),
  body: CreateProcessorAuthorizationBody,
  data: Authorization,
  problems: ['card_not_found', 'balance_limit', 'processor_id_reused'],
  run: ({ processor, write }, { params, body }) =>
    processor.createProcessorAuthorization(write, { ...params, ...body }),
})
