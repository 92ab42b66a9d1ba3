import type { AccountStatus } from '../../banking/accounts/account.ts'
import { bigint, rowSet, text } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import { type CardRow, cardColumns } from '../cards/cards.sql.ts'

/** No other advisory lock has this number. */
const MOVE_IN_LOCK = 7_275_765

/** Lets one import at a time look for what the bank has, and lifts the limit of a pause between two statements. */
export async function beginMoveIn(transaction: Queryable): Promise<void> {
  await transaction.query('set local idle_in_transaction_session_timeout = 0')
  await transaction.query('select pg_advisory_xact_lock($1::bigint)', [MOVE_IN_LOCK])
}

/** The state of an organisation that decides whether it can take records from files. */
export interface Present {
  /** Whether it has customers. */
  customers: boolean
  /** Its bank time. */
  now: string
}

export async function readPresent(transaction: Queryable, organisationId: number): Promise<Present> {
  const [row] = await transaction.query<Present>(
    `select exists (select from customer where organisation_id = o.id) as customers,
       bank_time(o.id) as now
     from organisation o where o.id = $1::bigint for no key update`,
    [organisationId],
    'once',
  )
  if (!row) throw new Error(`there is no organisation ${organisationId}`)
  return row
}

/**
 * Keeps the endpoints of an organisation from following its events, and new events of others out, before the end of the
 * transaction. Returns how many endpoints have events to send from before.
 */
export async function holdWebhooks(transaction: Queryable, organisationId: number): Promise<number> {
  const cursors = await transaction.query<{ sequence: number }>(
    `select c.sequence from webhook_cursor c join webhook_endpoint e on e.id = c.endpoint_id
     where e.organisation_id = $1::bigint and e.deleted_at is null for no key update of c`,
    [organisationId],
    'once',
  )
  const [counter] = await transaction.query<{ sequence: number }>(
    'select sequence from event_counter where organisation_id = $1::bigint for no key update',
    [organisationId],
    'once',
  )
  return cursors.filter(({ sequence }) => sequence < (counter?.sequence ?? 0)).length
}

/** Lets the endpoints go on behind the events so far, for which no webhooks are sent. */
export async function passWebhooks(transaction: Queryable, organisationId: number): Promise<void> {
  await transaction.query(
    `update webhook_cursor c set sequence = n.sequence from webhook_endpoint e, event_counter n
     where e.id = c.endpoint_id and e.organisation_id = $1::bigint and e.deleted_at is null and n.organisation_id = $1::bigint`,
    [organisationId],
    'once',
  )
}

export async function findBankTime(database: Queryable, organisationId: number): Promise<string | undefined> {
  const [row] = await database.query<{ now: string }>('select bank_time($1::bigint) as now', [organisationId], 'once')
  return row?.now
}

/** The organisation that files with these contents have gone to. */
export async function findMovedIn(transaction: Queryable, digest: string): Promise<number | undefined> {
  const [row] = await transaction.query<{ id: number }>(
    'select id from organisation_import where archive = $1::uuid',
    [digest],
    'once',
  )
  return row?.id
}

interface Noted {
  organisationId: number
  digest: string
  oldest: string | null
  /** The counts before and after. */
  figures: { what: string; before: string; after: string }[]
}

/** Notes the contents of the files, and lets statements begin with the month of the oldest account. */
export async function noteMovedIn(
  transaction: Queryable,
  { organisationId, digest, oldest, figures }: Noted,
): Promise<void> {
  await transaction.query(
    `insert into organisation_import (id, archive, head, link, figures)
     select o.id, $2::uuid, coalesce(c.sequence, o.events_after), c.link, $3::jsonb
     from organisation o left join event_counter c on c.organisation_id = o.id where o.id = $1::bigint`,
    [organisationId, digest, JSON.stringify(figures)],
    'once',
  )
  await transaction.query(
    `update organisation set statements_from =
       least(statements_from, date_trunc('month', $2::timestamptz at time zone 'UTC')::date)
     where id = $1::bigint and statements_from is not null and $2::timestamptz is not null`,
    [organisationId, oldest],
    'once',
  )
}

export interface FormerId {
  kind: 'customer' | 'account' | 'externalAccount' | 'card' | 'transaction'
  former: string
  id: number
}

