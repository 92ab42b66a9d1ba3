import { messageOf } from '../../../base/message-of.ts'
import type { AchFile } from '../../../rails/ach/file.ts'
import { applyEntries } from '../incoming/apply-entries.ts'
import { type IncomingEntry, totalsOf } from '../incoming/entries.ts'
import { appliedLines, countExceptions, linesOf, markApplied } from '../incoming/incoming.sql.ts'
import type { IntakeBank } from '../incoming/intake.ts'
import { joinedDatabases } from './databases.sql.ts'
import { ownLines } from './own-lines.ts'
import { ownShare } from './own-share.ts'

/** A file that the first database has checked and stored. */
export interface CheckedFile {
  name: string
  bytes: Buffer
  hash: Buffer
  content: AchFile
}

/** The outcome of a database's share of a file. */
export interface TakenShare {
  /** The lines of the entries that have an outcome in the database. */
  lines: Set<number>
  exceptions: number
}

/** A further database's part in the intake of files of a live bank. */
export interface ShareIntake {
  /** Throws while the files of this database are held: it may lack payments that entries name. */
  requireOpenRail(): Promise<void>
  /** Applies the entries that are the database's. Those that have an outcome there stay as they are. */
  take(file: CheckedFile, entries: IncomingEntry[]): Promise<TakenShare>
  /** The lines of the entries that are for an account of the database, or about a payment of it with any trace number. */
  own(entries: IncomingEntry[]): Promise<Set<number>>
  /** Applies entries that are the database's in this sense. */
  takeMoved(file: CheckedFile, entries: IncomingEntry[]): Promise<TakenShare>
  /** Notes that the file has been applied everywhere, with the totals of those of its entries that were applied here. */
  finish(hash: Buffer, entries: IncomingEntry[]): Promise<void>
}

/** A further database, as the first database sees it. */
export interface OtherDatabase {
  name: string
  /** Undefined while the database is away. */
  shares: ShareIntake | undefined
}

/** A database that a file waits for, and why. */
export interface Awaited {
  cell: string
  reason: string
}

export interface Spread {
  exceptions: number
  /** The file is complete if there is none. */
  awaited: Awaited[]
}

/**
 * Applies a file of a live bank in all databases: each takes the entries that are its own, and the first one those of none.
 * A database that is away holds up its own entries, and those of which nobody else knows whose they are. The same file may
 * be spread again and again: an entry that has an outcome in its database keeps it.
 */
export async function spreadFile(
  home: IntakeBank,
  file: CheckedFile,
  entries: IncomingEntry[],
  others: readonly OtherDatabase[],
): Promise<Spread> {
  const { database, fileId, hash } = home
  const before = await appliedLines(database, null, hash)
  const open = entries.filter(({ line }) => !before.has(line))
  const [own, ...further] = await Promise.allSettled([
    takeOwn(home, open),
    ...others.map((other) => presentIn(other).then((shares) => shares.take(file, open))),
  ])
  if (own.status === 'rejected') throw own.reason
  const awaited = [...awaitedOf(others, further), ...(await unknownDatabases(home, others))]
  const taken = further.map((each) => (each.status === 'fulfilled' ? each.value : undefined))
  const rest = open.filter(({ line }) => !own.value.has(line) && !taken.some((each) => each?.lines.has(line)))
  const exceptions = taken.map((each) => each?.exceptions ?? 0)
  if (awaited.length === 0 && rest.length > 0) awaited.push(...(await takeRest(home, file, rest, others, exceptions)))
  if (awaited.length === 0) await finish(home, entries, others)
  const counts = [await countExceptions(database, fileId), ...exceptions]
  return { exceptions: counts.reduce((sum, count) => sum + count, 0), awaited }
}

/** The first database's own entries. Returns the lines that have an outcome now. */
async function takeOwn(home: IntakeBank, entries: IncomingEntry[]): Promise<Set<number>> {
  const share = await ownShare(home.database, null)
  await applyEntries({ ...home, share }, entries)
  return appliedLines(home.database, null, home.hash)
}

async function presentIn({ shares }: OtherDatabase): Promise<ShareIntake> {
  if (!shares) throw new Error('the cell is away')
  return shares
}

