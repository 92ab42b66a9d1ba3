import { type Static, Type } from 'typebox'
import { Instant } from '../base/text.ts'
import { ledgerRead } from './accounting.ts'
import { LedgerBalance } from './ledger-balance.ts'

const ListLedgerBalancesQuery = Type.Object({
  accountId: Type.Optional(
    Type.String({
      'x-resource': 'account',
      description:
        'The account, which may be an internal one. Leave it out for the balances of all accounts, summed by kind',
    }),
  ),
  interval: Type.Optional(Type.Enum(['day'], { default: 'day', description: 'The step between two balances' })),
  since: Type.Optional(
    Instant({ description: 'The first day, or a time in it; by default 29 days before the last one' }),
  ),
  until: Type.Optional(Instant({ description: 'The last day, or a time in it; by default today, in bank time' })),
})
export type ListLedgerBalancesQuery = Static<typeof ListLedgerBalancesQuery>

/** Extension. Lists the balance of an account, or of all, at the end of each day. */
export const listLedgerBalances = ledgerRead({
  id: 'listLedgerBalances',
  resource: 'ledger',
  verb: 'listBalances',
  path: '/v0/ledger/balances',
  summary: 'List ledger balances',
  description: `Lists the balance at the end of each day from \`since\` to \`until\`, oldest first: of one account, or of all
accounts summed by kind. The sums of all kinds add up to zero. Days are those of bank time in UTC; the last one
is today, with the balance now. Days before the account was opened have the balance 0.

A range may have 366 days (422 \`range_too_long\`). For an unknown account the list is empty. With a connector the
ledger is at the upstream, and the answer is 501.`,
  fromStandby: true,
  query: ListLedgerBalancesQuery,
  data: Type.Array(LedgerBalance),
  problems: ['range_too_long', 'balance_limit', 'not_supported_by_provider'],
  run: ({ accounting, caller }, { query }) => accounting.listLedgerBalances(caller, query),
})
