import type { HistoryStep } from '../../../client/src/index.ts'
import type { Way } from '../../pictures/state-machine.tsx'

type Step = Pick<HistoryStep, 'at' | 'changes'> & Partial<Pick<HistoryStep, 'cause' | 'files'>>

/** The states that a record had, with their times, and those that may follow; the plain way if its history is not known. */
export function datedWay(way: Way, steps: readonly Step[]): Way {
  const since = new Map<string, { at: string; why: string | undefined }>()
  for (const step of steps) {
    for (const { status, before, reason, code } of step.changes)
      if (status !== null && status !== before)
        since.set(status, { at: step.at, why: reasonText(reason, code) ?? whyOf(step) })
  }
  if (!since.has(way.present)) return way
  const passed = [...since]
    .toSorted(([, one], [, other]) => (one.at < other.at ? -1 : Number(one.at > other.at)))
    .map(([state]) => state)
  // A state that was left for good is not ahead, too.
  const ahead = way.way.slice(way.way.indexOf(way.present) + 1).filter((state) => !since.has(state))
  return { ...way, way: [...passed, ...(way.tone === 'warn' ? ahead : [])], since }
}

/** `Account closed (R02)`; a code that says the same as the reason is left out. */
function reasonText(reason: string | null, code: string | null): string | undefined {
  if (reason === null || code === null || !/^[A-Z]\d+$/.test(code)) return reason ?? code ?? undefined
  return `${reason} (${code})`
}

function whyOf({ cause, files }: Step): string | undefined {
  const [file] = files ?? []
  if (file) return file.direction === 'Outgoing' ? 'Left with the file' : 'Came back with a file'
  if (cause?.type !== 'request') return undefined
  if (!cause.apiKey) return 'By a request'
  return `By ${cause.apiKey.personId ? cause.apiKey.name : `“${cause.apiKey.name}”`}`
}
