import type { Scope } from '../base/operation.ts'
import { bigint, rowSet, timestamptz } from '../database/arrays.ts'
import type { Queryable } from '../database/database.ts'
import { isOfOrganisation, listRows } from '../database/lists.ts'

export interface UsableKey {
  id: number
  organisationId: number
  scopes: Scope[] | null
  /** When this secret stops working: at the expiry of the key, or at the end of its grace. */
  expiresAt: string | null
  /** The same as milliseconds from now. */
  leftMs: number | null
  /** True for a secret that was replaced by a rotation and still works. */
  inGrace: boolean
  /** Background work skips the organisation until it is woken. */
  organisationIsIdle: boolean
  /** How often the organisation has moved between databases. */
  epoch: number
}

/** A secret with its key; `works_until` is set only for a secret that was replaced. */
const secrets = `(select id, null::timestamptz as works_until from api_key where hash = $1::bytea
   union all select api_key_id, works_until from api_key_retired where hash = $1) s join api_key k on k.id = s.id`

/** Finds a key that works now: not revoked and not expired. Keys expire by real time. */
export async function findUsableKey(database: Queryable, hash: Buffer): Promise<UsableKey | undefined> {
  const [row] = await database.query<UsableKey>(
    `select k.id, k.organisation_id as "organisationId", k.scopes, least(k.expires_at, s.works_until) as "expiresAt",
       ceil(1000 * extract(epoch from least(k.expires_at, s.works_until) - clock_timestamp()))::bigint as "leftMs",
       s.works_until is not null as "inGrace", o.idle as "organisationIsIdle", o.epoch
     from ${secrets} join organisation o on o.id = k.organisation_id
     where k.revoked_at is null and o.ended_at is null
       and not exists (
         select from organisation_move m where m.id = o.id and m.state in ('arriving', 'switched', 'moved'))
       and coalesce(least(k.expires_at, s.works_until) > clock_timestamp(), true)`,
    [hash],
  )
  return row
}

/** A key with its organisation, as the secret that was sent shows it. */
export interface KeyIdentity {
  organisationId: number
  organisation: string
  id: number
  name: string
  scopes: Scope[] | null
  expiresAt: string | null
}

/** Finds the key of a secret with its organisation, whether or not the key still works. */
export async function findIdentity(database: Queryable, hash: Buffer): Promise<KeyIdentity | undefined> {
  const [row] = await database.query<KeyIdentity>(
    `select o.id as "organisationId", coalesce(o.label, o.name) as organisation, k.id, k.name, k.scopes,
       least(k.expires_at, s.works_until) as "expiresAt"
     from ${secrets} join organisation o on o.id = k.organisation_id`,
    [hash],
  )
  return row
}

/** Finds the state of the secret that a start was given; undefined if it is new. */
export async function findFirstKey(
  database: Queryable,
  hash: Buffer,
): Promise<{ current: boolean; revoked: boolean; ended: boolean } | undefined> {
  const [row] = await database.query<{ current: boolean; revoked: boolean; ended: boolean }>(
    `select s.works_until is null as current, k.revoked_at is not null as revoked,
       k.deleted or coalesce(least(k.expires_at, s.works_until) <= clock_timestamp(), false) as ended
     from ${secrets}`,
    [hash],
  )
  return row
}

/** Inserts a first key. One that another configured key had replaced works again. */
export async function insertFirstKey(
  database: Queryable,
  key: { id: number; organisationId: number; source: 'configured' | 'generated'; hash: Buffer },
): Promise<void> {
  await database.query(
    `insert into api_key (id, organisation_id, name, source, hash, scopes, created_at)
     values ($1::bigint, $2::bigint, $3::text, $3, $4::bytea, null, clock_timestamp())
     on conflict (hash) do update set revoked_at = null, version = api_key.version + 1
       where api_key.revoked_at is not null and not api_key.deleted`,
    [key.id, key.organisationId, key.source, key.hash],
  )
}

export async function revokeOtherConfiguredKeys(database: Queryable, hash: Buffer): Promise<void> {
  await database.query(
    `update api_key set revoked_at = clock_timestamp(), version = version + 1
     where source = 'configured' and hash <> $1::bytea and revoked_at is null`,
    [hash],
  )
}

export async function configuredHashes(database: Queryable): Promise<Buffer[]> {
  const rows = await database.query<{ hash: Buffer }>(
    `select hash from api_key where source = 'configured' and revoked_at is null
     union all select r.hash from api_key_retired r join api_key k on k.id = r.api_key_id where k.source = 'configured'`,
  )
  return rows.map(({ hash }) => hash)
}

