import { setImmediate as nextTurn } from 'node:timers/promises'
import { clock } from './clock.ts'

/** How long a long computation may keep the event loop to itself. */
const SLICE_MS = 10

/** A long computation that yields every now and then. Run it with `atOnce`, or with `inSlices` beside requests. */
export type Steps<Result> = Generator<void, Result>

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** Runs a computation and lets other requests run between its slices. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  const pace = openPace()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    await pace()
  }
}

/** Paces a long computation: the function returned lets other requests run if the slice is used up. */
export function openPace(): () => Promise<void> {
  let startedMs = clock.elapsedMs()
  return async () => {
    if (clock.elapsedMs() - startedMs < SLICE_MS) return
    await nextTurn()
    startedMs = clock.elapsedMs()
  }
}
