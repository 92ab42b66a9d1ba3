import { sha256 } from '../base/sha256.ts'
import type { Queryable } from '../database/database.ts'

export type TicketKind = 'invitation' | 'registration' | 'passkey' | 'provider' | 'command'

export interface Ticket {
  personId: number | null
  content: unknown
}

/** Anybody can begin a sign-in. Beyond this number the oldest ones are dropped, so that they do not grow without bound. */
const MAX_CEREMONIES = 10_000

/** Inserts a secret that works once. Those that have run out, and sign-ins beyond the limit, are deleted on the way. */
export async function insertTicket(
  database: Queryable,
  secret: string,
  { kind, personId, content, ms }: Ticket & { kind: TicketKind; ms: number },
): Promise<void> {
  await database.query(
    `delete from people_ticket where expires_at < clock_timestamp() or (kind <> 'invitation' and expires_at <= (
       select expires_at from people_ticket where kind <> 'invitation'
       order by expires_at desc offset $1::int - 1 limit 1))`,
    [MAX_CEREMONIES],
  )
  await database.query(
    `insert into people_ticket (hash, kind, person_id, content, expires_at)
     values ($1::bytea, $2::text, $3::bigint, $4::jsonb, clock_timestamp() + make_interval(secs => $5::float8 / 1000))`,
    [sha256(secret), kind, personId, JSON.stringify(content), ms],
  )
}

/** Finds a ticket that still works. */
export async function findTicket(database: Queryable, secret: string, kind: TicketKind): Promise<Ticket | undefined> {
  const [row] = await database.query<Ticket>(
    `select person_id as "personId", content from people_ticket
     where hash = $1::bytea and kind = $2::text and expires_at > clock_timestamp()`,
    [sha256(secret), kind],
  )
  return row
}

/** Uses a ticket up; undefined if it does not work. */
export async function takeTicket(database: Queryable, secret: string, kind: TicketKind): Promise<Ticket | undefined> {
  const [row] = await database.query<Ticket>(
    `delete from people_ticket where hash = $1::bytea and kind = $2::text and expires_at > clock_timestamp()
     returning person_id as "personId", content`,
    [sha256(secret), kind],
  )
  return row
}

/** Ends the invitations of a person. */
export async function dropTickets(database: Queryable, personId: number): Promise<void> {
  await database.query('delete from people_ticket where person_id = $1::bigint', [personId])
}
