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
  /** Whether it has accounts of customers. */
  accounts: boolean
  /** Whether it has webhooks. */
  webhooks: boolean
  /** Its bank time. */
  now: string
}

export async function readPresent(transaction: Queryable, organisationId: number): Promise<Present> {
  const [row] = await transaction.query<Present>(
    `select exists (select from account where organisation_id = o.id and id > 0) as accounts,
       exists (select from webhook_endpoint where organisation_id = o.id and status = 'Enabled' and deleted_at is null) as webhooks,
       bank_time(o.id) as now
     from organisation o where o.id = $1::bigint for no key update`,
    [organisationId],
    'once',
  )
  if (!row) throw new Error(`there is no organisation ${organisationId}`)
  return row
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

/** Notes the contents of the files, and lets statements begin with the month of the oldest account. */
export async function noteMovedIn(
  transaction: Queryable,
  { organisationId, digest, oldest }: { organisationId: number; digest: string; oldest: string | null },
): Promise<void> {
  await transaction.query(
    `insert into organisation_import (id, archive, head, link)
     select o.id, $2::uuid, coalesce(c.sequence, o.events_after), c.link
     from organisation o left join event_counter c on c.organisation_id = o.id where o.id = $1::bigint`,
    [organisationId, digest],
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

export async function findAccountNumber(transaction: Queryable, id: number): Promise<string> {
  const [row] = await transaction.query<{ number: string }>(
    'select account_number as number from account where id = $1::bigint',
    [id],
  )
  if (!row) throw new Error(`there is no account ${id}`)
  return row.number
}

/** The ids of records in the former system, by their kind. */
export function listFormerIds(
  database: Queryable,
  organisationId: number,
  { former, after, limit }: { former: string | null; after: { kind: string; former: string }; limit: number },
): Promise<FormerId[]> {
  return database.query(
    `select kind, former, id from former_id
     where organisation_id = $1::bigint and (kind, former) > ($2::text, $3::text) and ($4::text is null or former = $4::text)
     order by kind, former limit $5::int`,
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
