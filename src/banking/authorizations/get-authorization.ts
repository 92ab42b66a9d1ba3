import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { Authorization } from './authorization.ts'

/** Extension. Reads one authorization, in any state. */
export const getAuthorization = bankingRead({
  id: 'getAuthorization',
  resource: 'authorizations',
  verb: 'get',
  path: '/v0/banking/authorizations/:authorizationId',
  summary: 'Get authorization',
  description:
    'Returns an authorization in any state. A declined one shows the reason. An unknown id is refused with `authorization_not_found`.',
  params: Type.Object({ authorizationId: Id('authorization') }),
  data: Authorization,
  problems: ['authorization_not_found'],
  run: ({ bank, caller }, { params }) => bank.getAuthorization(caller, params.authorizationId),
})
