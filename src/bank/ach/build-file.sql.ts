import type { Queryable } from '../../database/database.ts'

/** The pending payments of an organisation with the earliest cut-offs. */
export function nextPending(
  database: Queryable,
  organisationId: number,
  limit: number,
): Promise<{ id: number; at: string }[]> {
  return database.query(
    `select id, cutoff_at as at from payment where organisation_id = $1::bigint and status = 'Pending'
     order by cutoff_at, id limit $2`,
    [organisationId, limit],
    'once',
  )
}

/** The earliest cut-off in live mode that passed so long ago and has pending payments, of all organisations. */
export async function pastCutoff(database: Queryable, ms: number): Promise<string | undefined> {
  const [row] = await database.query<{ at: string | null }>(
    `select min(p.cutoff_at) as at from organisation o cross join lateral (
       select cutoff_at from payment where organisation_id = o.id and status = 'Pending'
       order by cutoff_at limit 1) p
     where o.ended_at is null and not is_moving(o.id)
       and p.cutoff_at <= bank_time(o.id) - make_interval(secs => $1::float8 / 1000)`,
    [ms],
    'once',
  )
  return row?.at ?? undefined
}

/** The organisations with pending payments of a cut-off. */
export async function organisationsAt(database: Queryable, windowAt: string): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select o.id from organisation o where o.ended_at is null and not is_moving(o.id) and exists (
       select from payment p where p.organisation_id = o.id and p.status = 'Pending' and p.cutoff_at = $1::timestamptz)
     order by o.id`,
    [windowAt],
    'once',
  )
  return rows.map(({ id }) => id)
}

export interface PendingPayment {
  id: number
  accountId: number
  amount: number
  /** Payments with the same value share a batch. */
  batch: string
  /** A number drawn for its trace number. */
  sequence: number
}

interface PendingRange {
  organisationId: number
  windowAt: string
  after: number
  limit: number
}

const batchKey = `concat_ws(' ', organisation_id, settles_at, sec_code, direction, description)`

/** Pending payments of a cut-off after an id, each with the next number of the sequence of trace numbers. */
export function takePending(
  database: Queryable,
  { organisationId, windowAt, after, limit }: PendingRange,
): Promise<PendingPayment[]> {
  return database.query(
    `select p.*, nextval('ach_trace')::integer as sequence
     from (
       select id, account_id as "accountId", amount, ${batchKey} as batch from payment
       where organisation_id = $1::bigint and status = 'Pending' and cutoff_at = $2::timestamptz and id > $3::bigint
       order by id limit $4) p`,
    [organisationId, windowAt, after, limit],
    'once',
  )
}

export interface BuildingFile {
  id: number
  /** Null for a file of all organisations. */
  organisationId: number | null
  /** The organisation with whose key its bytes are sealed. */
  keyOrganisationId: number
  windowAt: string
  part: number
  modifier: string
  createdOn: string
  name: string
}

/** The file of a scope that is being built: of an organisation, or of all. */
export async function findBuilding(database: Queryable, scope: number | null): Promise<BuildingFile | undefined> {
  const [row] = await database.query<BuildingFile>(
    `select id, organisation_id as "organisationId", key_organisation_id as "keyOrganisationId",
       window_at as "windowAt", part, modifier, created_on::text as "createdOn", name
     from ach_file where coalesce(organisation_id, 0) = coalesce($1::bigint, 0) and state = 'building'`,
    [scope],
  )
  return row
}

/** The modifiers of a scope that are used on a day, and the last part of a cut-off. */
export async function filesOfDay(
  database: Queryable,
  { organisationId, windowAt, createdOn }: Pick<BuildingFile, 'organisationId' | 'windowAt' | 'createdOn'>,
): Promise<{ used: string; lastPart: number }> {
  const [row] = await database.query<{ used: string; lastPart: number }>(
    `select (
       select coalesce(string_agg(modifier, ''), '') from ach_file
       where coalesce(organisation_id, 0) = coalesce($1::bigint, 0) and created_on = $3::date and direction = 'out' and not arrived
     ) as used, (
       select coalesce(max(part), 0) from ach_file
       where coalesce(organisation_id, 0) = coalesce($1::bigint, 0) and window_at = $2::timestamptz and direction = 'out' and not arrived
     ) as "lastPart"`,
    [organisationId, windowAt, createdOn],
  )
  return row ?? { used: '', lastPart: 0 }
}

export async function insertBuilding(database: Queryable, file: BuildingFile): Promise<void> {
  const { id, organisationId, keyOrganisationId, windowAt, part, modifier, createdOn, name } = file
  await database.query(
    `insert into ach_file (id, organisation_id, key_organisation_id, direction, window_at, part, modifier, created_on,
       name, state)
     values ($1::bigint, $2::bigint, $3::bigint, 'out', $4::timestamptz, $5::int, $6::text, $7::date, $8::text, 'building')
     on conflict do nothing`,
    [id, organisationId, keyOrganisationId, windowAt, part, modifier, createdOn, name],
  )
}

/** The load of a file: its payments, their amount and the keys of its batches. */
export interface FileLoad {
  count: number
  amount: number
  batches: Set<string>
}

export async function loadOf(database: Queryable, fileId: number): Promise<FileLoad> {
  const rows = await database.query<{ batch: string; count: number; amount: number }>(
    `select ${batchKey} as batch, count(*) as count, sum(amount)::bigint as amount
     from payment where ach_file_id = $1::bigint group by 1`,
    [fileId],
    'once',
  )
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    amount: rows.reduce((sum, { amount }) => sum + amount, 0),
    batches: new Set(rows.map(({ batch }) => batch)),
  }
}

/** The first number of the advisory lock of builds; no other advisory lock begins with it. */
const BUILD_LOCK = 7_275_753

/** Takes the lock under which the files of all organisations are built, until the transaction ends, if it is free. */
export async function buildLock(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ free: boolean }>(`select pg_try_advisory_xact_lock($1::int, 0) as free`, [
    BUILD_LOCK,
  ])
  return row?.free === true
}
