import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import { type Breach, findBreaches, hasLedger } from './verify.sql.ts'

/** Finds the laws of the ledger that do not hold, with rows that break them, all in one snapshot. */
export function verifyLedger(database: Database): Promise<Breach[]> {
  return database.transaction(async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    if (!(await hasLedger(transaction))) throw new StartupError('the database has no ledger yet: npm start makes it')
    return findBreaches(transaction)
  })
}