/** Whether any organisation has a key that works; with `full`, one without restriction. */
export async function existsUsableKey(database: Queryable, full: boolean): Promise<boolean> {
  const [row] = await database.query<{ exists: boolean }>(
    `select exists (select from api_key
       where revoked_at is null and person_id is null and (expires_at is null or expires_at > clock_timestamp())
         and (scopes is null or not $1::boolean)) as exists`,
    [full],
  )
  return row?.exists ?? false
}

export interface ApiKeyRow {
  id: number
  name: string
  scopes: Scope[] | null
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  version: number
  expired: boolean
}

const columns = `id, name, scopes, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", version,
  coalesce(expires_at <= clock_timestamp(), false) as expired`

export interface NewKey {
  id: number
  organisationId: number
  name: string
  hash: Buffer
  scopes: Scope[] | null
  expiresAt: string | null
}

export async function insertKey(database: Queryable, key: NewKey): Promise<ApiKeyRow> {
  const [row] = await database.query<ApiKeyRow>(
    `insert into api_key (id, organisation_id, name, hash, scopes, created_at, expires_at)
     values ($1::bigint, $2::bigint, $3::text, $4::bytea, $5::text[], clock_timestamp(), $6::timestamptz)
     returning ${columns}`,
    [key.id, key.organisationId, key.name, key.hash, key.scopes, key.expiresAt],
  )
  if (!row) throw new Error('an insert returned no row')
  return row
}

/** Notes that a person has seen the secret of a key, and those who have seen that of the key with which they asked for it. */
export async function addMakers(
  transaction: Queryable,
  id: number,
  { keyId, personId, invitedBy }: { keyId: number; personId?: number; invitedBy?: number },
): Promise<void> {
  await transaction.query(
    `update api_key k set
       makers = array(select distinct m from unnest(k.makers || i.makers || $3::bigint[]) m),
       maker_inviters = array(select distinct m from unnest(k.maker_inviters || i.maker_inviters || $4::bigint[]) m)
     from api_key i where k.id = $1::bigint and i.id = $2::bigint`,
    [id, keyId, personId === undefined ? [] : [personId], invitedBy === undefined ? [] : [invitedBy]],
  )
}

export function listKeyRows(
  database: Queryable,
  organisationId: number,
  page: { take: number; offset: number; ascending: boolean },
): Promise<ApiKeyRow[]> {
  const always = [isOfOrganisation, 'revoked_at is null', 'person_id is null']
  return listRows(database, `select ${columns} from api_key`, { always }, { organisationId }, page)
}

export async function lockKey(
  transaction: Queryable,
  organisationId: number,
  id: number,
): Promise<ApiKeyRow | undefined> {
  const [row] = await transaction.query<ApiKeyRow>(
    `select ${columns} from api_key
     where organisation_id = $1::bigint and id = $2::bigint and revoked_at is null and person_id is null
     for no key update`,
    [organisationId, id],
  )
  return row
}

/**
 * Locks the first two full keys of an organisation, so that of all deletions of full keys one runs at a time. Two are
 * enough to know that one is left, however many there are.
 */
export async function lockFullKeys(transaction: Queryable, organisationId: number): Promise<number[]> {
  const rows = await transaction.query<{ id: number }>(
    `select id from api_key
     where organisation_id = $1::bigint and scopes is null and revoked_at is null
       and (expires_at is null or expires_at > clock_timestamp())
     order by id limit 2 for no key update`,
    [organisationId],
  )
  return rows.map(({ id }) => id)
}

/** Ends the current secret and all earlier ones with the grace at the latest. */
export async function retireSecrets(transaction: Queryable, id: number, graceSeconds: number): Promise<void> {
  await transaction.query(
    `update api_key_retired
     set works_until = least(works_until, clock_timestamp() + make_interval(secs => $2::int))
     where api_key_id = $1::bigint`,
    [id, graceSeconds],
  )
  await transaction.query(
    `insert into api_key_retired (hash, api_key_id, works_until)
     select hash, id, clock_timestamp() + make_interval(secs => $2::int) from api_key where id = $1::bigint`,
    [id, graceSeconds],
  )
}

export async function replaceSecret(transaction: Queryable, id: number, hash: Buffer): Promise<ApiKeyRow> {
  const [row] = await transaction.query<ApiKeyRow>(
    `update api_key set hash = $2::bytea, version = version + 1 where id = $1::bigint returning ${columns}`,
    [id, hash],
  )
  if (!row) throw new Error('a locked key is gone')
  return row
}

