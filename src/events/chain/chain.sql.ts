import type { Queryable } from '../../database/database.ts'

/** The newest link of an organisation. */
export interface HeadRow {
  organisationId: number
  sequence: number
  link: Buffer
  linkedAt: string
}

const headColumns = `organisation_id as "organisationId", sequence, link, linked_at as "linkedAt"`

/** Undefined if no event was written since there are links. */
export async function findHead(database: Queryable, organisationId: number): Promise<HeadRow | undefined> {
  const [row] = await database.query<HeadRow>(
    `select ${headColumns} from event_counter where organisation_id = $1::bigint and link is not null`,
    [organisationId],
  )
  return row
}

/** An organisation, where its events stand, and where its kept events begin. */
export interface ChainRow {
  organisationId: number
  counter: number
  /** The head that the counter names; null before the first link. */
  head: Buffer | null
  /** Events up to this number are gone. */
  eventsAfter: number
}

/** Organisations that have not ended, in the order of their ids; one of them if it is named. */
export function listChains(transaction: Queryable, organisationId: number | null): Promise<ChainRow[]> {
  return transaction.query(
    `select o.id as "organisationId", coalesce(c.sequence, o.events_after) as counter, c.link as head,
       o.events_after as "eventsAfter"
     from organisation o left join event_counter c on c.organisation_id = o.id
     where o.ended_at is null and (o.id = $1::bigint or $1::bigint is null) order by o.id`,
    [organisationId],
    'once',
  )
}

export interface LinkRow {
  last: number
  count: number
  digest: Buffer
  link: Buffer
  createdAt: string
  /** Mark of the history in which the events were written, empty for none; null for a link of 0.1.0, which does not cover it. */
  history: string | null
  /** Whether the link is that which its row and the link before make. */
  follows: boolean
}

/** Links after a number, oldest first. `previous` is the link before; null at the beginning of the chain. */
export function readLinks(
  transaction: Queryable,
  organisationId: number,
  { after, previous }: { after: number; previous: Buffer | null },
  take: number,
): Promise<LinkRow[]> {
  return transaction.query(
    `select last, count, digest, link, created_at as "createdAt", history, link = link_after(
       coalesce(lag(link) over (order by last), $3::bytea), $1::bigint, last - count + 1, last, created_at,
       digest || coalesce(convert_to('/' || history, 'UTF8'), '')) as follows
     from event_link where organisation_id = $1::bigint and last > $2::bigint order by last limit $4`,
    [organisationId, after, previous, take],
    'once',
  )
}

/** The newest link before a time, from which a check since that time begins. */
export async function findLinkBefore(
  transaction: Queryable,
  organisationId: number,
  time: string,
): Promise<{ last: number; link: Buffer } | undefined> {
  const [row] = await transaction.query<{ last: number; link: Buffer }>(
    `select last, link from event_link where organisation_id = $1::bigint and created_at < $2::timestamptz
     order by last desc limit 1`,
    [organisationId, time],
    'once',
  )
  return row
}

export interface PageRow {
  last: number
  count: number
  events: string
  createdAt: string
  history: string | null
}

export function readPages(
  transaction: Queryable,
  organisationId: number,
  after: number,
  take: number,
): Promise<PageRow[]> {
  return transaction.query(
    `select last, count, events, created_at as "createdAt", history from event_page where organisation_id = $1::bigint and last > $2::bigint
     order by last limit $3`,
    [organisationId, after, take],
    'once',
  )
}

/** Reads everything in one snapshot. */
export async function beginWalk(transaction: Queryable): Promise<void> {
  await transaction.query('set transaction isolation level repeatable read, read only')
}

export async function hasChain(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(`select to_regclass('event_link') is not null as found`)
  return row?.found ?? false
}
