import type { ReactNode } from 'react'
import styles from './details.module.css'

/** Names and values, one pair a line. Pairs without a value are left out. */
export function Details({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  const shown = items.filter(([, value]) => value !== undefined && value !== null && value !== '')
  return (
    <dl className={styles.details}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
