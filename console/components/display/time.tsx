import { dateTime, timeOfDay } from '../../data/format.ts'

/** A time; the exact one is shown on hover. `real` is for times that are not bank time. */
export function Time({ of: iso, exact = false, real = false }: { of: string; exact?: boolean; real?: boolean }) {
  return (
    <time dateTime={iso} title={`${iso}, ${real ? 'real time' : 'bank time'}`}>
      {exact ? timeOfDay(iso) : dateTime(iso)}
    </time>
  )
}
