import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentLimits } from '../../../banking/accounts/account-limits.ts'
import { clock } from '../../../base/clock.ts'
import { StartupError } from '../../../base/startup-error.ts'
import type { Database } from '../../../database/database.ts'
import { periodsOf } from '../../../ledger/limits/shares.ts'
import {
  areEarlierEnded,
  deleteShares,
  findOrganisationLimits,
  holdShares,
  type OrganisationRow,
  recountShares,
  takeShares,
  updateOrganisationLimits,
  usedOf,
} from './organisation-limits.sql.ts'

/** The longest wait for transactions that began before the limits. */
const WAIT_MS = 30_000
const STEP_MS = 50

export interface UsedLimits extends PaymentLimits {
  used: { day: number; month: number }
}

/** The limits of an organisation with what is used; null where it has none. */
export async function getOrganisationLimits(database: Database, name: string): Promise<UsedLimits | null> {
  const { id, limits, now } = await rowOf(database, name)
  if (limits === null) return null
  const { payment, day, month } = limits
  return { payment, day, month, used: await usedOf(database, id, periodsOf(now)) }
}

/** Replaces the limits of an organisation; null removes them. Payments are counted from the beginning of the present month. */
export async function setOrganisationLimits(
  database: Database,
  name: string,
  limits: PaymentLimits | null,
): Promise<void> {
  const { id, limits: before, now } = await rowOf(database, name)
  if (limits === null) {
    await database.transaction(async (transaction) => {
      await holdShares(transaction)
      await updateOrganisationLimits(transaction, id, null)
      await deleteShares(transaction, id)
    })
    return
  }
  const since = before?.since ?? `${now.slice(0, 7)}-01`
  if (!before?.enforced) await beginCounting(database, id, { ...limits, since, enforced: false })
  await database.transaction(async (transaction) => {
    await holdShares(transaction)
    await updateOrganisationLimits(transaction, id, { ...limits, since, enforced: true })
    if (before?.enforced) await takeShares(transaction, id)
    else await recountShares(transaction, id, since)
  })
}

/** Lets all batches count payments, and waits for those that began without. A payment is counted by its batch or by the recount. */
async function beginCounting(
  database: Database,
  organisationId: number,
  limits: OrganisationRow['limits'],
): Promise<void> {
  const number = await database.transaction((transaction) =>
    updateOrganisationLimits(transaction, organisationId, limits),
  )
  const endMs = clock.elapsedMs() + WAIT_MS
  while (!(await areEarlierEnded(database, number))) {
    if (clock.elapsedMs() > endMs) {
      throw new StartupError('a transaction of the database has not ended for 30 seconds: set the limits again later')
    }
    await sleep(STEP_MS)
  }
}

async function rowOf(database: Database, name: string): Promise<OrganisationRow> {
  const row = await findOrganisationLimits(database, name)
  if (!row) throw new StartupError(`there is no organisation ${name}`)
  return row
}
