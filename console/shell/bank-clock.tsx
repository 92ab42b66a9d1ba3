import { useEffect } from 'react'
import { Link } from 'wouter'
import { useAdvance } from '../data/advances.ts'
import { bankTime, useNow } from '../data/bank-time.ts'
import { dateTime, utc, zoneOf } from '../data/format.ts'
import { comingText, nextDue } from '../data/happenings.ts'
import { useCall, useMay, useSession } from '../data/purser.tsx'
import styles from './bank-clock.module.css'

/** Bank time, and buttons that move it. In live mode it is real time; a key that may not read the clock of a sandbox sees none. */
export function BankClock() {
  const { me } = useSession()
  const may = useMay('getClock')
  const { data, dataUpdatedAt, refetch } = useCall('getClock', {})
  // It runs on by itself; an advance from elsewhere at which nothing happens is seen when the reader is back.
  useEffect(() => {
    const read = () => void refetch()
    addEventListener('focus', read)
    return () => removeEventListener('focus', read)
  }, [refetch])
  const { advance, isPending } = useAdvance()
  const realMs = useNow(1_000)
  const now = may ? bankTime(data, realMs - dataUpdatedAt) : new Date(realMs).toISOString()
  if (!now || (!may && me.mode !== 'live')) return null
  const next = nextDue(data?.upcoming ?? [])
  const zone = zoneOf(now)
  return (
    <div className={styles.clock}>
      <span className={styles.label}>Bank time</span>
      {may ? (
        <Link href="/clock" title={`${utc(now)}, bank time; shown in the zone of ${zone.place}`} className={styles.now}>
          {dateTime(now)} {zone.name}
        </Link>
      ) : (
        <span className={styles.now}>
          {dateTime(now)} {zone.name}
        </span>
      )}
      {may && (
        <span className={styles.buttons}>
          <button type="button" disabled={isPending} onClick={() => advance({ by: 'P1D' })}>
            +1 day
          </button>
          <button
            type="button"
            disabled={isPending || !next}
            title={next ? `${comingText({ type: next.type, ids: [next.id] })}, ${dateTime(next.at)}` : 'Nothing is due'}
            onClick={() => next && advance({ to: next.at })}
          >
            Next due
          </button>
        </span>
      )}
    </div>
  )
}
