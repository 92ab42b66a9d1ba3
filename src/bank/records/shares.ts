// The plain way: one row for each organisation and period, which every payment of the organisation changes.
// What it cost: the batches of all processes would wait for each other at that row, from their decision to the end of COMMIT.
// The test that compares: test/properties/limits-concurrency.test.ts never finds more than the limit, on two processes.
import type { PaymentLimits } from '../../banking/accounts/account-limits.ts'
import { ShortShare } from '../../ledger/books.ts'

/** The limits of an organisation. Before they are enforced, payments are only counted. */
export interface OrganisationLimits extends PaymentLimits {
  enforced: boolean
  /** The first day of which payments are counted. */
  since: string
}

/** A day or a month, as the beginning of a time. */
export function periodsOf(time: string): { day: string; month: string } {
  return { day: time.slice(0, 10), month: time.slice(0, 7) }
}

/**
 * The share of a connection in the limits of an organisation for a period: the amount that it may still use without looking at
 * the other shares. If it is too small, the command is decided again with all shares under lock.
 */
export interface Share {
  organisationId: number
  period: string
  /** The amount that the payments of the batch use. */
  used: number
  softLeft: number
  hardLeft: number
  /** The amounts that the other shares could still use; 0 unless all are under lock. */
  othersSoft: number
  othersHard: number
  /** Whether all shares are under lock, so that the rest here is all that there is. */
  isExact: boolean
  /** Whether the other shares lose the amounts that they could still use. */
  takesSoft: boolean
  takesHard: boolean
}

/** The outcome of an amount: it is within both limits, above the soft one, or above the hard one. */
export type ShareVerdict = 'within' | 'over' | { left: number }

/** Uses an amount of a share. Throws if the share has to be enlarged first. */
export function useShare(share: Share, { soft, hard }: PaymentLimits['day'], amount: number): ShareVerdict {
  if (hard !== null && share.hardLeft < amount) {
    if (!share.isExact) throw new ShortShare()
    if (share.hardLeft + share.othersHard < amount) return { left: share.hardLeft + share.othersHard }
    takeHard(share)
  }
  const isWithin = soft === null || hasSoft(share, amount)
  share.used += amount
  if (hard !== null) share.hardLeft -= amount
  if (soft !== null) share.softLeft = isWithin ? share.softLeft - amount : 0
  return isWithin ? 'within' : 'over'
}

/** Above the soft limit no share has anything left of it. */
function hasSoft(share: Share, amount: number): boolean {
  if (share.softLeft >= amount) return true
  if (!share.isExact) throw new ShortShare()
  share.softLeft += share.othersSoft
  share.othersSoft = 0
  share.takesSoft = true
  return share.softLeft >= amount
}

function takeHard(share: Share): void {
  share.hardLeft += share.othersHard
  share.othersHard = 0
  share.takesHard = true
}

/** A share keeps one part of so many of the rest for the payments to come. Near the limit it becomes small. */
const PORTIONS = 16

/** The rest that a share keeps when its batch is written: all of its own, or a portion of all that there is. */
export function keptOf({ isExact, softLeft, hardLeft }: Share): { softLeft: number; hardLeft: number } {
  if (!isExact) return { softLeft, hardLeft }
  return { softLeft: Math.floor(softLeft / PORTIONS), hardLeft: Math.floor(hardLeft / PORTIONS) }
}
