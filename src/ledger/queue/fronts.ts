import type { Command, Group } from '../books.ts'

/** Commands of groups that are not decided yet. Later commands of the same group on the same accounts may not overtake them. */
export interface Fronts {
  add(command: Pick<Command<never>, 'group' | 'accountIds'>): void
  /** Whether one of them is before a command. */
  isBefore(command: Pick<Command<never>, 'group' | 'accountIds'>): boolean
}

export function openFronts(): Fronts {
  const accounts = new Map<Group, Set<number>>()
  return {
    add({ group, accountIds }) {
      if (group === undefined) return
      const known = accounts.get(group)
      if (known) for (const id of accountIds) known.add(id)
      else accounts.set(group, new Set(accountIds))
    },
    isBefore({ group, accountIds }) {
      const known = group === undefined || accounts.size === 0 ? undefined : accounts.get(group)
      return known !== undefined && accountIds.some((id) => known.has(id))
    },
  }
}
