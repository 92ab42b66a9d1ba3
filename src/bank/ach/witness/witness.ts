import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Queryable } from '../../../database/database.ts'
import { pauseWithoutLimit } from '../../time/clock.sql.ts'
import {
  databaseNumber,
  digestAt,
  hasJournal,
  insertLine,
  isRewound,
  journalLock,
  lastLine,
  linesAfter,
  notedFile,
} from './journal.sql.ts'
import { appendLines, FolderMissing, journalPath, readDigests, requireFolder } from './journal.ts'

/** Why nothing leaves until the operator has decided. */
export type HoldReason =
  | 'databaseOlder'
  | 'folderOlder'
  | 'differs'
  | 'journalMissing'
  | 'folderMissing'
  | 'folderUnreadable'

export const holdWords: Record<HoldReason, string> = {
  databaseOlder:
    'the journal in the outgoing folder has files that the database does not know: the database was restored',
  folderOlder: 'the database knows files that the journal in the outgoing folder lacks: the folder was replaced',
  differs: 'the journal in the outgoing folder and the database do not belong together',
  journalMissing: 'the outgoing folder has no journal: a mount is missing, or the folder or the database was replaced',
  folderMissing: 'the outgoing folder does not exist: a mount may be missing',
  folderUnreadable: 'the outgoing folder or its journal cannot be read by this user',
}

/** Nothing leaves, and nothing is taken, until the operator has said what happened. */
export class RailHeld extends Error {
  readonly reason: HoldReason

  constructor(reason: HoldReason) {
    const isFolder = reason === 'folderMissing' || reason === 'folderUnreadable'
    const next = isFolder ? 'PURSER_ACH_OUTGOING names it' : '`purser ach resume` shows what to decide'
    super(`ACH is held: ${holdWords[reason]}; ${next}`)
    this.reason = reason
  }
}

/** A database and the folder to which its files are delivered. */
export interface RailFolder {
  database: Database
  ach: { outgoing: string }
}

/** The reason why the rail of a live bank is held; undefined while files may leave. */
export async function holdReason(rail: RailFolder): Promise<HoldReason | undefined> {
  try {
    await requireFolder(rail.ach.outgoing)
    return await compared(rail)
  } catch (error) {
    if (error instanceof FolderMissing) return 'folderMissing'
    if (['EACCES', 'EPERM', 'EIO', 'ESTALE'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return 'folderUnreadable'
    throw error
  }
}

async function compared({ database, ach }: RailFolder): Promise<HoldReason | undefined> {
  // The database is read first: a line that another process writes now is in the database before it is in the journal.
  const last = await lastLine(database)
  const digests = await readDigests(journalPath(ach.outgoing, await databaseNumber(database)))
  const there = digests?.length ?? 0
  const mayLack = last.isPending ? last.line - 1 : last.line
  if (digests === undefined) {
    const isRestored = last.line === 0 && (await isRewound(database))
    return mayLack > 0 || isRestored ? 'journalMissing' : undefined
  }
  const common = Math.min(there, last.line)
  if (common > 0 && (await digestAt(database, common)) !== digests[common - 1]) return 'differs'
  if (there > last.line) return (await isAhead(database, there)) ? 'databaseOlder' : undefined
  return there < mayLack ? 'folderOlder' : undefined
}

/** The same of a database that may not have the tables of this version yet. */
export async function holdReasonOf(rail: RailFolder): Promise<HoldReason | undefined> {
  return (await hasJournal(rail.database)) ? holdReason(rail) : undefined
}

/** Whether the database still lacks the lines: another process may have written them since it was read. */
async function isAhead(database: Database, there: number): Promise<boolean> {
  return there > (await lastLine(database)).line
}

/** Throws while the rail is held. */
export async function requireOpenRail(rail: RailFolder): Promise<void> {
  const reason = await holdReason(rail)
  if (reason) throw new RailHeld(reason)
}

/** Takes the lock of the journal for a delivery until the transaction ends; false if another process has it. */
export async function lockJournal(transaction: Queryable, rail: RailFolder): Promise<boolean> {
  if (!(await journalLock(transaction))) return false
  await requireOpenRail(rail)
  return true
}

/** The file of the latest line if the journal lacks the line: the file has not left. */
export async function unwrittenFile({ database, ach }: RailFolder): Promise<number | undefined> {
  const last = await lastLine(database)
  const digests = await readDigests(journalPath(ach.outgoing, await databaseNumber(database)))
  return (digests?.length ?? 0) < last.line ? (last.fileId ?? undefined) : undefined
}

/** Notes in the database that a file is about to leave. The journal gets the line by `writeLines`. */
export async function noteFile(transaction: Queryable, fileId: number): Promise<void> {
  const { line } = await lastLine(transaction)
  const file = await notedFile(transaction, fileId)
  if (!file) throw new Error(`there is no ACH file ${fileId}`)
  const { name, ...facts } = file
  await insertLine(transaction, { line: line + 1, entry: JSON.stringify({ file: name, ...facts }), fileId })
}

/** Runs `change` under the lock of the journal, in a transaction of its own that may add a line, and writes the line. */
async function underLock(
  rail: RailFolder & { locks: Database },
  change: (transaction: Queryable) => Promise<void>,
): Promise<void> {
  await rail.locks.transaction(async (lock) => {
    await pauseWithoutLimit(lock)
    // A delivery under way ends soon.
    while (!(await journalLock(lock))) await sleep(50)
    await requireOpenRail(rail)
    await writeLines(rail)
    await rail.database.transaction(change)
    await writeLines(rail)
  })
}

/** Notes that the operator has brought a file to the receiving bank. */
export function noteByHand(rail: RailFolder & { locks: Database }, fileId: number): Promise<void> {
  return underLock(rail, (transaction) => noteFile(transaction, fileId))
}

/**
 * Notes in the journal of a database that an organisation leaves it, so that a copy from before does not send its payments.
 * `locks` is another connection to the same database.
 */
export function noteMove(
  rail: RailFolder & { locks: Database },
  { organisationId, movesTo }: { organisationId: number; movesTo: string },
): Promise<void> {
  return underLock(rail, async (transaction) => {
    const { line } = await lastLine(transaction)
    const entry = JSON.stringify({ organisation: String(organisationId), movesTo })
    await insertLine(transaction, { line: line + 1, entry, fileId: null })
  })
}

/**
 * Writes the lines to the journal that only the database has. Returns when they are on the disk, and fails if another process
 * has written at the same time: one that lost its lock, or a copy of the bank.
 */
export async function writeLines(rail: RailFolder): Promise<void> {
  const { database, ach } = rail
  const path = journalPath(ach.outgoing, await databaseNumber(database))
  const lines = await linesAfter(database, (await readDigests(path))?.length ?? 0)
  if (lines.length === 0) return
  await appendLines(path, ach.outgoing, lines)
  await requireOpenRail(rail)
}
