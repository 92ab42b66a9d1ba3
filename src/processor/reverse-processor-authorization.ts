import { Type } from 'typebox'
import { Authorization } from '../banking/authorizations/authorization.ts'
import { Id } from '../base/ids.ts'
import { BareMessage, processorWrite } from './processor.ts'

/** Extension. Releases the rest of the hold. */
export const reverseProcessorAuthorization = processorWrite({
  id: 'reverseProcessorAuthorization',
  resource: 'processorAuthorizations',
  verb: 'reverse',
  area: 'processor',
  method: 'POST',
  path: '/v0/processor/authorizations/:authorizationId/reverse',
  summary: 'Reverse authorization of purchase',
  description:
    'Releases the rest of the hold of an open authorization. Amounts that settled before stay settled.\n\nAn authorization that is not `Authorized` is refused with `authorization_not_open`. `authorization.canceled` follows.\n\nThe same `processorId` with the same content is answered as before; with another content it is `processor_id_reused`. A refusal is not kept: the message may be sent again.',
  status: 200,
  scope: 'processor:write',
  params: Type.Object({ authorizationId: Id('authorization') }),
  body: BareMessage,
  data: Authorization,
  problems: ['authorization_not_found', 'authorization_not_open', 'processor_id_reused'],
  run: ({ processor, write }, { params, body }) =>
    processor.reverseProcessorAuthorization(write, { ...params, ...body }),
})
