import type { ReactNode } from 'react'
import { Time } from './time.tsx'
import styles from './time-line.module.css'

export interface Moment {
  key: string
  title: ReactNode
  /** Bank time; real time if `real` says so. */
  at: string | null
  real?: boolean
  /** Money moved, something left the service, the present, or something went wrong. */
  kind?: 'money' | 'out' | 'now' | 'wrong'
  more?: ReactNode
}

interface Props {
  moments: readonly Moment[]
  /** The time of day with milliseconds or without; the day and the time by default. */
  show?: 'exact' | 'clock'
}

/** Moments in their order, with their times. */
export function TimeLine({ moments, show }: Props) {
  return (
    <ol className={styles.line}>
      {moments.map(({ key, title, at, real, kind, more }) => (
        <li key={key} className={kind && styles[kind]}>
          <div className={styles.head}>
            <div>{title}</div>
            {at && <Time of={at} {...(show && { show })} real={real ?? false} />}
          </div>
          {more}
        </li>
      ))}
    </ol>
  )
}
