import type { Queryable } from './database.ts'

/**
 * Waits for an advisory lock until the transaction that holds it ends, however long that takes: processes that start
 * together fill a database one after the other. The timeouts apply again afterwards; the transaction must be `unlimited`.
 */
export async function waitForLock(transaction: Queryable, lock: number): Promise<void> {
  await transaction.query(
    `select set_config('purser.lock_timeout', current_setting('lock_timeout'), true),
       set_config('purser.statement_timeout', current_setting('statement_timeout'), true),
       set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`,
  )
  await transaction.query('select pg_advisory_xact_lock($1)', [lock])
  await transaction.query(
    `select set_config('lock_timeout', current_setting('purser.lock_timeout'), true),
       set_config('statement_timeout', current_setting('purser.statement_timeout'), true)`,
  )
}
