import type { Write } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'

/**
 * A claim as another request finds it: refused by the upstream, busy with its holder, broken off and repeatable, or lost,
 * which means that its outcome cannot be learnt.
 */
interface FoundClaim {
  fingerprint: Buffer
  standing: 'refused' | 'busy' | 'broken' | 'lost'
}

export interface ClaimTerms {
  holder: string
  /** How long the holder counts as alive. */
  busyMs: number
  /** Whether a call that broke off may be sent again under its key, while the upstream remembers the key. */
  repeatable: boolean
  keyLifeMs: number
}

/** A claim that this request holds. */
export interface HeldClaim {
  attempt: number
  /** Whether another request sent this attempt, which may have taken effect. */
  resumed: boolean
}

/** Takes a key that is free or was refused; undefined if another request holds it. */
export async function takeClaim(
  transaction: Queryable,
  { caller, key }: Write<never>,
  { holder, busyMs }: ClaimTerms,
): Promise<HeldClaim | undefined> {
  const [row] = await transaction.query<HeldClaim>(
    `insert into claim (organisation_id, key_hash, fingerprint, attempt, holder, state, sent_at, busy_until)
     values ($1::bigint, $2::bytea, $3::bytea, 1, $4::uuid, 'sent', clock_timestamp(),
       clock_timestamp() + $5::int * interval '1 millisecond')
     on conflict (organisation_id, key_hash) do update
     set fingerprint = excluded.fingerprint, holder = excluded.holder, state = 'sent', sent_at = excluded.sent_at,
       busy_until = excluded.busy_until
     where claim.holder = excluded.holder or claim.state = 'refused'
     returning attempt, false as resumed`,
    [caller.organisationId, key.hash, key.fingerprint, holder, busyMs],
  )
  return row
}

/** Takes over a claim that broke off, while the upstream remembers its key. */
export async function resumeClaim(
  transaction: Queryable,
  { caller, key }: Write<never>,
  { holder, busyMs, keyLifeMs }: ClaimTerms,
): Promise<HeldClaim | undefined> {
  const [row] = await transaction.query<HeldClaim>(
    `update claim set holder = $4::uuid, busy_until = clock_timestamp() + $5::int * interval '1 millisecond'
     where organisation_id = $1::bigint and key_hash = $2::bytea and fingerprint = $3::bytea and state = 'sent'
       and busy_until <= clock_timestamp()
       and sent_at > clock_timestamp() - $6::bigint * interval '1 millisecond'
     returning attempt, true as resumed`,
    [caller.organisationId, key.hash, key.fingerprint, holder, busyMs, keyLifeMs],
  )
  return row
}

export async function findClaim(
  database: Queryable,
  { caller, key }: Write<never>,
  { repeatable, keyLifeMs }: ClaimTerms,
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

/** Releases a claim that has no answer, as soon as the upstream has ended its work. A refused one gets the next attempt number. */
export async function releaseClaim(
  database: Queryable,
  { caller, key }: Write<never>,
  holder: string,
  { state, workingMs }: { state: 'sent' | 'refused' | 'unknown'; workingMs: number },
): Promise<void> {
  await database.query(
    `update claim set state = $4::text, busy_until = clock_timestamp() + $5::int * interval '1 millisecond',
       attempt = attempt + case when $4::text = 'refused' then 1 else 0 end
     where organisation_id = $1::bigint and key_hash = $2::bytea and holder = $3::uuid`,
    [caller.organisationId, key.hash, holder, state, Math.ceil(workingMs)],
  )
}

export async function deleteClaim(transaction: Queryable, { caller, key }: Write<never>): Promise<void> {
  await transaction.query(`delete from claim where organisation_id = $1::bigint and key_hash = $2::bytea`, [
    caller.organisationId,
    key.hash,
  ])
}
