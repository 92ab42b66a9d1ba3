import type { Queryable } from '../database/database.ts'

/** The key or the session of a person that caused an event. */
export interface PastKey {
  id: number
  name: string
  /** The person of a session; null for an API key. */
  personId: number | null
}

/** The names of API keys and of persons by the ids of keys and seats, also of deleted ones. */
export async function findKeys(
  database: Queryable,
  organisationId: number,
  ids: number[],
): Promise<Map<number, PastKey>> {
  if (ids.length === 0) return new Map()
  const rows = await database.query<PastKey>(
    `select id, name, person_id as "personId" from api_key where id = any($2::bigint[]) and organisation_id = $1::bigint`,
    [organisationId, ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** How far the event of a transaction is from that of the record that it belongs to: a command emits few events. */
const NEAR = 50

/** The numbers of the events of transactions, each searched beside another event. */
export async function findTransactionEvents(
  database: Queryable,
  organisationId: number,
  wanted: { transactionId: string; near: number }[],
): Promise<{ transactionId: string; sequence: number; history: string | null }[]> {
  if (wanted.length === 0) return []
  return database.query(
    `select w.id as "transactionId", e.sequence, e.history
     from unnest($2::text[], $3::bigint[]) w (id, near)
     cross join lateral created_event(
       $1::bigint, 'transaction', w.id, greatest(w.near - ${NEAR}, 0), w.near + ${NEAR}) e
     order by e.sequence`,
    [organisationId, wanted.map(({ transactionId }) => transactionId), wanted.map(({ near }) => near)],
  )
}
