import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { sha256 } from '../../base/sha256.ts'
import { counted } from '../../base/text.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { readStatements, type StatementForm } from '../../rails/statements/read-statements.ts'
import { type BankStatement, MAX_BYTES, StatementFault } from '../../rails/statements/statement.ts'
import { moveFile, settledFiles } from '../ach/incoming/folder.ts'
import {
  closingLock,
  currentStatements,
  hasFile,
  insertItems,
  insertStatement,
  lastClosed,
  replaceStatement,
  type StatementRow,
  storeFile,
} from './closing.sql.ts'
import { itemOfEntry } from './items.ts'

export interface StatementIntake {
  state: 'taken' | 'already taken' | 'refused'
  /** The content of the file, or the reason why it is refused. */
  detail: string
  /** The statements of the account in it. */
  statements: { asOf: string; entries: number; flags: string[]; effect: Effect }[]
}

type Effect = 'taken' | 'duplicate' | 'replaced' | 'deleted' | 'interim' | 'test'

/** Thrown if statements cannot be taken as they are. Nothing of the file is stored then. */
class Refused extends Error {}

interface Given {
  name: string
  bytes: Uint8Array
  /** The reason why the statements in the file take the place of others; undefined if they must not. */
  replace?: string | undefined
}

const alreadyTaken: StatementIntake = {
  ...{ state: 'already taken', detail: 'the same bytes were taken before', statements: [] },
}

/** A file with the statements of the account in it, or with the fault for which it is refused. */
interface ReadFile extends Given {
  hash: Buffer
  content: OwnStatements | StatementFault | Refused
}

interface OwnStatements {
  own: BankStatement[]
  /** How many statements of other accounts are in the file. */
  others: number
}

/** Reads a file, without the database: a large one takes seconds. */
export function readGiven(form: StatementForm, given: Given): ReadFile {
  const hash = sha256(given.bytes)
  try {
    return { ...given, hash, content: ownStatements(readStatements(given.bytes, form), form.account) }
  } catch (error) {
    if (!isFault(error)) throw error
    return { ...given, hash, content: error }
  }
}

function isFault(error: unknown): error is StatementFault | Refused {
  return error instanceof StatementFault || error instanceof Refused
}

/** Takes a file of statements, once. A file with a fault is refused as a whole. */
export async function takeStatements(
  database: Pick<Database, 'query' | 'transaction'>,
  form: StatementForm,
  { hash, name, content, replace }: ReadFile,
): Promise<StatementIntake> {
  try {
    return await database.transaction(async (transaction) => {
      await closingLock(transaction)
      if (await hasFile(transaction, hash)) return alreadyTaken
      if (isFault(content)) throw content
      const { own, others } = content
      const ignored = others === 0 ? '' : `; ${counted(others, 'statement')} of other accounts ignored`
      const detail = `${counted(own.length, 'statement')} of the account${ignored}`
      const fileId = await storeFile(transaction, { sha256: hash, name, state: 'taken', detail })
      const statements: StatementIntake['statements'] = []
      for (const statement of own) statements.push(await takeOne(transaction, fileId, statement, form, replace))
      return { state: 'taken', detail, statements }
    })
  } catch (error) {
    if (!isFault(error)) throw error
    const detail = error instanceof StatementFault ? `${error.code}: ${error.message}` : error.message
    await storeFile(database, { sha256: hash, name, state: 'refused', detail })
    return { state: 'refused', detail, statements: [] }
  }
}

/** The statements of the settlement account, in the order of their days. Those of other accounts are counted. */
function ownStatements(statements: BankStatement[], account: string): OwnStatements {
  const own = statements.filter((each) => each.account === account)
  const [first] = statements
  if (own.length === 0 && first)
    throw new Refused(`no statement is of the account ${account}, the first one is of ${first.account}`)
  const foreign = own.find(({ currency }) => currency !== 'USD')
  if (foreign) throw new Refused(`the statement of ${foreign.asOf} is in ${foreign.currency}`)
  const ordered = own.toSorted((one, other) => (one.asOf < other.asOf ? -1 : one.asOf > other.asOf ? 1 : 0))
  return { own: ordered, others: statements.length - own.length }
}