export async function insertFormerIds(transaction: Queryable, organisationId: number, rows: FormerId[]): Promise<void> {
  const set = rowSet<FormerId>(
    { kind: text(({ kind }) => kind), former: text(({ former }) => former), id: bigint(({ id }) => id) },
    2,
  )
  await transaction.query(
    `insert into former_id (organisation_id, kind, former, id) select $1::bigint, n.kind, n.former, n.id
     from (${set.select}) n`,
    [organisationId, ...set.values(rows)],
    'once',
  )
}

export type MovedCard = Omit<CardRow, 'customerId' | 'replacesCardId' | 'version'>

/** Inserts a card as the former processor knows it. */
export async function insertMovedCard(transaction: Queryable, card: MovedCard): Promise<CardRow> {
  const [row] = await transaction.query<CardRow>(
    `insert into card (id, organisation_id, account_id, customer_id, created_at, last4, expires, status, type, design,
       shipping_address, activated_at)
     select $1::bigint, organisation_id, id, customer_id, $3::timestamptz, $4::text, $5::text, $6::text, $7::text, $8::text,
       $9::json, case when $6 <> 'Inactive' then $3::timestamptz end
     from account where id = $2::bigint returning ${cardColumns}`,
    [
      card.id,
      card.accountId,
      card.createdAt,
      card.last4,
      card.expires,
      card.status,
      card.type,
      card.design,
      card.shippingAddress && JSON.stringify(card.shippingAddress),
    ],
  )
  if (!row) throw new Error('an insert returned no row')
  return row
}

/** Gives a new account the status that it had. The reason of a closure follows from the balance at the end. */
export async function setMovedStatus(
  transaction: Queryable,
  { id, status, balance }: { id: number; status: AccountStatus; balance: number },
): Promise<void> {
  await transaction.query(
    `update account set status = $2::text, closed_at = case when $2 = 'Closed' then created_at end,
       close_reason = case when $2 = 'Closed' and $3::bigint < 0 then 'NegativeBalance' when $2 = 'Closed' then 'ByCustomer' end
     where id = $1::bigint`,
    [id, status, balance],
  )
}

/** Lets closed accounts end with their last booking. */
export async function setClosingTimes(transaction: Queryable, organisationId: number): Promise<void> {
  await transaction.query(
    `update account set closed_at = posted_at
     where organisation_id = $1::bigint and status = 'Closed' and posted_at is not null`,
    [organisationId],
    'once',
  )
}

export async function findAccountNumber(transaction: Queryable, id: number): Promise<string> {
  const [row] = await transaction.query<{ number: string }>(
    'select account_number as number from account where id = $1::bigint',
    [id],
  )
  if (!row) throw new Error(`there is no account ${id}`)
  return row.number
}

/** An id in the former system. An account has its number here, too. */
export type ListedFormerId = FormerId & { number: string | null }

/** The ids of records in the former system, by their kind. */
export function listFormerIds(
  database: Queryable,
  organisationId: number,
  { former, after, limit }: { former: string | null; after: { kind: string; former: string }; limit: number },
): Promise<ListedFormerId[]> {
  return database.query(
    `select f.kind, f.former, f.id, a.account_number as number
     from former_id f left join account a on f.kind = 'account' and a.id = f.id
     where f.organisation_id = $1::bigint and (f.kind, f.former) > ($2::text, $3::text)
       and ($4::text is null or f.former = $4::text)
     order by f.kind, f.former limit $5::int`,
    [organisationId, after.kind, after.former, former, limit],
    'once',
  )
}

/** The counts and cents of an organisation, to compare with those of the files. */
export async function countMovedIn(transaction: Queryable, organisationId: number): Promise<Record<string, number>> {
  const [row] = await transaction.query<Record<string, number>>(
    `select (select count(*) from customer where organisation_id = $1::bigint) as customers,
       (select count(*) from account where organisation_id = $1::bigint and id > 0) as accounts,
       (select count(*) from external_account where organisation_id = $1::bigint) as "external-accounts",
       (select count(*) from card where organisation_id = $1::bigint) as cards,
       (select count(*) from transfer where organisation_id = $1::bigint) as transfers,
       (select coalesce(sum(balance), 0)::bigint from account where organisation_id = $1::bigint and id > 0) as balance`,
    [organisationId],
    'once',
  )
  return row ?? {}
}
