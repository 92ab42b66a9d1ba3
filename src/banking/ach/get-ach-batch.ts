import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { AchBatch } from './ach-batch.ts'

/** Extension. Reads one batch of an outgoing ACH file. */
export const getAchBatch = bankingRead({
  id: 'getAchBatch',
  resource: 'achBatches',
  verb: 'get',
  path: '/v0/banking/ach-batches/:achBatchId',
  summary: 'Get ACH batch',
  description:
    'Returns a batch of an outgoing ACH file with its current status. `GET /v0/banking/ach-batches/:achBatchId/entries` lists its entries. An unknown id is refused with `ach_batch_not_found`.',
  fromStandby: true,
  params: Type.Object({ achBatchId: Id('achBatch') }),
  data: AchBatch,
  problems: ['ach_batch_not_found'],
  run: ({ bank, caller }, { params }) => bank.getAchBatch(caller, params.achBatchId),
})
