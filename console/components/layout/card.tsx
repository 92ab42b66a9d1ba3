import type { ReactNode } from 'react'
import styles from './card.module.css'

/** A titled part of a screen. `flush` leaves out the padding, for tables; `bare` the title, if the screen has it already. */
export function Card({
  title,
  aside,
  flush = false,
  bare = false,
  children,
}: {
  title: string
  aside?: ReactNode
  flush?: boolean
  bare?: boolean
  children: ReactNode
}) {
  return (
    <section className={styles.card} aria-label={title}>
      {!bare && (
        <div className={styles.head}>
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      <div className={flush ? undefined : styles.body}>{children}</div>
    </section>
  )
}
