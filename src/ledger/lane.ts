import { clock } from '../base/clock.ts'
import type { Answer, Write } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import {
  CommitLost,
  type Database,
  type DatabaseOptions,
  DatabaseUnavailable,
  LockTimeout,
  openDatabase,
  type Queryable,
  type Timeouts,
} from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { recordEvents } from '../events/record.ts'
import { KeyTaken } from '../write/perform.ts'
import { type Command, decideAll, type LedgerAccount, type Rows } from './books.ts'
import * as ledgerSql from './ledger.sql.ts'
import * as rewardsSql from './rewards.sql.ts'

/** The bank's own accounts, one of each kind an organisation and slot. */
const internalNames = {
  ach_clearing: 'ACH clearing',
  card_settlement: 'Card settlement',
  rewards_funding: 'Rewards funding',
}
type InternalKind = keyof typeof internalNames

/** The one way to move money: commands that arrive while a batch runs are decided and committed together in the next. */
export interface Lane {
  /** One attempt at a command, for `perform.once`. */
  run<Data>(command: Command<Data>): Promise<Answer>
  internalAccount(organisationId: number, kind: InternalKind): Promise<number>
  close(): Promise<void>
}

export interface LaneOptions {
  servers: DatabaseOptions['servers']
  ids: RecordIds
  timeouts?: Timeouts
  /** Commands in one transaction. */
  mostInBatch?: number
  /** Commands that may wait; half of them for one organisation. */
  mostWaiting?: number
  /** Is told of every batch: its commands, and how long the first of them has waited. */
  observe?: (commands: number, waitMs: number) => void
  /** The statements; a test plants wrong ones to see that it can fail. */
  sql?: Pick<typeof ledgerSql, 'lockAccounts' | 'writeRows'>
}

/** Short ones: whoever waits for the lane waits for all of them. */
const laneTimeouts: Timeouts = { lockMs: 2_000, statementMs: 10_000, idleMs: 5_000 }
const SLOTS = 64

interface Job {
  command: Command<never>
  resolve(answer: Answer): void
  reject(error: unknown): void
  /** When it came; 0 where nobody wants to know. */
  sinceMs: number
}

