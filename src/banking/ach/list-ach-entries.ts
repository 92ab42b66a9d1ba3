import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { pageQuery } from '../../base/page.ts'
import { bankingRead } from '../provider.ts'
import { AchEntry } from './ach-batch.ts'

const ListAchEntriesQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      examples: ['1000042'],
      description: 'Only entries after this one; the Link header of a page has the value for the next',
    }),
  ),
  limit: pageQuery.limit,
})
export type ListAchEntriesQuery = Static<typeof ListAchEntriesQuery>

/** Extension. Lists the entries of a batch, in the order of their payments' ids. */
export const listAchEntries = bankingRead({
  id: 'listAchEntries',
  resource: 'achBatches',
  verb: 'listEntries',
  path: '/v0/banking/ach-batches/:achBatchId/entries',
  summary: 'List ACH entries',
  description:
    'Lists the entries of a batch in the order of their payment ids, with trace numbers, amounts and current status. The returns of a rejected batch leave with another file and become entries of its batch. An unknown batch is refused with `ach_batch_not_found`.',
  fromStandby: true,
  params: Type.Object({ achBatchId: Id('achBatch') }),
  query: ListAchEntriesQuery,
  data: Type.Array(AchEntry),
  problems: ['ach_batch_not_found'],
  run: ({ bank, caller }, { params, query }) => bank.listAchEntries(caller, { ...params, ...query }),
})
