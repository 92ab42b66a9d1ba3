import type { ReactNode } from 'react'
import styles from './problem.module.css'

interface Props {
  tone: 'bad' | 'warn' | 'good'
  title: ReactNode
  /** The place of the money. */
  children?: ReactNode
  /** The next step, and buttons for it. */
  next?: ReactNode
  actions?: ReactNode
}

const signs = {
  bad: 'M8 4 3.5 8.5 8 13 M4 8.5h9.5a5 5 0 0 1 0 10H10',
  good: 'M4 11.5 9 16.5 18.5 6',
  warn: 'M11 3 1.8 19h18.4Z M11 9v4.5 M11 16.4v.1',
}

/** First on a screen: the reason of a state that is an end or waits for somebody, and the next step; or that all is well. */
export function Reason({ tone, title, children, next, actions }: Props) {
  return (
    <section className={styles[tone]} aria-label={tone === 'good' ? 'Outcome' : 'Reason'}>
      <svg viewBox="0 0 22 22" aria-hidden="true">
        <path d={signs[tone]} />
      </svg>
      <div>
        <h2>{title}</h2>
        {children && <p>{children}</p>}
        {next && (
          <div className={styles.next}>
            <h3>What to do next</h3>
            <p>{next}</p>
            <div className={styles.acts}>{actions}</div>
          </div>
        )}
      </div>
    </section>
  )
}
