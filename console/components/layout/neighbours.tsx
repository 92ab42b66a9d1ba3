import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { count } from '../../data/format.ts'
import { neighboursOf, noteLeaving } from '../../data/records/neighbours.ts'
import styles from './neighbours.module.css'

/** Links to the records before and after this one in the list that it was opened from. A step back leads to the list. */
export function Neighbours() {
  const [path] = useLocation()
  useEffect(() => () => noteLeaving(location.pathname, 'record'), [])
  const found = neighboursOf(path)
  if (!found) return null
  const { place, previous, next } = found
  return (
    <span className={styles.neighbours}>
      {count(place)} of {count(found.count)}
      {previous && (
        <Link href={previous} replace aria-label="Previous record" title="Previous: [" data-key="[">
          ‹
        </Link>
      )}
      {next && (
        <Link href={next} replace aria-label="Next record" title="Next: ]" data-key="]">
          ›
        </Link>
      )}
    </span>
  )
}

/** The link from a record to its list: to the place in the list that it was opened from. */
export function Back({ to }: { to: { name: string; path: string } }) {
  const [path] = useLocation()
  const list = neighboursOf(path)
  return (
    <Link
      href={list?.address ?? to.path}
      data-key="Escape"
      onClick={(event) => {
        if (!list?.isBehind) return
        event.preventDefault()
        history.back()
      }}
    >
      {to.name}
    </Link>
  )
}
