import { type Static, Type } from 'typebox'
import { pageQuery, sinceUntil } from '../base/page.ts'
import { ledgerRead } from './accounting.ts'
import { LedgerTransfer, sourceTypes } from './ledger-transfer.ts'

const ListLedgerTransfersQuery = Type.Object({
  accountId: Type.Optional(
    Type.String({
      'x-resource': 'account',
      description: 'Only transfers from or to this account, which may be an internal one',
    }),
  ),
  sourceType: Type.Optional(
    Type.Enum([...sourceTypes], {
      description:
        'Only transfers of this kind of record. Without `sourceId` a call looks at up to 10,000 transfers, so a page may be short or empty while its Link header leads on',
    }),
  ),
  sourceId: Type.Optional(
    Type.String({ description: 'Only transfers of this payment, authorization or reward', examples: ['1000042'] }),
  ),
  ...sinceUntil,
  sort: pageQuery.sort,
  after: Type.Optional(
    Type.String({
      examples: ['1000042'],
      description:
        'Only transfers after this one in the order of the list; the Link header of a page has the value for the next',
    }),
  ),
  limit: pageQuery.limit,
})
export type ListLedgerTransfersQuery = Static<typeof ListLedgerTransfersQuery>

/** Extension. Lists transfers with both sides, newest first. The transfers of one account come in the order of posting. */
export const listLedgerTransfers = ledgerRead({
  id: 'listLedgerTransfers',
  resource: 'ledger',
  verb: 'listTransfers',
  path: '/v0/ledger/transfers',
  summary: 'List ledger transfers',
  description: `Lists the journal of the ledger, newest first: every movement of money once, with the debited and the credited account, the
record that caused it and the request that made it. The transfers of one account are in the order of their sequence numbers.

A page begins after a transfer, so new transfers shift no page. Unknown ids match nothing. With a connector the
ledger is at the upstream, and the answer is 501.`,
  fromStandby: true,
  query: ListLedgerTransfersQuery,
  data: Type.Array(LedgerTransfer),
  problems: ['not_supported_by_provider'],
  run: ({ accounting, caller }, { query }) => accounting.listLedgerTransfers(caller, query),
})
