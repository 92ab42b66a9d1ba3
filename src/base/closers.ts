/** The resources that were opened so far. `close` closes them in reverse order. */
export interface Closers {
  /** True from the moment `close` is called. */
  readonly closing: boolean
  add(close: () => Promise<void>): void
  /** Closes every resource, also after one of them failed to close; rejects with the first failure. */
  close(): Promise<void>
}

export function openClosers(): Closers {
  const stack: (() => Promise<void>)[] = []
  let closing = false
  return {
    get closing() {
      return closing
    },
    add: (close) => void stack.push(close),
    async close() {
      closing = true
      const failures: unknown[] = []
      // Popped one by one: a start that is interrupted may still add a resource while others are being closed.
      for (let next = stack.pop(); next; next = stack.pop()) {
        await next().catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
