import type { Queryable } from '../../database/database.ts'
import { isOfOrganisation, listRows } from '../../database/lists.ts'
import { isFailing } from './failing.ts'
import type { WebhookEndpoint } from './webhook-endpoint.ts'

export interface EndpointRow extends Omit<WebhookEndpoint, 'id'> {
  id: number
  /** Real time of the first of the attempts in a row that were not accepted; null if the latest one was. */
  failingSince: string | null
  organisationId: number
  sealedSecret: Buffer
  version: number
}

const columns = `id, organisation_id as "organisationId", url, events, description, status,
  disabled_reason as "disabledReason", created_at as "createdAt", sealed_secret as "sealedSecret", version,
  failing_since as "failingSince"`

interface NewEndpoint extends Pick<EndpointRow, 'id' | 'organisationId' | 'url' | 'events' | 'description'> {
  sealedSecret: Buffer
}

/**
 * Counts the endpoints of an organisation, under a lock that other creations wait for: without it, parallel creations would
 * all count the same number and pass the limit together.
 */
export async function lockEndpointCount(transaction: Queryable, organisationId: number): Promise<number> {
  await transaction.query(`select from organisation where id = $1::bigint for no key update`, [organisationId])
  const [row] = await transaction.query<{ count: number }>(
    `select count(*) as count from webhook_endpoint where organisation_id = $1::bigint and deleted_at is null`,
    [organisationId],
  )
  return row?.count ?? 0
}

/** Inserts an endpoint, which receives the events after the latest one that there is. */
export async function insertEndpoint(transaction: Queryable, endpoint: NewEndpoint): Promise<EndpointRow> {
  const { id, organisationId, url, events, description, sealedSecret } = endpoint
  const [row] = await transaction.query<EndpointRow>(
    `with made as (
       insert into webhook_endpoint (id, organisation_id, created_at, url, events, description, status, sealed_secret)
       values ($1::bigint, $2::bigint, bank_time($2::bigint), $3::text, $4::text[], $5::text, 'Enabled', $6::bytea)
       returning ${columns}),
     followed as (
       insert into webhook_cursor (endpoint_id, sequence)
       select id, coalesce((select sequence from event_counter where organisation_id = $2::bigint), 0) from made)
     select * from made`,
    [id, organisationId, url, events, description, sealedSecret],
  )
  return row as EndpointRow
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

/** The ids of an organisation's endpoints; of one alone if it is named. */
export async function listEndpointIds(
  database: Queryable,
  organisationId: number,
  only: number | null,
): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select id from webhook_endpoint
     where organisation_id = $1::bigint and deleted_at is null and ($2::bigint is null or id = $2)`,
    [organisationId, only],
  )
  return rows.map(({ id }) => id)
}

/** The secrets of an endpoint. The previous one is known until the next rotation, also when it no longer signs. */
export interface EndpointSecrets {
  id: number
  sealedSecret: Buffer
  sealedPreviousSecret: Buffer | null
  previousSigns: boolean
}

export async function findSecrets(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<EndpointSecrets | undefined> {
  const [row] = await database.query<EndpointSecrets>(
    `select id, sealed_secret as "sealedSecret", sealed_previous_secret as "sealedPreviousSecret",
       coalesce(previous_secret_until > clock_timestamp(), false) as "previousSigns"
     from webhook_endpoint where organisation_id = $1::bigint and id = $2::bigint and deleted_at is null`,
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
  failing: boolean | null,
  page: { take: number; offset: number; ascending: boolean },
): Promise<EndpointRow[]> {
  const always = [isOfOrganisation, 'deleted_at is null']
  const matching = [`${isFailing} = $failing::boolean`]
  return listRows(
    database,
    `select ${columns} from webhook_endpoint`,
    { always, matching },
    { organisationId, failing },
    page,
  )
}

/** Saves an endpoint. One that is enabled counts as failing no longer. */
export async function saveEndpoint(transaction: Queryable, row: EndpointRow): Promise<void> {
  await transaction.query(
    `update webhook_endpoint set url = $2::text, events = $3::text[], description = $4::text, status = $5::text,
       disabled_reason = $6::text, failing_since = case when status = $5::text then failing_since end,
       version = $7::int
     where id = $1::bigint`,
    [row.id, row.url, row.events, row.description, row.status, row.disabledReason, row.version],
  )
}

/** Disables an endpoint; undefined if it is not enabled, or no longer has this URL. */
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

export async function markDeleted(transaction: Queryable, id: number): Promise<void> {
  await transaction.query(
    `update webhook_endpoint set deleted_at = bank_time(organisation_id), version = version + 1 where id = $1::bigint`,
    [id],
  )
}

/** Replaces the secret. The previous one also signs for a day of real time. */
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

/** Notes which endpoints fail and which do not; answers those that have failed for longer than the patience. */
export async function noteHealth(
  database: Queryable,
  { succeeded, failing, patienceMs }: { succeeded: number[]; failing: number[]; patienceMs: number },
): Promise<number[]> {
  // Locked in the order of their ids, because another process may note the same ones.
  if (succeeded.length > 0) {
    await database.query(
      `update webhook_endpoint set failing_since = null where id in (
         select id from webhook_endpoint where id = any($1::bigint[]) and failing_since is not null
         order by id for no key update)`,
      [succeeded],
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
