import { clock } from '../base/clock.ts'
import { after } from './connection.ts'
import { type DatabaseOptions, openDatabase, plainTimeouts } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { WRITE_NOTHING } from './session.sql.ts'

/** How often the age of unanswered work is looked at. */
const LOOK_MS = 250
/** Work that takes longer than this gives reason to ask whether the database takes writes. */
const SLOW_MS = 1_000
/** The `heldUpMs` of the service. */
const HELD_UP_MS = 3_000

/**
 * Knows whether a COMMIT is answered. A server that is alive may still hold up every COMMIT: in strict synchronous
 * replication while no standby is there, or on a disk that hangs. Writes that are sent then would wait for seconds and end
 * with an unknown outcome, so they are refused at once instead.
 */
export interface WriteWatch {
  /** Throws DatabaseUnavailable while COMMITs are held up. */
  requireWrites(): void
  /** Writes nothing, and waits for its COMMIT as every write does. Callers at the same time share one. */
  probe(): Promise<void>
  close(): Promise<void>
}

export interface WriteWatchOptions {
  servers: DatabaseOptions['servers']
  /** For how long the oldest work of the service has been with the database. */
  oldestMs(): number
  /** A write of nothing that takes longer than this is held up: others would be, too. */
  heldUpMs?: number | undefined
}

export function openWriteWatch({ servers, oldestMs, heldUpMs = HELD_UP_MS }: WriteWatchOptions): WriteWatch {
  // On a connection of its own: those of the service may all be waiting for a COMMIT.
  const database = openDatabase({ servers, connections: 1, timeouts: plainTimeouts })
  let probing: { done: Promise<void>; sinceMs: number } | undefined
  let heldUp = false

  function probe(): Promise<void> {
    // One that began before may fail although the database is back.
    return probing ? probing.done.catch(() => probing?.done ?? begin()) : begin()
  }

  function begin(): Promise<void> {
    const done = database.transaction(async (transaction) => {
      await transaction.query(WRITE_NOTHING)
    })
    const cancel = after(heldUpMs, () => {
      heldUp = true
    })
    probing = { done, sinceMs: clock.elapsedMs() }
    const ended = () => {
      cancel()
      probing = undefined
    }
    // A probe that fails proves nothing: whether the server can be reached is for the pools to find out.
    done.then(() => {
      ended()
      heldUp = false
    }, ended)
    return done
  }

  const looking = setInterval(() => {
    if (heldUp || oldestMs() > SLOW_MS) probe().catch(() => undefined)
  }, LOOK_MS)
  looking.unref()

  return {
    requireWrites() {
      if (heldUp) throw new DatabaseUnavailable('the database holds up every COMMIT')
    },
    probe,
    close: async () => {
      clearInterval(looking)
      await database.close()
    },
  }
}
