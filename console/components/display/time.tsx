import { date, shortTime, timeOfDay, utc, zoneOf } from '../../data/format.ts'

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
        ? shortTime(iso)
        : show === 'day'
          ? date(iso)
          : timeOfDay(iso).slice(0, show === 'clock' ? 5 : 12)}
    </time>
  )
}

/** The zone of the times on a screen, at its foot. */
export function Zone() {
  const { place } = zoneOf(new Date().toISOString())
  return (
    <p style={{ color: 'var(--faint)', fontSize: 12.5 }}>
      {place === 'UTC' ? 'Times in UTC.' : `Times in your zone, ${place}. Hover for UTC.`}
    </p>
  )
}