/** Revokes a key for good; a null organisation stands for any. */
export async function revokeKey(
  transaction: Queryable,
  organisationId: number | null,
  id: number,
): Promise<(ApiKeyRow & { organisationId: number }) | undefined> {
  const [row] = await transaction.query<ApiKeyRow & { organisationId: number }>(
    `update api_key set revoked_at = clock_timestamp(), deleted = true, version = version + 1
     where ($1::bigint is null or organisation_id = $1) and id = $2::bigint and revoked_at is null and person_id is null
     returning organisation_id as "organisationId", ${columns}`,
    [organisationId, id],
  )
  return row
}

/** Locks a key of any organisation that is not revoked. */
export async function lockAnyKey(
  transaction: Queryable,
  id: number,
): Promise<(ApiKeyRow & { organisationId: number }) | undefined> {
  const [row] = await transaction.query<ApiKeyRow & { organisationId: number }>(
    `select organisation_id as "organisationId", ${columns} from api_key
     where id = $1::bigint and revoked_at is null and person_id is null for no key update`,
    [id],
  )
  return row
}

export async function updateScopes(transaction: Queryable, id: number, scopes: Scope[]): Promise<ApiKeyRow> {
  const [row] = await transaction.query<ApiKeyRow>(
    `update api_key set scopes = $2::text[], version = version + 1 where id = $1::bigint returning ${columns}`,
    [id, scopes],
  )
  if (!row) throw new Error('a locked key is gone')
  return row
}

export interface KeyUse {
  id: number
  usedAt: string
}

const useRows = rowSet<KeyUse>({
  id: bigint(({ id }) => id),
  used_at: timestamptz(({ usedAt }) => usedAt),
})

/** Updates keys that nobody else is changing, without waiting, and returns their ids. */
export async function updateLastUses(database: Queryable, uses: KeyUse[]): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `with free as (
       select id from api_key where id = any($1::bigint[]) order by id for no key update skip locked)
     update api_key k set last_used_at = greatest(k.last_used_at, u.used_at)
     from free join (${useRows.select}) u on u.id = free.id
     where k.id = free.id
     returning k.id`,
    useRows.values(uses),
  )
  return rows.map(({ id }) => id)
}

export interface OperatorRow extends ApiKeyRow {
  organisation: string
  /** That of the organisation. */
  epoch: number
  revoked: boolean
}

/** The keys of all organisations of a database, for the operator. One that has moved away has its keys in another database. */
export function listAllKeys(database: Queryable): Promise<OperatorRow[]> {
  return database.query(
    `select k.*, o.name as organisation, o.epoch from (
       select ${columns}, organisation_id, revoked_at is not null as revoked from api_key where person_id is null) k
     join organisation o on o.id = k.organisation_id and o.ended_at is null
     order by o.name, k."createdAt", k.id`,
  )
}

/** A key that works and lacks `risk:write`. */
export interface KeyWithoutRisk {
  id: number
  name: string
  organisation: string
  /** Whether it set limits or made holds for legal orders within the last 30 days. */
  used: boolean
}

/**
 * The keys that could set limits before there was the scope `risk:write`, and cannot now: 0015_ledger brought it. Their use is found at the newest
 * accounts, cards and holds, so that a large bank takes no longer than a second.
 */
export function listKeysWithoutRisk(database: Queryable): Promise<KeyWithoutRisk[]> {
  return database.query(
    `with could as materialized (
       select k.id, k.name, o.name as organisation, k.created_at, o.id as organisation_id
       from api_key k join organisation o on o.id = k.organisation_id and o.ended_at is null
       where k.revoked_at is null and k.person_id is null and (k.expires_at is null or k.expires_at > clock_timestamp())
         and coalesce('banking:write' = any(k.scopes) and not 'risk:write' = any(k.scopes), true)
         and k.created_at < (select applied_at from migration where name = '0015_ledger')),
     record as (
       (select organisation_id, 'account' as type, id from (
          select organisation_id, id, limits from account where id > 0 order by id desc limit 200000) a
        where limits is not null limit 1000)
       union all (select organisation_id, 'card', id from (
          select organisation_id, id, limits from card order by id desc limit 200000) c
        where limits is not null limit 1000)
       union all (select organisation_id, 'accountHold', id from (
          select organisation_id, id, reason from account_hold order by id desc limit 200000) h
        where reason = 'LegalOrder' limit 1000)),
     used as materialized (
       select distinct v.api_key_id as id from record r
       join event_entity e on e.organisation_id = r.organisation_id and e.entity_type = r.type and e.entity_id = r.id::text
       cross join lateral event_at(e.organisation_id, e.sequence) v
       where v.type in ('account.limitsChanged', 'card.limitsChanged', 'accountHold.created', 'accountHold.released')
         and v.created_at > clock_timestamp() - interval '30 days')
     select c.id, c.name, c.organisation, c.id in (select id from used where id is not null) as used
     from could c order by c.organisation, c.created_at, c.id`,
  )
}
