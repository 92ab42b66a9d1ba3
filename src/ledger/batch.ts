import type { Answer } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'
import {
  type ConnectionCounts,
  type Database,
  type DatabaseOptions,
  openDatabase,
  type Timeouts,
} from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { type RecordEvents, recordEvents } from '../events/record.ts'
import { KeyTaken } from '../idempotency/run-once.ts'
import { type Attempt, halvesOf, type Lock, type Locking, organisationsOf, type Part, stepAfter } from './attempts.ts'
import { type BatchStatements, type Committed, decideBatch } from './batch-transaction.ts'
import type { Command, Internals } from './books.ts'
import { type InternalAccounts, openInternalAccounts, takeFreeSlot } from './internal-accounts.ts'
import type { AnyKind } from './kinds.ts'
import { fixPlans, lockAccounts } from './ledger.sql.ts'
import { openFronts } from './queue/fronts.ts'
import type { InternalKind } from './records.ts'
import { rowsWriter } from './write-batch.sql.ts'

/** One connection on which batches are decided and committed, one after the other. */
export interface BatchRunner {
  /** Never rejects: an error becomes the result of the commands that it concerns. */
  run(commands: Command<never>[], locking?: Locking): Promise<Ended>
  /** The internal account that this connection posts to. */
  internalAccount(organisationId: number, kind: InternalKind): Promise<number>
  connections(): ConnectionCounts
  /** Whether no server can be reached at the moment. */
  isDown(): boolean
  /** Tries to reach a server again. */
  reconnect(): void
  close(): Promise<void>
}

export interface Ended {
  /** In the order of the commands. */
  results: Result[]
  /** Whether events were committed. */
  hasEvents: boolean
}

export type Result =
  | { answer: Answer }
  | { refused: unknown }
  | { lack: unknown }
  /** Nothing was done: another transaction holds these locks. */
  | { held: Lock[] }
  /** Nothing was done: an earlier command of the group on the same accounts is not decided yet. */
  | { behind: true }

export interface BatchOptions {
  servers: DatabaseOptions['servers']
  ids: RecordIds
  /** The kinds of records that commands read and change beside accounts, in the order of their locks. */
  kinds: AnyKind[]
  timeouts: Timeouts
  sql?: BatchStatements
  recordEvents?: RecordEvents
}

/** After a key that has an answer, the next 100 batches look keys up first: repeated requests come in runs. */
const BATCHES_WITH_KEYS = 100
/** Internal accounts to try in a row for one command. One is enough, unless processes that share a slot fill it, too. */
const MAX_FRESH_ACCOUNTS = 5

interface Runner {
  database: Database
  accounts: InternalAccounts
  sql: BatchStatements
  kinds: AnyKind[]
  record: RecordEvents
  /** The slot of the connection; undefined before there is one. */
  slot: number | undefined
  /** The number of batches that still look keys up first. */
  batchesWithKeys: number
  /** The epoch of the database in which the internal accounts were looked up. */
  epoch: number
}

export function openBatchRunner(options: BatchOptions): BatchRunner {
  const { servers, ids, kinds, timeouts, recordEvents: record = recordEvents } = options
  const { sql = { lockAccounts, writeRows: rowsWriter(kinds) } } = options
  const database = openDatabase({
    servers,
    connections: 1,
    timeouts,
    pipeline: true,
    greet: async (connection) => {
      await fixPlans(connection)
      runner.slot = await takeFreeSlot(connection)
    },
  })
  const accounts = openInternalAccounts(database, ids)
  const runner: Runner = { database, accounts, sql, kinds, record, slot: undefined, batchesWithKeys: 0, epoch: 0 }
  return {
    run(commands, locking = 'wait') {
      const readKeys = locking === 'skip' || runner.batchesWithKeys > 0
      if (runner.batchesWithKeys > 0) runner.batchesWithKeys--
      return runBatch(runner, commands, { locking, readKeys })
    },
    internalAccount: (organisationId, kind) => internalAccount(runner, organisationId, kind),
    connections: () => database.connections(),
    isDown: () => database.isDown(),
    reconnect: () => void database.transaction(async () => undefined).catch(() => undefined),
    close: () => database.close(),
  }
}

async function internalAccount(runner: Runner, organisationId: number, kind: InternalKind): Promise<number> {
  // A slot is taken with the connection, which the first transaction opens.
  if (runner.slot === undefined) await runner.database.transaction(async () => undefined)
  const epoch = runner.database.epoch()
  if (epoch !== runner.epoch) runner.accounts.forget()
  runner.epoch = epoch
  return runner.accounts.current(organisationId, kind, runner.slot ?? 0)
}

async function internalsOf(runner: Runner, commands: Command<never>[]): Promise<Internals> {
  const internals: Internals = new Map()
  for (const { write, internal = [] } of commands) {
    const { organisationId } = write.caller
    const ofOrganisation = internals.get(organisationId) ?? {}
    internals.set(organisationId, ofOrganisation)
    for (const kind of internal) ofOrganisation[kind] ??= await internalAccount(runner, organisationId, kind)
  }
  return internals
}

