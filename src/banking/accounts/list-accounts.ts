import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { pageQuery } from '../../base/page.ts'
import { bankingRead } from '../provider.ts'
import { AccountStatus, DepositAccount } from './account.ts'

const ListAccountsQuery = Type.Object({
  customerId: Type.Optional(Id('customer')),
  status: Type.Optional(AccountStatus),
  ...pageQuery,
})
export type ListAccountsQuery = Static<typeof ListAccountsQuery>

/** Extension. Lists accounts, newest first. */
export const listAccounts = bankingRead({
  id: 'listAccounts',
  resource: 'accounts',
  verb: 'list',
  area: 'banking',
  method: 'GET',
  path: '/v0/banking/accounts',
  summary: 'List accounts',
  status: 200,
  scope: 'banking:read',
  query: ListAccountsQuery,
  data: Type.Array(DepositAccount),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listAccounts(caller, query),
})
