import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { cursorQuery, cursorRule } from '../../base/page.ts'
import { described } from '../../base/text.ts'
import { bankingRead } from '../provider.ts'
import { AccountHold, AccountHoldStatus } from './account-hold.ts'

const ListAccountHoldsQuery = Type.Object(
  {
    status: Type.Optional(described(AccountHoldStatus, 'Only holds in this state')),
    ...cursorQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListAccountHoldsQuery = Static<typeof ListAccountHoldsQuery> & { accountId: string }

/** Extension. Lists the holds on an account, newest first. */
export const listAccountHolds = bankingRead({
  id: 'listAccountHolds',
  resource: 'accountHolds',
  verb: 'list',
  path: '/v0/banking/accounts/:accountId/holds',
  summary: 'List account holds',
  description:
    'Lists the holds on an account, newest first. Without `status` it lists holds in all states. The `hold` of the account is the sum of its `Active` holds and its open card authorizations, which `GET /v0/banking/authorizations` lists.',
  params: Type.Object({ accountId: Id('account') }),
  query: ListAccountHoldsQuery,
  data: Type.Array(AccountHold),
  problems: ['account_not_found'],
  run: ({ bank, caller }, { params, query }) =>
    bank.listAccountHolds(caller, { accountId: params.accountId, ...query }),
})
