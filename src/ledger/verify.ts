import { clock } from '../base/clock.ts'
import { StartupError } from '../base/startup-error.ts'
import { type Database, LockTimeout, type Queryable } from '../database/database.ts'
import {
  type Breach,
  beginCheck,
  findBreaches,
  findBreachesOf,
  hashTables,
  hasLedger,
  limitStatements,
  prepareCheck,
} from './laws/breaches.sql.ts'
import { countTransfersSince, findBreachesSince } from './laws/breaches-since.sql.ts'
import { lawNames } from './laws/laws.sql.ts'

export interface VerifyOptions {
  /** Bank time. Laws whose cost grows with the transfers are checked for the rows written since then. */
  since?: string
  /** Called before each law. */
  checking?: (law: string, done: number, of: number) => void
  /** Called after each law, also for one that holds. */
  checked?: (result: Breach) => void
  /** Called at the end with the number of transfers since the time. */
  counted?: (transfers: number) => void
}

/** Finds the laws of the ledger that do not hold, with rows that break them, all in one snapshot. */
export function verifyLedger(database: Database, options: VerifyOptions = {}): Promise<Breach[]> {
  const { since, checking, checked, counted } = options
  return database.transaction(async (transaction) => {
    await prepareCheck(transaction)
    if (!(await hasLedger(transaction))) throw new StartupError('the database has no ledger yet: purser start makes it')
    const breaches: Breach[] = []
    for (const [done, law] of lawNames.entries()) {
      checking?.(law, done, lawNames.length)
      const rows = since ? await findBreachesSince(transaction, law, since) : await findBreaches(transaction, law)
      if (rows.length > 0) breaches.push({ law, rows })
      checked?.({ law, rows })
    }
    if (since && counted) counted(await countTransfersSince(transaction, since))
    return breaches
  })
}

/** The laws that do not hold for an organisation, as a transaction sees it: also for rows that it has not committed. */
export async function findBreachesIn(transaction: Queryable, organisationId: number): Promise<string[]> {
  const broken: string[] = []
  await hashTables(transaction)
  for (const law of lawNames) {
    const rows = await findBreachesOf(transaction, law, organisationId, 1)
    if (rows.length > 0) broken.push(law)
  }
  return broken
}

/** Whether a law holds in an organisation. */
export interface Verdict {
  law: string
  /** Null if it was not checked. */
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
    for (const [place, verdict] of laws.entries()) {
      const law = lawNames[place]
      const leftMs = Math.floor(endMs - clock.elapsedMs())
      if (leftMs < 1 || !law) return
      await limitStatements(transaction, leftMs)
      const rows = await findBreachesOf(transaction, law, organisationId, MAX_BREACHES + 1)
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
