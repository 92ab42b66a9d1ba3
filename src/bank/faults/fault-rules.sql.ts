import type { Queryable } from '../../database/database.ts'
import { isOfOrganisation, listRows } from '../../database/lists.ts'
import type { ActiveRule, CreateFaultRuleInput, FaultRule } from '../../sandbox/faults/fault-rule.ts'

const CREATION_LOCK = 7_275_741

/** Locks the creation of fault rules, so that their number stays within its limits. */
export async function lockFaultRules(transaction: Queryable): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock($1::bigint)`, [CREATION_LOCK])
}

const isActive = `(times is null or fired < times)`

/** The rules that are not used up, of an organisation and of all together. */
export async function countActiveRules(
  transaction: Queryable,
  organisationId: number,
): Promise<{ own: number; all: number }> {
  const [row] = await transaction.query<{ own: number; all: number }>(
    `select count(*) filter (where organisation_id = $1::bigint) as own, count(*) as all from fault_rule where ${isActive}`,
    [organisationId],
  )
  return row ?? { own: 0, all: 0 }
}

/** Deletes the oldest rules of an organisation that are used up, so that at most so many rules are left. */
export async function deleteUsedUpRules(transaction: Queryable, organisationId: number, most: number): Promise<void> {
  await transaction.query(
    `delete from fault_rule where id in (
       select id from fault_rule where organisation_id = $1::bigint and not ${isActive} order by id
       limit greatest(0, (select count(*) from fault_rule where organisation_id = $1::bigint) - $2::int))`,
    [organisationId, most],
  )
}

export async function hasAccount(transaction: Queryable, organisationId: number, id: number): Promise<boolean> {
  const rows = await transaction.query(
    `select true from account where organisation_id = $1::bigint and id = $2::bigint and id > 0`,
    [organisationId, id],
  )
  return rows.length > 0
}

export interface FaultRuleRow extends Omit<FaultRule, 'id' | 'remaining'> {
  id: number
  fired: number
}

const columns = `id, match, effect, probability, times, seed, fired, created_at as "createdAt"`

/** Inserts a rule. `event_time` fails for an organisation that has ended: no event of the rule would find that out. */
export async function insertFaultRule(
  transaction: Queryable,
  { id, organisationId, input }: { id: number; organisationId: number; input: CreateFaultRuleInput },
): Promise<FaultRuleRow> {
  const { match, effect, probability = 1, times = null, seed = null } = input
  const [row] = await transaction.query<FaultRuleRow>(
    `insert into fault_rule (id, organisation_id, match, effect, probability, times, seed, created_at)
     values ($1::bigint, $2::bigint, $3::json, $4::json, $5::float8, $6::int, $7::bigint, event_time($2::bigint))
     returning ${columns}`,
    [id, organisationId, JSON.stringify(match), JSON.stringify(effect), probability, times, seed],
  )
  if (!row) throw new Error('the fault rule was not written')
  return row
}

export function listFaultRuleRows(
  database: Queryable,
  organisationId: number,
  page: { take: number; offset: number; ascending: boolean },
): Promise<FaultRuleRow[]> {
  const always = [isOfOrganisation]
  return listRows(database, `select ${columns} from fault_rule`, { always }, { organisationId }, page)
}

export async function findFaultRule(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<FaultRuleRow | undefined> {
  const [row] = await database.query<FaultRuleRow>(
    `select ${columns} from fault_rule where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

/** Deletes one rule of an organisation, or all; returns how many there were. */
export async function deleteRules(transaction: Queryable, organisationId: number, id: number | null): Promise<number> {
  const rows = await transaction.query(
    `delete from fault_rule where organisation_id = $1::bigint and ($2::bigint is null or id = $2) returning true`,
    [organisationId, id],
  )
  return rows.length
}

/** The rules that are not used up, of an organisation or of all, in the order of their creation. */
export function listActiveRules(database: Queryable, organisationId: number | null): Promise<ActiveRule[]> {
  return database.query(
    `select r.id, r.organisation_id as "organisationId", match, effect, probability, times, seed
     from fault_rule r join organisation o on o.id = r.organisation_id
     where ($1::bigint is null or r.organisation_id = $1) and o.ended_at is null and ${isActive}
     order by r.created_at, r.id`,
    [organisationId],
    'once',
  )
}

/** The first 32 bits of the SHA-256 of `seed:number`, as a fraction; the given value for a rule without a seed. */
const fraction = (number: string) => `coalesce(
  ('x' || substr(encode(sha256(convert_to(seed || ':' || ${number}, 'UTF8')), 'hex'), 1, 8))::bit(32)::bigint / 4294967296.0,
  $2::float8)`

/** Draws once for a rule, and counts. No row for a rule that is used up or deleted. */
export async function drawRule(
  database: Queryable,
  id: number,
  chance: number,
): Promise<{ takesEffect: boolean; isUsedUp: boolean } | undefined> {
  const [row] = await database.query<{ takesEffect: boolean; isUsedUp: boolean }>(
    `update fault_rule set draws = draws + 1, fired = fired + (${fraction('draws')} < probability)::int
     where id = $1::bigint and ${isActive}
     returning ${fraction('(draws - 1)')} < probability as "takesEffect", not ${isActive} as "isUsedUp"`,
    [id, chance],
  )
  return row
}

/** Notifies all processes, at COMMIT, that the rules of an organisation changed. */
export async function announceRules(transaction: Queryable, channel: string, payload: string): Promise<void> {
  await transaction.query(`select pg_notify($1::text, $2::text)`, [channel, payload])
}
