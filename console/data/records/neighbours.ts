/** The list that was on screen last: its address, and the paths of its rows in their order. */
interface LastList {
  address: string
  paths: readonly string[]
}

let last: LastList | undefined
/** Whether a step back leads to the list: from a record that it led to, also after steps from record to record. */
let isBehind = false

export function noteList(list: LastList): void {
  last = list
}

/** Whether a list is on screen at a path. */
export function isList(path: string): boolean {
  return last?.address.split('?')[0] === path
}

/** Runs when a list or one of its records leaves the screen. `to` is the address that follows, which may begin with a base. */
export function noteLeaving(to: string, from: 'list' | 'record'): void {
  const isOfList = last?.paths.some((path) => to.endsWith(path)) ?? false
  isBehind = isOfList && (from === 'list' || isBehind)
}

export interface Neighbours {
  /** The address of the list, with its filters. */
  address: string
  isBehind: boolean
  /** The place in the list, from 1, and the number of its rows that were read. */
  place: number
  count: number
  previous: string | undefined
  next: string | undefined
}

/** The place of a record in the list that was on screen before it; undefined if it was not in that list. */
export function neighboursOf(path: string): Neighbours | undefined {
  const at = last?.paths.indexOf(path) ?? -1
  if (!last || at < 0) return undefined
  const { address, paths } = last
  return { address, isBehind, place: at + 1, count: paths.length, previous: paths[at - 1], next: paths[at + 1] }
}
