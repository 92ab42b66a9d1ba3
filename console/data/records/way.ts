import type { HistoryStep } from '../../../client/src/index.ts'
import type { Way } from '../../pictures/state-machine.tsx'

/** The states that a record had, with their times, and those that may follow; the plain way if its history is not known. */
export function datedWay(way: Way, steps: readonly Pick<HistoryStep, 'at' | 'changes'>[]): Way {
  const since = new Map<string, string>()
  for (const { at, changes } of steps) {
    for (const { status, before } of changes) if (status !== null && status !== before) since.set(status, at)
  }
  if (!since.has(way.present)) return way
  const passed = [...since]
    .toSorted(([, one], [, other]) => (one < other ? -1 : Number(one > other)))
    .map(([state]) => state)
  // A state that was left for good is not ahead, too.
  const ahead = way.way.slice(way.way.indexOf(way.present) + 1).filter((state) => !since.has(state))
  return { ...way, way: [...passed, ...(way.tone === 'warn' ? ahead : [])], since }
}
