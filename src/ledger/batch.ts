import type { Answer, Write } from '../base/operation.ts'
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
import { KeyTaken } from '../idempotency/run-once.ts'
import { type Command, decideAll, type Internals, type Rows } from './books.ts'
import * as ledgerSql from './ledger.sql.ts'
import type { InternalKind, LedgerAccount } from './records.ts'
import * as rewardsSql from './rewards.sql.ts'

const internalNames: Record<InternalKind, string> = {
  ach_clearing: 'ACH clearing',
  card_settlement: 'Card settlement',
  rewards_funding: 'Rewards funding',
}

/** A command that somebody waits for. */
export interface Job {
  command: Command<never>
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** One connection on which batches are decided and committed, one after the other. */
export interface Track {
  /** Never rejects. Answers with what tells those who wait what became of their jobs, where they do not know yet. */
  run(jobs: Job[]): Promise<() => void>
  /** The bank's own account that this track posts to. */
  internalAccount(organisationId: number, kind: InternalKind): Promise<number>
  close(): Promise<void>
}

export interface TrackOptions {
  servers: DatabaseOptions['servers']
  ids: RecordIds
  timeouts?: Timeouts
  /** Called when events have been committed. */
  committed?: () => void
  /** The statements; a test plants wrong ones to see that it can fail. */
  sql?: Pick<typeof ledgerSql, 'lockAccounts' | 'writeRows'>
}

/** Short ones: whoever waits for a track waits for all of them. */
const trackTimeouts: Timeouts = { lockMs: 2_000, statementMs: 10_000, idleMs: 5_000 }
const SLOTS = 64
/** Who repeats one request is likely to repeat more. */
const WARY = 100

export function openTrack(options: TrackOptions): Track {
  const { servers, ids, timeouts = trackTimeouts, committed, sql = ledgerSql } = options
  let slot: number | undefined
  const database = openDatabase({
    servers,
    connections: 1,
    timeouts,
    pipeline: true,
    greet: async (connection) => {
      await ledgerSql.fixPlans(connection)
      slot = await freeSlot(connection)
    },
  })
  const internals = internalAccounts(database, ids)
  /** Batches left that look first whether their keys have answers, since one was found to have. */
  let wary = 0

  async function internalAccount(organisationId: number, kind: InternalKind): Promise<number> {
    // The slot is known once there is a connection.
    if (slot === undefined) await ledgerSql.findInternalAccount(database, organisationId, kind, 0)
    return internals(organisationId, kind, slot ?? 0)
  }

  /** The internal accounts that a batch posts to. */
  async function internalsOf(jobs: Job[]): Promise<Internals> {
    const found: Internals = new Map()
    for (const { command } of jobs) {
      const { organisationId } = command.write.caller
      const own = found.get(organisationId) ?? {}
      found.set(organisationId, own)
      for (const kind of command.internal ?? []) own[kind] ??= await internalAccount(organisationId, kind)
    }
    return found
  }

  async function run(jobs: Job[], skipLocked = false, look = wary > 0): Promise<() => void> {
    if (wary > 0) wary--
    try {
      const internals = await internalsOf(jobs)
      const { results, written, told } = await database.transaction((transaction) =>
        attempt(transaction, { jobs, internals, skipLocked, look }),
      )
      // COMMIT after a statement that failed rolls back: what the statement says is what happened.
      await written
      // Not here, where whatever fails has the batch run again: it is committed.
      return () => {
        settle(jobs, results)
        if (told) committed?.()
      }
    } catch (error) {
      // Somebody sits on an account: the commands that need it are told to come back, the others go on.
      if (error instanceof LockTimeout && !skipLocked) return run(jobs, true, true)
      const hopeless = error instanceof CommitLost || error instanceof DatabaseUnavailable
      // Most keys are new, and the answer's own row refuses the others: only when a batch fails is it worth to look.
      if (!hopeless && !look) {
        if (error instanceof KeyTaken) wary = WARY
        return run(jobs, skipLocked, true)
      }
      if (hopeless || jobs.length === 1) return () => refuse(jobs, error)
      // One poisoned command must not fail its neighbours.
      for (const job of jobs) {
        const tell = await run([job], skipLocked, true)
        tell()
      }
      return () => undefined
    }
  }

  async function attempt(transaction: Queryable, { jobs, internals, skipLocked, look }: Attempt): Promise<Attempted> {
    const commands = jobs.map(({ command }) => command)
    const writes = commands.map(({ write }) => write)
    const wanted = (name: 'accountIds' | 'payeeIds' | 'paymentIds' | 'cardIds' | 'authorizationIds') => {
      const ids: number[] = []
      for (const command of commands) ids.push(...(command[name] ?? []))
      return ids
    }
    const own = [...internals.values()].flatMap((found) => Object.values(found))
    const ids = [...new Set([...own, ...wanted('accountIds')])]
    // Sent one behind the other and run in this order: each wait here would be one for the whole event loop.
    const [accounts, earning, { times, taken }, payees] = await Promise.all([
      skipLocked ? ledgerSql.lockFreeAccounts(transaction, ids) : sql.lockAccounts(transaction, ids),
      rewardsSql.lockEarning(transaction, commands),
      ledgerSql.readTimesAndKeys(
        transaction,
        [...new Set(writes.map(({ caller }) => caller.organisationId))],
        look ? writes.filter(({ key }) => key.fromCaller).map(({ key }) => key.hash) : [],
      ),
      ledgerSql.readPayees(transaction, wanted('payeeIds')),
    ])
    const held = skipLocked ? await heldElsewhere(transaction, ids, accounts) : new Set<number>()
    const isTaken = ({ caller, key }: Write<never>) =>
      taken.some(({ organisationId, hash }) => organisationId === caller.organisationId && hash.equals(key.hash))
    const payouts = earning.purchases.flatMap(({ reward }) => reward?.paymentId ?? [])
    const payments = await ledgerSql.readPayments(transaction, [...wanted('paymentIds'), ...payouts])
    const cards = await ledgerSql.readCards(transaction, wanted('cardIds'))
    const authorizations = await ledgerSql.readAuthorizations(transaction, wanted('authorizationIds'))

    const results: Result[] = jobs.map(({ command }) => {
      if (taken.length > 0 && isTaken(command.write)) return { refused: new KeyTaken() }
      return held.size > 0 && accountsOf(command, internals).some((id) => held.has(id))
        ? { refused: new LockTimeout('an account is held') }
        : undefined
    })
    const free = jobs.filter((_job, position) => results[position] === undefined)
    const { outcomes, rows } = decideAll(
      { accounts, internals, payees, payments, cards, authorizations, times, ...earning },
      free.map(({ command }) => command),
    )
    if (rows.answers.length > 0) {
      await ledgerSql.writeChangedPayments(transaction, rows)
      await ledgerSql.writeAuthorizations(transaction, rows)
      await rewardsSql.writePurchases(transaction, rows)
    }
    // Not waited for here: COMMIT goes out right behind them.
    const written = rows.answers.length > 0 ? write(transaction, rows) : Promise.resolve()
    written.catch(() => undefined)
    const decided = outcomes.values()
    return { results: results.map((result) => result ?? decided.next().value), written, told: rows.events.length > 0 }
  }

  /** Events last. Should the rows fail, the events behind them fail for that reason alone: the rows' error is told. */
  function write(transaction: Queryable, rows: Rows): Promise<void> {
    const written = sql.writeRows(transaction, rows)
    written.catch(() => undefined)
    const told = recordEvents(transaction, rows.events)
    told.catch(() => undefined)
    return written.then(() => told)
  }

  return { run: (jobs) => run(jobs), internalAccount, close: () => database.close() }
}

function accountsOf({ write, accountIds, internal = [] }: Command<never>, internals: Internals): number[] {
  const own = internals.get(write.caller.organisationId)
  return [...accountIds, ...internal.map((kind) => own?.[kind] ?? 0)]
}

interface Attempt {
  jobs: Job[]
  internals: Internals
  skipLocked: boolean
  /** Whether to look first which keys have answers. */
  look: boolean
}

interface Attempted {
  results: Result[]
  written: Promise<void>
  /** Whether there are events among what is written. */
  told: boolean
}

type Result = { answer: Answer } | { refused: unknown } | undefined

function settle(jobs: Job[], results: Result[]): void {
  for (const [position, job] of jobs.entries()) {
    const result = results[position]
    if (result && 'answer' in result) job.resolve(result.answer)
    else job.reject(result?.refused)
  }
}

function refuse(jobs: Job[], error: unknown): void {
  for (const job of jobs) job.reject(error)
}

async function heldElsewhere(transaction: Queryable, ids: number[], locked: LedgerAccount[]): Promise<Set<number>> {
  const held = await ledgerSql.existingAccounts(transaction, ids)
  for (const { id } of locked) held.delete(id)
  return held
}

/** Each track posts to internal accounts of its own slot, so that no two queue up at one clearing account. */
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
