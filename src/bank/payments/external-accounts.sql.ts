import type {
  ExternalAccount,
  ExternalAccountReview,
  Mandate,
  Permissions,
  Verification,
} from '../../banking/external-accounts/external-account.ts'
import type { Queryable } from '../../database/database.ts'
import { isOfOrganisation, type ListWindow, listRows } from '../../database/lists.ts'

export interface ExternalAccountRow {
  id: number
  organisationId: number
  customerId: number
  createdAt: string
  name: string
  routingNumber: string
  /** As it is stored. */
  accountNumber: string
  accountType: ExternalAccount['accountType']
  type: ExternalAccount['type']
  bank: string
  /** Null for an account that needed no review. */
  review: ExternalAccountReview | null
  permissions: Permissions
  mandate: Mandate | null
  verification: Verification | null
  version: number
}

export const externalAccountColumns = `id, organisation_id as "organisationId", customer_id as "customerId", created_at as "createdAt", name,
  routing_number as "routingNumber", account_number as "accountNumber", account_type as "accountType", type, bank, review,
  permissions, mandate, verification, version`

export async function insertExternalAccount(
  transaction: Queryable,
  account: Omit<ExternalAccountRow, 'createdAt' | 'permissions' | 'mandate' | 'verification' | 'version'> & {
    numberDigest: Buffer
    lastDigits: string
  },
): Promise<ExternalAccountRow | undefined> {
  const [row] = await transaction.query<ExternalAccountRow>(
    `insert into external_account (id, organisation_id, customer_id, created_at, name, routing_number, account_number,
       account_type, type, bank, number_digest, last_digits, review)
     select $1::bigint, organisation_id, id, bank_time(organisation_id), $4::text, $5::text, $6::text, $7::text, $8::text,
       $9::text, $10::bytea, $11::text, $12::text
     from customer where organisation_id = $2::bigint and id = $3::bigint
     returning ${externalAccountColumns}`,
    [
      account.id,
      account.organisationId,
      account.customerId,
      account.name,
      account.routingNumber,
      account.accountNumber,
      account.accountType,
      account.type,
      account.bank,
      account.numberDigest,
      account.lastDigits,
      account.review,
    ],
  )
  return row
}

