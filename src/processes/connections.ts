import { StartupError } from '../base/startup-error.ts'
import type { Queryable } from '../database/database.ts'
import { connectionsAllowed } from './connections.sql.ts'

/** Connections for commands of the operator, for the owner of the embedded server, and for looking after a silent one. */
const SPARE = 8

/** The connections that a server has to allow. */
export function connectionsFor(processes: number, ofOne: number): number {
  return processes * ofOne + SPARE
}

/** A database that the processes connect to. */
interface Connected {
  database: Queryable
  /** The name of a further cell, for the message. */
  cell?: string | undefined
  /** How many cells are on its server, which has to allow the connections to all of them. */
  onServer?: number
}

/** Refuses to start more processes than a server has connections for: the last ones would wait for them for ever. */
export async function requireConnections(
  { database, cell, onServer = 1 }: Connected,
  processes: number,
  ofOne: number,
): Promise<void> {
  const allowed = await connectionsAllowed(database)
  const checks = [
    { allows: allowed.database, ofProcess: ofOne },
    { allows: allowed.server, ofProcess: ofOne * onServer },
  ].sort((one, other) => one.allows / one.ofProcess - other.allows / other.ofProcess)
  const tight = checks.find(({ allows, ofProcess }) => connectionsFor(processes, ofProcess) > allows)
  if (!tight) return
  const { allows, ofProcess } = tight
  const fitting = Math.max(1, Math.floor((allows - SPARE) / ofProcess))
  const where = cell === undefined ? 'the database' : `the database of the cell ${cell}`
  throw new StartupError(
    `PURSER_PROCESSES=${processes} needs ${connectionsFor(processes, ofProcess)} connections, ${ofProcess} for each process, and ${where} allows ${allows}: raise max_connections, or set PURSER_PROCESSES to ${fitting}`,
  )
}
