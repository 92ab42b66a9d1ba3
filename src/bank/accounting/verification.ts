import type { Accounting } from '../../accounting/accounting.ts'
import type { LedgerVerification } from '../../accounting/ledger-verification.ts'
import { clock } from '../../base/clock.ts'
import { concurrencyLimit } from '../../base/concurrency-limit.ts'
import type { Answer, Write } from '../../base/operation.ts'
import type { Database } from '../../database/database.ts'
import { uncheckedLaws, type Verdict, verifyOrganisation } from '../../ledger/verify.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { findLeastChecked, findVerification, saveVerification, type VerificationRow } from './verification.sql.ts'

/** How long a check may take. A statement may take 30 seconds in all. */
const LIMIT_MS = 25_000
/** How long a check waits for those of other organisations. */
const WAIT_MS = 30_000

type Parts = Pick<BankParts, 'database' | 'runOnce'> & {
  /** The time that a check may take; 25 seconds unless set. */
  limitMs?: number
}

type Verification = Pick<Accounting, 'getLedgerVerification' | 'runLedgerVerification'>

export function verificationOf(parts: Parts): Verification {
  const check = sharedChecks(parts)
  return {
    getLedgerVerification: async ({ organisationId }) => shown(await findVerification(parts.database, organisationId)),
    runLedgerVerification: (write) => run(parts, write, check),
  }
}

type Check = (organisationId: number) => Promise<VerificationRow>

/**
 * One check at a time, because it keeps a core of the database busy: the connections and the core that are left serve
 * everybody else. A request that finds a check of its organisation under way shares the result.
 */
function sharedChecks({ database, limitMs = LIMIT_MS }: Parts): Check {
  const inTurn = concurrencyLimit({ total: 1, perOrganisation: 1, waitMs: WAIT_MS })
  const running = new Map<number, Promise<VerificationRow>>()
  return (organisationId) => {
    const other = running.get(organisationId)
    if (other) return other
    const own = inTurn(organisationId, () => checked(database, organisationId, limitMs)).finally(() =>
      running.delete(organisationId),
    )
    running.set(organisationId, own)
    return own
  }
}

async function checked(database: Database, organisationId: number, limitMs: number): Promise<VerificationRow> {
  const startedMs = clock.elapsedMs()
  const { checkedAt, laws } = await verifyOrganisation(database, organisationId, limitMs)
  return { checkedAt, durationMs: Math.round(clock.elapsedMs() - startedMs), laws }
}

/** Checks an organisation whose last check is more than a day old. Returns its id; undefined if there is none. */
export async function checkLeastChecked(database: Database): Promise<number | undefined> {
  const organisationId = await findLeastChecked(database)
  if (organisationId === undefined) return undefined
  await saveVerification(database, organisationId, await checked(database, organisationId, LIMIT_MS))
  return organisationId
}

/** Thrown by the first attempt, before there is a result. */
class NotChecked extends Error {}

/**
 * Runs a check and stores its result with the answer. The check runs between two attempts and not inside one: the
 * transaction of an attempt holds a connection, and requests that wait for a check must not hold all of them. The first
 * attempt only looks for an answer that the idempotency key has already.
 */
async function run({ runOnce }: Parts, write: Write<LedgerVerification>, check: Check): Promise<Answer> {
  const { organisationId } = write.caller
  const attempt = (checked?: VerificationRow) =>
    runOnce.transaction(write, async (transaction) => {
      if (!checked) throw new NotChecked()
      await saveVerification(transaction, organisationId, checked)
      return shown(checked)
    })
  if (write.key.fromCaller) {
    const stored = await attempt().catch((error: unknown) => {
      if (!(error instanceof NotChecked)) throw error
    })
    if (stored) return stored
  }
  return attempt(await check(organisationId))
}

function shown(row: VerificationRow | undefined): LedgerVerification {
  if (!row) return { status: 'NotRun', checkedAt: null, durationMs: null, laws: uncheckedLaws() }
  const { checkedAt, durationMs, laws } = row
  return { status: statusOf(laws), checkedAt, durationMs, laws }
}

function statusOf(laws: Verdict[]): string {
  if (laws.some(({ holds }) => holds === false)) return 'Broken'
  return laws.every(({ holds }) => holds === true) ? 'Holds' : 'Incomplete'
}
