import { setImmediate as nextTurn } from 'node:timers/promises'
import { clock } from './clock.ts'

/** How long a long computation may keep the event loop to itself. */
const SLICE_MS = 10

/** Paces a long computation: the function returned lets other requests run where the slice is used up. */
export function openPace(): () => Promise<void> {
  let startedMs = clock.elapsedMs()
  return async () => {
    if (clock.elapsedMs() - startedMs < SLICE_MS) return
    await nextTurn()
    startedMs = clock.elapsedMs()
  }
}
