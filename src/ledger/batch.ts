import type { Answer } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { type DatabaseOptions, openDatabase, type Timeouts } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { type RecordEvents, recordEvents } from '../events/record.ts'
import { KeyTaken } from '../idempotency/run-once.ts'
import { type Attempt, halvesOf, type Lock, type Locking, organisationsOf, type Part, stepAfter } from './attempts.ts'
import { type Committed, decideBatch } from './batch-transaction.ts'
import type { Command, Internals } from './books.ts'
import { openInternalAccounts, takeFreeSlot } from './internal-accounts.ts'
import * as ledgerSql from './ledger.sql.ts'
import type { InternalKind } from './records.ts'

/** One connection on which batches are decided and committed, one after the other. */
export interface BatchRunner {
  /** Never rejects: an error becomes the result of the commands that it concerns. */
  run(commands: Command<never>[], locking?: Locking): Promise<Ended>
  /** The internal account that this connection posts to. */
  internalAccount(organisationId: number, kind: InternalKind): Promise<number>
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

export interface BatchOptions {
  servers: DatabaseOptions['servers']
  ids: RecordIds
  timeouts: Timeouts
  /** The statements; a test plants wrong ones to see that it can fail. */
  sql?: Pick<typeof ledgerSql, 'lockAccounts' | 'writeRows'>
  recordEvents?: RecordEvents
}

/** After a key that has an answer, the next 100 batches look keys up first: repeated requests come in runs. */
const BATCHES_WITH_KEYS = 100
/** Internal accounts to try in a row for one command. One is enough, unless processes that share a slot fill it, too. */
const MAX_FRESH_ACCOUNTS = 5

export function openBatchRunner(options: BatchOptions): BatchRunner {
  const { servers, ids, timeouts, sql = ledgerSql, recordEvents: record = recordEvents } = options
  let slot: number | undefined
  const database = openDatabase({
    servers,
    connections: 1,
    timeouts,
    pipeline: true,
    greet: async (connection) => {
      // The connection may lead to another server than the ids in memory came from.
      ids.drop()
      await ledgerSql.fixPlans(connection)
      slot = await takeFreeSlot(connection)
    },
  })
  const accounts = openInternalAccounts(database, ids)
  let batchesWithKeys = 0

  async function internalAccount(organisationId: number, kind: InternalKind): Promise<number> {
    // A slot is taken with the connection, which the first transaction opens.
    if (slot === undefined) await database.transaction(async () => undefined)
    return accounts.current(organisationId, kind, slot ?? 0)
  }

  async function internalsOf(commands: Command<never>[]): Promise<Internals> {
    const internals: Internals = new Map()
    for (const { write, internal = [] } of commands) {
      const { organisationId } = write.caller
      const ofOrganisation = internals.get(organisationId) ?? {}
      internals.set(organisationId, ofOrganisation)
      for (const kind of internal) ofOrganisation[kind] ??= await internalAccount(organisationId, kind)
    }
    return internals
  }

  async function commit(commands: Command<never>[], attempt: Attempt): Promise<Committed> {
    const internals = await internalsOf(commands)
    const { results, written, hasEvents } = await database.transaction((transaction) =>
      decideBatch({ transaction, sql, record, commands, internals, attempt }),
    )
    // COMMIT after a statement that failed rolls back, so the statement's error counts.
    await written
    return { results, hasEvents }
  }

  async function run(commands: Command<never>[], attempt: Attempt, freshAccounts = 0): Promise<Ended> {
    let committed: Committed
    try {
      committed = await commit(commands, attempt)
    } catch (error) {
      if (error instanceof KeyTaken) batchesWithKeys = BATCHES_WITH_KEYS
      return afterFailure(error, commands, attempt)
    }
    return afterFullAccounts(commands, committed, attempt, freshAccounts)
  }

  function afterFailure(error: unknown, commands: Command<never>[], attempt: Attempt): Promise<Ended> {
    const step = stepAfter(error, attempt)
    if (typeof step === 'object') return run(commands, step)
    if (step === 'halves' && commands.length > 1) return runParts(commands, halvesOf(commands), attempt)
    const organisations = organisationsOf(commands)
    if (step === 'organisations' && organisations.length > 1) return runParts(commands, organisations, attempt)
    const results = commands.map(
      ({ write }): Result =>
        step === 'organisations' ? { held: [`organisation ${write.caller.organisationId}`] } : { refused: error },
    )
    return Promise.resolve({ results, hasEvents: false })
  }

  async function runParts(
    commands: Command<never>[],
    parts: Part[],
    attempt: Attempt,
    freshAccounts = 0,
  ): Promise<Ended> {
    const results: Result[] = []
    let hasEvents = false
    for (const part of parts) {
      const partCommands = part.map((position) => commands[position] as Command<never>)
      const ended = await run(partCommands, attempt, freshAccounts)
      hasEvents ||= ended.hasEvents
      for (const [index, position] of part.entries()) results[position] = ended.results[index] as Result
    }
    return { results, hasEvents }
  }

  /** Runs the commands again whose internal account was full, with one that has room. The others are committed. */
  async function afterFullAccounts(
    commands: Command<never>[],
    { results, hasEvents }: Committed,
    attempt: Attempt,
    freshAccounts: number,
  ): Promise<Ended> {
    const full: Part = []
    for (const [position, result] of results.entries()) if ('full' in result) full.push(position)
    if (full.length === 0) return { results: results as Result[], hasEvents }
    const isFruitless = full.length === commands.length && freshAccounts >= MAX_FRESH_ACCOUNTS
    const ended = isFruitless
      ? { results: results.map((): Result => ({ refused: new Problem('balance_limit') })), hasEvents: false }
      : await replaceFull(commands, results).then(
          () => runParts(commands, [full], attempt, full.length === commands.length ? freshAccounts + 1 : 0),
          (error: unknown) => ({ results: results.map((): Result => ({ refused: error })), hasEvents: false }),
        )
    for (const position of full) results[position] = ended.results[position] as Result
    return { results: results as Result[], hasEvents: hasEvents || ended.hasEvents }
  }

  async function replaceFull(commands: Command<never>[], results: Committed['results']): Promise<void> {
    const replaced = new Set<string>()
    for (const [position, result] of results.entries()) {
      const organisationId = commands[position]?.write.caller.organisationId
      if (!('full' in result) || organisationId === undefined) continue
      const name = `${organisationId} ${result.full}`
      if (!replaced.has(name)) await accounts.replaceFull(organisationId, result.full, slot ?? 0)
      replaced.add(name)
    }
  }

  return {
    run(commands, locking = 'wait') {
      const readKeys = locking === 'skip' || batchesWithKeys > 0
      if (batchesWithKeys > 0) batchesWithKeys--
      return run(commands, { locking, readKeys })
    },
    internalAccount,
    close: () => database.close(),
  }
}
