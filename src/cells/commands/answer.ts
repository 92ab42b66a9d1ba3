import { messageOf } from '../../base/message-of.ts'
import { DatabaseUnavailable } from '../../database/database.ts'

/** PostgreSQL's codes for a table and a column that do not exist. */
const NO_TABLES = ['42P01', '42703']

/** The answer of the database of a cell, or why there is none. */
export async function answerOf<T>(
  ask: () => Promise<T>,
): Promise<{ found: T } | { state: 'away' | 'not joined'; fault: string }> {
  try {
    return { found: await ask() }
  } catch (error) {
    if (NO_TABLES.includes((error as { code?: string }).code ?? '')) {
      const fault = 'its tables are missing or of an older version: start the service, or run purser migrate'
      return { state: 'not joined', fault }
    }
    if (!(error instanceof DatabaseUnavailable)) throw error
    return { state: 'away', fault: messageOf(error) }
  }
}
