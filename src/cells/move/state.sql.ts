import type { Queryable } from '../../database/database.ts'
import { EVENT_CHANNEL } from '../../events/announce.ts'
import { isMoveLocked } from './locks.sql.ts'

/** The states of an organisation that leaves, in their order, and that of one that arrives. */
export type MoveState = 'copying' | 'pausing' | 'switching' | 'switched' | 'moved' | 'arriving'

/** The row of a move in one of its two cells. */
export interface MoveRow {
  /** The organisation. */
  id: number
  name: string
  /** The other cell. */
  cell: string
  epoch: number
  state: MoveState
}

const columns = 'id, name, cell, epoch, state'

export async function findMove(database: Queryable, id: number): Promise<MoveRow | undefined> {
  const [row] = await database.query<MoveRow>(`select ${columns} from organisation_move where id = $1::bigint`, [id])
  return row
}

/** The moves out of a cell that are not over. */
export function unfinishedMoves(database: Queryable): Promise<MoveRow[]> {
  return database.query(`select ${columns} from organisation_move where state not in ('moved', 'arriving') order by id`)
}

/** The moves out of a cell and into it that are not over; none if the tables are not there yet. */
export async function openMoves(database: Queryable): Promise<MoveRow[]> {
  const [table] = await database.query<{ found: boolean }>(
    `select to_regclass('organisation_move') is not null as found`,
    [],
    'once',
  )
  if (!table?.found) return []
  return database.query(`select ${columns} from organisation_move where state <> 'moved' order by id`, [], 'once')
}

/** The moves out of a cell that are not over and that no command works on: a command holds the lock of moves. */
export async function interruptedMoves(database: Queryable): Promise<MoveRow[]> {
  const moves = (await openMoves(database)).filter(({ state }) => state !== 'arriving')
  return moves.length > 0 && !(await isMoveLocked(database)) ? moves : []
}

/** The organisations of a cell that have not ended, and how far they have come. */
export interface OrganisationRow {
  id: number
  name: string
  epoch: number
  idle: boolean
  state: MoveState | null
  /** The cell that it moves to. */
  to: string | null
  accounts: number
  events: number
}

const organisations = `
  select o.id, o.name, o.epoch, o.idle, m.state, m.cell as to,
    (select count(*) from account a where a.organisation_id = o.id and a.id > 0) as accounts,
    coalesce(c.sequence, o.events_after) as events
  from organisation o left join event_counter c on c.organisation_id = o.id left join organisation_move m on m.id = o.id
  where o.ended_at is null`

export function listOwned(database: Queryable): Promise<OrganisationRow[]> {
  return database.query(`${organisations} order by o.name, o.id`)
}

export async function findOwned(database: Queryable, name: string): Promise<OrganisationRow | undefined> {
  const [row] = await database.query<OrganisationRow>(`${organisations} and o.name = $1::text`, [name])
  return row
}

/** The organisations of a cell that have not ended, with their epochs. */
export function ownedEpochs(database: Queryable): Promise<Pick<OrganisationRow, 'id' | 'epoch'>[]> {
  return database.query('select id, epoch from organisation where ended_at is null')
}

/** A move that begins. */
type NewMove = Pick<MoveRow, 'id' | 'name' | 'cell' | 'epoch'>

/** Begins a move in the cell that the organisation leaves, or begins it again. */
export async function beginLeaving(database: Queryable, move: NewMove, run: string): Promise<void> {
  await database.query(
    `insert into organisation_move as m (id, name, cell, epoch, state, run)
     values ($1::bigint, $2::text, $3::text, $4::int, 'copying', $5::uuid)
     on conflict (id) do update set name = excluded.name, cell = excluded.cell, epoch = excluded.epoch, state = 'copying',
       run = excluded.run, started_at = clock_timestamp()`,
    [move.id, move.name, move.cell, move.epoch, run],
  )
}

/** Takes a move over from a run that was killed. */
export async function takeOver(database: Queryable, id: number, run: string): Promise<void> {
  await database.query('update organisation_move set run = $2::uuid where id = $1::bigint', [id, run])
}

/** Goes on to another state; false if another run has taken the move over. */
export async function setState(
  database: Queryable,
  { id, run, from, to }: { id: number; run: string; from: MoveState[]; to: MoveState },
): Promise<boolean> {
  const rows = await database.query(
    `update organisation_move set state = $4::text where id = $1::bigint and run = $2::uuid and state = any($3::text[])
     returning id`,
    [id, run, from, to],
  )
  return rows.length === 1
}

/** Lets the organisation be written again in the cell that it was to leave. */
export async function reopen(database: Queryable, id: number): Promise<void> {
  await database.query(`update organisation_move set state = 'copying' where id = $1::bigint`, [id])
}

export async function forgetMove(database: Queryable, id: number): Promise<void> {
  await database.query('delete from organisation_move_mark where id = $1::bigint', [id])
  await database.query('delete from organisation_move where id = $1::bigint', [id])
}

/**
 * Makes room for an organisation in the cell that it moves to. Until it has arrived, it counts there as one that has ended:
 * its keys do not work, nothing is done for it, and the laws leave it out.
 */
export async function beginArriving(transaction: Queryable, move: NewMove, run: string): Promise<void> {
  await transaction.query(
    `insert into organisation_move (id, name, cell, epoch, state, run)
     values ($1::bigint, $2::text, $3::text, $4::int, 'arriving', $5::uuid)`,
    [move.id, move.name, move.cell, move.epoch, run],
  )
  await transaction.query(
    `insert into organisation (id, name, created_at, ended_at) values ($1::bigint, 'ended ' || $1::bigint, now(), now())`,
    [move.id],
  )
}

/**
 * Whether an organisation is in a cell, and whether it has ended there. The lock waits for a COMMIT of the switch whose answer was
 * lost: it may still be under way.
 */
export async function findEnded(database: Queryable, id: number): Promise<{ ended: boolean } | undefined> {
  const [row] = await database.query<{ ended: boolean }>(
    'select ended_at is not null as ended from organisation where id = $1::bigint for no key update',
    [id],
  )
  return row
}

/**
 * Lets a transaction see the rows of this moment, while others arrive. Files that are read from the other cell afterwards include
 * all that these rows refer to.
 */
export async function fixSnapshot(transaction: Queryable): Promise<void> {
  await transaction.query('set transaction isolation level repeatable read')
  await transaction.query('select from organisation limit 1')
}

/** Lets the statements of a transaction pass the triggers of the move. */
export async function actAsMover(transaction: Queryable): Promise<void> {
  await transaction.query(`select set_config('purser.mover', 'on', true)`)
}

/** Ends the organisation in the cell that it has left and notifies the processes of the service, which forget its keys. */
export async function endMoved(transaction: Queryable, id: number): Promise<void> {
  await transaction.query(
    `update organisation set ended_at = clock_timestamp(), name = 'ended ' || id, version = version + 1
     where id = $1::bigint and ended_at is null`,
    [id],
  )
  // Nothing more is sent from this cell, also when the row of the move is gone one day.
  await transaction.query(
    'update webhook_endpoint set deleted_at = clock_timestamp() where organisation_id = $1::bigint and deleted_at is null',
    [id],
  )
  await transaction.query('select pg_notify($1::text, $2::text)', [EVENT_CHANNEL, `ended:${id}`])
}

/** Wakes the processes of the service, and lets them read the fault rules of an organisation that has arrived. */
export async function announceArrival(transaction: Queryable, id: number): Promise<void> {
  await transaction.query('select pg_notify($1::text, $2::text)', [EVENT_CHANNEL, `fault_rule:${id}`])
}
