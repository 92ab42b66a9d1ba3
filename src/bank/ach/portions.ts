/** Payments that change in one command. It locks their accounts, and other payments of these wait for it. */
export const PORTION = 500

/** A portion of payments, and the command that changes them. */
export interface Portion {
  payments: readonly { accountId: number }[]
  change(): Promise<void>
}

/**
 * Changes portions, two at a time: while the database writes one, the next is read and decided. Portions that share an
 * account follow one another, because the second would hold up other payments while it waits.
 */
export async function changePortions(portions: AsyncIterable<Portion>): Promise<void> {
  let before: { accounts: Set<number>; done: Promise<void> } | undefined
  try {
    for await (const { payments, change } of portions) {
      const accounts = new Set(payments.map(({ accountId }) => accountId))
      if (before && payments.some(({ accountId }) => before?.accounts.has(accountId))) await before.done
      const done = change()
      // Its failure is thrown below, which may be later than it happens.
      done.catch(() => undefined)
      const { done: doneBefore } = before ?? {}
      before = { accounts, done }
      await doneBefore
    }
  } finally {
    await before?.done
  }
}
