import { clock, instantOf } from '../../base/clock.ts'
import type { Database } from '../../database/database.ts'
import { verifyChains } from '../../events/chain/verify-chain.ts'
import type { ReadFirstStates } from '../../events/stored/complete-events.ts'
import { MAX_BREACHES, type Verdict } from '../../ledger/verify.ts'
import type { VerificationRow } from './verification.sql.ts'

const CHAIN = 'every event is in the chain of hashes, which is unbroken'

export const uncheckedChain: Verdict = { law: CHAIN, holds: null, rows: [], more: false }

/** Transactions that were open at the snapshot of a check have times before it. */
const OVERLAP_MS = 60_000

/** Thrown when the time of a check is over. */
class OutOfTime extends Error {}

/** Checks the chain of an organisation: what is new since the last check found it unbroken, or else all of it. */
export async function checkChain(
  { database, readRows }: { database: Database; readRows: ReadFirstStates },
  organisationId: number,
  { last, endMs }: { last: VerificationRow | undefined; endMs: number },
): Promise<Verdict> {
  const isUnbroken = last?.laws.some(({ law, holds }) => law === CHAIN && holds === true)
  const since = isUnbroken && last ? instantOf(Date.parse(last.checkedAt) - OVERLAP_MS) : undefined
  const passed = () => {
    if (clock.elapsedMs() > endMs) throw new OutOfTime()
  }
  try {
    const [report] = await verifyChains(database, { readRows, organisationId, ...(since && { since }), passed })
    const breaches = report?.breaches ?? []
    const rows = breaches.slice(0, MAX_BREACHES).map(({ first, last, reason }) => ({ first, last, reason }))
    return { law: CHAIN, holds: rows.length === 0, rows, more: breaches.length > rows.length }
  } catch (error) {
    if (error instanceof OutOfTime) return uncheckedChain
    throw error
  }
}
