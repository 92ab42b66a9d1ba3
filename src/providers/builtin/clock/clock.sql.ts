import type { Queryable } from '../../../database/database.ts'

export async function bankTime(database: Queryable, organisationId: number): Promise<string> {
  const [row] = await database.query<{ now: string }>(`select bank_time($1::bigint) as now`, [organisationId])
  if (!row) throw new Error('no bank time')
  return row.now
}

export function bankTimes(database: Queryable): Promise<{ organisationId: number; now: string }[]> {
  return database.query(`select id as "organisationId", bank_time(id) as now from organisation order by id`)
}

/** Moves the clock to a time, or leaves it where it is when it is past that time already. */
export async function moveClock(database: Queryable, organisationId: number, to: string): Promise<void> {
  await database.query(
    `update organisation set clock_offset = clock_offset + ($2::timestamptz - bank_time(id)), version = version + 1
     where id = $1::bigint and bank_time(id) < $2::timestamptz`,
    [organisationId, to],
  )
}

/** Where the clock is to stop: `to`, or so much after `now`, and how many days that is. */
export async function clockTarget(
  database: Queryable,
  now: string,
  wish: { to: string | null; by: string | null },
): Promise<{ to: string; forward: boolean; tooFar: boolean }> {
  const [row] = await database.query<{ to: string; forward: boolean; tooFar: boolean }>(
    `select t.to::timestamptz(3) as to, t.to > $1::timestamptz as forward, t.to > $1::timestamptz + interval '400 days' as "tooFar"
     from (select coalesce($2::timestamptz, $1::timestamptz + $3::interval) as to) t`,
    [now, wish.to, wish.by],
  )
  if (!row) throw new Error('no target')
  return row
}

export async function findAdvance(
  database: Queryable,
  organisationId: number,
  attempt: Buffer,
): Promise<string | undefined> {
  const [row] = await database.query<{ to: string }>(
    `select advancing_to as to from organisation where id = $1::bigint and advancing_key = $2::bytea`,
    [organisationId, attempt],
  )
  return row?.to
}

export async function recordAdvance(
  database: Queryable,
  organisationId: number,
  to: string,
  attempt: Buffer,
): Promise<void> {
  await database.query(
    `update organisation set advancing_to = $2::timestamptz, advancing_key = $3::bytea where id = $1::bigint`,
    [organisationId, to, attempt],
  )
}

/** One advance, or one catching up, at a time in an organisation; false when another is at it. */
export async function tryClockLock(transaction: Queryable, organisationId: number): Promise<boolean> {
  const [row] = await transaction.query<{ mine: boolean }>(
    `select pg_try_advisory_xact_lock($1::int, $2::int) as mine`,
    [CLOCK_LOCKS, organisationId % 2 ** 31],
  )
  return row?.mine === true
}

export async function clockLock(transaction: Queryable, organisationId: number): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock($1::int, $2::int)`, [CLOCK_LOCKS, organisationId % 2 ** 31])
}

/** The lock is kept while other connections do the work, which may take longer than a transaction may pause. */
export async function pauseWithoutLimit(transaction: Queryable): Promise<void> {
  await transaction.query(`set local idle_in_transaction_session_timeout = 0`)
}

/** Any fixed number that no other advisory lock begins with. */
const CLOCK_LOCKS = 7_275_739
