import { useSyncExternalStore } from 'react'
import type { CallInput, ClockAdvance } from '../../client/src/index.ts'
import { useSend } from './purser.tsx'

/** An advance of the clock that was made in this tab. */
export interface Advance extends ClockAdvance {
  number: number
}

/** Advances that are kept for the screen of the clock. */
const MAX_KEPT = 10

let advances: readonly Advance[] = []
let made = 0
const watchers = new Set<() => void>()

/** The latest advances of this tab, newest first. */
export function useAdvances(): readonly Advance[] {
  return useSyncExternalStore(watch, () => advances)
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Advances the clock, and keeps the result for its screen. */
export function useAdvance() {
  const { mutate, ...state } = useSend('advanceClock')
  const advance = (body: NonNullable<CallInput<'advanceClock'>['body']>) =>
    mutate(
      { body },
      {
        onSuccess: (result) => {
          made += 1
          advances = [{ ...result, number: made }, ...advances].slice(0, MAX_KEPT)
          for (const watcher of watchers) watcher()
        },
      },
    )
  return { ...state, advance }
}
