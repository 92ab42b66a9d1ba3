import { Type } from 'typebox'
import { AuthorizationIncrement } from '../banking/authorizations/authorization.ts'
import { Amount } from '../base/cents.ts'
import { Id } from '../base/ids.ts'
import { described } from '../base/text.ts'
import { processorId, processorWrite } from './processor.ts'

const IncrementAuthorizationBody = Type.Object(
  { amount: described(Amount, 'Amount to hold in addition, in cents'), processorId },
  { description: 'The increment' },
)

/** Extension. Asks for more on the hold of an open authorization. It is decided like an authorization. */
export const incrementAuthorization = processorWrite({
  id: 'incrementAuthorization',
  resource: 'processorAuthorizations',
  verb: 'increment',
  path: '/v0/processor/authorizations/:authorizationId/increment',
  summary: 'Increment authorization',
  description:
    'Asks for `amount` in addition to what an open authorization holds, as a hotel or a fuel pump does. It is decided like an authorization: `approved` is true if the amount is held; otherwise `reason` says why not, and the hold does not change. Neither does the day on which the authorization expires.\n\nAn authorization that is not `Authorized` is refused with `authorization_not_open`; one that would exceed 999,999,999,999 cents with `balance_limit`. Emits `authorization.amountChanged` or `authorization.incrementDeclined`.\n\nThe same `processorId` with the same content gets the same answer; with other content it is refused with `processor_id_reused`. Refusals are not kept, so a refused message may be sent again.',
  params: Type.Object({ authorizationId: Id('authorization') }),
  body: IncrementAuthorizationBody,
  data: AuthorizationIncrement,
  problems: ['authorization_not_found', 'authorization_not_open', 'balance_limit', 'processor_id_reused'],
  run: ({ processor, write }, { params, body }) => processor.incrementAuthorization(write, { ...params, ...body }),
})
