import { randomBytes } from 'node:crypto'
import { wakeOrganisation } from '../access/organisations.ts'
import { emptyAnswer, type Write } from '../base/operation.ts'
import { sha256 } from '../base/sha256.ts'
import type { TaskLog } from '../base/tasks/task-log.ts'
import { type Database, DatabaseUnavailable, OrganisationEnded } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import type { RunOnce } from '../idempotency/run-once.ts'
import { deleteEntries, firstEntries, lockEntries, type WaitingEntry } from './entries.sql.ts'
import type { PersonChange } from './person-change.ts'
import { addSeat, type FoundSeat, findSeat } from './seats.sql.ts'

/** A database with some of the organisations, to which entries are written. */
interface EntryCell {
  database: Database
  ids: RecordIds
  runOnce: RunOnce
  isAway(): boolean
}

interface EntryParts {
  /** The database of the home cell, which has the persons. */
  database: Database
  cells(): EntryCell[]
  tasks: Pick<TaskLog, 'failed' | 'succeeded'>
}

/** The entries about persons on their way to the audit logs of organisations. */
export interface Entries {
  /** Writes all that wait. Those for a cell that is away go on waiting. */
  write(): Promise<void>
  /** Writes them soon. No request waits for it. */
  wake(): void
}

/** The name of the work in the log. */
export const ENTRIES_TASK = 'people-entries'
/** Entries that are written in one transaction of the home cell. */
const PORTION = 100
/** The most addresses from which refused sign-ins of a person are entered by themselves. */
const MAX_ADDRESSES = 50
const OTHER_ADDRESS = 'other'

/**
 * Opens the way of entries from the home cell, where they are stored together with the change of a person, to the events of
 * organisations. An entry that was written when a process ended is not written again: its name is the key of the write.
 */
export function openEntries({ database, cells, tasks }: EntryParts): Entries {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    const waiting = new Set<string>()
    let failure: unknown
    for (let more = true; more; ) {
      more = await database.transaction(async (transaction) => {
        if (!(await lockEntries(transaction))) return false
        const entries = await firstEntries(transaction, PORTION, [...waiting])
        const written: number[] = []
        for (const entry of entries) {
          if (waiting.has(entry.organisation)) continue
          try {
            if (await writeEntry(cells(), entry)) written.push(entry.id)
            else waiting.add(entry.organisation)
          } catch (error) {
            if (!(error instanceof DatabaseUnavailable)) failure ??= error
            waiting.add(entry.organisation)
          }
        }
        await deleteEntries(transaction, written)
        return entries.length === PORTION
      })
    }
    if (failure !== undefined) throw failure
  }

  function write(): Promise<void> {
    const begin = () => {
      next = undefined
      running = writeAll()
      return running
    }
    // A run that has not begun writes the entries of all callers until then.
    next ??= running.then(begin, begin)
    return next
  }

  return {
    write,
    wake: () =>
      void write().then(
        () => tasks.succeeded(ENTRIES_TASK),
        (error: unknown) => tasks.failed(ENTRIES_TASK, error),
      ),
  }
}

/** False if the organisation may be in a cell that is away. One that is nowhere has no audit log. */
async function writeEntry(cells: EntryCell[], entry: WaitingEntry): Promise<boolean> {
  const found: { cell: EntryCell; seat: FoundSeat }[] = []
  for (const cell of cells) {
    const seat = cell.isAway() ? undefined : await findSeat(cell.database, seatOf(entry))
    if (seat) found.push({ cell, seat })
  }
  // While an organisation moves, two cells may have it: the one with the larger number owns it.
  const [owner] = found.sort((one, other) => other.seat.epoch - one.seat.epoch)
  if (!owner) return !cells.some((cell) => cell.isAway())
  const { cell, seat } = owner
  const { organisationId } = seat
  const keyId = entry.actorId === null ? 0 : (seat.keyId ?? (await makeSeat(cell, organisationId, entry)))
  if (seat.isIdle) await wakeOrganisation(cell.database, organisationId, keyId)
  const write: Write<void> = {
    caller: { organisationId, keyId },
    requestId: null,
    key: { text: null, hash: sha256(nameOf(entry)), fingerprint: Buffer.alloc(32), fromCaller: true },
    render: () => emptyAnswer,
  }
  const { type, personId, version } = entry
  try {
    await cell.runOnce.transaction(write, async (_transaction, events) => {
      events.push({ type, id: String(personId), version, data: changeOf(entry) })
    })
  } catch (error) {
    // The organisation was deleted meanwhile.
    if (!(error instanceof OrganisationEnded)) throw error
  }
  return true
}

/**
 * The name of an entry, with spaces, so that no caller can send it as a key and keep the entry out. Its number alone is given again
 * after a restore of the home cell, which the others do not share.
 */
function nameOf({ id, type, personId, version, sessionId, actorSessionId }: WaitingEntry): string {
  return ['person entry', id, type, personId, version, sessionId, actorSessionId].join(' ')
}

/** The seat from which the change was made; none for the command line. */
function seatOf({ organisation, actorId, actorSessionId, actorAddress }: WaitingEntry) {
  return { organisation, sessionId: actorSessionId, personId: actorId ?? 0, address: actorAddress ?? '' }
}

/**
 * Makes a seat that only names the actor: it has no scopes, until the session acts in the organisation. Strangers choose the addresses
 * of refused sign-ins, so that a person has one seat for all beyond the first ones.
 */
async function makeSeat(cell: EntryCell, organisationId: number, entry: WaitingEntry): Promise<number> {
  const { database, ids } = cell
  const { actorId, actorName, actorSessionId, actorAddress } = entry
  const isLast = actorAddress === OTHER_ADDRESS
  const id = await ids.next()
  const seat = {
    ...{ id, organisationId, name: actorName ?? '', hash: randomBytes(32), scopes: [] },
    ...{ personId: actorId ?? 0, sessionId: actorSessionId, address: actorAddress ?? '' },
  }
  if (await addSeat(database, seat, isLast ? MAX_ADDRESSES + 1 : MAX_ADDRESSES)) return id
  const keyId = (await findSeat(database, seatOf(entry)))?.keyId
  if (keyId || isLast) return keyId ?? 0
  return makeSeat(cell, organisationId, { ...entry, actorAddress: OTHER_ADDRESS })
}

function changeOf({ personId, name, role, formerRole, sessionId, cause }: WaitingEntry): PersonChange {
  const session = sessionId === null ? null : String(sessionId)
  return { id: String(personId), name, role, formerRole, session, cause }
}
