/** Real time, for security and transport timers. Bank time comes from the database alone. */
export const clock = {
  nowMs: (): number => Date.now(),
  now: (): Date => new Date(),
  /** A monotonic reading for durations, in milliseconds. */
  elapsedMs: (): number => performance.now(),
}
