import type { Write } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'

/** A claim as another request finds it: refused, its holder is at it, broken off, or nobody will ever know. */
interface FoundClaim {
  fingerprint: Buffer
  standing: 'refused' | 'busy' | 'broken' | 'lost'
}

export interface Terms {
  holder: string
  /** How long the holder is taken to be alive. */
  busyMs: number
  /** What broke off may be sent again under its key, as long as the upstream knows the key. */
  repeatable: boolean
  keyLifeMs: number
}

/** The attempt that the holder may send; undefined where the key is not to be had. */
export async function takeClaim(
  transaction: Queryable,
  { caller, key }: Write<never>,
  { holder, busyMs, repeatable, keyLifeMs }: Terms,
): Promise<number | undefined> {
  const [row] = await transaction.query<{ attempt: number }>(
    `insert into claim (organisation_id, key_hash, fingerprint, attempt, holder, state, sent_at, busy_until)
     values ($1::bigint, $2::bytea, $3::bytea, 1, $4::uuid, 'sent', clock_timestamp(),
       clock_timestamp() + $5::int * interval '1 millisecond')
     on conflict (organisation_id, key_hash) do update
     set fingerprint = excluded.fingerprint, holder = excluded.holder, state = 'sent', busy_until = excluded.busy_until,
       sent_at = case when claim.state = 'refused' then excluded.sent_at else claim.sent_at end
     where claim.holder = excluded.holder
        or claim.state = 'refused'
        or ($6::boolean and claim.state = 'sent' and claim.fingerprint = excluded.fingerprint
          and claim.busy_until <= clock_timestamp()
          and claim.sent_at > clock_timestamp() - $7::bigint * interval '1 millisecond')
     returning attempt`,
    [caller.organisationId, key.hash, key.fingerprint, holder, busyMs, repeatable, keyLifeMs],
  )
  return row?.attempt
}

export async function findClaim(
  database: Queryable,
  { caller, key }: Write<never>,
  { repeatable, keyLifeMs }: Terms,
): Promise<FoundClaim | undefined> {
  const [row] = await database.query<FoundClaim>(
    `select fingerprint,
       case when state = 'refused' then 'refused'
            when state = 'sent' and busy_until > clock_timestamp() then 'busy'
            when state = 'sent' and $3::boolean
              and sent_at > clock_timestamp() - $4::bigint * interval '1 millisecond' then 'broken'
            else 'lost' end as standing
     from claim where organisation_id = $1::bigint and key_hash = $2::bytea`,
    [caller.organisationId, key.hash, repeatable, keyLifeMs],
  )
  return row
}

/** Lets go of a claim that has no answer; a refused one is numbered anew. */
export async function releaseClaim(
  database: Queryable,
  { caller, key }: Write<never>,
  holder: string,
  state: 'sent' | 'refused' | 'unknown',
): Promise<void> {
  await database.query(
    `update claim set state = $4::text, busy_until = clock_timestamp(),
       attempt = attempt + case when $4::text = 'refused' then 1 else 0 end
     where organisation_id = $1::bigint and key_hash = $2::bytea and holder = $3::uuid`,
    [caller.organisationId, key.hash, holder, state],
  )
}

export async function deleteClaim(transaction: Queryable, { caller, key }: Write<never>): Promise<void> {
  await transaction.query(`delete from claim where organisation_id = $1::bigint and key_hash = $2::bytea`, [
    caller.organisationId,
    key.hash,
  ])
}
