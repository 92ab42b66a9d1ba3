import { getAuthorization } from '../../banking/authorizations/get-authorization.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { authorization } from './mapping/authorization.ts'
import type { Connector } from './parts.ts'
import { byCreation, listQuery } from './query.ts'

/** Without this query the upstream finds open authorizations only. */
export const IN_ANY_STATE = '?filter%5BincludeNonAuthorized%5D=true'

export function authorizationsOf({ one, list }: Connector) {
  return {
    listAuthorizations: (_caller, { limit, offset, sort, cursor, ...filters }) => {
      const page = {
        ...(limit && { limit }),
        ...(offset && { offset }),
        ...(sort && { sort }),
        ...(cursor && { cursor }),
      }
      const { customerId, accountId, cardId } = filters
      const path = `/authorizations${listQuery(page, byCreation(page), filters)}`
      return list([customerId, accountId, cardId], path, page, authorization)
    },

    getAuthorization: (_caller, authorizationId) =>
      one(getAuthorization, [authorizationId], `/authorizations/${authorizationId}${IN_ANY_STATE}`, authorization),
  } satisfies Partial<BankingProvider>
}
