import type { Queryable } from '../../database/database.ts'
import type { WebhookEndpoint } from './webhook-endpoint.ts'

export interface EndpointRow extends Omit<WebhookEndpoint, 'id'> {
  id: number
  organisationId: number
  sealedSecret: Buffer
  version: number
}

const columns = `id, organisation_id as "organisationId", url, events, description, status,
  disabled_reason as "disabledReason", created_at as "createdAt", sealed_secret as "sealedSecret", version`

interface NewEndpoint extends Pick<EndpointRow, 'id' | 'organisationId' | 'url' | 'events' | 'description'> {
  sealedSecret: Buffer
  most: number
}

/** Begins behind the events that there are; undefined where the organisation has as many endpoints as it may. */
export async function insertEndpoint(transaction: Queryable, endpoint: NewEndpoint): Promise<EndpointRow | undefined> {
  const { id, organisationId, url, events, description, sealedSecret, most } = endpoint
  const [row] = await transaction.query<EndpointRow>(
    `with made as (
       insert into webhook_endpoint (id, organisation_id, created_at, url, events, description, status, sealed_secret)
       select $1::bigint, $2::bigint, bank_time($2::bigint), $3::text, $4::text[], $5::text, 'Enabled', $6::bytea
       where (select count(*) from webhook_endpoint where organisation_id = $2::bigint and deleted_at is null) < $7::int
       returning ${columns}),
     followed as (
       insert into webhook_cursor (endpoint_id, sequence)
       select id, coalesce((select sequence from event_counter where organisation_id = $2::bigint), 0) from made)
     select * from made`,
    [id, organisationId, url, events, description, sealedSecret, most],
  )
  return row
}

export async function findEndpoint(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<EndpointRow | undefined> {
  const [row] = await database.query<EndpointRow>(
    `select ${columns} from webhook_endpoint
     where organisation_id = $1::bigint and id = $2::bigint and deleted_at is null`,
    [organisationId, id],
  )
  return row
}

export interface LockedEndpoint extends EndpointRow {
  /** Bank time. */
  now: string
}

export async function lockEndpoint(
  transaction: Queryable,
  organisationId: number,
  id: number,
): Promise<LockedEndpoint | undefined> {
  const [row] = await transaction.query<LockedEndpoint>(
    `select ${columns}, bank_time(organisation_id) as now from webhook_endpoint
     where organisation_id = $1::bigint and id = $2::bigint and deleted_at is null for no key update`,
    [organisationId, id],
  )
  return row
}

export function listEndpointRows(
  database: Queryable,
  organisationId: number,
  page: { take: number; offset: number; ascending: boolean },
): Promise<EndpointRow[]> {
  const order = page.ascending ? 'created_at, id' : 'created_at desc, id desc'
  return database.query(
    `select ${columns} from webhook_endpoint where organisation_id = $1::bigint and deleted_at is null
     order by ${order} limit $2 offset $3`,
    [organisationId, page.take, page.offset],
  )
}

/** Whoever enables an endpoint gives it a fresh start. */
export async function updateEndpoint(transaction: Queryable, row: EndpointRow): Promise<void> {
  await transaction.query(
    `update webhook_endpoint set url = $2::text, events = $3::text[], description = $4::text, status = $5::text,
       disabled_reason = $6::text, failing_since = case when status = $5::text then failing_since end,
       version = $7::int
     where id = $1::bigint`,
    [row.id, row.url, row.events, row.description, row.status, row.disabledReason, row.version],
  )
}

/** By the bank itself; undefined where it is not enabled any more, or not at that address. */
export async function disableEndpoint(
  transaction: Queryable,
  { id, url, reason }: { id: number; url: string | null; reason: 'Gone' | 'Failing' },
): Promise<EndpointRow | undefined> {
  const [row] = await transaction.query<EndpointRow>(
    `update webhook_endpoint set status = 'Disabled', disabled_reason = $2::text, version = version + 1
     where id = $1::bigint and status = 'Enabled' and deleted_at is null and ($3::text is null or url = $3)
     returning ${columns}`,
    [id, reason, url],
  )
  return row
}

export async function deleteEndpoint(transaction: Queryable, id: number): Promise<void> {
  await transaction.query(
    `update webhook_endpoint set deleted_at = bank_time(organisation_id), version = version + 1 where id = $1::bigint`,
    [id],
  )
}

/** The secret so far signs along for a day of real time. */
export async function replaceSecret(
  transaction: Queryable,
  id: number,
  secret: { sealed: Buffer; sealedPrevious: Buffer },
): Promise<void> {
  await transaction.query(
    `update webhook_endpoint set sealed_secret = $2::bytea, sealed_previous_secret = $3::bytea,
       previous_secret_until = clock_timestamp() + interval '1 day', version = version + 1
     where id = $1::bigint`,
    [id, secret.sealed, secret.sealedPrevious],
  )
}

/** Notes since when endpoints fail, or that they do no longer; answers those that have failed for so long. */
export async function noteHealth(
  database: Queryable,
  { well, failing, patienceMs }: { well: number[]; failing: number[]; patienceMs: number },
): Promise<number[]> {
  // Locked in the order of their ids: another process may be noting the same ones.
  if (well.length > 0) {
    await database.query(
      `update webhook_endpoint set failing_since = null where id in (
         select id from webhook_endpoint where id = any($1::bigint[]) and failing_since is not null
         order by id for no key update)`,
      [well],
    )
  }
  if (failing.length === 0) return []
  await database.query(
    `update webhook_endpoint set failing_since = clock_timestamp() where id in (
       select id from webhook_endpoint where id = any($1::bigint[]) and failing_since is null
       order by id for no key update)`,
    [failing],
  )
  const rows = await database.query<{ id: number }>(
    `select id from webhook_endpoint where id = any($1::bigint[]) and status = 'Enabled' and deleted_at is null
       and failing_since <= clock_timestamp() - make_interval(secs => $2::float8 / 1000)`,
    [failing, patienceMs],
  )
  return rows.map(({ id }) => id)
}
