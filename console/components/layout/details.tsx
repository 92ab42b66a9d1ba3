import type { ReactNode } from 'react'
import styles from './details.module.css'

/** Names and values, one pair a line. Pairs without a value are left out. */
export function Details({ of: pairs }: { of: Readonly<Record<string, ReactNode>> }) {
  const shown = Object.entries(pairs).filter(([, value]) => value || value === 0)
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

/** An id, a number or a code. */
export function mono(text: ReactNode) {
  return text !== undefined && text !== null && <span className="mono">{text}</span>
}

/** The tags of a record as pairs. */
export function tagPairs(tags: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [`Tag ${name}`, value]))
}
