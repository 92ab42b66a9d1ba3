import { Type } from 'typebox'
import { Authorization } from '../banking/authorizations/authorization.ts'
import { Id } from '../base/ids.ts'
import { BareMessage, processorWrite } from './processor.ts'

/** Extension. Releases the rest of the hold. */
export const reverseProcessorAuthorization = processorWrite({
  id: 'reverseProcessorAuthorization',
  resource: 'processorAuthorizations',
  verb: 'reverse',
  path: '/v0/processor/authorizations/:authorizationId/reverse',
  summary: 'Reverse authorization of purchase',
  description:
    'Releases the rest of the hold of an open authorization. Settled amounts stay settled.\n\nAn authorization that is not `Authorized` is refused with `authorization_not_open`. Emits `authorization.canceled`.\n\nThe same `processorId` with the same content gets the same answer; with other content it is refused with `processor_id_reused`. Refusals are not kept, so a refused message may be sent again.',
  params: Type.Object({ authorizationId: Id('authorization') }),
  body: BareMessage,
  data: Authorization,
  problems: ['authorization_not_found', 'authorization_not_open', 'processor_id_reused'],
  run: ({ processor, write }, { params, body }) =>
    processor.reverseProcessorAuthorization(write, { ...params, ...body }),
})