export function openLane(options: LaneOptions): Lane {
  const { servers, ids, timeouts = laneTimeouts, mostInBatch = 500, mostWaiting = 5_000, sql = ledgerSql } = options
  const { observe } = options
  let slot = 0
  const database = openDatabase({
    servers,
    connections: 1,
    timeouts,
    pipeline: true,
    greet: async (connection) => {
      await ledgerSql.alwaysUseIndexes(connection)
      slot = await freeSlot(connection)
    },
  })
  const internals = internalAccounts(database, ids)
  const waiting: Job[] = []
  const waitingOf = new Map<number, number>()
  let draining = false

  async function drain(): Promise<void> {
    draining = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostInBatch)
      for (const job of batch) count(job, -1)
      observe?.(batch.length, clock.elapsedMs() - (batch[0]?.sinceMs ?? 0))
      await runBatch(batch)
    }
    draining = false
  }

  function count({ command }: Job, change: number): number {
    const { organisationId } = command.write.caller
    const number = (waitingOf.get(organisationId) ?? 0) + change
    if (number > 0) waitingOf.set(organisationId, number)
    else waitingOf.delete(organisationId)
    return number
  }

  /** Never rejects: every job of the batch is settled, one way or the other. */
  async function runBatch(jobs: Job[], skipLocked = false): Promise<void> {
    try {
      const { results, written } = await database.transaction((transaction) => attempt(transaction, jobs, skipLocked))
      // COMMIT after a statement that failed rolls back: what the statement says is what happened.
      await written
      settle(jobs, results)
    } catch (error) {
      // Somebody sits on an account: the commands that need it are told to come back, the others go on.
      if (error instanceof LockTimeout && !skipLocked) return runBatch(jobs, true)
      const hopeless = error instanceof CommitLost || error instanceof DatabaseUnavailable
      if (hopeless || jobs.length === 1) for (const job of jobs) job.reject(error)
      // One poisoned command must not fail its neighbours.
      else for (const job of jobs) await runBatch([job], skipLocked)
    }
  }

  async function attempt(transaction: Queryable, jobs: Job[], skipLocked: boolean): Promise<Attempted> {
    const ids = [...new Set(jobs.flatMap(({ command }) => command.accountIds))]
    const writes = jobs.map(({ command }) => command.write)
    // Sent one behind the other and run in this order: each wait here would be one for the whole event loop.
    const [accounts, earning, { times, taken }] = await Promise.all([
      skipLocked ? ledgerSql.lockFreeAccounts(transaction, ids) : sql.lockAccounts(transaction, ids),
      rewardsSql.lockEarning(
        transaction,
        jobs.map(({ command }) => command),
      ),
      ledgerSql.readTimesAndKeys(
        transaction,
        [...new Set(writes.map(({ caller }) => caller.organisationId))],
        writes.filter(({ key }) => key.fromCaller).map(({ key }) => key.hash),
      ),
    ])
    const held = skipLocked ? await heldElsewhere(transaction, ids, accounts) : new Set()
    const isTaken = ({ caller, key }: Write<never>) =>
      taken.some(({ organisationId, hash }) => organisationId === caller.organisationId && hash.equals(key.hash))
    const wanted = (name: 'paymentIds' | 'cardIds' | 'authorizationIds') =>
      jobs.flatMap(({ command }) => command[name] ?? [])
    const payouts = earning.purchases.flatMap(({ reward }) => reward?.paymentId ?? [])
    const payments = await ledgerSql.readPayments(transaction, [...wanted('paymentIds'), ...payouts])
    const cards = await ledgerSql.readCards(transaction, wanted('cardIds'))
    const authorizations = await ledgerSql.readAuthorizations(transaction, wanted('authorizationIds'))

    const results: Result[] = jobs.map(({ command }) => {
      if (taken.length > 0 && isTaken(command.write)) return { refused: new KeyTaken() }
      return command.accountIds.some((id) => held.has(id))
        ? { refused: new LockTimeout('an account is held') }
        : undefined
    })
    const free = jobs.filter((_job, position) => results[position] === undefined)
    const { outcomes, rows } = decideAll(
      { accounts, payments, cards, authorizations, times, ...earning },
      free.map(({ command }) => command),
    )
    if (rows.answers.length > 0) {
      await ledgerSql.writeAuthorizations(transaction, rows)
      await rewardsSql.writePurchases(transaction, rows)
    }
    // Not waited for here: COMMIT goes out right behind them.
    const written = rows.answers.length > 0 ? write(transaction, rows) : Promise.resolve()
    written.catch(() => undefined)
    const decided = outcomes.values()
    return { results: results.map((result) => result ?? decided.next().value), written }
  }

  /** Events last. Should the rows fail, the events behind them fail for that reason alone: the rows' error is told. */
  async function write(transaction: Queryable, rows: Rows): Promise<void> {
    const written = sql.writeRows(transaction, rows)
    const told = recordEvents(transaction, rows.events)
    told.catch(() => undefined)
    await written
    await told
  }

  return {
    run: (command) =>
      new Promise((resolve, reject) => {
        const sinceMs = observe ? clock.elapsedMs() : 0
        const job = { command: command as Command<never>, resolve, reject, sinceMs }
        if (waiting.length >= mostWaiting || count(job, 1) > mostWaiting / 2) {
          if (waiting.length < mostWaiting) count(job, -1)
          reject(new Problem('unavailable', { headers: { 'Retry-After': '1' } }))
          return
        }
        waiting.push(job)
        if (!draining) void drain()
      }),
    internalAccount: (organisationId, kind) => internals(organisationId, kind, slot),
    close: () => database.close(),
  }
}

interface Attempted {
  results: Result[]
  written: Promise<void>
}

type Result = { answer: Answer } | { refused: unknown } | undefined

function settle(jobs: Job[], results: Result[]): void {
  for (const [position, job] of jobs.entries()) {
    const result = results[position]
    if (result && 'answer' in result) job.resolve(result.answer)
    else job.reject(result?.refused)
  }
}

async function heldElsewhere(transaction: Queryable, ids: number[], locked: LedgerAccount[]): Promise<Set<number>> {
  const held = await ledgerSql.existingAccounts(transaction, ids)
  for (const { id } of locked) held.delete(id)
  return held
}

/** Each lane posts to internal accounts of its own slot, so that processes do not queue up at one clearing account. */
async function freeSlot(connection: Queryable): Promise<number> {
  for (let slot = 0; slot < SLOTS; slot++) if (await ledgerSql.takeSlot(connection, slot)) return slot
  return 0
}

function internalAccounts(database: Database, ids: RecordIds) {
  const known = new Map<string, number>()
  return async (organisationId: number, kind: InternalKind, slot: number): Promise<number> => {
    const name = `${organisationId} ${kind} ${slot}`
    const cached = known.get(name)
    if (cached !== undefined) return cached
    const account = { organisationId, kind, slot, name: internalNames[kind] }
    let id = await ledgerSql.findInternalAccount(database, organisationId, kind, slot)
    if (id === undefined) {
      await ledgerSql.insertInternalAccount(database, { ...account, id: -(await ids.next()) })
      id = await ledgerSql.findInternalAccount(database, organisationId, kind, slot)
    }
    if (id === undefined) throw new Error(`no internal account ${name}`)
    known.set(name, id)
    return id
  }
}
