import { StartupError } from '../base/startup-error.ts'
import { type DatabaseOptions, openDatabase, plainTimeouts } from './database.ts'
import { isPreparedTwice } from './errors.ts'
import { BACKEND } from './session.sql.ts'

const REFUSAL =
  'DATABASE_URL leads to a pooler that gives every transaction another connection, such as PgBouncer with pool_mode = transaction: prepared statements, locks and notifications of a session would be lost. Set pool_mode = session, or connect to PostgreSQL itself'

/**
 * Refuses a pooler in transaction mode. Such a pooler lends a connection of the server for one transaction: while another
 * client is in a transaction, the first one's next statement runs in another process, or the other client has got its process.
 */
export async function requireSessions(servers: DatabaseOptions['servers']): Promise<void> {
  const options = { servers, connections: 1, timeouts: plainTimeouts }
  const [first, other] = [openDatabase(options), openDatabase(options)]
  const backendOf = async (database: Pick<typeof first, 'query'>) =>
    (await database.query<{ pid: number }>(BACKEND, [], 'once'))[0]?.pid
  try {
    // Both are open before they are compared: a pooler may begin each with a connection of its own.
    await backendOf(other)
    const before = await backendOf(first)
    await other.transaction(async (transaction) => {
      const others = await backendOf(transaction)
      if (others === before || (await backendOf(first)) !== before) throw new StartupError(REFUSAL)
    })
  } catch (error) {
    // A name that another client of the pooler has prepared on the same connection.
    throw isPreparedTwice(error) ? new StartupError(REFUSAL, { cause: error }) : error
  } finally {
    await Promise.all([first.close(), other.close()])
  }
}