function awaitedOf(others: readonly OtherDatabase[], outcomes: PromiseSettledResult<unknown>[]): Awaited[] {
  return outcomes.flatMap((each, place) =>
    each.status === 'rejected' ? [{ cell: others[place]?.name ?? '', reason: messageOf(each.reason) }] : [],
  )
}

/** Databases of the bank that this process does not know: an entry that nobody claims may be theirs. */
async function unknownDatabases({ database }: IntakeBank, others: readonly OtherDatabase[]): Promise<Awaited[]> {
  const names = await joinedDatabases(database)
  return names
    .filter((name) => !others.some((other) => other.name === name))
    .map((cell) => ({ cell, reason: `PURSER_CELL_${cell.toUpperCase()} is not set` }))
}

/**
 * Takes the entries that no database knows by its share. One about a payment that has moved, or that left before there were several
 * databases, goes to the one that has the payment, the first if several have payments with that trace number. The others are
 * returned or become exceptions in the first database. `exceptions` are those of the further databases.
 */
async function takeRest(
  home: IntakeBank,
  file: CheckedFile,
  rest: IncomingEntry[],
  others: readonly OtherDatabase[],
  exceptions: number[],
): Promise<Awaited[]> {
  const first = await ask(home, rest, others)
  // An organisation that moved meanwhile was in neither of its databases when each of them looked: all are asked once more.
  const second = await ask(home, rest, others)
  if ('missing' in first) return first.missing
  if ('missing' in second) return second.missing
  const claimsOf = (place: number) => (line: number) => second.claims[place]?.has(line) === true
  const wasClaimed = (line: number) => first.claims.some((lines) => lines.has(line))
  const left: Awaited[] = []
  let open = rest
  for (const [place, name] of ['home', ...others.map(({ name }) => name)].entries()) {
    const isOwn = claimsOf(place)
    const own = open.filter(({ line }) => isOwn(line))
    open = open.filter(({ line }) => !isOwn(line))
    if (own.length === 0) continue
    const taken = await takeClaimed(home, file, own, others[place - 1])
    if (place > 0) exceptions[place - 1] = taken.exceptions
    if (own.some(({ line }) => !taken.lines.has(line))) left.push({ cell: name, reason: 'an organisation is moving' })
  }
  // One that a database had a moment ago is on its way to another.
  if (open.some(({ line }) => wasClaimed(line))) left.push({ cell: 'home', reason: 'an organisation is moving' })
  await applyEntries(
    home,
    open.filter(({ line }) => !wasClaimed(line)),
  )
  return left
}

/** The lines that the first database and each further one claims, by any trace number; or the databases that cannot be asked. */
async function ask(
  home: IntakeBank,
  entries: IncomingEntry[],
  others: readonly OtherDatabase[],
): Promise<{ claims: Set<number>[] } | { missing: Awaited[] }> {
  const asked = await Promise.allSettled(others.map((other) => presentIn(other).then((shares) => shares.own(entries))))
  const missing = awaitedOf(others, asked)
  if (missing.length > 0) return { missing }
  const further = asked.map((each) => (each.status === 'fulfilled' ? each.value : new Set<number>()))
  return { claims: [await ownLines(home, 'any', entries), ...further] }
}

/** Applies entries in the database that claims them: the first database, or a further one. */
async function takeClaimed(
  home: IntakeBank,
  file: CheckedFile,
  entries: IncomingEntry[],
  other: OtherDatabase | undefined,
): Promise<TakenShare> {
  if (other) return (await presentIn(other)).takeMoved(file, entries)
  const { exceptions } = await applyEntries({ ...home, share: 'any' }, entries)
  return { lines: await appliedLines(home.database, null, home.hash), exceptions }
}

/** Notes in the further databases and then in the first database that a file is applied, with the totals of each. */
async function finish(
  { database, fileId, hash }: IntakeBank,
  entries: IncomingEntry[],
  others: readonly OtherDatabase[],
): Promise<void> {
  for (const { shares } of others) await shares?.finish(hash, entries)
  const lines = await linesOf(database, fileId)
  await markApplied(database, fileId, totalsOf(entries.filter(({ line }) => lines.has(line))))
}
