import type { Queryable } from '../database/database.ts'

export interface InternalAccount {
  id: number
  /** The slot, plus 64 for each account of the slot that was full before this one. */
  number: number
}

/** The newest internal account of a kind and slot. */
export async function findInternalAccount(
  database: Queryable,
  organisationId: number,
  kind: string,
  slot: number,
): Promise<InternalAccount | undefined> {
  const [row] = await database.query<InternalAccount>(
    `select id, slot as number from account
     where organisation_id = $1::bigint and kind = $2::text and slot % 64 = $3::int and id < 0
     order by slot desc limit 1`,
    [organisationId, kind, slot],
  )
  return row
}

export async function insertInternalAccount(
  database: Queryable,
  account: { id: number; organisationId: number; kind: string; number: number; name: string },
): Promise<void> {
  await database.query(
    `insert into account (id, organisation_id, created_at, name, status, kind, slot)
     values ($1::bigint, $2::bigint, bank_time($2), $3::text, 'Open', $4::text, $5::int) on conflict do nothing`,
    [account.id, account.organisationId, account.name, account.kind, account.number],
  )
}

/** Takes a slot for as long as the connection lives. */
export async function takeSlot(connection: Queryable, slot: number): Promise<boolean> {
  const [row] = await connection.query<{ taken: boolean }>(`select pg_try_advisory_lock($1::int, $2::int) as taken`, [
    SLOT_LOCKS,
    slot,
  ])
  return row?.taken === true
}

/** The first number of the advisory locks of slots; no other advisory lock begins with it. */
const SLOT_LOCKS = 7_275_738
