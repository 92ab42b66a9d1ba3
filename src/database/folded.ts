/**
 * The steps between 0.1.0 and 0.2.0 were folded into one for each area before 0.2.0 was released: docs/decisions/0038-folded-migrations.md.
 * A database of the main branch of that time has the steps themselves. It would not get what a folded file gains later, so a later
 * change is a file of its own.
 */
const FIRST = 10
const LAST = 116
const NAME_OF_LAST = '0116_reward_reductions'

/** Whether a database has the steps that were folded, all of them. Its tables are those that the folded ones make. */
export function hasUnfolded(applied: { name: string }[]): boolean {
  return applied.some(({ name }) => name === NAME_OF_LAST)
}

export const unfoldedNumbers: [first: number, last: number] = [FIRST, LAST]

/** The migrations that stand for the steps. */
export function foldedOf<Migration extends { number: number }>(migrations: Migration[]): Migration[] {
  return migrations.filter(({ number }) => number >= FIRST && number <= LAST)
}
