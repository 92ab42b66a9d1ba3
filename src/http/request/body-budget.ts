/**
 * The memory that large bodies may take while they arrive and are worked on. Each cell has a share of its own: requests that
 * wait for one that hangs leave the shares of the others free. Within a share no owner gets more than half, so that one caller's
 * uploads leave room for another's, unless half is too little for one upload.
 */
export interface BodyBudget {
  /** False if the bytes do not fit now. */
  take(owner: BodyOwner, bytes: number): boolean
  give(owner: BodyOwner, bytes: number): void
}

export interface BodyOwner {
  /** The place of the cell; 0 is the home cell. */
  cell: number
  /** The organisation, or a text for a source without one. */
  name: number | string
}

/** The sizes of a budget in bytes, and the number of cells that share it. */
export interface BudgetSize {
  total: number
  cells: number
  /** The largest body: each cell has room for one. */
  largest: number
}

export function openBodyBudget({ total, cells, largest }: BudgetSize): BodyBudget {
  const share = Math.max(largest, total / cells)
  const shares = Array.from({ length: cells }, () => openShare(share, Math.max(Math.min(largest, share), share / 2)))
  return {
    take: ({ cell, name }, bytes) => shares[cell]?.take(name, bytes) ?? false,
    give: ({ cell, name }, bytes) => shares[cell]?.give(name, bytes),
  }
}

/** The share of a cell, of which one owner gets a part. */
function openShare(maxBytes: number, ofOwner: number) {
  const byOwner = new Map<BodyOwner['name'], number>()
  let total = 0
  return {
    take(owner: BodyOwner['name'], bytes: number): boolean {
      const taken = (byOwner.get(owner) ?? 0) + bytes
      if (total + bytes > maxBytes || taken > ofOwner) return false
      total += bytes
      byOwner.set(owner, taken)
      return true
    },
    give(owner: BodyOwner['name'], bytes: number): void {
      const left = (byOwner.get(owner) ?? 0) - bytes
      total -= bytes
      if (left > 0) byOwner.set(owner, left)
      else byOwner.delete(owner)
    },
  }
}
