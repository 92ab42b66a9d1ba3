import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { cursorQuery, cursorRule, sinceUntil } from '../../base/page.ts'
import { Direction } from '../payments/payment.ts'
import { bankingRead } from '../provider.ts'
import { AchBatch, achBatchStatuses, achBatchTypes } from './ach-batch.ts'
import { SettlementDay } from './settlement-day.ts'

const ListAchBatchesQuery = Type.Object(
  {
    type: Type.Optional(Type.Array(Type.Enum([...achBatchTypes]), { description: 'Only batches of these types' })),
    status: Type.Optional(
      Type.Array(Type.Enum([...achBatchStatuses]), { description: 'Only batches in one of these states' }),
    ),
    direction: Type.Optional(Type.Array(Direction, { description: 'Only batches of this side' })),
    settlementDate: Type.Optional(SettlementDay),
    fileId: Type.Optional(Id('achFile', 'Only batches of this ACH file')),
    ...sinceUntil,
    ...cursorQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListAchBatchesQuery = Static<typeof ListAchBatchesQuery>

/** Extension. Lists the batches of outgoing ACH files, newest first. */
export const listAchBatches = bankingRead({
  id: 'listAchBatches',
  resource: 'achBatches',
  verb: 'list',
  path: '/v0/banking/ach-batches',
  summary: 'List ACH batches',
  description:
    'Lists the organisation’s batches of payments and returns in outgoing ACH files, newest first. In live mode one file holds batches of all organisations, and only your own are listed. With `PURSER_ACH=instant` there are no files, and the list is empty. Filters combine; a filter with several values finds batches that match any of them. An unknown id in a filter matches nothing.',
  fromStandby: true,
  query: ListAchBatchesQuery,
  data: Type.Array(AchBatch),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listAchBatches(caller, query),
})
