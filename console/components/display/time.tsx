import { date, dateTime, timeOfDay, utc } from '../../data/format.ts'

interface Props {
  of: string
  /** Milliseconds without the day, or the day alone. */
  show?: 'exact' | 'day'
  /** For times that are not bank time. */
  real?: boolean
}

/** A time in the zone of the reader; the one in UTC is shown on hover. */
export function Time({ of: iso, show, real = false }: Props) {
  return (
    <time dateTime={iso} title={`${utc(iso)}, ${real ? 'real time' : 'bank time'}`}>
      {show === 'exact' ? timeOfDay(iso) : show === 'day' ? date(iso) : dateTime(iso)}
    </time>
  )
}
