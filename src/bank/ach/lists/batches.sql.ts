import type { AchBatchStatus, AchBatchType } from '../../../banking/ach/ach-batch.ts'
import type { Queryable } from '../../../database/database.ts'
import { isOfOrganisation, type ListWindow, listRows, type OwnFilter, period } from '../../../database/lists.ts'

export interface BatchRow {
  id: number
  type: AchBatchType
  status: AchBatchStatus
  direction: 'Credit' | 'Debit'
  fileId: number
  secCode: string
  companyName: string
  companyId: string
  description: string
  effectiveDate: string
  entryCount: number
  amount: number
  createdAt: string
  settlesAt: string
  settledAt: string | null
  rejectedAt: string | null
}

const type = `case when return_side is not null then 'returns' when debits = credits then 'verifications' else 'payments' end`
const status = `case when rejected_at is not null then 'Rejected' when settled_at is not null then 'Settled' else 'Clearing' end`
const direction = `coalesce(return_side, case when debits > 0 then 'Debit' else 'Credit' end)`
const columns = `id, ${type} as type, ${status} as status, ${direction} as direction, file_id as "fileId",
  sec_code as "secCode", company_name as "companyName", company_id as "companyId", description,
  effective_date::text as "effectiveDate", entry_count as "entryCount", debits + credits as amount,
  created_at as "createdAt", settles_at as "settlesAt", settled_at as "settledAt", rejected_at as "rejectedAt"`

/** A batch of an organisation. */
export async function findBatch(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<BatchRow | undefined> {
  const [row] = await database.query<BatchRow>(
    `select ${columns} from ach_batch where id = $2::bigint and organisation_id = $1::bigint`,
    [organisationId, id],
  )
  return row
}

const filters = {
  always: [isOfOrganisation],
  along: [
    'file_id = $fileId::bigint',
    ...period,
    `settles_at >= ($settlementDate::date::timestamp at time zone 'America/New_York')`,
    `settles_at < (($settlementDate::date + 1)::timestamp at time zone 'America/New_York')`,
  ],
  matching: [
    `${type} = any($type::text[])`,
    `${status} = any($status::text[])`,
    `${direction} = any($direction::text[])`,
  ],
}

export function listBatches(database: Queryable, filter: OwnFilter, page: ListWindow): Promise<BatchRow[]> {
  return listRows(database, `select ${columns} from ach_batch`, filters, filter, page, 'once')
}

export interface EntryRow {
  id: number
  traceNumber: string
  amount: number
  status: string
  returnCode: string | null
  /** Whether the record is shown by itself. A received payment that names no account is not. */
  isShown: boolean
}

interface EntryRange {
  batchId: number
  after: number
  limit: number
}

/** The payments of a batch after an id. */
export function paymentEntries(database: Queryable, { batchId, after, limit }: EntryRange): Promise<EntryRow[]> {
  return database.query(
    `select p.id, p.trace_number as "traceNumber", p.amount, p.status, p.return_code as "returnCode", true as "isShown"
     from ach_entry e join payment p on p.id = e.payment_id
     where e.batch_id = $1::bigint and e.payment_id > $2::bigint order by e.payment_id limit $3`,
    [batchId, after, limit],
    'once',
  )
}

/** The received payments that a batch returns, after an id. */
export function returnEntries(database: Queryable, { batchId, after, limit }: EntryRange): Promise<EntryRow[]> {
  return database.query(
    `select id, return_trace as "traceNumber", amount, status, return_code as "returnCode",
       account_id is not null as "isShown"
     from received_payment where return_batch_id = $1::bigint and id > $2::bigint order by id limit $3`,
    [batchId, after, limit],
    'once',
  )
}
