import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import { type Breach, findBreaches, hasLedger } from './verify.sql.ts'

/** Every law of the ledger that does not hold, with rows that break it; all laws look at one moment. */
export function verifyLedger(database: Database): Promise<Breach[]> {
  return database.transaction(async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    if (!(await hasLedger(transaction))) throw new StartupError('the database has no ledger yet: npm start makes it')
    return findBreaches(transaction)
  })
}
