import type { AccountStatus } from '../../banking/accounts/account.ts'
import type { ApplicationStatus } from '../../banking/applications/application.ts'
import type { Queryable } from '../../database/database.ts'

/** Finds the application of a document. */
export async function findApplicationOf(
  database: Queryable,
  organisationId: number,
  documentId: number,
): Promise<{ id: number; status: ApplicationStatus } | undefined> {
  const [row] = await database.query<{ id: number; status: ApplicationStatus }>(
    `select a.id, a.status from document d join application a on a.id = d.application_id
     where d.id = $2::bigint and d.organisation_id = $1::bigint`,
    [organisationId, documentId],
  )
  return row
}

/** Whether the bank has stopped an account; undefined if there is no such account. */
export async function findStop(
  database: Queryable,
  organisationId: number,
  accountId: number,
): Promise<{ stoppedByBank: boolean } | undefined> {
  const [row] = await database.query<{ stoppedByBank: boolean }>(
    `select stopped_by_bank as "stoppedByBank" from account where id = $2::bigint and organisation_id = $1::bigint`,
    [organisationId, accountId],
  )
  return row
}

export async function findAccountStatusOf(
  database: Queryable,
  organisationId: number,
  cardId: number,
): Promise<AccountStatus | undefined> {
  const [row] = await database.query<{ status: AccountStatus }>(
    `select a.status from card c join account a on a.id = c.account_id
     where c.id = $2::bigint and c.organisation_id = $1::bigint`,
    [organisationId, cardId],
  )
  return row?.status
}

export async function findDestination(
  database: Queryable,
  organisationId: number,
  paymentId: number,
): Promise<{ destinationAccountId: number | null } | undefined> {
  const [row] = await database.query<{ destinationAccountId: number | null }>(
    `select destination_account_id as "destinationAccountId" from payment
     where id = $2::bigint and organisation_id = $1::bigint`,
    [organisationId, paymentId],
  )
  return row
}

/** An API key as its list shows it, and the state that decides about its rotation and deletion. */
export interface KeyRow {
  id: number
  name: string
  scopes: string[] | null
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  expired: boolean
  isLastFullKey: boolean
}

export async function findKeyRow(database: Queryable, organisationId: number, id: number): Promise<KeyRow | undefined> {
  const [row] = await database.query<KeyRow>(
    `select k.id, k.name, k.scopes, k.created_at as "createdAt", k.expires_at as "expiresAt",
       k.last_used_at as "lastUsedAt", coalesce(k.expires_at <= clock_timestamp(), false) as expired,
       k.scopes is null and coalesce(k.expires_at > clock_timestamp(), true) and not exists (
         select from api_key o
         where o.organisation_id = $1 and o.id <> k.id and o.scopes is null and o.revoked_at is null
           and (o.expires_at is null or o.expires_at > clock_timestamp())) as "isLastFullKey"
     from api_key k where k.id = $2::bigint and k.organisation_id = $1::bigint and k.revoked_at is null
       and k.person_id is null`,
    [organisationId, id],
  )
  return row
}

/**
 * The id of the record in the answer that is stored under an idempotency key. Records of rewards have numbers of their own
 * for each type: such an id does not say which record it is, and is left out, as are encrypted answers.
 */
export async function findMadeId(
  database: Queryable,
  organisationId: number,
  keyHash: Buffer,
): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>(
    `select coalesce(payment_id::text, made.id #>> '{}') as id from answer
     cross join lateral (select case when body like '{%' then body::json #> '{data,id}' end as id) made
     where organisation_id = $1::bigint and key_hash = $2::bytea
       and (payment_id is not null or json_typeof(made.id) = 'string')`,
    [organisationId, keyHash],
  )
  return row?.id
}
