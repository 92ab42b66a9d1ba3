import { StartupError } from '../../base/startup-error.ts'
import { requireKey } from '../../secrets/marker.ts'
import { requireUnretired } from '../retirement.ts'
import type { MoveCell } from './cell.ts'
import { awaitFiles } from './files.ts'
import { receiverSettings, senderSettings } from './replication.sql.ts'
import { isConverting, migrationsOf } from './rows.sql.ts'
import { findOwned, openMoves } from './state.sql.ts'

/** Refuses a move that could not succeed, before anything is changed. */
export async function requireMovable(
  source: MoveCell,
  target: MoveCell,
  organisation: { id: number; name: string },
  encryptionKeys: Buffer[],
): Promise<void> {
  await requireSameSchema(source, target)
  for (const cell of [source, target]) await requireNoOther(cell, organisation)
  await requireUnretired(target.work, target.name)
  for (const cell of [source, target]) await requireKey(cell.work, encryptionKeys)
  await requireSender(source, organisation.id)
  await requireReceiver(target)
  if (await findOwned(target.work, organisation.name)) {
    throw new StartupError(`the cell ${target.name} has another organisation ${organisation.name}`)
  }
  await awaitFiles(source, organisation)
  for (const cell of [source, target]) {
    if (await isConverting(cell.work)) {
      throw new StartupError(
        `the service is still converting rows of a former version in the cell ${cell.name}: start it, and try again later`,
      )
    }
  }
}

async function requireSameSchema(source: MoveCell, target: MoveCell): Promise<void> {
  const [here, there] = [await migrationsOf(source.work), await migrationsOf(target.work)]
  const missing = here.find((name) => !there.includes(name)) ?? there.find((name) => !here.includes(name))
  if (missing === undefined) return
  const behind = there.includes(missing) ? source.name : target.name
  throw new StartupError(
    `the tables of the cell ${behind} are of an older version (${missing}): run purser migrate first`,
  )
}

/**
 * Refuses a move while one of another organisation was interrupted in the cell. The triggers on the tables belong to one move: those
 * of the other may be all that keeps an organisation from being written in the cell that it has left.
 */
async function requireNoOther({ name: cell, work }: MoveCell, { id }: { id: number }): Promise<void> {
  const other = (await openMoves(work)).find((move) => move.id !== id)
  if (!other) return
  throw new StartupError(
    `the move of ${other.name} is not over in the cell ${cell}: run its command again first, or break it off with --abort`,
  )
}

async function requireSender({ name, url, work }: MoveCell, id: number): Promise<void> {
  const { walLevel, slots, senders, mayReplicate, ownsTables } = await senderSettings(work, id)
  const fault =
    url === undefined
      ? `the cell ${name} is the embedded server, which no other server can reach: restore it to a PostgreSQL server first`
      : walLevel !== 'logical'
        ? `a move needs wal_level = logical at the server of the cell ${name} (it is ${walLevel}): set it and restart the server`
        : slots < 5 || senders < 5
          ? `a move needs 5 free replication slots and WAL senders at the server of the cell ${name}: raise max_replication_slots and max_wal_senders`
          : !mayReplicate || !ownsTables
            ? `a move needs the role that owns the tables of the cell ${name}, with the right to replicate: alter role … replication`
            : undefined
  if (fault) throw new StartupError(fault)
}

async function requireReceiver({ name, work }: MoveCell): Promise<void> {
  const { workers, maySubscribe, ownsTables } = await receiverSettings(work)
  const fault =
    workers < 4
      ? `a move needs 4 logical replication workers at the server of the cell ${name}: raise max_logical_replication_workers`
      : !maySubscribe || !ownsTables
        ? `a move needs the role that owns the tables of the cell ${name}, as a member of pg_create_subscription`
        : undefined
  if (fault) throw new StartupError(fault)
}
