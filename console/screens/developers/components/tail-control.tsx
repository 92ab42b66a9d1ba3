import type { Tail } from '../../../data/tail.ts'

/** Pauses a list that grows, and lets it go on. */
export function TailControl({
  tail: { paused, setPaused, waiting },
}: {
  tail: Pick<Tail<unknown>, 'paused' | 'setPaused' | 'waiting'>
}) {
  return (
    <>
      <span role="status" className="muted">
        {paused ? `Paused${waiting > 0 ? `, ${waiting.toLocaleString('en-US')} new` : ''}` : ''}
      </span>
      <button type="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
        {paused ? 'Continue' : 'Pause'}
      </button>
    </>
  )
}
