import type { Backend } from '../backend/backend.ts'
import type { Closers } from '../base/closers.ts'
import { messageOf } from '../base/message-of.ts'
import { StartupError } from '../base/startup-error.ts'
import { ENDED, repeat } from '../base/tasks/repeat.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import type { Log } from '../http/log.ts'

/** A cell beside the home cell. Its database may be away, at the start too. */
export interface FurtherCell {
  name: string
  /** Prepares the database and opens the cell. Rejects while the database is away. */
  open(): Promise<Backend>
  /** Closes the cell, whether it was opened or not. */
  closers: Closers
}

/** How long a start waits for a further cell. After that it goes on, and the cell joins when it is there. */
const FIRST_WAIT_MS = 10_000
const RETRY_MS = 1_000

/**
 * Opens a further cell, now or when its database can be reached, and hands it to `joined`. The start fails for reasons that only
 * an operator can mend, such as a database that belongs to another cell; not for a database that is away.
 */
export async function joinCell(
  { name, open, closers }: FurtherCell,
  { log, joined, waitMs = FIRST_WAIT_MS }: { log: Log; joined(cell: Backend): void; waitMs?: number },
): Promise<void> {
  let reported: string | undefined
  let starting = true
  const attempt = async () => {
    const cell = await open()
    if (closers.closing) return ENDED
    joined(cell)
    if (reported !== undefined) log.info({ cell: name }, 'the cell has joined')
    return ENDED
  }
  const report = (error: unknown) => {
    const reason = messageOf(error)
    if (reason !== reported && !closers.closing) log.warn({ cell: name, reason }, 'the cell is away')
    reported = reason
  }
  const first = attempt().catch((error: unknown) => {
    if (starting && (error instanceof StartupError || !(error instanceof DatabaseUnavailable))) throw error
    report(error)
    return undefined
  })
  const outcome = await Promise.race([first, late(waitMs)])
  starting = false
  if (outcome === ENDED) return
  if (outcome === LATE) report(new DatabaseUnavailable(`the database was not prepared within ${waitMs} ms`))
  // An attempt that is still under way is waited for before the next one.
  closers.add(repeat(async () => ((await first) === ENDED ? ENDED : attempt()), RETRY_MS, report))
}

const LATE = Symbol('late')

function late(ms: number): Promise<typeof LATE> {
  return new Promise((resolve) => setTimeout(() => resolve(LATE), ms).unref())
}
