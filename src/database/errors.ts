import pg from 'pg'
import { messageOf } from '../base/message-of.ts'

/** No server answered, or the connection broke before COMMIT was sent: nothing happened. */
export class DatabaseUnavailable extends Error {}

/** A server that can be reached is not the one that is wanted. The message is a sentence about it. */
export class UnsuitableServer extends Error {}

/** A lock was not available in time, or two transactions deadlocked: nothing happened. */
export class LockTimeout extends DatabaseUnavailable {}

/** The organisation of a change is being moved to another database, or has been: nothing happened. */
export class OrganisationMoving extends LockTimeout {}

/** The organisation of a change has ended, for example by a reset: nothing happened. */
export class OrganisationEnded extends Error {}

/** COMMIT was sent and not answered: only the database knows whether the transaction took effect. */
export class CommitLost extends Error {}

/**
 * SQLSTATEs of a server or connection that cannot be used at the moment: 08 connection, 53 resources, 57P shutdown,
 * 25006 a server that became a standby, 26000 and 0A000 a prepared statement that is gone or changed its columns, 42P05 one
 * that another client of a pooler has prepared.
 */
const UNAVAILABLE = /^(08|53|57P|25006|26000|0A000|42P05)/
/** Lock and statement timeouts, deadlocks, serialisation failures. */
const CONTENTION = /^(55P03|57014|40P01|40001)$/

/** Data exceptions, NULL without permission, check constraints. */
const UNSTORABLE = /^(22...|23502|23514)$/

const SHUTDOWN = /^57P/
const READ_ONLY = '25006'
const PREPARED_TWICE = '42P05'
/** The server refuses the user or the password, or has no such database. */
const REFUSED = /^(28|3D000)/
/** Raised by `refuse_ended`. */
const ENDED = 'PE001'
/** Raised by `refuse_moving`. */
const MOVING = 'PE002'
const UNIQUE_VIOLATION = '23505'

/** Turns an error of the driver into one of this seam. */
export function classified(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    removeRowData(error)
    // The driver's stack ends where the answer was read; this one leads to the caller of the statement.
    Error.captureStackTrace(error)
    const code = error.code ?? ''
    if (code === MOVING) return new OrganisationMoving(error.message, { cause: error })
    if (code === ENDED) return new OrganisationEnded(error.message, { cause: error })
    if (CONTENTION.test(code)) return new LockTimeout(error.message, { cause: error })
    return UNAVAILABLE.test(code) ? new DatabaseUnavailable(error.message, { cause: error }) : error
  }
  // TypeErrors and RangeErrors come from converting a value and are bugs; every other error is a broken connection.
  if (error instanceof TypeError || error instanceof RangeError) return error
  return new DatabaseUnavailable(messageOf(error), { cause: error })
}

/** Removes the members that can quote a row or a parameter: errors are logged, and rows hold personal data. */
function removeRowData(error: pg.DatabaseError): void {
  error.detail = undefined
  error.where = undefined
  error.internalQuery = undefined
}

/** Whether a statement failed because a row with the same key exists. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
}

export function isDatabaseError(error: unknown): boolean {
  return error instanceof pg.DatabaseError
}

/** Whether a statement failed because no row can hold a value: a character that is not allowed, or a rule of its column. */
export function isUnstorable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && UNSTORABLE.test(error.code ?? '')
}

/** Whether a statement failed because its connection has ended: the server said so, or it is gone. */
export function isEnded(error: DatabaseUnavailable): boolean {
  return !(error.cause instanceof pg.DatabaseError) || SHUTDOWN.test(error.cause.code ?? '')
}

/** Whether a statement failed because its server takes no writes. */
export function isReadOnly(error: unknown): boolean {
  return causeOf(error) === READ_ONLY
}

/** Whether a statement failed because its connection has a prepared statement of this name, from another client. */
export function isPreparedTwice(error: unknown): boolean {
  return causeOf(error) === PREPARED_TWICE
}

/** Whether a server refused to connect for a reason that does not pass by itself. */
export function isRefusedForGood(error: unknown): boolean {
  return REFUSED.test(causeOf(error) ?? '')
}

/** The SQLSTATE of the error behind one of this seam. */
function causeOf(error: unknown): string | undefined {
  return error instanceof Error && error.cause instanceof pg.DatabaseError ? error.cause.code : undefined
}
