import type { AchBatch, AchEntry } from '../../../banking/ach/ach-batch.ts'
import type { ListAchBatchesQuery } from '../../../banking/ach/list-ach-batches.ts'
import type { ListAchEntriesQuery } from '../../../banking/ach/list-ach-entries.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { idNumber, optionalIdNumber } from '../../../base/ids.ts'
import type { Caller } from '../../../base/operation.ts'
import { Page, pageWindow, toCursorPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import { easternOf } from '../../../rails/ach/calendar.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { type BatchRow, type EntryRow, findBatch, listBatches, paymentEntries, returnEntries } from './batches.sql.ts'

type Parts = Pick<BankParts, 'database'>

export function achBatchesOf(bank: Parts) {
  return {
    listAchBatches: (caller, query) => listAchBatches(bank, caller, query),
    getAchBatch: async (caller, id) => achBatch(await requireBatch(bank, caller, id)),
    listAchEntries: (caller, input) => listAchEntries(bank, caller, input),
  } satisfies Partial<BankingProvider>
}

async function listAchBatches(
  { database }: Parts,
  { organisationId }: Caller,
  query: ListAchBatchesQuery,
): Promise<Page<AchBatch>> {
  const page = pageWindow(query)
  const filter = { ...query, organisationId, fileId: optionalIdNumber(query.fileId) }
  return toCursorPage(await listBatches(database, filter, page), page.limit, achBatch)
}

async function requireBatch({ database }: Parts, { organisationId }: Caller, achBatchId: string): Promise<BatchRow> {
  const batch = await findBatch(database, organisationId, idNumber(achBatchId))
  if (!batch) throw new Problem('ach_batch_not_found')
  return batch
}

function achBatch({ id, fileId, settlesAt, settledAt, rejectedAt, ...batch }: BatchRow): AchBatch {
  const { type, status, direction, secCode, companyName, companyId, description, effectiveDate } = batch
  return {
    ...{ id: String(id), type, status, direction, fileId: String(fileId), secCode, companyName, companyId },
    ...{ description, effectiveDate, settlementDate: easternOf(settlesAt).day },
    ...{ entryCount: batch.entryCount, amount: batch.amount, createdAt: batch.createdAt },
    ...(settledAt !== null && { settledAt }),
    ...(rejectedAt !== null && { rejectedAt }),
  }
}

async function listAchEntries(
  bank: Parts,
  caller: Caller,
  { achBatchId, after, limit = 100 }: ListAchEntriesQuery & { achBatchId: string },
): Promise<Page<AchEntry>> {
  const { id: batchId, type } = await requireBatch(bank, caller, achBatchId)
  const from = optionalIdNumber(after)
  // A malformed id stands after all entries, as an id without an entry may.
  if (from === 0) return new Page([], false)
  const entries = type === 'returns' ? returnEntries : paymentEntries
  const rows = await entries(bank.database, { batchId, after: from ?? 0, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  return new Page(
    shown.map((row) => achEntry(row, type === 'returns' ? 'receivedPaymentId' : 'paymentId')),
    rows.length > limit,
    { after: String(shown.at(-1)?.id ?? '') },
  )
}

function achEntry(
  { id, traceNumber, amount, status, returnCode, isShown }: EntryRow,
  name: 'paymentId' | 'receivedPaymentId',
): AchEntry {
  return {
    ...(isShown && { [name]: String(id) }),
    ...{ traceNumber, amount, status },
    ...(returnCode !== null && { returnCode }),
  }
}
