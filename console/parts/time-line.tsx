import type { ReactNode } from 'react'
import { Time } from './time.tsx'
import styles from './time-line.module.css'

export interface Moment {
  key: string
  title: ReactNode
  /** Bank time; real time where `real` says so. */
  at: string | null
  real?: boolean
  /** Money moved, or something left the service. */
  kind?: 'money' | 'out'
  more?: ReactNode
}

/** Moments in their order. */
export function TimeLine({ moments }: { moments: readonly Moment[] }) {
  return (
    <ol className={styles.line}>
      {moments.map(({ key, title, at, real, kind, more }) => (
        <li key={key} className={kind && styles[kind]}>
          <div className={styles.head}>
            <div>{title}</div>
            {at && <Time of={at} exact real={real ?? false} />}
          </div>
          {more}
        </li>
      ))}
    </ol>
  )
}
