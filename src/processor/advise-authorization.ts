import { Type } from 'typebox'
import { Authorization } from '../banking/authorizations/authorization.ts'
import { Amount } from '../base/cents.ts'
import { Id } from '../base/ids.ts'
import { described } from '../base/text.ts'
import { processorId, processorWrite } from './processor.ts'

const AdviseAuthorizationBody = Type.Object(
  { amount: described(Amount, 'Amount of the authorization, with the parts that settled, in cents'), processorId },
  { description: 'The advice' },
)

/** Extension. Sets the amount of an open authorization to what the network has already decided. */
export const adviseAuthorization = processorWrite({
  id: 'adviseAuthorization',
  resource: 'processorAuthorizations',
  verb: 'advise',
  path: '/v0/processor/authorizations/:authorizationId/advice',
  summary: 'Advise of authorized amount',
  description:
    'Sets the amount of an open authorization to the one that the network has decided on, higher or lower. Nothing is checked: the amount is held even if it exceeds the balance. The hold is `amount` minus the parts that settled.\n\nAn authorization that is not `Authorized` is refused with `authorization_not_open`. Emits `authorization.amountChanged`.\n\nThe same `processorId` with the same content gets the same answer; with other content it is refused with `processor_id_reused`. Refusals are not kept, so a refused message may be sent again.',
  params: Type.Object({ authorizationId: Id('authorization') }),
  body: AdviseAuthorizationBody,
  data: Authorization,
  problems: ['authorization_not_found', 'authorization_not_open', 'balance_limit', 'processor_id_reused'],
  run: ({ processor, write }, { params, body }) => processor.adviseAuthorization(write, { ...params, ...body }),
})
