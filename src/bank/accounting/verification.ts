import type { Accounting } from '../../accounting/accounting.ts'
import type { LedgerVerification } from '../../accounting/ledger-verification.ts'
import { clock } from '../../base/clock.ts'
import { concurrencyLimit } from '../../base/concurrency-limit.ts'
import type { Answer, Write } from '../../base/operation.ts'
import type { Database } from '../../database/database.ts'
import type { ReadFirstStates } from '../../events/stored/complete-events.ts'
import { uncheckedLaws, type Verdict, verifyOrganisation } from '../../ledger/verify.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { checkChain, uncheckedChain } from './chain-check.ts'
import {
  beginChecks,
  findLeastChecked,
  findVerification,
  saveVerification,
  type VerificationRow,
} from './verification.sql.ts'

/** How long a check may take. A statement may take 30 seconds in all. */
const LIMIT_MS = 25_000
/** How long a check waits for those of other organisations. */
const WAIT_MS = 30_000

type Parts = Pick<BankParts, 'database' | 'runOnce'> & {
  /** Reads the columns behind events without data, which the chain covers. */
  readRows: ReadFirstStates
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
function sharedChecks({ limitMs = LIMIT_MS, ...parts }: Parts): Check {
  const inTurn = concurrencyLimit({ total: 1, perOrganisation: 1, waitMs: WAIT_MS })
  const running = new Map<number, Promise<VerificationRow>>()
  return (organisationId) => {
    const other = running.get(organisationId)
    if (other) return other
    const own = inTurn(organisationId, () => checked(parts, organisationId, limitMs)).finally(() =>
      running.delete(organisationId),
    )
    running.set(organisationId, own)
    return own
  }
}

async function checked(
  parts: { database: Database; readRows: ReadFirstStates },
  organisationId: number,
  limitMs: number,
  last?: VerificationRow,
): Promise<VerificationRow> {
  const { database } = parts
  const startedMs = clock.elapsedMs()
  const { checkedAt, laws } = await verifyOrganisation(database, organisationId, limitMs)
  laws.push(await checkChain(parts, organisationId, { last, endMs: startedMs + limitMs }))
  return { checkedAt, durationMs: Math.round(clock.elapsedMs() - startedMs), laws }
}

/**
 * Checks an organisation whose last check is more than a day old. Returns its id; undefined if there is none, or if another
 * process checks one at this moment.
 */
export function checkLeastChecked(database: Database, readRows: ReadFirstStates): Promise<number | undefined> {
  return database.transaction(async (transaction) => {
    if (!(await beginChecks(transaction))) return undefined
    const organisationId = await findLeastChecked(transaction)
    if (organisationId === undefined) return undefined
    const last = await findVerification(transaction, organisationId)
    const result = await checked({ database, readRows }, organisationId, LIMIT_MS, last)
    await saveVerification(transaction, organisationId, result)
    return organisationId
  })
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
  if (!row) return { status: 'NotRun', checkedAt: null, durationMs: null, laws: [...uncheckedLaws(), uncheckedChain] }
  const { checkedAt, durationMs, laws } = row
  return { status: statusOf(laws), checkedAt, durationMs, laws }
}

function statusOf(laws: Verdict[]): string {
  if (laws.some(({ holds }) => holds === false)) return 'Broken'
  return laws.every(({ holds }) => holds === true) ? 'Holds' : 'Incomplete'
}
