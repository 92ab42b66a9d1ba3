import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Queryable } from '../../../../database/database.ts'
import {
  cellNumber,
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
export type HoldReason = 'databaseOlder' | 'folderOlder' | 'differs' | 'journalMissing' | 'folderMissing'

const words: Record<HoldReason, string> = {
  databaseOlder:
    'the journal in the outgoing folder has files that the database does not know: the database was restored',
  folderOlder: 'the database knows files that the journal in the outgoing folder lacks: the folder was replaced',
  differs: 'the journal in the outgoing folder and the database do not belong together',
  journalMissing: 'the outgoing folder has no journal: a mount is missing, or the folder or the database was replaced',
  folderMissing: 'the outgoing folder does not exist: a mount may be missing',
}

/** Nothing leaves, and nothing is taken, until the operator has said what happened. */
export class RailHeld extends Error {
  readonly reason: HoldReason

  constructor(reason: HoldReason) {
    const next =
      reason === 'folderMissing' ? 'PURSER_ACH_OUTGOING names it' : '`purser ach resume` shows what to decide'
    super(`ACH is held: ${words[reason]}; ${next}`)
    this.reason = reason
  }
}

/** The database of a cell and the folder to which its files are delivered. */
export interface Rail {
  database: Database
  ach: { outgoing: string }
}

/** The reason why the rail of a live bank is held; undefined while files may leave. */
export async function holdReason({ database, ach }: Rail): Promise<HoldReason | undefined> {
  try {
    await requireFolder(ach.outgoing)
  } catch (error) {
    if (error instanceof FolderMissing) return 'folderMissing'
    throw error
  }
  // The database is read first: a line that another process writes now is in the database before it is in the journal.
  const last = await lastLine(database)
  const digests = await readDigests(journalPath(ach.outgoing, await cellNumber(database)))
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
export async function holdReasonOf(rail: Rail): Promise<HoldReason | undefined> {
  return (await hasJournal(rail.database)) ? holdReason(rail) : undefined
}

/** Whether the database still lacks the lines: another process may have written them since it was read. */
async function isAhead(database: Database, there: number): Promise<boolean> {
  return there > (await lastLine(database)).line
}

/** Throws while the rail is held. */
export async function requireOpenRail(rail: Rail): Promise<void> {
  const reason = await holdReason(rail)
  if (reason) throw new RailHeld(reason)
}

/** Takes the lock of the journal for a delivery until the transaction ends; false if another process has it. */
export async function lockJournal(transaction: Queryable, rail: Rail): Promise<boolean> {
  if (!(await journalLock(transaction))) return false
  await requireOpenRail(rail)
  return true
}

/** Whether the latest line is about a file and is not in the journal: the file has not left. */
export async function isUnwritten({ database, ach }: Rail, fileId: number): Promise<boolean> {
  const last = await lastLine(database)
  const digests = await readDigests(journalPath(ach.outgoing, await cellNumber(database)))
  return last.fileId === fileId && (digests?.length ?? 0) < last.line
}

/** Notes in the database that a file is about to leave. The journal gets the line by `writeLines`. */
export async function noteFile(transaction: Queryable, fileId: number): Promise<void> {
  const { line, fileId: latest } = await lastLine(transaction)
  // A process that was killed may have noted it.
  if (latest === fileId) return
  const file = await notedFile(transaction, fileId)
  if (!file) throw new Error(`there is no ACH file ${fileId}`)
  const { name, ...facts } = file
  const entry = JSON.stringify({ file: name, ...facts })
  await insertLine(transaction, { line: line + 1, entry, fileId })
}

/**
 * Notes in the journal of a cell that an organisation leaves it, so that a copy from before does not send its payments.
 * `locks` is another connection to the same database.
 */
export async function noteMove(
  rail: Rail & { locks: Database },
  { organisationId, cell }: { organisationId: number; cell: string },
): Promise<void> {
  await rail.locks.transaction(async (lock) => {
    // A delivery under way ends soon.
    while (!(await journalLock(lock))) await sleep(50)
    await requireOpenRail(rail)
    await rail.database.transaction(async (transaction) => {
      const { line } = await lastLine(transaction)
      const entry = JSON.stringify({ organisation: String(organisationId), movesTo: cell })
      await insertLine(transaction, { line: line + 1, entry, fileId: null })
    })
    await writeLines(rail)
  })
}

/** Writes the lines to the journal that only the database has. Returns when they are on the disk. */
export async function writeLines({ database, ach }: Rail): Promise<void> {
  const path = journalPath(ach.outgoing, await cellNumber(database))
  const lines = await linesAfter(database, (await readDigests(path))?.length ?? 0)
  if (lines.length > 0) await appendLines(path, ach.outgoing, lines)
}
