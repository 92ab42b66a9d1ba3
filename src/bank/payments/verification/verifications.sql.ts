import type { Verification, VerificationMethod } from '../../../banking/external-accounts/external-account.ts'
import type { Queryable } from '../../../database/database.ts'
import { type ExternalAccountRow, externalAccountColumns } from '../external-accounts.sql.ts'

/** A verification by entries that the bank sends. */
export interface VerificationRow {
  id: number
  externalAccountId: number
  createdAt: string
  method: VerificationMethod
  status: 'Pending' | 'Sent' | 'Verified' | 'Failed'
  amounts: number[]
  wrongAmounts: number[]
  endsAt: string | null
  settlesAt: string | null
}

const columns = `id, external_account_id as "externalAccountId", created_at as "createdAt", method, status, amounts,
  wrong_amounts as "wrongAmounts", ends_at as "endsAt", settles_at as "settlesAt"`

export interface NewVerification extends Pick<VerificationRow, 'id' | 'externalAccountId' | 'method' | 'amounts'> {
  organisationId: number
  status: 'Pending' | 'Sent'
  numberDigest: Buffer
  createdAt: string
  endsAt: string | null
  cutoffAt: string | null
  settlesAt: string | null
}

/** Stores a verification; false if another one of the number is under way. */
export async function insertVerification(transaction: Queryable, row: NewVerification): Promise<boolean> {
  const inserted = await transaction.query(
    `insert into account_verification (id, organisation_id, external_account_id, created_at, method, status, number_digest,
       amounts, ends_at, cutoff_at, settles_at)
     values ($1::bigint, $2::bigint, $3::bigint, $4::timestamptz, $5::text, $6::text, $7::bytea, $8::integer[],
       $9::timestamptz, $10::timestamptz, $11::timestamptz)
     on conflict do nothing returning 1`,
    [
      ...[row.id, row.organisationId, row.externalAccountId, row.createdAt, row.method, row.status, row.numberDigest],
      ...[row.amounts, row.endsAt, row.cutoffAt, row.settlesAt],
    ],
  )
  return inserted.length > 0
}

/** The wrong answers for a number, of all records that have had it. */
export async function wrongAnswersFor(
  transaction: Queryable,
  organisationId: number,
  numberDigest: Buffer,
): Promise<number> {
  const [row] = await transaction.query<{ wrong: number }>(
    `select coalesce(sum(attempts), 0)::int as wrong from account_verification
     where organisation_id = $1::bigint and number_digest = $2::bytea`,
    [organisationId, numberDigest],
  )
  return row?.wrong ?? 0
}

/** Locks the latest verification of an external account. */
export async function lockVerification(
  transaction: Queryable,
  externalAccountId: number,
): Promise<VerificationRow | undefined> {
  const [row] = await transaction.query<VerificationRow>(
    `select ${columns} from account_verification where external_account_id = $1::bigint
     order by id desc limit 1 for no key update`,
    [externalAccountId],
  )
  return row
}

/** Notes a wrong answer, and returns the number of wrong ones for the number. */
export async function noteWrongAnswer(transaction: Queryable, id: number, amounts: number[]): Promise<number> {
  const [row] = await transaction.query<{ wrong: number }>(
    `with noted as (
       update account_verification set attempts = attempts + 1, wrong_amounts = wrong_amounts || $2::integer[]
       where id = $1::bigint returning id, organisation_id, number_digest, attempts)
     select (n.attempts + coalesce((
       select sum(v.attempts) from account_verification v
       where v.organisation_id = n.organisation_id and v.number_digest = n.number_digest and v.id <> n.id), 0))::int as wrong
     from noted n`,
    [id, amounts],
  )
  if (!row) throw new Error('an update of a locked verification returned no row')
  return row.wrong
}

/** Changes the state of a verification that is locked. */
export async function setVerification(
  transaction: Queryable,
  id: number,
  status: VerificationRow['status'],
  endsAt: string | null = null,
): Promise<void> {
  await transaction.query(
    `update account_verification set status = $2::text, ends_at = $3::timestamptz where id = $1::bigint`,
    [id, status, endsAt],
  )
}

/** Ends the verification of an external account that is under way. */
export async function endOpenVerification(transaction: Queryable, externalAccountId: number): Promise<void> {
  await transaction.query(
    `update account_verification set status = 'Failed', ends_at = null
     where external_account_id = $1::bigint and status in ('Pending', 'Sent')`,
    [externalAccountId],
  )
}

/** Stores the verification that a locked external account shows. One that fails takes the permission back. */
export async function storeProgress(
  transaction: Queryable,
  id: number,
  verification: Verification,
): Promise<ExternalAccountRow> {
  const [row] = await transaction.query<ExternalAccountRow>(
    `update external_account set verification = $2::jsonb, version = version + 1,
       permissions = case when $2::jsonb ->> 'status' = 'Verified' then 'CreditAndDebit' else 'CreditOnly' end
     where id = $1::bigint returning ${externalAccountColumns}`,
    [id, JSON.stringify(verification)],
  )
  if (!row) throw new Error('an update of a locked external account returned no row')
  return row
}

/** The amounts of the micro-entries that the customer of an external account can see, and when they were there. */
export async function seenEntries(
  database: Queryable,
  organisationId: number,
  externalAccountId: number,
): Promise<{ amounts: number[]; postedAt: string } | undefined> {
  const [row] = await database.query<{ amounts: number[]; postedAt: string }>(
    `select amounts, coalesce(settles_at, created_at) as "postedAt" from account_verification
     where organisation_id = $1::bigint and external_account_id = $2::bigint and method = 'MicroEntries'
       and coalesce(settles_at, created_at) <= bank_time(organisation_id)
       and (cutoff_at is null or ach_file_id is not null)
     order by id desc limit 1`,
    [organisationId, externalAccountId],
  )
  return row
}

export interface EndingVerification {
  id: number
  externalAccountId: number
  method: VerificationMethod
  endsAt: string
}

/** The verifications of an organisation that end next. */
export function nextEndings(database: Queryable, organisationId: number, limit: number): Promise<EndingVerification[]> {
  return database.query(
    `select id, external_account_id as "externalAccountId", method, ends_at as "endsAt" from account_verification
     where organisation_id = $1::bigint and status = 'Sent' order by ends_at, id limit $2`,
    [organisationId, limit],
    'once',
  )
}
