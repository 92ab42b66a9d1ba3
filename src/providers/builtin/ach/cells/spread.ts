import { messageOf } from '../../../../base/message-of.ts'
import type { Reading } from '../../../../rails/ach/read-file.ts'
import { applyEntries } from '../incoming/apply-entries.ts'
import type { IncomingEntry } from '../incoming/entries.ts'
import { appliedLines, countExceptions, markApplied } from '../incoming/incoming.sql.ts'
import type { IntakeBank } from '../incoming/intake.ts'
import { joinedCells } from './cells.sql.ts'
import { ownLines } from './own-lines.ts'
import { ownShare } from './own-share.ts'

/** A file that the home cell has checked and stored. */
export interface CheckedFile {
  name: string
  bytes: Buffer
  hash: Buffer
  reading: Reading
}

/** The outcome of a cell's share of a file. */
export interface TakenShare {
  /** The lines of the entries that have an outcome in the cell. */
  lines: Set<number>
  exceptions: number
}

/** A further cell's part in the intake of files of a live bank. */
export interface ShareIntake {
  /** Applies the entries that are the cell's. Those that have an outcome there stay as they are. */
  take(file: CheckedFile, entries: IncomingEntry[]): Promise<TakenShare>
  /** The lines of the entries that are the cell's. */
  own(entries: IncomingEntry[]): Promise<Set<number>>
  /** Notes that the file has been applied in every cell. These are the entries that the cell has applied. */
  finish(hash: Buffer, entries: IncomingEntry[]): Promise<void>
}

/** A further cell, as the home cell sees it. */
export interface FileCell {
  name: string
  /** Undefined while the cell is away. */
  shares: ShareIntake | undefined
}

/** A cell that a file waits for, and why. */
export interface Awaited {
  cell: string
  reason: string
}

export interface Spread {
  exceptions: number
  /** The file is complete where there is none. */
  awaited: Awaited[]
}

/**
 * Applies a file of a live bank in all cells: each takes the entries that are its own, and the home cell those that are no
 * cell's. A cell that is away holds up its own entries, and those of which nobody else knows whose they are. The same file may
 * be spread again and again: an entry that has an outcome in its cell keeps it.
 */
export async function spreadFile(
  home: IntakeBank,
  file: CheckedFile,
  entries: IncomingEntry[],
  cells: readonly FileCell[],
): Promise<Spread> {
  const { database, fileId } = home
  const before = await appliedLines(database, fileId)
  const open = entries.filter(({ line }) => !before.has(line))
  const [own, ...further] = await Promise.allSettled([
    takeOwn(home, open),
    ...cells.map((cell) => presentIn(cell).then((shares) => shares.take(file, open))),
  ])
  if (own.status === 'rejected') throw own.reason
  const awaited = [...awaitedOf(cells, further), ...(await unknownCells(home, cells))]
  const taken = further.map((each) => (each.status === 'fulfilled' ? each.value : undefined))
  const rest = open.filter(({ line }) => !own.value.has(line) && !taken.some((each) => each?.lines.has(line)))
  if (awaited.length === 0 && rest.length > 0) awaited.push(...(await takeRest(home, rest, cells)))
  if (awaited.length === 0) await finish(home, file, entries, cells, taken)
  const counts = [await countExceptions(database, fileId), ...taken.map((each) => each?.exceptions ?? 0)]
  return { exceptions: counts.reduce((sum, count) => sum + count, 0), awaited }
}

/** The home cell's own entries. Returns the lines that have an outcome now. */
async function takeOwn(home: IntakeBank, entries: IncomingEntry[]): Promise<Set<number>> {
  const share = await ownShare(home.database, null)
  await applyEntries({ ...home, share }, entries)
  return appliedLines(home.database, home.fileId)
}

async function presentIn({ shares }: FileCell): Promise<ShareIntake> {
  if (!shares) throw new Error('the cell is away')
  return shares
}

function awaitedOf(cells: readonly FileCell[], outcomes: PromiseSettledResult<unknown>[]): Awaited[] {
  return outcomes.flatMap((each, place) =>
    each.status === 'rejected' ? [{ cell: cells[place]?.name ?? '', reason: messageOf(each.reason) }] : [],
  )
}

/** Cells of the bank that this process does not know: an entry that nobody claims may be theirs. */
async function unknownCells({ database }: IntakeBank, cells: readonly FileCell[]): Promise<Awaited[]> {
  const names = await joinedCells(database)
  return names
    .filter((name) => !cells.some((cell) => cell.name === name))
    .map((cell) => ({ cell, reason: `PURSER_CELL_${cell.toUpperCase()} is not set` }))
}

/**
 * Takes the entries that are no cell's in the home cell, where they are returned or become exceptions. All cells are asked once
 * more: an organisation that moved meanwhile was in neither of its cells when each of them looked.
 */
async function takeRest(home: IntakeBank, rest: IncomingEntry[], cells: readonly FileCell[]): Promise<Awaited[]> {
  const asked = await Promise.allSettled(cells.map((cell) => presentIn(cell).then((shares) => shares.own(rest))))
  const missing = awaitedOf(cells, asked)
  if (missing.length > 0) return missing
  const claims = asked.map((each) => (each.status === 'fulfilled' ? each.value : new Set<number>()))
  const ownNow = await ownLines(home, await ownShare(home.database, null), rest)
  const isClaimed = ({ line }: IncomingEntry) => ownNow.has(line) || claims.some((lines) => lines.has(line))
  await applyEntries(
    home,
    rest.filter((entry) => !isClaimed(entry)),
  )
  if (!rest.some(isClaimed)) return []
  const moved = cells.filter((_, place) => rest.some(({ line }) => claims[place]?.has(line)))
  const names = moved.length > 0 ? moved.map(({ name }) => name) : ['home']
  return names.map((cell) => ({ cell, reason: 'an organisation has moved there' }))
}

/** Notes in the further cells and then in the home cell that a file is applied, with the totals of each. */
async function finish(
  { database, fileId }: IntakeBank,
  { hash }: CheckedFile,
  entries: IncomingEntry[],
  cells: readonly FileCell[],
  taken: (TakenShare | undefined)[],
): Promise<void> {
  for (const [place, { shares }] of cells.entries()) {
    const own = entries.filter(({ line }) => taken[place]?.lines.has(line))
    if (own.length > 0) await shares?.finish(hash, own)
  }
  const lines = await appliedLines(database, fileId)
  await markApplied(database, fileId, totalsOf(entries.filter(({ line }) => lines.has(line))))
}

/** The totals of entries, as the control record of a file has them. */
export function totalsOf(entries: readonly IncomingEntry[]): { entryCount: number; debits: number; credits: number } {
  const sum = (direction: IncomingEntry['direction']) =>
    entries.reduce((total, entry) => total + (entry.direction === direction ? entry.amount : 0), 0)
  return { entryCount: entries.length, debits: sum('Debit'), credits: sum('Credit') }
}
