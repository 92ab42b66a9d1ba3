import type { AccountStatus } from '../../banking/accounts/account.ts'
import type { PaymentBlock } from '../../banking/accounts/payment-block.ts'
import type { Queryable } from '../../database/database.ts'
import {
  countLimit,
  countRows,
  isOfOrganisation,
  type ListWindow,
  listRows,
  type OwnFilter,
  period,
  totalBy,
} from '../../database/lists.ts'
import { accountMatches, accountsNamed } from '../customers/matches.sql.ts'

export interface ShownAccount {
  id: number
  customerId: number
  createdAt: string
  name: string
  accountNumber: string
  balance: number
  hold: number
  status: AccountStatus
  tags: Record<string, string>
  paymentBlock: PaymentBlock | null
}

export interface AccountRow extends ShownAccount {
  version: number
  stoppedByBank: boolean
}

const shown = `id, customer_id as "customerId", created_at as "createdAt", name, account_number as "accountNumber",
  balance, hold, status, tags, payment_block as "paymentBlock"`
const columns = `${shown}, version, stopped_by_bank as "stoppedByBank"`

/**
 * Takes the creation time under the shared lock. The holder of the exclusive lock at the end of a month therefore finds
 * every account that was created in the month.
 */
export async function insertAccount(
  transaction: Queryable,
  account: {
    id: number
    organisationId: number
    customerId: number
    tags: Record<string, string>
    /** The present if it is absent or null. */
    openedAt?: string | null
  },
): Promise<AccountRow | undefined> {
  const [row] = await transaction.query<AccountRow>(
    `insert into account (id, organisation_id, customer_id, created_at, name, status, tags)
     with announced as materialized (select pg_advisory_xact_lock_shared($5::int, $6::int))
     select $1::bigint, c.organisation_id, c.id, coalesce($7::timestamptz, bank_time(c.organisation_id)), c.name, 'Open',
       $4::jsonb
     from announced cross join customer c where c.organisation_id = $2::bigint and c.id = $3::bigint
     returning ${columns}`,
    [
      account.id,
      account.organisationId,
      account.customerId,
      JSON.stringify(account.tags),
      ...openingLock(account.organisationId),
      account.openedAt,
    ],
  )
  return row
}

/** Waits until every account creation that has begun in the organisation is committed or rolled back. */
export async function awaitOpenings(database: Queryable, organisationId: number): Promise<void> {
  await database.query(`select pg_advisory_xact_lock($1::int, $2::int)`, openingLock(organisationId))
}

/**
 * The advisory lock of an organisation's account creations. The first number belongs to this kind of lock alone; the second
 * may be shared by two organisations, which then wait for each other now and then.
 */
function openingLock(organisationId: number): [number, number] {
  return [7_275_741, organisationId % 2 ** 31]
}

export async function findAccount(database: Queryable, id: number): Promise<ShownAccount | undefined> {
  const [row] = await database.query<ShownAccount>(`select ${shown} from account where id = $1::bigint`, [id])
  return row
}

export async function lockAccount(
  transaction: Queryable,
  organisationId: number,
  id: number,
): Promise<AccountRow | undefined> {
  const [row] = await transaction.query<AccountRow>(
    `select ${columns} from account where organisation_id = $1::bigint and id = $2::bigint for no key update`,
    [organisationId, id],
  )
  return row
}

export async function updateAccountStatus(
  transaction: Queryable,
  id: number,
  { status, closeReason, stoppedByBank }: { status: AccountStatus; closeReason: string | null; stoppedByBank: boolean },
): Promise<AccountRow> {
  const [row] = await transaction.query<AccountRow>(
    `update account set status = $2::text, close_reason = $3::text, version = version + 1, stopped_by_bank = $4::boolean,
       closed_at = case when $2 = 'Closed' then bank_time(organisation_id) end
     where id = $1::bigint
     returning ${columns}`,
    [id, status, closeReason, stoppedByBank],
  )
  if (!row) throw new Error('an update of a locked account returned no row')
  return row
}

export interface AccountFilter extends OwnFilter {
  search: string | undefined
  /** The only accounts that are listed, and those that are not. */
  only: number[] | null
  without: number[] | null
}

const always = [isOfOrganisation, 'id > 0']
/** By the customer's row, so that no account of another organisation's customer is looked at. */
const isOfCustomer = `customer_id = (select id from customer where ${isOfOrganisation} and id = $customerId::bigint)`
const isOneOf = 'id = any($accountIds::bigint[])'
const hasStatus = 'status = $status::text'
const isOnly = 'id = any($only::bigint[])'
const isNoneOf = 'id <> all($without::bigint[])'
const matching = [hasStatus, isNoneOf]
const along = [isOneOf, isOnly, isOfCustomer, ...period]

export function listAccountRows(database: Queryable, filter: AccountFilter, page: ListWindow): Promise<AccountRow[]> {
  const filters = { always, along: [...along, accountMatches('$search::text')], matching }
  return listRows(database, `select ${columns} from account`, filters, filter, page)
}

export function countAccounts(transaction: Queryable, filter: AccountFilter): Promise<string> {
  if (filter.search !== undefined) return totalBy(transaction, countNamed, filter)
  return countRows(transaction, 'account', { always, along, matching }, filter)
}

const countNamed = `with named as materialized (${accountsNamed('$search::text', countLimit)})
  select (select count(*) from named)::int as looked, (
    select count(*) from account where id = any(array(select id from named))
      and ($accountIds::bigint[] is null or id = any($accountIds))
      and ($customerId::bigint is null or customer_id = $customerId)
      and ($status::text is null or status = $status)
      and ($only::bigint[] is null or id = any($only)) and ($without::bigint[] is null or id <> all($without))
      and created_at > coalesce($since::timestamptz, '-infinity')
      and created_at < coalesce($until::timestamptz, 'infinity'))::int as matching`

export function findAccountsByNumber(
  database: Queryable,
  accountNumbers: string[],
): Promise<{ id: number; accountNumber: string }[]> {
  return database.query(
    `select id, account_number as "accountNumber" from account where account_number = any($1::text[]) and id > 0`,
    [accountNumbers],
  )
}

/** The ids of a customer's accounts. The customer is named by its id, or by one of its external accounts. */
export async function accountIdsOfCustomer(
  database: Queryable,
  organisationId: number,
  { customerId, externalAccountId }: { customerId: number | null; externalAccountId: number | null },
): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select id from account
     where organisation_id = $1::bigint
       and customer_id = coalesce($2::bigint, (select customer_id from external_account where id = $3::bigint))`,
    [organisationId, customerId, externalAccountId],
  )
  return rows.map(({ id }) => id)
}

/** The customer of an account; undefined if there is no such account. */
export async function findCustomerOf(
  database: Queryable,
  organisationId: number,
  accountId: number,
): Promise<number | undefined> {
  const [row] = await database.query<{ customerId: number }>(
    `select customer_id as "customerId" from account where id = $2::bigint and organisation_id = $1::bigint`,
    [organisationId, accountId],
  )
  return row?.customerId
}
