import { clock } from '../../base/clock.ts'
import { messageOf } from '../../base/message-of.ts'
import { repeat } from '../../base/tasks/repeat.ts'
import { after } from '../../database/connection.ts'
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  plainTimeouts,
  type Queryable,
} from '../../database/database.ts'
import { DatabaseUnavailable, UnsuitableServer } from '../../database/errors.ts'
import { openLag } from './lag.ts'
import {
  findPrimaryPlace,
  findStandbyPlace,
  type PrimaryPlace,
  refuseWrites,
  type StandbyPlace,
} from './standby.sql.ts'
import { READ_MS, Visit } from './visit.ts'

/** The pause between two looks at primary and standby. */
const LOOK_MS = 250
/** The same while the standby is not used. */
const LOOK_AGAIN_MS = 1_000
/** The longest look unless another limit is said. */
const ANSWER_MS = 1_000
/** The result of a look is believed for so long. */
const BELIEF_MS = 2_000
/** Reasons that are reported until the standby is used again: those of a server that is away may alternate. */
const MAX_REASONS = 5
/** As many as requests have at the primary. */
const CONNECTIONS = 10

/** A change of the state of a standby. The reason says why it is not used. */
export type StandbyChange = { used: true } | { used: false; reason: string }

export interface StandbyOptions {
  /** The standby, or several servers, of which the first one that is a standby of this database is used. */
  servers: DatabaseOptions['servers']
  /** The servers of the primary. */
  primary: DatabaseOptions['servers']
  /** A standby that takes longer to answer a look is not used. */
  answerMs?: number
}

/** The result of a look. */
interface Look {
  atMs: number
  /** The moment whose state the standby has; undefined if it is unknown. */
  asOfMs: number | undefined
  /** The lost connections to the primary. If there is another one since, another server may have become the primary. */
  epoch: number
}

/**
 * A standby that answers reads. Four times a second it finds out whether the server still is a standby of this database, and
 * how old its state is. Nothing waits for it: while it is away, hangs or was promoted, there is no visit.
 */
export class Standby {
  /** Leads to the server that is used at the moment, and fails while there is none. */
  readonly database: Database
  readonly #servers: DatabaseOptions['servers']
  readonly #primary: Database
  readonly #answerMs: number
  readonly #lag = openLag()
  /** The primary at the latest look. */
  #place: PrimaryPlace | undefined
  #probe: Database | undefined
  #visit: Visit | undefined
  #look: Look | undefined
  #lookAgainMs = 0
  #changed: (change: StandbyChange) => void = () => undefined
  /** The reasons that were reported since the standby was used. */
  readonly #reasons = new Set<string>()
  #stop: () => Promise<void> = async () => undefined
  #closed = false
  readonly #closing = new Set<Promise<void>>()

  constructor({ servers, primary, answerMs = ANSWER_MS }: StandbyOptions) {
    this.#servers = servers
    this.#answerMs = answerMs
    this.#primary = openDatabase({ servers: primary, connections: 1, timeouts: lookTimeouts })
    this.database = databaseOf(() => this.#visit)
  }

  /** Begins to look at primary and standby. `changed` learns when the standby goes and comes. */
  start(changed: (change: StandbyChange) => void): void {
    this.#changed = changed
    // A primary that does not answer is found out by others. Here the latest look grows old.
    this.#stop = repeat(
      () => this.look(),
      LOOK_MS,
      () => undefined,
    )
  }

  /** Begins a read of a state that is at most so old. Undefined if the standby cannot answer it. */
  visit(maxAgeMs = Number.POSITIVE_INFINITY): Visit | undefined {
    const ageMs = this.ageMs()
    return ageMs !== undefined && ageMs <= maxAgeMs ? this.#visit : undefined
  }

