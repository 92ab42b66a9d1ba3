import { type Static, Type } from 'typebox'
import { Instant } from '../base/text.ts'
import { ledgerRead } from './accounting.ts'
import { AccountKindWord } from './ledger-account.ts'

const LedgerFlow = Type.Object(
  {
    date: Type.Optional(
      Type.String({
        format: 'date',
        pattern: '^\\d{4}-\\d\\d-\\d\\d$',
        examples: ['2026-01-31'],
        description: 'The day in UTC, if the days are summed apart',
      }),
    ),
    debitKind: AccountKindWord,
    creditKind: AccountKindWord,
    transfers: Type.Integer({ minimum: 1, description: 'Number of transfers', examples: [12] }),
    amount: Type.Integer({ minimum: 1, description: 'Sum of the transfers in cents', examples: [2000] }),
  },
  {
    $id: 'LedgerFlow',
    description: 'The money that moved from the accounts of one kind (`debitKind`) to those of another (`creditKind`)',
  },
)
export type LedgerFlow = Static<typeof LedgerFlow>

const ListLedgerFlowsQuery = Type.Object({
  since: Type.Optional(
    Instant({ description: 'Only transfers from this time on; by default 30 days before the end of the range' }),
  ),
  until: Type.Optional(Instant({ description: 'Only transfers before this time; by default now, in bank time' })),
  interval: Type.Optional(Type.Enum(['day'], { description: 'Sums each day apart, oldest first' })),
})
export type ListLedgerFlowsQuery = Static<typeof ListLedgerFlowsQuery>

/** Extension. Sums the transfers between two times by the kinds of their accounts. */
export const listLedgerFlows = ledgerRead({
  id: 'listLedgerFlows',
  resource: 'ledger',
  verb: 'listFlows',
  path: '/v0/ledger/flows',
  summary: 'List ledger flows',
  description: `Sums the transfers of a period by the kinds of the debited and the credited account: how much money came in, went
out and moved between customers. \`since\` is included and \`until\` is not, so adjacent ranges add up.

A range may have 366 days (422 \`range_too_long\`). The sums of whole hours are made once and kept. If an answer needs more
of them than can be made within five seconds, it is 503 with \`Retry-After\`, and the next call continues there. Transfers
outside whole past hours are summed for each call; more than a million of them are refused with 422 \`range_too_long\`. With a connector the ledger is at the upstream, and the answer is 501.`,
  query: ListLedgerFlowsQuery,
  data: Type.Array(LedgerFlow),
  problems: ['range_too_long', 'balance_limit', 'not_supported_by_provider'],
  run: ({ accounting, caller }, { query }) => accounting.listLedgerFlows(caller, query),
})
