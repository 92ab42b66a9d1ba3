import type { Queryable } from '../../database/database.ts'
import { ERASED_STATUS } from '../../idempotency/stored-answer.ts'

/** The text in place of a name. */
const ERASED = 'Erased'
const ADDRESS = JSON.stringify({ street: ERASED, city: ERASED, state: ERASED, postalCode: ERASED })

/** How long records of the identity of a customer are kept after the last account was closed (31 CFR 1020.220). */
const KEPT = `interval '5 years'`

export interface Subject {
  id: number
  organisationId: number
  status: 'Active' | 'Erased'
  version: number
}

/** Locks a customer of any organisation that has not ended. */
export async function lockCustomer(transaction: Queryable, id: number): Promise<Subject | undefined> {
  const [row] = await transaction.query<Subject>(
    `select c.id, c.organisation_id as "organisationId", c.status, c.version
     from customer c join organisation o on o.id = c.organisation_id
     where c.id = $1::bigint and o.ended_at is null for no key update of c`,
    [id],
  )
  return row
}

/** Whether rows of a former version are still being changed in the background. */
export async function isMoving(transaction: Queryable): Promise<boolean> {
  return (await transaction.query(`select from copy_move limit 1`)).length > 0
}

/** Whether this role may destroy a key. That of the service may not. */
export async function mayErase(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ may: boolean }>(
    `select has_column_privilege('customer_key', 'data_key', 'update') as may`,
  )
  return row?.may ?? false
}

/** The records of a customer, by their ids. */
export interface Records {
  applications: number[]
  documents: number[]
  accounts: number[]
  cards: number[]
  externalAccounts: number[]
  receivedPayments: number[]
  accountHolds: number[]
  proposals: number[]
  /** Those that earned with a card of the customer. */
  partnerUsers: number[]
}

/** Locks the applications, documents, accounts and received payments of a customer, in the order of all locks. */
export async function lockRecords(transaction: Queryable, customerId: number): Promise<Records> {
  const ids = async (text: string, value: unknown = customerId) =>
    (await transaction.query<{ id: number }>(text, [value])).map(({ id }) => id)
  const applications = await ids(
    `select id from application where customer_id = $1::bigint order by id for no key update`,
  )
  const documents = await ids(
    `select id from document where application_id = any($1::bigint[]) order by id for no key update`,
    applications,
  )
  const accounts = await ids(`select id from account where customer_id = $1::bigint order by id for no key update`)
  const partnerUsers = await ids(
    `select id from partner_user where id in (
       select l.partner_user_id from card c
       join partner_user_card l on l.organisation_id = c.organisation_id and l.bank_card_id = c.id::text
       where c.customer_id = $1::bigint)
     order by id for no key update`,
  )
  const cards = await ids(`select id from card where customer_id = $1::bigint order by id`)
  const externalAccounts = await ids(
    `select id from external_account where customer_id = $1::bigint order by id for no key update`,
  )
  const receivedPayments = await ids(
    `select id from received_payment where customer_id = $1::bigint order by id for no key update`,
  )
  const accountHolds = await ids(
    `select id from account_hold where customer_id = $1::bigint order by id for no key update`,
  )
  const proposals = await ids(`select id from proposal where customer_id = $1::bigint order by id for no key update`)
  return {
    ...{ applications, documents, accounts, partnerUsers, cards },
    ...{ externalAccounts, receivedPayments, accountHolds, proposals },
  }
}

/** Destroys the keys of a customer and of its applications. Waits for changes that use them. */
export async function destroyKeys(transaction: Queryable, organisationId: number, ids: number[]): Promise<void> {
  await transaction.query(
    `insert into customer_key (id, organisation_id, erased_at)
     select id, $2::bigint, bank_time($2) from unnest($1::bigint[]) given (id) order by id
     on conflict (id) do update set data_key = null, erased_at = excluded.erased_at`,
    [ids, organisationId],
  )
}

export interface AccountState {
  id: number
  status: 'Open' | 'Frozen' | 'Closed'
  balance: number
  /** Null if the time of the closing is not known. */
  closedAt: string | null
  /** Whether the time of the closing is less than five years ago, or not known. */
  kept: boolean
}

export function findAccountStates(transaction: Queryable, customerId: number): Promise<AccountState[]> {
  return transaction.query(
    `select id, status, balance, closed_at as "closedAt",
       coalesce(closed_at > bank_time(organisation_id) - ${KEPT}, true) as kept
     from account where customer_id = $1::bigint order by closed_at desc nulls first, id`,
    [customerId],
  )
}

interface Unfinished {
  authorizationId: number | null
  holdId: number | null
  paymentId: number | null
}

/** An authorization and a hold that hold money, and a payment that is not sent yet; null if there is none. */
export async function findUnfinished(transaction: Queryable, customerId: number): Promise<Unfinished> {
  const [row] = await transaction.query<Unfinished>(
    `select (select min(id) from card_authorization where customer_id = $1::bigint and status = 'Authorized') as "authorizationId",
       (select min(id) from account_hold where customer_id = $1::bigint and status = 'Active') as "holdId",
       (select min(p.id) from account a join payment p on p.account_id = a.id
        where a.customer_id = $1::bigint and p.status not in ('Sent', 'Returned', 'Rejected', 'Canceled')) as "paymentId"`,
    [customerId],
  )
  return row ?? { authorizationId: null, holdId: null, paymentId: null }
}

