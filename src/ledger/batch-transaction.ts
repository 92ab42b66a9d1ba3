import type { IdempotencyKey, Write } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'
import type { RecordEvents } from '../events/record.ts'
import { KeyTaken } from '../idempotency/run-once.ts'
import type { Attempt, Lock } from './attempts.ts'
import { inOrder, recordsOf, writeBehind, writeRecords } from './batch-records.ts'
import type { Command, Decided, Internals, Outcome, Rows } from './books.ts'
import { decideAll } from './decide.ts'
import type { AnyKind } from './kinds.ts'
import * as ledgerSql from './ledger.sql.ts'
import type { WriteRows } from './write-batch.sql.ts'

/** The two statements that a test replaces by wrong ones, to see that it can fail. */
export interface BatchStatements {
  lockAccounts: typeof ledgerSql.lockAccounts
  writeRows: WriteRows
}

interface Batch {
  transaction: Queryable
  sql: BatchStatements
  /** The kinds of records beside accounts, in the order of their locks. */
  kinds: AnyKind[]
  record: RecordEvents
  commands: Command<never>[]
  internals: Internals
  attempt: Attempt
  /** The slot of the connection. */
  slot: number
}

export interface Committed {
  results: Outcome[]
  /** Whether events are among the rows. */
  hasEvents: boolean
}

interface Written extends Committed {
  /** The last statements. COMMIT is sent after them without waiting for their results. */
  written: Promise<void>
}

/** The transaction of a batch: locks and reads the rows of its commands, decides them, and writes the outcome. */
export async function decideBatch(batch: Batch): Promise<Written> {
  const { transaction, commands } = batch
  const { state, keys, heldLocks } = await lockAndRead(batch)
  const known: Outcome[] = []
  for (const [position, command] of commands.entries()) {
    const held = heldLocks.size > 0 ? locksOf(command, batch.internals).filter((lock) => heldLocks.has(lock)) : []
    if (keys.length > 0 && hasKey(keys, command.write)) known[position] = { refused: new KeyTaken() }
    else if (held.length > 0) known[position] = { held }
  }
  const { outcomes: results, rows, records } = decideAll(state, commands, known)
  if (rows.answers.length === 0) return { results, hasEvents: false, written: Promise.resolve() }
  await writeRecords(transaction, batch.kinds, records, batch.slot)
  return { results, hasEvents: rows.events.length > 0, written: writeLast(batch, rows, records) }
}

async function lockAndRead({ transaction, sql, kinds, commands, internals, attempt, slot }: Batch) {
  const writes = commands.map(({ write }) => write)
  const internalIds = [...internals.values()].flatMap((ofOrganisation) => Object.values(ofOrganisation))
  const named = new Set(internalIds)
  for (const command of commands) for (const id of command.accountIds) named.add(id)
  const accountIds = [...named]
  const { locking, exact = false } = attempt
  const isSkipping = locking === 'skip'
  const organisationIds = [...new Set(writes.map(({ caller }) => caller.organisationId))]
  const keysToRead = attempt.readKeys ? writes.flatMap(keysOf).filter(({ fromCaller }) => fromCaller) : []
  const records = recordsOf(transaction, kinds, commands, { locking, slot, exact })
  // Sent without waiting for each other and run in this order: a wait would cost a turn of the event loop each.
  const [accounts, , { times, limits, keys }] = await inOrder([
    isSkipping ? ledgerSql.lockFreeAccounts(transaction, accountIds) : sql.lockAccounts(transaction, accountIds),
    records.readEarly(),
    ledgerSql.readTimesAndKeys(
      transaction,
      organisationIds,
      keysToRead.map(({ hash }) => hash),
    ),
  ])
  const heldLocks = records.batch.held
  if (accounts.length < accountIds.length && isSkipping) {
    const locked = new Set(accounts.map(({ id }) => id))
    const missing = accountIds.filter((id) => !locked.has(id))
    for (const id of await ledgerSql.existingAccounts(transaction, missing)) heldLocks.add(accountLock(id))
  }
  Object.assign(records.batch, { accounts, times, limits })
  await records.readOthers()
  return { state: { accounts, internals, times, limits, records: records.rows }, keys, heldLocks }
}

/** The keys under which the answer of a write is stored. */
function keysOf({ key, alsoKey }: Write<never>): IdempotencyKey[] {
  return alsoKey ? [key, alsoKey] : [key]
}

function hasKey(keys: ledgerSql.AnsweredKey[], write: Write<never>): boolean {
  const own = keys.filter(({ organisationId }) => organisationId === write.caller.organisationId)
  return own.some(({ hash }) => keysOf(write).some((key) => hash.equals(key.hash)))
}

const accountLock = (id: number): Lock => `account ${id}`

/** The locks that a command takes; its internal accounts only if they are given. */
export function locksOf(
  { write, accountIds, internal = [], reads = [] }: Command<never>,
  internals?: Internals,
): Lock[] {
  const locks = accountIds.map(accountLock)
  const internalIds = internals?.get(write.caller.organisationId)
  if (internalIds) for (const kind of internal) locks.push(accountLock(internalIds[kind] ?? 0))
  for (const { kind, ids } of reads) if (kind.locks) for (const id of ids) locks.push(...kind.locks(id))
  return locks
}

/** Events come last. Should the rows fail, the events after them fail because of that: the rows' error counts. */
function writeLast({ transaction, sql, kinds, record }: Batch, rows: Rows, records: Decided['records']): Promise<void> {
  const rowsWritten = sql.writeRows(transaction, rows, records)
  const behind = writeBehind(transaction, kinds, records)
  const eventsWritten = record(transaction, rows.events)
  for (const promise of [rowsWritten, ...behind, eventsWritten]) promise.catch(() => undefined)
  const written = rowsWritten.then(() => Promise.all([...behind, eventsWritten])).then(() => undefined)
  written.catch(() => undefined)
  return written
}
