import type { ReactNode } from 'react'
import { Time } from './time.tsx'
import styles from './time-line.module.css'

export interface Moment {
  key: string
  title: ReactNode
  /** Bank time; real time if `real` says so. */
  at: string | null
  real?: boolean
  /** Money moved, something left the service, or the present. */
  kind?: 'money' | 'out' | 'now'
  more?: ReactNode
}

/** Moments in their order, with the time of day; `dated` adds the day. */
export function TimeLine({ moments, dated = false }: { moments: readonly Moment[]; dated?: boolean }) {
  return (
    <ol className={styles.line}>
      {moments.map(({ key, title, at, real, kind, more }) => (
        <li key={key} className={kind && styles[kind]}>
          <div className={styles.head}>
            <div>{title}</div>
            {at && <Time of={at} {...(!dated && { show: 'exact' as const })} real={real ?? false} />}
          </div>
          {more}
        </li>
      ))}
    </ol>
  )
}
