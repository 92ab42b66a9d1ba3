import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../../../base/clock.ts'
import { StartupError } from '../../../base/startup-error.ts'
import { counted } from '../../../base/text.ts'
import { isTraceIn } from '../../../rails/ach/shares.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { pauseWithoutLimit } from '../../time/clock.sql.ts'
import { buildLock, filesOfDay } from '../build-file.sql.ts'
import type { RailBank } from '../build-file.ts'
import { firstOrganisation } from '../incoming/incoming.sql.ts'
import { returnLock } from '../returning/return-files.sql.ts'
import { ownShare } from '../spread/own-share.ts'
import { databaseNumber, journalLock, linesAfter, type NotedFile } from './journal.sql.ts'
import { journalPath, readLines } from './journal.ts'
import { deliverAgain, findOutgoing, insertSent, passTrace, replaceLines, waitingPayments } from './sent-file.sql.ts'
import { requireTakeable, type SentFile, takeSent } from './sent-file.ts'
import { type HoldReason, holdReason, holdWords, RailHeld, writeLines } from './witness.ts'

/** A line of the journal: a file that left, an organisation that moved away, or the time at which a new journal begins. */
export type JournalLine =
  | ({ text: string; file: string } & Omit<NotedFile, 'name'>)
  | { text: string; organisation: string; movesTo: string }
  | { text: string; begins: string }

/** The lines that the operator has to decide about. */
export interface HeldRail {
  reason: HoldReason
  /** Lines that only the journal has: the database is older than they are. */
  ahead: JournalLine[]
  /** Lines that only the database has: the folder is older, or another one. */
  behind: JournalLine[]
  /** The payments that leave when the rail is open again, and how many have the cut-offs of the files ahead. */
  waiting: { count: number; amount: number; known: number }
}

/** The delivery of ACH files of a live bank, as its operator sees it. In a sandbox it is always open. */
export interface RailControl {
  /** Why no file leaves; undefined while files leave. */
  holdReason(): Promise<HoldReason | undefined>
  /** Throws while no file leaves. */
  requireOpen(): Promise<void>
  /** Whether files were held at the last check. */
  isHeld(): boolean
  /** Why they were held then, in words; undefined if they were not. */
  heldBecause(): string | undefined
  /** The lines to decide about; undefined if the rail is open. */
  held(): Promise<HeldRail | undefined>
  resume(decisions: Decisions): Promise<Resumed>
}

export function railControlOf(parts: BankParts): RailControl {
  const { ach, mode } = parts
  if (ach === 'instant' || mode === 'sandbox') {
    const never = () => Promise.reject(new StartupError('only a live bank with PURSER_ACH=windows can be held'))
    const none = async () => undefined
    return {
      holdReason: none,
      requireOpen: none,
      isHeld: () => false,
      heldBecause: () => undefined,
      held: never,
      resume: never,
    }
  }
  const bank = { ...parts, ach }
  let latest: HoldReason | undefined
  const look = async () => {
    latest = await holdReason(bank)
    return latest
  }
  return {
    holdReason: look,
    requireOpen: async () => {
      const reason = await look()
      if (reason) throw new RailHeld(reason)
    },
    isHeld: () => latest !== undefined,
    heldBecause: () => latest && holdWords[latest],
    held: () => heldRail(bank),
    resume: (decisions) => resumeRail(bank, decisions),
  }
}

async function heldRail(bank: RailBank): Promise<HeldRail | undefined> {
  const reason = await holdReason(bank)
  if (!reason) return undefined
  const { ahead, behind } = await compare(bank)
  const cutoffs = ahead.flatMap((line) => ('file' in line ? [line.windowAt] : []))
  return { reason, ahead, behind, waiting: await waitingPayments(bank.database, cutoffs) }
}

interface Comparison {
  /** The number of the lines that both have, and the files that they name. */
  common: number
  names: string[]
  ahead: JournalLine[]
  behind: JournalLine[]
}

async function compare({ database, ach }: RailBank): Promise<Comparison> {
  const there = await readLines(journalPath(ach.outgoing, await databaseNumber(database)))
  const here = await linesAfter(database, 0)
  let common = 0
  while (common < there.length && there[common] === here[common]) common++
  const names = namesIn(there.slice(0, common).map(lineOf))
  return { common, names, ahead: there.slice(common).map(lineOf), behind: here.slice(common).map(lineOf) }
}

