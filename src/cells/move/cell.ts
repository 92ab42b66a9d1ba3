import type { Closers } from '../../base/closers.ts'
import { StartupError } from '../../base/startup-error.ts'
import { type Database, openDatabase, plainTimeouts } from '../../database/database.ts'
import { visitServers } from '../../database/visit.ts'
import type { CellPlace } from '../settings.ts'
import { pingConnection, takeMoveLock } from './locks.sql.ts'

/** One of the two cells of a move. */
export interface MoveCell {
  name: string
  /** Absent for the embedded server. */
  url: string | undefined
  /** One connection, which holds the lock of moves, and later the fence. */
  held: Database
  /** Another connection for everything else. */
  work: Database
  close(): Promise<void>
}

type Servers = Parameters<typeof openDatabase>[0]['servers']

/** Runs `work` in a cell that no other move works in meanwhile. Refuses if one does. */
export function visitMoveCell<T>(place: CellPlace, work: (cell: MoveCell) => Promise<T>, closers: Closers): Promise<T> {
  return visitServers(
    place,
    async (servers) => {
      const cell = await openMoveCell(place.name, place.databaseUrl, servers)
      try {
        return await work(cell)
      } finally {
        await cell.close()
      }
    },
    closers,
  )
}

/** Opens a cell for a move. Refuses if another move works in it. */
async function openMoveCell(name: string, url: string | undefined, servers: Servers): Promise<MoveCell> {
  // Copies and comparisons take as long as they take.
  const timeouts = { ...plainTimeouts, statementMs: 0, idleMs: 600_000 }
  let isHeld = false
  const greet = async (connection: Parameters<typeof takeMoveLock>[0]) => {
    isHeld = await takeMoveLock(connection)
  }
  const held = openDatabase({ servers, connections: 1, timeouts, greet })
  const work = openDatabase({ servers, connections: 1, timeouts })
  const close = async () => {
    await Promise.all([held.close(), work.close()])
  }
  try {
    await pingConnection(held)
  } catch (error) {
    await close()
    throw error
  }
  if (isHeld) return { name, url, held, work, close }
  await close()
  throw new StartupError(`another move works in the cell ${name}: wait for its end`)
}