/** Runs a batch to its end. `freshAccounts` counts the internal accounts that were opened for it in vain. */
async function runBatch(
  runner: Runner,
  commands: Command<never>[],
  attempt: Attempt,
  freshAccounts = 0,
): Promise<Ended> {
  let committed: Committed
  try {
    committed = await commit(runner, commands, attempt)
  } catch (error) {
    if (error instanceof KeyTaken) runner.batchesWithKeys = BATCHES_WITH_KEYS
    return afterFailure(runner, commands, attempt, error)
  }
  const ended = await afterFullAccounts(runner, commands, attempt, freshAccounts, committed)
  return afterShortShares(runner, commands, attempt, ended)
}

/** Runs the commands again whose share of a record was too small, with all shares under lock. */
async function afterShortShares(
  runner: Runner,
  commands: Command<never>[],
  attempt: Attempt,
  { results, hasEvents }: Ended,
): Promise<Ended> {
  const short: Part = []
  for (const [position, result] of results.entries()) if ('short' in result) short.push(position)
  if (short.length === 0) return { results, hasEvents }
  // A second time, the day has changed since the shares were read: the caller may try again.
  const refused = {
    refused: new Problem('unavailable', {
      headers: retryAfter(1),
      reason: 'the day changed while a change was decided',
    }),
  }
  const again = attempt.exact
    ? { results: commands.map(() => refused), hasEvents: false }
    : await runParts(runner, commands, [short], { ...attempt, exact: true })
  for (const position of short) results[position] = again.results[position] as Result
  return { results, hasEvents: hasEvents || again.hasEvents }
}

async function commit(runner: Runner, commands: Command<never>[], attempt: Attempt): Promise<Committed> {
  const internals = await internalsOf(runner, commands)
  const { results, written, hasEvents } = await runner.database.transaction((transaction) =>
    decideBatch({
      transaction,
      sql: runner.sql,
      kinds: runner.kinds,
      record: runner.record,
      commands,
      internals,
      attempt,
      slot: runner.slot ?? 0,
    }),
  )
  // COMMIT after a statement that failed rolls back, so the statement's error counts.
  await written
  return { results, hasEvents }
}

function afterFailure(
  runner: Runner,
  commands: Command<never>[],
  attempt: Attempt,
  error: unknown,
): Promise<Ended> | Ended {
  const step = stepAfter(error, attempt)
  if (typeof step === 'object') return runBatch(runner, commands, step)
  if (step === 'halves' && commands.length > 1) return runParts(runner, commands, halvesOf(commands), attempt)
  const organisations = organisationsOf(commands)
  const isApart = step === 'organisations' || step === 'ended'
  if (isApart && organisations.length > 1) return runParts(runner, commands, organisations, attempt)
  const resultOf = ({ write }: Command<never>): Result =>
    step === 'organisations' ? { held: [`organisation ${write.caller.organisationId}`] } : { refused: error }
  return { results: commands.map(resultOf), hasEvents: false }
}

/**
 * Runs parts of a batch one after the other. Commands of a later part do not overtake those of their group in an earlier one. Positions
 * that are in no part have no result.
 */
async function runParts(
  runner: Runner,
  commands: Command<never>[],
  parts: Part[],
  attempt: Attempt,
  freshAccounts = 0,
): Promise<Ended> {
  const results: Result[] = []
  const open = openFronts()
  let hasEvents = false
  for (const part of parts) {
    const free: Part = []
    for (const position of part) {
      const command = commands[position] as Command<never>
      if (!open.isBefore(command)) free.push(position)
      else {
        results[position] = { behind: true }
        open.add(command)
      }
    }
    if (free.length === 0) continue
    const partCommands = free.map((position) => commands[position] as Command<never>)
    const ended = await runBatch(runner, partCommands, attempt, freshAccounts)
    hasEvents ||= ended.hasEvents
    for (const [index, position] of free.entries()) {
      const result = ended.results[index] as Result
      results[position] = result
      if (!('answer' in result || 'refused' in result)) open.add(commands[position] as Command<never>)
    }
  }
  return { results, hasEvents }
}

/** Runs the commands again whose internal account was full, with one that has room. The others are committed. */
async function afterFullAccounts(
  runner: Runner,
  commands: Command<never>[],
  attempt: Attempt,
  freshAccounts: number,
  { results, hasEvents }: Committed,
): Promise<Ended> {
  const full: Part = []
  for (const [position, result] of results.entries()) if ('full' in result) full.push(position)
  if (full.length === 0) return { results: results as Result[], hasEvents }
  const isFruitless = full.length === commands.length
  let again: Ended
  try {
    if (isFruitless && freshAccounts === MAX_FRESH_ACCOUNTS) throw new Problem('balance_limit')
    await replaceFull(runner, commands, results)
    again = await runParts(runner, commands, [full], attempt, isFruitless ? freshAccounts + 1 : 0)
  } catch (error) {
    again = { results: commands.map(() => ({ refused: error })), hasEvents: false }
  }
  for (const position of full) results[position] = again.results[position] as Result
  return { results: results as Result[], hasEvents: hasEvents || again.hasEvents }
}

async function replaceFull(runner: Runner, commands: Command<never>[], results: Committed['results']): Promise<void> {
  const replaced = new Set<string>()
  for (const [position, result] of results.entries()) {
    const organisationId = commands[position]?.write.caller.organisationId
    if (!('full' in result) || organisationId === undefined) continue
    const name = `${organisationId} ${result.full}`
    if (!replaced.has(name)) await runner.accounts.replaceFull(organisationId, result.full, runner.slot ?? 0)
    replaced.add(name)
  }
}
