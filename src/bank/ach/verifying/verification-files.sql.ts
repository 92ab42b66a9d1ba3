import type { ExternalAccount, VerificationMethod } from '../../../banking/external-accounts/external-account.ts'
import { bigint, rowSet, text } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'

/** The verifications of an organisation that are in no file, with the earliest cut-offs. */
export function nextLeaving(
  database: Queryable,
  organisationId: number,
  limit: number,
): Promise<{ externalAccountId: number; at: string }[]> {
  return database.query(
    `select external_account_id as "externalAccountId", cutoff_at as at from account_verification
     where organisation_id = $1::bigint and status = 'Pending' and ach_file_id is null
     order by cutoff_at, id limit $2`,
    [organisationId, limit],
    'once',
  )
}

/** The first cut-off that has passed, of verifications of any organisation. */
export async function pastVerificationCutoff(database: Queryable): Promise<string | undefined> {
  const [row] = await database.query<{ at: string | null }>(
    `select min(cutoff_at) as at from account_verification
     where status = 'Pending' and ach_file_id is null and cutoff_at <= bank_time(organisation_id)
       and not is_moving(organisation_id)`,
    [],
    'once',
  )
  return row?.at ?? undefined
}

/** A verification whose entries leave, with its external account. */
export interface LeavingVerification {
  id: number
  organisationId: number
  externalAccountId: number
  method: VerificationMethod
  amounts: number[]
  settlesAt: string
  name: string
  routingNumber: string
  /** As it is stored. */
  accountNumber: string
  accountType: ExternalAccount['accountType']
  type: ExternalAccount['type']
  /** Numbers drawn for the trace numbers of its entries. */
  sequences: number[]
}

/** The verifications of a cut-off that are in no file, of one organisation or of all. They are locked. */
export function takeVerifications(
  transaction: Queryable,
  { organisationId, windowAt, limit }: { organisationId: number | null; windowAt: string; limit: number },
): Promise<LeavingVerification[]> {
  return transaction.query(
    `select v.*, array(
         select nextval('ach_trace')::integer from generate_series(1, case v.method when 'Prenote' then 1 else 3 end)) as sequences
     from (
       select v.id, v.organisation_id as "organisationId", v.external_account_id as "externalAccountId", v.method, v.amounts,
         v.settles_at as "settlesAt", e.name, e.routing_number as "routingNumber", e.account_number as "accountNumber",
         e.account_type as "accountType", e.type
       from account_verification v join external_account e on e.id = v.external_account_id
       where ($1::bigint is null or v.organisation_id = $1) and v.status = 'Pending' and v.ach_file_id is null
         and v.cutoff_at = $2::timestamptz and not is_moving(v.organisation_id)
       order by v.id limit $3 for no key update of v) v`,
    [organisationId, windowAt, limit],
    'once',
  )
}

const leftRows = rowSet<{ id: number; batchId: number; traces: string }>({
  id: bigint(({ id }) => id),
  batch_id: bigint(({ batchId }) => batchId),
  traces: text(({ traces }) => traces),
})

/** Notes the file, the batches and the trace numbers of verifications that leave. */
export async function noteLeft(
  transaction: Queryable,
  fileId: number,
  left: { id: number; batchId: number; traces: string[] }[],
): Promise<void> {
  await transaction.query(
    `update account_verification v set ach_file_id = $${leftRows.next}::bigint, ach_batch_id = n.batch_id,
       trace_numbers = string_to_array(n.traces, ' ')
     from (${leftRows.select}) n where v.id = n.id`,
    [...leftRows.values(left.map((each) => ({ ...each, traces: each.traces.join(' ') }))), fileId],
    'once',
  )
}

/** A verification whose entries may be in a file that this database does not know, or only in part. */
export interface MaybeSentVerification
  extends Pick<
    LeavingVerification,
    | 'id'
    | 'organisationId'
    | 'externalAccountId'
    | 'method'
    | 'amounts'
    | 'settlesAt'
    | 'routingNumber'
    | 'accountNumber'
  > {
  fileId: number | null
}

/** The verifications with these ids that are in the file, or wait for one. */
export function verificationsByIds(
  database: Queryable,
  ids: number[],
  fileId: number,
): Promise<MaybeSentVerification[]> {
  return database.query(
    `select v.id, v.organisation_id as "organisationId", v.external_account_id as "externalAccountId", v.method, v.amounts,
       v.settles_at as "settlesAt", v.ach_file_id as "fileId", e.routing_number as "routingNumber",
       e.account_number as "accountNumber"
     from account_verification v join external_account e on e.id = v.external_account_id
     where v.id = any($1::bigint[]) and (v.ach_file_id = $2::bigint
       or v.ach_file_id is null and v.status = 'Pending' and v.settles_at is not null)`,
    [ids, fileId],
    'once',
  )
}

/** The verifications of a batch. */
export function verificationsIn(
  database: Queryable,
  batchId: number,
): Promise<{ id: number; externalAccountId: number; wrong: number }[]> {
  return database.query(
    `select v.id, v.external_account_id as "externalAccountId", (
         select coalesce(sum(attempts), 0)::int from account_verification
         where organisation_id = v.organisation_id and number_digest = v.number_digest) as wrong
     from account_verification v where v.ach_batch_id = $1::bigint order by v.id`,
    [batchId],
    'once',
  )
}

/** An entry of a verification that left, which another bank may answer. */
export interface SentVerification {
  id: number
  organisationId: number
  externalAccountId: number
  traceNumber: string
  routingNumber: string
  amount: number
  /** There is none: members of a payment have the same names. */
  paymentId: null
}

/** How long after its settlement an entry can be answered: 60 days and some banking days. */
const ANSWER_DAYS = 75

/** The entries of verifications with these trace numbers. Of one organisation, or of all. */
export function verificationsByTrace(
  database: Queryable,
  organisationId: number | null,
  traces: string[],
): Promise<SentVerification[]> {
  return database.query(
    `select v.id, v.organisation_id as "organisationId", v.external_account_id as "externalAccountId", t.number as "traceNumber",
       e.routing_number as "routingNumber", null as "paymentId", (case
         when v.method = 'Prenote' then 0
         when t.place = 3 then (select sum(a) from unnest(v.amounts) a)
         else v.amounts[t.place] end)::int as amount
     from account_verification v cross join unnest(v.trace_numbers) with ordinality t (number, place)
     join external_account e on e.id = v.external_account_id
     where v.trace_numbers && $2::text[] and t.number = any($2::text[]) and ($1::bigint is null or v.organisation_id = $1)
       and v.organisation_id not in (select id from organisation where ended_at is not null)
       and v.settles_at > bank_time(v.organisation_id) - make_interval(days => ${ANSWER_DAYS})
     order by v.id`,
    [organisationId, traces],
    'once',
  )
}
