/**
 * The memory that large bodies may take while they arrive and are worked on. No owner gets more than half, so that one caller's
 * uploads leave room for another's, unless half is too little for one upload.
 */
export interface BodyBudget {
  /** False if the bytes do not fit now. */
  take(owner: BodyOwner, bytes: number): boolean
  give(owner: BodyOwner, bytes: number): void
}

/** An organisation, or a text for a source without one. */
export type BodyOwner = number | string

/** Four uploads of 28 MiB, two of one organisation. An upload takes about six times its size in memory. */
const MAX_BYTES = 112 * 1024 * 1024
const LARGEST = MAX_BYTES / 4
/** Each of several processes has room for two of them, of two organisations. */
const LEAST_BYTES = MAX_BYTES / 2

/** The budget of one of several databases in one of several processes: an equal part of the memory for all. */
export function openShareOfBodies({ processes, databases = 1 }: { processes: number; databases?: number | undefined }) {
  return openBodyBudget({ bytes: Math.max(LEAST_BYTES, MAX_BYTES / processes) / databases, largest: LARGEST })
}

/** Opens a budget of so many bytes, which has room for the largest body in any case. */
export function openBodyBudget({ bytes: given, largest }: { bytes: number; largest: number }): BodyBudget {
  const most = Math.max(largest, given)
  const ofOwner = Math.max(largest, most / 2)
  const byOwner = new Map<BodyOwner, number>()
  let total = 0
  return {
    take(owner, bytes) {
      const taken = (byOwner.get(owner) ?? 0) + bytes
      if (total + bytes > most || taken > ofOwner) return false
      total += bytes
      byOwner.set(owner, taken)
      return true
    },
    give(owner, bytes) {
      const left = (byOwner.get(owner) ?? 0) - bytes
      total -= bytes
      if (left > 0) byOwner.set(owner, left)
      else byOwner.delete(owner)
    },
  }
}