async function takeOne(
  transaction: Queryable,
  fileId: number,
  statement: BankStatement,
  { kinds }: StatementForm,
  replace: string | undefined,
): Promise<StatementIntake['statements'][number]> {
  const { asOf, entries, flags, status } = statement
  const done = (effect: Effect) => ({ asOf, entries: entries.length, flags, effect })
  if (status === 'test') return done('test')
  const digest = digestOf(statement)
  if (statement.isInterim) {
    await insertStatement(transaction, fileId, statement, digest)
    return done('interim')
  }
  const known = await currentStatements(transaction, null, null)
  const page = statement.page?.number ?? 1
  const before = known.find((each) => each.asOf === asOf && each.page === page)
  if (before?.digest === digest.toString('hex') && status !== 'deletion') return done('duplicate')
  await requirePlace(transaction, statement, { before, known, replace })
  const because = replace ?? 'correction by the bank'
  if (before) await replaceStatement(transaction, before.id, because)
  if (status === 'deletion') return done('deleted')
  const id = await insertStatement(transaction, fileId, statement, digest)
  const items = entries.map((entry) => itemOfEntry(entry, asOf, kinds))
  if (items.length > 0) await insertItems(transaction, items, { statementId: id })
  return done(before ? 'replaced' : 'taken')
}

/** Refuses a statement that would change what is settled, or that a person must decide about. */
async function requirePlace(
  transaction: Queryable,
  { asOf, status }: BankStatement,
  { before, known, replace }: { before: StatementRow | undefined; known: StatementRow[]; replace: string | undefined },
): Promise<void> {
  const closed = await lastClosed(transaction)
  if (closed && asOf <= closed.day) {
    throw new Refused(`the statement of ${asOf} would change the day ${closed.day}, which is closed: reopen it first`)
  }
  const [first] = known
  if (first && asOf < first.asOf)
    throw new Refused(
      `the statement of ${asOf} is older than the first one, of ${first.asOf}: days are closed from the first one on`,
    )
  if (status === 'deletion' && !(before && replace !== undefined)) {
    throw new Refused(
      `the bank deletes the statement of ${asOf}: ${before ? 'take the file with --replace' : 'there is none'}`,
    )
  }
  if (before && status === 'update' && replace === undefined) {
    throw new Refused(
      `a statement of ${asOf} with other content was taken: if the bank says so, take this one with --replace`,
    )
  }
}

function digestOf({ opening, closing, entries }: BankStatement): Buffer {
  return sha256(JSON.stringify([opening, closing, entries]))
}

/** Takes the files in the folder of statements, and moves them to `done` or `refused`. Returns how many there were. */
export async function takeFolder(
  database: Database,
  form: StatementForm & { incoming: string },
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<number> {
  const names = await settledFiles(form.incoming, new Map())
  for (const name of names) await takeNamed(database, form, name, log).catch(ignoreMoved)
  return names.length
}

/** Another process may have moved the file meanwhile. */
function ignoreMoved(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

async function takeNamed(
  database: Database,
  form: StatementForm & { incoming: string },
  name: string,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const file = join(form.incoming, name)
  const { size } = await lstat(file)
  if (size > MAX_BYTES) {
    log.warn({ file }, 'bank statement too large')
    await moveFile(form.incoming, name, 'refused', name)
    return
  }
  const bytes = await readFile(file)
  const read = readGiven(form, { name, bytes })
  const { state, detail } = await takeStatements(database, form, read)
  if (state === 'refused') log.warn({ file, reason: detail }, 'bank statement refused')
  else log.info({ file }, `bank statement ${state}`)
  // Two files of one name are both kept.
  const as = `${read.hash.toString('hex').slice(0, 8)}-${name}`
  await moveFile(form.incoming, name, state === 'refused' ? 'refused' : 'done', as)
}