  /** How old the state of the standby is; undefined while it is not used. */
  ageMs(): number | undefined {
    if (!this.#visit || !this.#look) return undefined
    const { atMs, asOfMs, epoch } = this.#look
    const nowMs = clock.elapsedMs()
    if (asOfMs === undefined || nowMs - atMs > BELIEF_MS || epoch !== this.#primary.epoch()) return undefined
    return nowMs - asOfMs
  }

  /** Looks at primary and standby. Rejects if the primary does not answer. */
  async look(): Promise<void> {
    const atMs = clock.elapsedMs()
    if (!this.#visit && atMs < this.#lookAgainMs) return
    const epoch = this.#primary.epoch()
    const place = await findPrimaryPlace(this.#primary)
    if (this.#closed) return
    this.#place = place
    this.#lag.sampled(place, atMs)
    this.#probe ??= this.#open(1, lookTimeouts, (there) => faultOf(there, this.#place))
    const probe = this.#probe
    const ms = this.#answerMs
    const cancel = after(ms, () => this.#leave(`the standby did not answer within ${ms} ms`))
    try {
      const there = await findStandbyPlace(probe)
      // The standby was left meanwhile, because the answer took long or a read failed.
      if (probe !== this.#probe) return
      const fault = faultOf(there, place)
      if (fault !== undefined) throw new DatabaseUnavailable(fault)
      this.#use(there, { atMs, asOfMs: this.#lag.asOfMs(there.replayed), epoch })
    } catch (error) {
      if (probe === this.#probe) this.#leave(messageOf(error))
    } finally {
      cancel()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#leave('the service stops')
    await this.#stop()
    await Promise.all([this.#primary.close(), ...this.#closing])
  }

  #open(connections: number, timeouts: DatabaseOptions['timeouts'], fault: Fault): Database {
    const greet = async (connection: Queryable) => {
      const found = fault(await findStandbyPlace(connection).catch(withoutTables))
      if (found !== undefined) throw new UnsuitableServer(found)
      await refuseWrites(connection)
    }
    return openDatabase({ servers: this.#servers, connections, timeouts, standby: true, greet })
  }

  #use(there: StandbyPlace, look: Look): void {
    if (this.#visit && this.#visit.started !== there.started) this.#leave('another server answers in its place')
    this.#look = look
    if (this.#visit || look.asOfMs === undefined) return
    const { started } = there
    const sameServer: Fault = (other) => (other.started === started ? undefined : 'another server answers in its place')
    this.#visit = new Visit(this.#open(CONNECTIONS, readTimeouts, sameServer), started, (reason) => this.#leave(reason))
    this.#reasons.clear()
    this.#changed({ used: true })
  }

  #leave(reason: string): void {
    const [probe, visit] = [this.#probe, this.#visit]
    ;[this.#probe, this.#visit, this.#look] = [undefined, undefined, undefined]
    this.#lookAgainMs = clock.elapsedMs() + LOOK_AGAIN_MS
    for (const database of [probe, visit?.database]) if (database) this.#close(database)
    visit?.end(reason)
    if (this.#closed || this.#reasons.has(reason) || this.#reasons.size >= MAX_REASONS) return
    this.#reasons.add(reason)
    this.#changed({ used: false, reason })
  }

  /** Closes connections without waiting for a server that hangs. */
  #close(database: Database): void {
    const closed = database.close().finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
  }
}

type Fault = (there: StandbyPlace) => string | undefined

const lookTimeouts = { ...plainTimeouts, lockMs: ANSWER_MS, statementMs: 2 * ANSWER_MS }
const readTimeouts = { ...plainTimeouts, lockMs: ANSWER_MS, statementMs: READ_MS }

/** The reason why a server is not used as a standby of the primary. */
function faultOf({ bank, history, inRecovery }: StandbyPlace, primary: PrimaryPlace | undefined): string | undefined {
  if (bank !== primary?.bank) return 'the server has another database, which is no copy of that of the primary'
  if (!inRecovery) return 'the server takes writes: it is a primary, not a standby'
  if (history !== primary.history) return 'the server follows another one than the primary, or is far behind it'
  return undefined
}

/** PostgreSQL's code for a table that does not exist. */
const NO_TABLE = '42P01'

/** The reason why a database without tables is not used. */
function withoutTables(error: unknown): never {
  if ((error as { code?: unknown }).code !== NO_TABLE) throw error
  throw new UnsuitableServer(
    'the server has no tables of Purser: it has another database, or is far behind the primary',
  )
}

/** A database that leads to the server of a visit. */
function databaseOf(visit: () => Visit | undefined): Database {
  const server = () => {
    const database = visit()?.database
    if (!database) throw new DatabaseUnavailable('the standby is not used')
    return database
  }
  return {
    query: async (text, values, use) => server().query(text, values, use),
    transaction: async (work, options) => server().transaction(work, options),
    epoch: () => server().epoch(),
    connections: () => server().connections(),
    isDown: () => visit() === undefined,
    oldestMs: () => server().oldestMs(),
    close: async () => undefined,
  }
}
