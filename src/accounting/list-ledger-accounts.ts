import { type Static, Type } from 'typebox'
import { pageQuery } from '../base/page.ts'
import { ledgerRead } from './accounting.ts'
import { accountKinds, LedgerAccount } from './ledger-account.ts'

const ListLedgerAccountsQuery = Type.Object({
  kind: Type.Optional(Type.Array(Type.Enum([...accountKinds]), { description: 'Only accounts of these kinds' })),
  after: Type.Optional(
    Type.String({
      pattern: '^-?[1-9][0-9]{0,15}$',
      examples: ['1000042'],
      description: 'Only accounts with a higher id; the Link header of a page has the value for the next',
    }),
  ),
  limit: pageQuery.limit,
})
export type ListLedgerAccountsQuery = Static<typeof ListLedgerAccountsQuery>

/** Extension. Lists the chart of accounts: the internal accounts first, then those of customers. */
export const listLedgerAccounts = ledgerRead({
  id: 'listLedgerAccounts',
  resource: 'ledger',
  verb: 'listAccounts',
  path: '/v0/ledger/accounts',
  summary: 'List ledger accounts',
  description: `Lists the chart of accounts of the organisation in the order of their ids: internal accounts, whose ids are
negative, come first, then the deposit accounts of customers, oldest first. An internal account is the other side of money
that enters or leaves the bank, so the balances of all accounts together are zero.

A page begins after an account id, so accounts that are opened meanwhile shift no page. With a connector
the ledger is at the upstream, and the answer is 501.`,
  query: ListLedgerAccountsQuery,
  data: Type.Array(LedgerAccount),
  problems: ['not_supported_by_provider'],
  run: ({ accounting, caller }, { query }) => accounting.listLedgerAccounts(caller, query),
})