function namesIn(lines: JournalLine[]): string[] {
  return lines.flatMap((line) => ('file' in line ? [line.file] : []))
}

function lineOf(text: string): JournalLine {
  try {
    return { text, ...JSON.parse(text) }
  } catch (error) {
    throw new StartupError(`a line of the journal cannot be read: ${text.slice(0, 80)}`, { cause: error })
  }
}

/** The decisions of the operator about files. */
export interface Decisions {
  /** Files that left. */
  sent: SentFile[]
  /** Names of files that left and that the database knows. */
  sentNames: string[]
  /** Names of files that did not leave. */
  notSent: string[]
  /** Whether all other files left that the database has delivered. */
  trustDatabase: boolean
  /** Whether another database has an organisation that was moved. */
  isElsewhere(organisationId: number): Promise<boolean>
  /** Ends an organisation that has moved, in this database. */
  endMoved(organisationId: number): Promise<void>
}

interface Resumed {
  files: number
  /** Entries whose payment the database has lost, each with an exception. */
  lost: number
}

/** Opens the rail, once the operator has decided about every file that database and journal do not share. */
function resumeRail(bank: RailBank, decisions: Decisions): Promise<Resumed> {
  return bank.database.transaction(async (lock) => {
    await pauseWithoutLimit(lock)
    // Deliveries and files that are being built end soon; none begins before the rail is open and this is over.
    for (const take of [journalLock, buildLock, returnLock]) await waitFor(() => take(lock))
    const reason = await holdReason(bank)
    if (reason === 'folderMissing' || reason === 'folderUnreadable')
      throw new StartupError(new RailHeld(reason).message)
    if (!reason) return { files: 0, lost: 0 }
    return decide(bank, decisions, await compare(bank))
  })
}

async function waitFor(isTaken: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isTaken()); tries++) {
    if (tries === 100) throw new StartupError('another process works on ACH files: try again')
    await sleep(100)
  }
}

async function decide(bank: RailBank, decisions: Decisions, comparison: Comparison): Promise<Resumed> {
  const { common, ahead, behind } = comparison
  requireDecided(bank, decisions, ahead, behind)
  const others = await filesWithoutLine(bank, decisions, comparison)
  for (const sent of decisions.sent) {
    if (others.includes(sent) || namesIn(ahead).includes(sent.name)) await requireTakeable(bank, sent)
  }
  await endMovedHere(decisions, ahead)
  const lines: { entry: string; fileId: number | null }[] = []
  const resumed = { files: 0, lost: 0 }
  const take = async (sent: SentFile, line?: Extract<JournalLine, { file: string }>) => {
    const { fileId, lost, wasKnown } = await takeSent(bank, sent, line ?? {})
    await usedTrace(bank, sent.lastTrace)
    if (!wasKnown) resumed.files++
    resumed.lost += lost
    return fileId
  }
  for (const line of ahead) {
    const sent = 'file' in line && decisions.sent.find(({ name }) => name === line.file)
    const fileId = sent ? await take(sent, line) : 'file' in line ? await leaveOut(bank, line) : null
    lines.push({ entry: line.text, fileId })
  }
  for (const sent of others) {
    const fileId = await take(sent)
    if (!namesIn(behind).includes(sent.name)) lines.push({ entry: JSON.stringify(factsOf(sent)), fileId })
  }
  const kept = behind.filter((line) => !('file' in line && decisions.notSent.includes(line.file)))
  for (const line of kept) {
    const fileId = 'file' in line ? ((await findOutgoing(bank.database, line.file))?.id ?? null) : null
    lines.push({ entry: line.text, fileId })
  }
  if (common + lines.length === 0) lines.push(beginning(decisions))
  await bank.database.transaction(async (transaction) => {
    for (const line of behind) if ('file' in line && !kept.includes(line)) await deliverAgain(transaction, line.file)
    await replaceLines(transaction, common, lines)
  })
  await writeLines(bank)
  return resumed
}

/** The given files that no line ahead or in common names. One is of this database if its modifier is: another may have made it. */
async function filesWithoutLine(
  { database }: RailBank,
  { sent }: Decisions,
  { names, ahead }: Comparison,
): Promise<SentFile[]> {
  const { modifiers } = await ownShare(database, null)
  const known = [...names, ...namesIn(ahead)]
  return sent.filter(({ name, file }) => !known.includes(name) && modifiers.includes(file.header.modifier))
}

