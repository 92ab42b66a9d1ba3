import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { limitsOf, type OrganisationLimits, type PaymentLimits } from '../../banking/accounts/account-limits.ts'
import { clock } from '../../base/clock.ts'
import { StartupError } from '../../base/startup-error.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { bankOrigin, recordEvents } from '../../events/record.ts'
import { periodsOf } from '../records/shares.ts'
import {
  areEarlierEnded,
  deleteShares,
  findOrganisationLimits,
  holdShares,
  lockOrganisationLimits,
  type OrganisationRow,
  recountShares,
  startCounting,
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

/** The limits of an organisation with what is used; null if it has none. */
export async function getOrganisationLimits(database: Database, name: string): Promise<UsedLimits | null> {
  const { id, limits, now } = await rowOf(database, name)
  if (limits === null) return null
  return { ...limitsOf(limits), used: await usedOf(database, id, periodsOf(now)) }
}

/**
 * Replaces the limits of an organisation; null removes them. Payments are counted from the beginning of the present month. A change
 * is an event of the organisation; limits that it has already change nothing.
 */
export async function setOrganisationLimits(
  database: Database,
  name: string,
  limits: PaymentLimits | null,
): Promise<void> {
  if (limits !== null) await beginCounting(database, name, limits)
  await database.transaction(async (transaction) => {
    const before = await lockedRow(transaction, name)
    const former = enforcedIn(before)
    if (limits === null ? before.limits === null : isDeepStrictEqual(former, limits)) return
    if (limits !== null && before.limits === null) {
      throw new StartupError('the limits were removed by another command at the same time: set them again')
    }
    await holdShares(transaction)
    const since = sinceOf(before)
    const version = await updateOrganisationLimits(
      transaction,
      before.id,
      limits && { ...limits, since, enforced: true },
    )
    if (limits === null) await deleteShares(transaction, before.id)
    else if (former) await takeShares(transaction, before.id)
    else await recountShares(transaction, before.id, since)
    // Limits that were never enforced were no event, and neither is their removal.
    if (limits !== null || former !== null) await recordChange(transaction, before, version, limits)
  })
}

/** Lets all batches count payments, and waits for those that began without. A payment is counted by its batch or by the recount. */
async function beginCounting(database: Database, name: string, limits: PaymentLimits): Promise<void> {
  const number = await database.transaction(async (transaction) => {
    const row = await lockedRow(transaction, name)
    if (row.limits?.enforced) return undefined
    return startCounting(transaction, row.id, { ...limits, since: sinceOf(row), enforced: false })
  })
  if (number === undefined) return
  const endMs = clock.elapsedMs() + WAIT_MS
  while (!(await areEarlierEnded(database, number))) {
    if (clock.elapsedMs() > endMs) {
      throw new StartupError('a transaction of the database has not ended for 30 seconds: set the limits again later')
    }
    await sleep(STEP_MS)
  }
}

/** The limits that payments meet; null if there are none, or if payments are only counted yet. */
function enforcedIn({ limits }: OrganisationRow): PaymentLimits | null {
  if (!limits?.enforced) return null
  const { payment, day, month } = limits
  return { payment, day, month }
}

/** The first day from which payments are counted. */
function sinceOf({ limits, now }: OrganisationRow): string {
  return limits?.since ?? `${now.slice(0, 7)}-01`
}

async function recordChange(
  transaction: Queryable,
  { id, now }: OrganisationRow,
  version: number,
  limits: PaymentLimits | null,
): Promise<void> {
  const used = limits ? await usedOf(transaction, id, periodsOf(now)) : { day: null, month: null }
  const { payment, day, month } = limits ?? { payment: noLimit, day: noLimit, month: noLimit }
  const data: OrganisationLimits = {
    id: String(id),
    payment,
    day: { ...day, used: used.day },
    month: { ...month, used: used.month },
  }
  const event = { type: 'organisation.limitsChanged', id: data.id, version, data } as const
  await recordEvents(transaction, [{ event, origin: bankOrigin(id) }])
}

const noLimit = { soft: null, hard: null }

async function rowOf(database: Database, name: string): Promise<OrganisationRow> {
  return (await findOrganisationLimits(database, name)) ?? refuseUnknown(name)
}

async function lockedRow(transaction: Queryable, name: string): Promise<OrganisationRow> {
  return (await lockOrganisationLimits(transaction, name)) ?? refuseUnknown(name)
}

function refuseUnknown(name: string): never {
  throw new StartupError(`there is no organisation ${name}`)
}
