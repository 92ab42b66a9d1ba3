import { Type } from 'typebox'
import { Authorization } from '../banking/authorizations/authorization.ts'
import { Id } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

/** Sandbox. Releases the rest of the hold, as a merchant would who does not charge it. */
export const reverseAuthorization = sandboxWrite({
  id: 'reverseAuthorization',
  resource: 'sandbox.authorizations',
  verb: 'reverse',
  path: '/v0/sandbox/authorizations/:authorizationId/reverse',
  summary: 'Reverse authorization',
  description:
    'Releases the rest of the hold of an open authorization, as a merchant does who decides not to charge it. Settled amounts stay settled.\n\nAn authorization that is not `Authorized` is refused with `authorization_not_open`. Emits `authorization.canceled`.',
  params: Type.Object({ authorizationId: Id('authorization') }),
  data: Authorization,
  problems: ['authorization_not_found', 'authorization_not_open'],
  run: ({ sandbox, write }, { params }) => sandbox.reverseAuthorization(write, params.authorizationId),
})
