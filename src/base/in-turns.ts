/**
 * Runs a task for each item. Items with the same key run one after another in their order, and others beside them. A
 * failure leaves out the items behind it that have its key; it is thrown when the other tasks have ended.
 */
export async function inTurns<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => unknown,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const queues = new Map<unknown, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const queue = queues.get(key)
    if (queue) queue.push(item)
    else queues.set(key, [item])
  }
  const outcomes = await Promise.allSettled([...queues.values()].map((queue) => runQueue(queue, task)))
  const failed = outcomes.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

async function runQueue<Item>(queue: Item[], task: (item: Item) => Promise<void>): Promise<void> {
  for (const item of queue) await task(item)
}