/** Throws the files about which nothing was said, and those about which the folder says otherwise. */
function requireDecided(
  { ach }: RailBank,
  { sent, sentNames, notSent, trustDatabase }: Decisions,
  ahead: JournalLine[],
  behind: JournalLine[],
): void {
  const isSent = (name: string) => sent.some((file) => file.name === name)
  const open = [
    ...namesIn(ahead).filter((name) => !isSent(name) && !notSent.includes(name)),
    ...namesIn(behind).filter((name) => ![...sentNames, ...notSent].includes(name) && !isSent(name) && !trustDatabase),
  ]
  if (open.length > 0) {
    const more = open.length > 5 ? ` and ${counted(open.length - 5, 'more file')}` : ''
    throw new StartupError(
      `say what became of ${open.slice(0, 5).join(', ')}${more}: --already-sent FILE, or --not-sent NAME`,
    )
  }
  for (const name of notSent) {
    if (existsSync(join(ach.outgoing, name))) {
      throw new StartupError(`${name} is in the outgoing folder: remove it there first, or it leaves`)
    }
  }
  for (const line of ahead) {
    const given = 'file' in line && sent.find(({ name }) => name === line.file)
    if (!given) continue
    if (given.entries.length === line.entries && given.credits === line.credits && given.debits === line.debits)
      continue
    throw new StartupError(
      `${line.file} left with ${line.entries} entries of ${line.credits + line.debits} cents, and the given file has others`,
    )
  }
}

/** The first line of a journal that takes the place of none, after the database was restored. */
function beginning({ trustDatabase }: Decisions): { entry: string; fileId: null } {
  if (!trustDatabase)
    throw new StartupError(
      'name the files that left since with --already-sent; if there are none, say --trust-database',
    )
  return { entry: JSON.stringify({ begins: clock.now().toISOString() }), fileId: null }
}

/** The line of a file that left while the bank had no journal. */
function factsOf({ name, sha256, file, entries, debits, credits, lastTrace }: SentFile) {
  const { createdOn, modifier } = file.header
  return {
    ...{ file: name, sha256: sha256.toString('hex'), createdOn, modifier, entries: entries.length, debits, credits },
    ...{
      lastTrace,
      payments: entries.map(({ identification }) => identification.trim()).filter((id) => /^\d+$/.test(id)),
    },
  }
}

/** A file that did not leave: its modifier and trace numbers stay used. Returns its id; a file that the database has is delivered. */
async function leaveOut(bank: RailBank, line: Extract<JournalLine, { file: string }>): Promise<number> {
  const { database, ids } = bank
  const { createdOn, modifier, windowAt, lastTrace } = line
  if (lastTrace) await usedTrace(bank, lastTrace)
  const known = await findOutgoing(database, line.file)
  if (known) {
    await deliverAgain(database, line.file)
    return known.id
  }
  const id = await ids.next()
  const { lastPart } = await filesOfDay(database, { organisationId: null, windowAt, createdOn })
  const row = {
    ...{
      id,
      keyOrganisationId: (await firstOrganisation(database)) ?? 0,
      windowAt,
      part: lastPart + 1,
      modifier,
      createdOn,
    },
    ...{ name: line.file, sealedContent: Buffer.alloc(0), sha256: Buffer.from(line.sha256, 'hex') },
    ...{ entryCount: 0, debits: 0, credits: 0 },
  }
  await insertSent(database, row, 'void')
  return id
}

/** Moves the next trace number past one that was used. */
async function usedTrace({ database }: RailBank, trace: string): Promise<void> {
  const share = await ownShare(database, null)
  if (!isTraceIn(share, trace)) return
  await passTrace(database, { drawn: Number(trace.slice(-7)) - share.firstTrace + 1, of: share.traces })
}

/** Ends the organisations that have moved and that another database has. One that moved back, or did not move in the end, stays. */
async function endMovedHere({ isElsewhere, endMoved }: Decisions, ahead: JournalLine[]): Promise<void> {
  const moved = ahead.flatMap((line) => ('movesTo' in line ? [Number(line.organisation)] : []))
  for (const organisationId of new Set(moved)) if (await isElsewhere(organisationId)) await endMoved(organisationId)
}
