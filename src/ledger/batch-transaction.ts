import type { IdempotencyKey, Write } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'
import type { RecordEvents } from '../events/record.ts'
import { KeyTaken } from '../idempotency/run-once.ts'
import type { Attempt, Lock } from './attempts.ts'
import type { Command, Internals, Outcome, Rows } from './books.ts'
import { decideAll } from './decide.ts'
import * as holdsSql from './holds/holds.sql.ts'
import * as ledgerSql from './ledger.sql.ts'
import * as sharesSql from './limits/shares.sql.ts'
import * as usageSql from './limits/usage.sql.ts'
import * as receivedSql from './received/received.sql.ts'
import * as reviewsSql from './reviews.sql.ts'
import * as rewardsSql from './rewards.sql.ts'
import { readLimitedSpending } from './spending.ts'
import * as writeSql from './write-batch.sql.ts'

/** The two statements that a test replaces by wrong ones, to see that it can fail. */
export interface BatchStatements {
  lockAccounts: typeof ledgerSql.lockAccounts
  writeRows: typeof writeSql.writeRows
}

interface Batch {
  transaction: Queryable
  sql: BatchStatements
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

interface Decided extends Committed {
  /** The last statements. COMMIT is sent behind them without waiting for their results. */
  written: Promise<void>
}

/** The transaction of a batch: locks and reads the rows of its commands, decides them, and writes the outcome. */
export async function decideBatch(batch: Batch): Promise<Decided> {
  const { transaction, commands } = batch
  const { state, keys, heldLocks } = await lockAndRead(batch)
  const known: Outcome[] = []
  for (const [position, command] of commands.entries()) {
    const held = heldLocks.size > 0 ? locksOf(command, batch.internals).filter((lock) => heldLocks.has(lock)) : []
    if (keys.length > 0 && hasKey(keys, command.write)) known[position] = { refused: new KeyTaken() }
    else if (held.length > 0) known[position] = { held }
  }
  const { outcomes: results, rows } = decideAll(state, commands, known)
  if (rows.answers.length === 0) return { results, hasEvents: false, written: Promise.resolve() }
  await writeSql.writeChangedPayments(transaction, rows)
  await usageSql.writeUsage(transaction, rows)
  await sharesSql.writeShares(transaction, rows, batch.slot)
  await reviewsSql.writeReviews(transaction, rows)
  await writeSql.writeSettledBatches(transaction, rows)
  await receivedSql.writeReceived(transaction, rows)
  await writeSql.writeAuthorizations(transaction, rows)
  await holdsSql.writeHolds(transaction, rows)
  await rewardsSql.writePurchases(transaction, rows)
  return { results, hasEvents: rows.events.length > 0, written: writeLast(batch, rows) }
}

async function lockAndRead({ transaction, sql, commands, internals, attempt, slot }: Batch) {
  const writes = commands.map(({ write }) => write)
  const internalIds = [...internals.values()].flatMap((ofOrganisation) => Object.values(ofOrganisation))
  const accountIds = [...new Set([...internalIds, ...idsOf(commands, 'accountIds')])]
  const isSkipping = attempt.locking === 'skip'
  const organisationIds = [...new Set(writes.map(({ caller }) => caller.organisationId))]
  const keysToRead = attempt.readKeys ? writes.flatMap(keysOf).filter(({ fromCaller }) => fromCaller) : []
  // Sent without waiting for each other and run in this order: a wait would cost a turn of the event loop each.
  const [accounts, { heldUserIds, ...earning }, { times, limits, keys }, payees] = await Promise.all([
    isSkipping ? ledgerSql.lockFreeAccounts(transaction, accountIds) : sql.lockAccounts(transaction, accountIds),
    rewardsSql.lockEarning(transaction, commands, attempt.locking),
    ledgerSql.readTimesAndKeys(
      transaction,
      organisationIds,
      keysToRead.map(({ hash }) => hash),
    ),
    ledgerSql.readPayees(transaction, idsOf(commands, 'payeeIds')),
  ])
  const heldLocks = new Set(heldUserIds.map(partnerUserLock))
  if (accounts.length < accountIds.length && isSkipping) {
    const locked = new Set(accounts.map(({ id }) => id))
    const missing = accountIds.filter((id) => !locked.has(id))
    for (const id of await ledgerSql.existingAccounts(transaction, missing)) heldLocks.add(accountLock(id))
  }
  const paying = new Set(commands.flatMap(({ payeeIds, write }) => (payeeIds ? write.caller.organisationId : [])))
  const limited = new Map([...limits].filter(([id]) => paying.has(id)))
  const { exact = false } = attempt
  const locked = await sharesSql.lockShares(transaction, limited, times, { slot, exact })
  const organisations = { limits: new Map([...limits, ...locked.limits]), shares: locked.shares }
  const payouts = earning.purchases.flatMap(({ reward }) => reward?.paymentId ?? [])
  const payments = [
    ...(await ledgerSql.readPayments(transaction, [...idsOf(commands, 'paymentIds'), ...payouts])),
    ...(await ledgerSql.readPending(transaction, idsOf(commands, 'pendingOf'))),
  ]
  const cards = await ledgerSql.readCards(transaction, idsOf(commands, 'cardIds'))
  const authorizations = await ledgerSql.readAuthorizations(transaction, idsOf(commands, 'authorizationIds'))
  const holds = await holdsSql.readHolds(transaction, idsOf(commands, 'holdIds'))
  const spending = await readLimitedSpending(transaction, { cards, authorizations, times })
  const buildingFiles = await ledgerSql.holdBuildingFiles(transaction, idsOf(commands, 'achFileIds'))
  const unsettledBatches = await ledgerSql.holdUnsettledBatches(transaction, idsOf(commands, 'achBatchIds'))
  const received = await receivedSql.readReceived(transaction, idsOf(commands, 'receivedIds'))
  const usage = await usageSql.readUsage(transaction, payees.length > 0 ? accounts : [], times)
  const read = { payees, payments, cards, authorizations, holds, spending, received, usage }
  const state = {
    ...{ accounts, internals, ...read, times, organisations, ...earning },
    ...{ buildingFiles, unsettledBatches },
  }
  return { state, keys, heldLocks }
}

type IdList =
  | 'accountIds'
  | 'payeeIds'
  | 'paymentIds'
  | 'pendingOf'
  | 'cardIds'
  | 'authorizationIds'
  | 'holdIds'
  | 'achFileIds'
  | 'achBatchIds'
  | 'receivedIds'

function idsOf(commands: Command<never>[], name: IdList): number[] {
  const ids: number[] = []
  for (const command of commands) ids.push(...(command[name] ?? []))
  return ids
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
const partnerUserLock = (id: number): Lock => `partner user ${id}`

/** The locks that a command takes; its internal accounts only where they are given. */
export function locksOf({ write, accountIds, internal = [], rewards }: Command<never>, internals?: Internals): Lock[] {
  const locks = accountIds.map(accountLock)
  const internalIds = internals?.get(write.caller.organisationId)
  if (internalIds) for (const kind of internal) locks.push(accountLock(internalIds[kind] ?? 0))
  if (rewards) locks.push(...rewards.partnerUserIds.map(partnerUserLock))
  return locks
}

/** Events come last. Should the rows fail, the events behind them fail because of that: the rows' error counts. */
function writeLast({ transaction, sql, record }: Batch, rows: Rows): Promise<void> {
  const rowsWritten = sql.writeRows(transaction, rows)
  const eventsWritten = record(transaction, rows.events)
  for (const promise of [rowsWritten, eventsWritten]) promise.catch(() => undefined)
  const written = rowsWritten.then(() => eventsWritten)
  written.catch(() => undefined)
  return written
}
