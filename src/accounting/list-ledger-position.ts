import { type Static, Type } from 'typebox'
import { Timestamp, Word } from '../base/text.ts'
import { ledgerRead } from './accounting.ts'

export const LedgerPosition = Type.Object(
  {
    kind: Word(['deposits', 'outgoing', 'purchases', 'cashBack'], {
      description:
        '`deposits` of customers, in accounts that are not closed; `outgoing` payments to other banks that have not settled; `purchases` that are authorized and hold money within the deposits; `cashBack` that is earned and not paid out',
    }),
    amount: Type.Integer({
      description: 'Money of the counted records in cents; of `deposits`, all',
      examples: [6127000],
    }),
    count: Type.Integer({ minimum: 0, description: 'Number of records; at most 10,000 are counted', examples: [38] }),
    more: Type.Boolean({ description: 'Whether there are more than `count`' }),
    due: Type.Union([Timestamp, Type.Null()], {
      description:
        'When the first of them settles, expires or is paid out, in bank time; null if there is none, or no such time',
    }),
  },
  {
    $id: 'LedgerPosition',
    description: 'Money of one kind that the bank holds now, and the records that it belongs to',
  },
)
export type LedgerPosition = Static<typeof LedgerPosition>

/** Extension. Lists where the money is, with the number of its records and what is due next. */
export const listLedgerPosition = ledgerRead({
  id: 'listLedgerPosition',
  resource: 'ledger',
  verb: 'listPosition',
  path: '/v0/ledger/position',
  summary: 'List the money position',
  description: `Lists the money that the bank holds now by what it is for, with the number of accounts, payments, purchases and
rewards behind it, and when the next of them is due. Every kind is there, also without a record.

At most 10,000 records of a kind are counted and summed, those that are due first; \`more\` says if there are others. With a
connector the ledger is at the upstream, and the answer is 501.`,
  fromStandby: true,
  data: Type.Array(LedgerPosition),
  problems: ['not_supported_by_provider'],
  run: ({ accounting, caller }) => accounting.listLedgerPosition(caller),
})
