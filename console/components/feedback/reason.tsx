import type { ReactNode } from 'react'
import styles from './problem.module.css'

/** First on a screen: the reason of a state that is an end or waits for somebody, and the next step. */
export function Reason({ tone, title, children }: { tone: 'bad' | 'warn'; title: ReactNode; children?: ReactNode }) {
  return (
    <section className={styles[tone]} aria-label="Reason">
      <b>{title}</b>
      {children && <p>{children}</p>}
    </section>
  )
}
