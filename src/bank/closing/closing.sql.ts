import type { Queryable } from '../../database/database.ts'
import type { BankStatement } from '../../rails/statements/statement.ts'
import type { Item, NewItem } from './items.ts'
import type { Match } from './match-items.ts'

/** No other advisory lock has this number. */
const CLOSING_LOCK = 7_275_760

/** Waits until nobody else takes statements, matches or closes. The lock lasts until the transaction ends. */
export async function closingLock(transaction: Queryable): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock($1::int)`, [CLOSING_LOCK])
}

export async function hasFile(database: Queryable, sha256: Buffer): Promise<boolean> {
  const rows = await database.query(`select from statement_file where sha256 = $1::bytea and state = 'taken'`, [sha256])
  return rows.length > 0
}

export interface StatementFile {
  sha256: Buffer
  name: string
  state: 'taken' | 'refused'
  detail: string
}

export async function storeFile(database: Queryable, { sha256, name, state, detail }: StatementFile): Promise<number> {
  const [row] = await database.query<{ id: number }>(
    `insert into statement_file (sha256, name, state, detail) values ($1::bytea, $2::text, $3::text, $4::text)
     on conflict (sha256) do update set name = excluded.name, state = excluded.state, detail = excluded.detail, taken_at = now()
     returning id`,
    [sha256, name, state, detail],
  )
  return row?.id ?? 0
}

/** A statement, or a page of one, that counts. */
export interface StatementRow {
  id: number
  asOf: string
  page: number
  isLast: boolean
  reference: string
  names: Record<string, string>
  opening: number | null
  closing: number | null
  /** The sum of its lines whose direction is known. */
  net: number
  entries: number
  digest: string
  fileSha256: string
  flags: string[]
}

/** The statements that count, in the order of their days and pages. */
export function currentStatements(
  database: Queryable,
  since: string | null,
  until: string | null,
): Promise<StatementRow[]> {
  return database.query(
    `select s.id, s.as_of::text as "asOf", s.page, s.is_last as "isLast", s.reference, s.names, s.opening, s.closing, s.entries,
       encode(s.digest, 'hex') as digest, encode(f.sha256, 'hex') as "fileSha256", s.flags, coalesce(i.net, 0)::bigint as net
     from bank_statement s join statement_file f on f.id = s.file_id
     left join lateral (
       select sum(amount) filter (where has_direction) as net from settlement_item
       where statement_id = s.id and parent_id is null and place > 0) i on true
     where s.replaced_at is null and not s.is_interim
       and ($1::date is null or s.as_of >= $1::date) and ($2::date is null or s.as_of <= $2::date)
     order by s.as_of, s.page`,
    [since, until],
  )
}

export async function insertStatement(
  transaction: Queryable,
  fileId: number,
  { asOf, page, isInterim, format, reference, names, opening, closing, entries, flags }: BankStatement,
  digest: Buffer,
): Promise<number> {
  const [row] = await transaction.query<{ id: number }>(
    `insert into bank_statement (file_id, as_of, page, is_last, is_interim, format, reference, names, opening, closing, digest, entries, flags)
     values ($1::bigint, $2::date, $3::int, $4::boolean, $5::boolean, $6::text, $7::text, $8::jsonb, $9::bigint, $10::bigint,
       $11::bytea, $12::int, $13::text[]) returning id`,
    [
      ...[fileId, asOf, page?.number ?? 1, page?.last ?? true, isInterim, format, reference, JSON.stringify(names)],
      ...[opening, closing, digest, entries.length, flags],
    ],
  )
  return row?.id ?? 0
}

/** Takes a statement out of the account. Its matches end, and what was matched with it is open again. */
export async function replaceStatement(transaction: Queryable, id: number, because: string): Promise<void> {
  await transaction.query(
    `update bank_statement set replaced_at = now(), replaced_because = $2::text where id = $1::bigint`,
    [id, because],
  )
  const matches = await transaction.query<{ id: number }>(
    `select distinct match_id as id from settlement_item where statement_id = $1::bigint and match_id is not null`,
    [id],
  )
  for (const match of matches) await endMatch(transaction, match.id, because)
  await transaction.query(
    `update settlement_item set withdrawn_at = now() where statement_id = $1::bigint and withdrawn_at is null`,
    [id],
  )
}

export async function endMatch(transaction: Queryable, id: number, because: string, byHand = false): Promise<void> {
  await transaction.query(
    `update settlement_item set match_id = null, by_hand = by_hand or $2::boolean where match_id = $1::bigint`,
    [id, byHand],
  )
  await transaction.query(`update item_match set ended_at = now(), ended_because = $2::text where id = $1::bigint`, [
    id,
    because,
  ])
}

/** Stores items; those that are known already, by their line or transfer, stay as they are. */
export async function insertItems(
  transaction: Queryable,
  items: readonly NewItem[],
  { statementId = null, parentId = null }: { statementId?: number | null; parentId?: number | null } = {},
): Promise<void> {
  await transaction.query(
    `insert into settlement_item (side, statement_id, place, transfer_id, parent_id, day, amount, has_direction, kinds, keys, groups, description)
     select x.side, $2::bigint, x.place, x."transferId", $3::bigint, x.day, x.amount, x."hasDirection", x.kinds, x.keys, x.groups, x.description
     from jsonb_to_recordset($1::jsonb) x (side text, place int, "transferId" bigint, day date, amount bigint, "hasDirection" boolean,
       kinds text[], keys text[], groups text[], description text)
     where $3::bigint is not null or not exists (
       select from settlement_item o where o.parent_id is null and (o.transfer_id = x."transferId" or o.statement_id = $2::bigint and o.place = x.place))
     on conflict do nothing`,
    [JSON.stringify(items), statementId, parentId],
  )
}

/** An item with what people and rules have said about it. */
export interface ItemRow extends Item {
  statementId: number | null
  place: number | null
  transferId: number | null
  owner: string | null
  note: string | null
  hint: string | null
  /** The match it is in, and the last day of its items; null if it is open. */
  matchId: number | null
  matchDay: string | null
  matchReason: string | null
}

const itemColumns = `i.id, i.side, i.statement_id as "statementId", i.place, i.transfer_id as "transferId", i.day::text as day, i.amount,
  i.has_direction as "hasDirection", i.by_hand as "byHand", i.kinds, i.keys, i.groups, i.description, i.owner, i.note, i.hint, i.match_id as "matchId",
  m.day::text as "matchDay", m.reason as "matchReason"`
const itemTables = `settlement_item i left join lateral (
  select max(o.day) as day, max(r.reason) as reason from settlement_item o join item_match r on r.id = o.match_id
  where o.match_id = i.match_id) m on true`
const counts = `i.split_because is null and i.withdrawn_at is null`

/** The items that no match had at the end of a day; without a day, those that are open now. */
export function openItems(database: Queryable, day: string | null, limit: number | null = null): Promise<ItemRow[]> {
  return database.query(
    `select ${itemColumns} from ${itemTables}
     where ${counts} and case when $1::date is null then i.match_id is null
       else i.day <= $1::date and (i.match_id is null or m.day > $1::date) end
     order by i.day, i.id limit $2`,
    [day, limit],
  )
}

/** The items of some days, matched and open. */
export function itemsOfDays(database: Queryable, first: string, last: string, limit: number): Promise<ItemRow[]> {
  return database.query(
    `select ${itemColumns} from ${itemTables} where ${counts} and i.day between $1::date and $2::date
     order by i.match_id, i.side desc, i.id limit $3`,
    [first, last, limit],
  )
}

/** Locks items, and returns those that still count. */
export function lockItems(transaction: Queryable, ids: number[]): Promise<ItemRow[]> {
  return transaction.query(
    `with locked as (select id from settlement_item where id = any ($1::bigint[]) order by id for update)
     select ${itemColumns} from locked l join ${itemTables} on i.id = l.id where ${counts} order by i.id`,
    [ids],
  )
}

/** The largest amount, without its sign, of an item and those that it is a part of. */
export async function largestAmount(database: Queryable, id: number): Promise<number> {
  const [row] = await database.query<{ amount: number }>(
    `with recursive whole as (
       select parent_id, amount from settlement_item where id = $1::bigint
       union all select i.parent_id, i.amount from whole w join settlement_item i on i.id = w.parent_id)
     select max(abs(amount)) as amount from whole`,
    [id],
  )
  return row?.amount ?? 0
}

/** Stores matches. The database refuses one that does not balance. */
export async function insertMatches(
  transaction: Queryable,
  matches: readonly Match[],
  person: string | null,
): Promise<void> {
  const rows = matches.map(({ items, reason }) => ({ ids: items.map(({ id }) => id), reason }))
  await transaction.query(
    `with given as (
       select row_number() over () as place, ids, reason from jsonb_to_recordset($1::jsonb) x (ids bigint[], reason text)),
     made as (insert into item_match (reason, person) select reason, $2::text from given order by place returning id),
     numbered as (select id, row_number() over (order by id) as place from made)
     update settlement_item i set match_id = n.id, hint = null
     from given g join numbered n using (place) where i.id = any (g.ids) and i.match_id is null`,
    [JSON.stringify(rows), person],
  )
}

export async function storeHints(transaction: Queryable, hints: ReadonlyMap<number, string>): Promise<void> {
  await transaction.query(
    `update settlement_item i set hint = x.hint
     from (select o.id, n.hint from settlement_item o left join unnest($1::bigint[], $2::text[]) n (id, hint) on n.id = o.id
       where o.match_id is null and o.split_because is null and o.withdrawn_at is null) x
     where i.id = x.id and i.hint is distinct from x.hint`,
    [[...hints.keys()], [...hints.values()]],
  )
}

export async function markSplit(transaction: Queryable, id: number, because: string): Promise<void> {
  await transaction.query(`update settlement_item set split_because = $2::text where id = $1::bigint`, [id, because])
}

export async function noteItem(transaction: Queryable, id: number, owner: string, note: string): Promise<void> {
  await transaction.query(`update settlement_item set owner = $2::text, note = $3::text where id = $1::bigint`, [
    id,
    owner,
    note,
  ])
}

export async function setDirection(transaction: Queryable, id: number, amount: number): Promise<void> {
  await transaction.query(
    `update settlement_item set amount = $2::bigint, has_direction = true where id = $1::bigint`,
    [id, amount],
  )
}

/** A day that is closed, or was. */
export interface DayRow {
  day: string
  version: number
  certificate: string
  sha256: string
  closedAt: string
  reopenedAt: string | null
  reopenedBecause: string | null
}

const dayColumns = `day::text as day, version, certificate, encode(sha256, 'hex') as sha256, closed_at as "closedAt",
  reopened_at as "reopenedAt", reopened_because as "reopenedBecause"`

/** The last day that is closed. */
export async function lastClosed(database: Queryable): Promise<DayRow | undefined> {
  const [row] = await database.query<DayRow>(
    `select ${dayColumns} from closed_day where reopened_at is null order by day desc limit 1`,
  )
  return row
}

/** The last day that is closed, and the first one with a statement. */
export async function edgesOfDays(database: Queryable): Promise<{ closed: string | null; first: string | null }> {
  const [row] = await database.query<{ closed: string | null; first: string | null }>(
    `select (select max(day) from closed_day where reopened_at is null)::text as closed,
       (select min(as_of) from bank_statement where replaced_at is null and not is_interim)::text as first`,
    [],
    'once',
  )
  return row ?? { closed: null, first: null }
}

/** All certificates of a day, the newest first. */
export function versionsOf(database: Queryable, day: string): Promise<DayRow[]> {
  return database.query(`select ${dayColumns} from closed_day where day = $1::date order by version desc`, [day])
}

/** The days that are closed, without their certificates. */
export function closedSince(
  database: Queryable,
  since: string,
): Promise<{ day: string; version: number; sha256: string }[]> {
  return database.query(
    `select day::text as day, version, encode(sha256, 'hex') as sha256 from closed_day
     where reopened_at is null and day >= $1::date order by day`,
    [since],
  )
}

export async function insertDay(
  transaction: Queryable,
  { day, version, certificate, sha256 }: Pick<DayRow, 'day' | 'version' | 'certificate'> & { sha256: Buffer },
): Promise<void> {
  await transaction.query(
    `insert into closed_day (day, version, certificate, sha256) values ($1::date, $2::int, $3::text, $4::bytea)`,
    [day, version, certificate, sha256],
  )
}

export async function reopenRow(transaction: Queryable, day: string, because: string): Promise<void> {
  await transaction.query(
    `update closed_day set reopened_at = now(), reopened_because = $2::text where day = $1::date and reopened_at is null`,
    [day, because],
  )
}

export interface ListedStatement {
  file: string
  state: 'taken' | 'refused'
  detail: string
  takenAt: string
  asOf: string | null
  page: number | null
  opening: number | null
  closing: number | null
  entries: number | null
  flags: string[] | null
  standing: 'current' | 'replaced' | 'interim' | null
}

/** Files with their statements, the latest first. */
export function latestStatements(database: Queryable, limit: number): Promise<ListedStatement[]> {
  return database.query(
    `select f.name as file, f.state, f.detail, f.taken_at as "takenAt", s.as_of::text as "asOf", s.page, s.opening, s.closing,
       s.entries, s.flags, case when s.replaced_at is not null then 'replaced' when s.is_interim then 'interim' else 'current' end as standing
     from statement_file f left join bank_statement s on s.file_id = f.id order by f.taken_at desc, f.id desc, s.id limit $1`,
    [limit],
  )
}
