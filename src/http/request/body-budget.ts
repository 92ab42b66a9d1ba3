/**
 * The memory that large bodies may take while they arrive and are worked on. `owner` is the organisation, or a text for
 * a source without one: none gets more than half, so that one caller's uploads leave room for another's.
 */
export interface BodyBudget {
  /** False where the bytes do not fit now. */
  take(owner: BodyOwner, bytes: number): boolean
  give(owner: BodyOwner, bytes: number): void
}

export type BodyOwner = number | string

export function openBodyBudget(maxBytes: number): BodyBudget {
  const byOwner = new Map<BodyOwner, number>()
  let total = 0
  return {
    take(owner, bytes) {
      const taken = (byOwner.get(owner) ?? 0) + bytes
      if (total + bytes > maxBytes || taken > maxBytes / 2) return false
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
