import { StartupError } from '../base/startup-error.ts'
import type { Queryable } from '../database/database.ts'
import { connectionsAllowed } from './connections.sql.ts'

/** Connections for commands of the operator, for the owner of the embedded server, and for looking after a silent one. */
const SPARE = 8

/** The connections that a server has to allow. */
export function connectionsFor(processes: number, ofOne: number): number {
  return processes * ofOne + SPARE
}

/** Refuses to start more processes than the server has connections for: the last ones would wait for them for ever. */
export async function requireConnections(database: Queryable, processes: number, ofOne: number): Promise<void> {
  const allowed = await connectionsAllowed(database)
  const needed = connectionsFor(processes, ofOne)
  if (needed <= allowed) return
  const fitting = Math.max(1, Math.floor((allowed - SPARE) / ofOne))
  throw new StartupError(
    `PURSER_PROCESSES=${processes} needs ${needed} connections, ${ofOne} for each process, and the database allows ${allowed}: raise max_connections, or set PURSER_PROCESSES to ${fitting}`,
  )
}
