import { clock } from '../base/clock.ts'
import { StartupError } from '../base/startup-error.ts'
import { type Database, LockTimeout } from '../database/database.ts'
import {
  type Breach,
  beginCheck,
  checkLaws,
  findBreachesOf,
  hasLedger,
  lawNames,
  limitStatements,
} from './verify.sql.ts'

/**
 * Finds the laws of the ledger that do not hold, with rows that break them, all in one snapshot. `checked` is called after
 * each law, also for one that holds.
 */
export function verifyLedger(
  database: Database,
  checked: (result: Breach, done: number, of: number) => void = () => undefined,
): Promise<Breach[]> {
  return database.transaction(async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    if (!(await hasLedger(transaction))) throw new StartupError('the database has no ledger yet: purser start makes it')
    const breaches: Breach[] = []
    let done = 0
    for await (const result of checkLaws(transaction)) {
      if (result.rows.length > 0) breaches.push(result)
      checked(result, ++done, lawNames.length)
    }
    return breaches
  })
}

/** Whether a law holds in an organisation. */
export interface Verdict {
  law: string
  /** Null where it was not checked. */
  holds: boolean | null
  /** The first rows that break it. */
  rows: Record<string, string | number | boolean | null>[]
  more: boolean
}

export const MAX_BREACHES = 20

export function uncheckedLaws(): Verdict[] {
  return lawNames.map((law) => ({ law, holds: null, rows: [], more: false }))
}

/**
 * Checks the laws for one organisation, all in one snapshot and without locks, on one core of the database. Laws that are
 * not reached within the time stay unchecked.
 */
export async function verifyOrganisation(
  database: Database,
  organisationId: number,
  limitMs: number,
): Promise<{ checkedAt: string; laws: Verdict[] }> {
  const endMs = clock.elapsedMs() + limitMs
  const laws = uncheckedLaws()
  let checkedAt: string | undefined
  const check = database.transaction(async (transaction) => {
    checkedAt = await beginCheck(transaction, organisationId)
    for (const verdict of laws) {
      const leftMs = Math.floor(endMs - clock.elapsedMs())
      if (leftMs < 1) return
      await limitStatements(transaction, leftMs)
      const rows = await findBreachesOf(transaction, verdict.law, organisationId, MAX_BREACHES + 1)
      verdict.holds = rows.length === 0
      verdict.rows = rows.slice(0, MAX_BREACHES)
      verdict.more = rows.length > MAX_BREACHES
    }
  })
  // A statement that ran into its limit ends the check; nothing else can time out, because nothing is locked.
  await check.catch((error: unknown) => {
    if (!(error instanceof LockTimeout) || checkedAt === undefined) throw error
  })
  if (checkedAt === undefined) throw new Error('no time was read')
  return { checkedAt, laws }
}
