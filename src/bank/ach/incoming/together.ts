import { LockTimeout } from '../../../database/database.ts'

/**
 * Applies items by one command. If another transaction holds one of their accounts for long, the items of each account have a
 * command of their own, so that those of the others are applied; the failure is thrown at the end.
 */
export async function applyTogether<Item>(
  items: Item[],
  accountOf: (item: Item) => number | null | undefined,
  apply: (items: Item[]) => Promise<void>,
): Promise<void> {
  try {
    await apply(items)
  } catch (error) {
    const groups = groupsBy(items, accountOf)
    if (!(error instanceof LockTimeout) || groups.length === 1) throw error
    await allOf(groups.map(apply))
  }
}

/** Items with the same key together, in their order. */
export function groupsBy<Item>(items: Item[], keyOf: (item: Item) => unknown): Item[][] {
  const groups = new Map<unknown, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return [...groups.values()]
}

/** Waits until all of the work has ended, also if some of it failed; then throws the first failure. */
export async function allOf(work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}