/** Overwrites the columns that hold personal data, and deletes files and tokens. */
export async function overwrite(transaction: Queryable, customerId: number, records: Records): Promise<void> {
  const { applications, documents, accounts, partnerUsers, externalAccounts, receivedPayments, accountHolds } = records
  await transaction.query(
    `update application set name = '${ERASED}', email = '${ERASED}', phone = '${ERASED}', address = '{}',
       date_of_birth = '0001-01-01', sealed_ssn = '', ssn_digest = null where id = any($1::bigint[])`,
    [applications],
  )
  await transaction.query(`delete from document_file where document_id = any($1::bigint[])`, [documents])
  await transaction.query(`update document set reason = null where id = any($1::bigint[])`, [documents])
  await transaction.query(`update account set name = '${ERASED}', tags = '{}' where id = any($1::bigint[])`, [accounts])
  await transaction.query(
    `update card set tags = '{}', shipping_address = case when shipping_address is not null then $2::json end
     where customer_id = $1::bigint`,
    [customerId, ADDRESS],
  )
  await transaction.query(`update partner_user set tags = '{}' where id = any($1::bigint[])`, [partnerUsers])
  await transaction.query(`delete from attribution_touch where partner_user_id = any($1::bigint[])`, [partnerUsers])
  await transaction.query(
    `update external_account set name = '${ERASED}', bank = '${ERASED}', routing_number = '000000000', account_number = '0',
       number_digest = null, last_digits = '', deleted_at = coalesce(deleted_at, bank_time(organisation_id)), mandate = null
     where id = any($1::bigint[])`,
    [externalAccounts],
  )
  await transaction.query(
    `update account_verification set number_digest = null,
       status = case when status in ('Pending', 'Sent') then 'Failed' else status end, ends_at = null
     where external_account_id = any($1::bigint[])`,
    [externalAccounts],
  )
  await transaction.query(
    `update debit set mandate = mandate || '{"address": "${ERASED}"}' where external_account_id = any($1::bigint[])`,
    [externalAccounts],
  )
  await transaction.query(`delete from decision_reason where subject_id = any($1::bigint[])`, [
    [customerId, ...applications],
  ])
  await transaction.query(
    `update received_payment set receiver_name = '${ERASED}', addenda = null where id = any($1::bigint[])`,
    [receivedPayments],
  )
  await transaction.query(
    `update account_hold set description = '${ERASED}' where id = any($1::bigint[]) and description is not null`,
    [accountHolds],
  )
  await transaction.query(
    `update proposal set reason = case when reason is not null then '${ERASED}' end,
       body = case when body ? 'reason' then body || '{"reason": "${ERASED}"}' else body end,
       decision_reason = case when decision_reason is not null then '${ERASED}' end, customer_id = null
     where customer_id = $1::bigint`,
    [customerId],
  )
  await transaction.query(`delete from verification_token where customer_id = $1::bigint`, [customerId])
}

/** Deletes the ids by which a former system knows the customer. */
export async function eraseLinks(
  transaction: Queryable,
  { id, organisationId }: Subject,
  { accounts, cards, externalAccounts }: Records,
): Promise<void> {
  await transaction.query(
    `delete from former_id where organisation_id = $1::bigint and kind <> 'transaction' and id = any($2::bigint[])`,
    [organisationId, [id, ...accounts, ...cards, ...externalAccounts]],
  )
}

/**
 * Empties the stored answers that show a record. Their keys stay, so that a request that is repeated is not carried out again.
 * Reads the answers of the organisation once, because they have no index by record.
 */
export async function eraseAnswers(
  transaction: Queryable,
  organisationId: number,
  { ids, partnerUsers }: { ids: number[]; partnerUsers: number[] },
): Promise<number> {
  const rows = await transaction.query(
    `update answer set status = ${ERASED_STATUS}, body = '', sealed = null, fingerprint = decode(repeat('00', 32), 'hex')
     where organisation_id = $1::bigint and payment_id is null and body <> ''
       and (substring(body from '^\\{"data":\\{"id":"([0-9]+)"') = any($2::text[])
         or substring(body from '^\\{"data":\\{"id":([0-9]+),"userId"') = any($3::text[]))
     returning true`,
    [organisationId, ids.map(String), partnerUsers.map(String)],
    'once',
  )
  return rows.length
}

export interface EventPageRow {
  last: number
  events: string
  /** Whether a link of the chain of hashes covers the page. */
  linked: boolean
}

/** The pages with events of some records. */
export function findPages(
  transaction: Queryable,
  organisationId: number,
  entities: { type: string; id: number }[],
): Promise<EventPageRow[]> {
  return transaction.query(
    `with wanted as materialized (
       select distinct event_page_of($1::bigint, e.sequence) as last
       from unnest($2::text[], $3::text[]) n (type, id)
       join event_entity e on e.organisation_id = $1::bigint and e.entity_type = n.type and e.entity_id = n.id),
     chain as materialized (
       select last - count as before from event_link where organisation_id = $1::bigint order by last limit 1)
     select p.last, p.events, coalesce(p.last > (select before from chain), false) as linked
     from wanted w join event_page p on p.organisation_id = $1::bigint and p.last = w.last
     order by p.last`,
    [organisationId, entities.map(({ type }) => type), entities.map(({ id }) => String(id))],
    'once',
  )
}

export async function updateCustomer(transaction: Queryable, id: number): Promise<void> {
  await transaction.query(
    `update customer set name = '${ERASED}', email = null, phone = null, address = null, tags = '{}', status = 'Erased',
       version = version + 1
     where id = $1::bigint`,
    [id],
  )
}
