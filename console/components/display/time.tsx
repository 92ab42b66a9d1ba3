import { date, dateTime, timeOfDay, utc } from '../../data/format.ts'

interface Props {
  of: string
  /** The time of day with milliseconds or without, or the day alone. */
  show?: 'exact' | 'clock' | 'day'
  /** For times that are not bank time. */
  real?: boolean
}

/** A time in the zone of the reader; the one in UTC is shown on hover. */
export function Time({ of: iso, show, real = false }: Props) {
  return (
    <time dateTime={iso} title={`${utc(iso)}, ${real ? 'real time' : 'bank time'}`}>
      {show === undefined
        ? dateTime(iso)
        : show === 'day'
          ? date(iso)
          : timeOfDay(iso).slice(0, show === 'clock' ? 5 : 12)}
    </time>
  )
}
