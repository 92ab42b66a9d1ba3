import type { ReactNode } from 'react'
import styles from './empty.module.css'

/** A place where records will be: says that there are none, and the next step. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  )
}

/** Grey lines in place of something that is being read. */
export function Reading({ lines = 3 }: { lines?: number }) {
  return (
    <div className={styles.reading} role="status" aria-busy="true">
      <span className="unseen">Reading…</span>
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line) => (
        <div key={line} />
      ))}
    </div>
  )
}
