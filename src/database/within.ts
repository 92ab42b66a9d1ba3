import type { Database, Queryable } from './database.ts'

/** A database whose transactions are parts of one that has begun: what a part did is undone if it throws. */
export function within(transaction: Queryable): Pick<Database, 'query' | 'transaction'> {
  return {
    query: (...given) => transaction.query(...given),
    transaction: async (work) => {
      await transaction.query('savepoint part')
      try {
        return await work(transaction)
      } catch (error) {
        await transaction.query('rollback to savepoint part')
        throw error
      }
    },
  }
}
