import { bigint, rowSet, text } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'

/** A table from which copies are removed, and the key of the last row that was read. */
export interface CopyMove {
  source: 'event_page' | 'answer' | 'external_account' | 'payment'
  afterOrganisation: number
  afterLast: number
  afterKey: Buffer
}

/** The tables that are left. */
export async function movesLeft(database: Queryable): Promise<CopyMove['source'][]> {
  const rows = await database.query<Pick<CopyMove, 'source'>>(`select source from copy_move order by source`)
  return rows.map(({ source }) => source)
}

/** Locks the position in a table; undefined if another process works on it, or it is done. */
export async function lockMove(transaction: Queryable, source: CopyMove['source']): Promise<CopyMove | undefined> {
  const [row] = await transaction.query<CopyMove>(
    `select source, after_organisation as "afterOrganisation", after_last as "afterLast", after_key as "afterKey"
     from copy_move where source = $1::text for update skip locked`,
    [source],
  )
  return row
}

export async function saveMove(transaction: Queryable, move: CopyMove): Promise<void> {
  await transaction.query(
    `update copy_move set after_organisation = $2::bigint, after_last = $3::bigint, after_key = $4::bytea
     where source = $1::text`,
    [move.source, move.afterOrganisation, move.afterLast, move.afterKey],
  )
}

export async function endMove(transaction: Queryable, source: CopyMove['source']): Promise<void> {
  await transaction.query(`delete from copy_move where source = $1::text`, [source])
}

export interface StoredPage {
  organisationId: number
  last: number
  events: string
}

export function readPages(transaction: Queryable, { afterOrganisation, afterLast }: CopyMove, take: number) {
  return transaction.query<StoredPage>(
    `select organisation_id as "organisationId", last, events from event_page
     where (organisation_id, last) > ($1::bigint, $2::bigint) order by organisation_id, last limit $3`,
    [afterOrganisation, afterLast, take],
    'once',
  )
}

const pageRows = rowSet<StoredPage>({
  organisation_id: bigint(({ organisationId }) => organisationId),
  last: bigint(({ last }) => last),
  events: text(({ events }) => events),
})

export async function updatePages(transaction: Queryable, pages: StoredPage[]): Promise<void> {
  await transaction.query(
    `update event_page p set events = n.events from (${pageRows.select}) n
     where p.organisation_id = n.organisation_id and p.last = n.last`,
    pageRows.values(pages),
    'once',
  )
}

/** Those of some account numbers that are numbers of this bank. */
export async function ownNumbers(transaction: Queryable, numbers: string[]): Promise<Set<string>> {
  const rows = await transaction.query<{ number: string }>(
    `select account_number as number from account where account_number = any($1::text[])`,
    [[...new Set(numbers)]],
  )
  return new Set(rows.map(({ number }) => number))
}

export interface AnswerBody {
  organisationId: number
  keyHash: Buffer
  /** Null if the answer shows no payment and no external account. */
  body: string | null
}

export function readBodies(transaction: Queryable, { afterOrganisation, afterKey }: CopyMove, take: number) {
  return transaction.query<AnswerBody>(
    `select organisation_id as "organisationId", key_hash as "keyHash",
       case when sealed is null and payment_id is null and body like '{"data":{"id":"%' and body like '%"routingNumber":"%'
         and body not like '{"data":{"id":"%","type":"depositAccount"%' then body end as body
     from answer where (organisation_id, key_hash) > ($1::bigint, $2::bytea) order by organisation_id, key_hash limit $3`,
    [afterOrganisation, afterKey, take],
    'once',
  )
}

export async function updateAnswer(
  transaction: Queryable,
  { organisationId, keyHash }: Pick<AnswerBody, 'organisationId' | 'keyHash'>,
  to: { body: string; paymentId?: number | undefined; status?: 'Returned' | null; sealed?: Buffer },
): Promise<void> {
  await transaction.query(
    `update answer set body = $3::text, payment_id = $4::bigint, payment_status = $5::text, sealed = $6::bytea
     where organisation_id = $1::bigint and key_hash = $2::bytea`,
    [organisationId, keyHash, to.body, to.paymentId ?? null, to.status ?? null, to.sealed ?? null],
  )
}

export function readExternalAccounts(transaction: Queryable, { afterOrganisation, afterLast }: CopyMove, take: number) {
  return transaction.query<{ organisationId: number; id: number; accountNumber: string }>(
    `select organisation_id as "organisationId", id, account_number as "accountNumber" from external_account
     where (organisation_id, id) > ($1::bigint, $2::bigint) order by organisation_id, id limit $3`,
    [afterOrganisation, afterLast, take],
    'once',
  )
}

export async function updateExternalAccount(
  transaction: Queryable,
  row: { id: number; before: string; accountNumber: string; numberDigest: Buffer; lastDigits: string },
): Promise<void> {
  await transaction.query(
    `update external_account set account_number = $3::text, number_digest = $4::bytea, last_digits = $5::text
     where id = $1::bigint and account_number = $2::text`,
    [row.id, row.before, row.accountNumber, row.numberDigest, row.lastDigits],
  )
}

export interface PaymentNumber {
  organisationId: number
  id: number
  externalAccountId: number | null
  /** Null if the number is sealed, or one of this bank. */
  number: string | null
  /** As the external account stores it now. */
  copied: string | null
}

export function readPaymentNumbers(transaction: Queryable, { afterLast }: CopyMove, take: number) {
  return transaction.query<PaymentNumber>(
    `select p.organisation_id as "organisationId", p.id, p.external_account_id as "externalAccountId",
       case when p.external_account_id is not null and p.counterparty_account_number ~ '^[0-9]'
         then p.counterparty_account_number end as number, e.account_number as copied
     from (select * from payment where id > $1::bigint order by id limit $2) p
     left join external_account e on e.id = p.external_account_id order by p.id`,
    [afterLast, take],
    'once',
  )
}

const numberRows = rowSet<{ id: number; number: string }>({
  id: bigint(({ id }) => id),
  number: text(({ number }) => number),
})

export async function updatePaymentNumbers(transaction: Queryable, rows: { id: number; number: string }[]) {
  await transaction.query(
    `update payment p set counterparty_account_number = n.number from (${numberRows.select}) n
     where p.id = n.id and p.counterparty_account_number ~ '^[0-9]'`,
    numberRows.values(rows),
    'once',
  )
}
