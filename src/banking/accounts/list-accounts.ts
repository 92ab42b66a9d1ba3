import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { countQuery, cursorQuery, cursorRule, sinceUntil } from '../../base/page.ts'
import { described, SearchText } from '../../base/text.ts'
import { bankingRead } from '../provider.ts'
import { AccountStatus, DepositAccount } from './account.ts'

const ListAccountsQuery = Type.Object(
  {
    accountId: Type.Optional(Type.Array(Id('account'), { maxItems: 100, description: 'Only these accounts' })),
    customerId: Type.Optional(Id('customer', 'Only accounts of this customer')),
    status: Type.Optional(described(AccountStatus, 'Only accounts in this state')),
    search: Type.Optional(
      SearchText(
        'Only accounts that match this text, in any letter case: the beginning of the name, of its last word or of the customer’s e-mail address, the account number or its last four digits, or the id of the account or customer',
      ),
    ),
    nearLimit: Type.Optional(Type.Boolean({ description: 'Whether 80 % of a payment limit are used' })),
    ...sinceUntil,
    ...cursorQuery,
    ...countQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListAccountsQuery = Static<typeof ListAccountsQuery>

/** Extension. Lists accounts, newest first. */
export const listAccounts = bankingRead({
  id: 'listAccounts',
  resource: 'accounts',
  verb: 'list',
  path: '/v0/banking/accounts',
  summary: 'List accounts',
  description:
    'Lists the accounts of the organisation with their balances, newest first. Without `status` it lists accounts in all states. An unknown id in a filter matches nothing. `nearLimit=true` finds those that paid today and have used 80 % of a limit of the day or the month, among the first 1,000 that paid.',
  query: ListAccountsQuery,
  data: Type.Array(DepositAccount),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listAccounts(caller, query),
})
