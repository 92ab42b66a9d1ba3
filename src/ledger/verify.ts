import type { Database } from '../database/database.ts'
import { type Breach, findBreaches } from './verify.sql.ts'

/** Every law of the ledger that does not hold, with rows that break it; all laws look at one moment. */
export function verifyLedger(database: Database): Promise<Breach[]> {
  return database.transaction(async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    return findBreaches(transaction)
  })
}