/** Finds an external account that is not deleted. */
export async function findExternalAccount(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<ExternalAccountRow | undefined> {
  const [row] = await database.query<ExternalAccountRow>(
    `select ${externalAccountColumns} from external_account
     where organisation_id = $1::bigint and id = $2::bigint and deleted_at is null`,
    [organisationId, id],
  )
  return row
}

/** Locks an external account, a deleted one too. */
export async function lockExternalAccount(
  transaction: Queryable,
  organisationId: number,
  id: number,
): Promise<{ id: number; deleted: boolean } | undefined> {
  const [row] = await transaction.query<{ id: number; deleted: boolean }>(
    `select id, deleted_at is not null as deleted from external_account
     where organisation_id = $1::bigint and id = $2::bigint for no key update`,
    [organisationId, id],
  )
  return row
}

export async function markExternalAccountDeleted(transaction: Queryable, id: number): Promise<ExternalAccountRow> {
  const [row] = await transaction.query<ExternalAccountRow>(
    `update external_account set deleted_at = bank_time(organisation_id), version = version + 1 where id = $1::bigint
     returning ${externalAccountColumns}`,
    [id],
  )
  if (!row) throw new Error('an update of a locked external account returned no row')
  return row
}

/** The columns of a correction; null or absent if they stay. */
export interface CorrectedColumns {
  type?: ExternalAccount['type'] | null
  review?: ExternalAccountReview | null
  name: string | null
  routingNumber: string | null
  bank: string | null
  accountType: ExternalAccount['accountType'] | null
  /** Sealed, with its digest and last digits. */
  accountNumber: string | null
  numberDigest: Buffer | null
  lastDigits: string | null
}

const isRenumbered = `($3::text <> routing_number or $7::bytea <> coalesce(number_digest, ''))`

/** Corrects an external account that is not deleted. Another number is not verified. */
export async function correctExternalAccount(
  transaction: Queryable,
  id: number,
  corrected: CorrectedColumns,
): Promise<ExternalAccountRow | undefined> {
  const { name, routingNumber, bank, accountType, accountNumber, numberDigest, lastDigits, type, review } = corrected
  const [row] = await transaction.query<ExternalAccountRow>(
    `update external_account set name = coalesce($2::text, name), routing_number = coalesce($3::text, routing_number),
       bank = coalesce($4::text, bank), account_type = coalesce($5::text, account_type),
       account_number = coalesce($6::text, account_number), number_digest = coalesce($7::bytea, number_digest),
       last_digits = coalesce($8::text, last_digits), type = coalesce($9::text, type), review = coalesce($10::text, review),
       permissions = case when ${isRenumbered} then 'CreditOnly' else permissions end,
       verification = case when ${isRenumbered} and verification is not null
         then jsonb_build_object('method', verification -> 'method', 'status', 'Failed', 'reason', 'NumberChanged')
         else verification end,
       version = version + 1
     where id = $1::bigint and deleted_at is null
     returning ${externalAccountColumns}`,
    [
      ...[id, name, routingNumber, bank, accountType, accountNumber, numberDigest, lastDigits],
      ...[type ?? null, review ?? null],
    ],
  )
  return row
}

export function listExternalAccountRows(
  database: Queryable,
  filter: {
    organisationId: number
    customerId: number
    routingNumber: string | null
    accountNumber: string | null
    numberDigest: Buffer | null
  },
  page: ListWindow,
): Promise<ExternalAccountRow[]> {
  return listRows(database, `select ${externalAccountColumns} from external_account`, filters, filter, page)
}

const filters = {
  always: [isOfOrganisation, 'customer_id = $customerId::bigint', 'deleted_at is null'],
  matching: [
    'routing_number = $routingNumber::text',
    // By the number itself for rows that are not sealed yet.
    'number_digest = $numberDigest::bytea or account_number = $accountNumber::text',
  ],
}

/** Locks an external account that is not deleted. */
export async function lockLiveExternalAccount(
  transaction: Queryable,
  organisationId: number,
  id: number,
): Promise<ExternalAccountRow | undefined> {
  const [row] = await transaction.query<ExternalAccountRow>(
    `select ${externalAccountColumns} from external_account
     where organisation_id = $1::bigint and id = $2::bigint and deleted_at is null for no key update`,
    [organisationId, id],
  )
  return row
}

/** Locks the accounts that can pay to an external account or collect from it: no such payment is then under way. */
export async function lockPayingAccounts(transaction: Queryable, organisationId: number, id: number): Promise<void> {
  await transaction.query(
    `select from account where customer_id = (
       select customer_id from external_account where organisation_id = $1::bigint and id = $2::bigint)
     order by id for no key update`,
    [organisationId, id],
  )
}

/** Stores the mandate of a locked external account. */
export async function storeMandate(transaction: Queryable, id: number, mandate: Mandate): Promise<ExternalAccountRow> {
  const [row] = await transaction.query<ExternalAccountRow>(
    `update external_account set mandate = $2::jsonb, version = version + 1 where id = $1::bigint
     returning ${externalAccountColumns}`,
    [id, JSON.stringify(mandate)],
  )
  if (!row) throw new Error('an update of a locked external account returned no row')
  return row
}

/** The payments that would collect money from an external account, and have not left, with their accounts. */
export function waitingDebits(
  transaction: Queryable,
  externalAccountId: number,
): Promise<{ id: number; accountId: number }[]> {
  return transaction.query(
    `select p.id, p.account_id as "accountId" from debit d join payment p on p.id = d.id
     where d.external_account_id = $1::bigint and p.status in ('Pending', 'PendingReview') order by p.id`,
    [externalAccountId],
    'once',
  )
}
