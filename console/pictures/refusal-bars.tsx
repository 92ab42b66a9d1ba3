import { Link } from 'wouter'
import { Card } from '../components/layout/card.tsx'
import { count, words } from '../data/format.ts'
import styles from './refusal-bars.module.css'

interface Props {
  title: string
  /** The code of each refusal. */
  codes: readonly string[]
  /** The path of all refusals, and of those with a code. */
  all: string
  pathOf(code: string): string
  /** The text if there is none. */
  none: string
}

/** The codes that are shown: the most frequent ones. */
const SHOWN = 5

/** Refusals by code as a picture: the most frequent first. */
export function RefusalBars({ title, codes, all, pathOf, none }: Props) {
  const counts = new Map<string, number>()
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
  const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, SHOWN)
  const top = most[0]?.[1] ?? 0
  return (
    <Card title={title} {...(top > 0 && { aside: <Link href={all}>All {count(codes.length)}</Link> })}>
      {top === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <ul className={styles.bars}>
          {most.map(([code, times]) => (
            <li key={code}>
              <Link href={pathOf(code)}>{words(code)}</Link>
              <span className="number">{count(times)}</span>
              <div aria-hidden="true">
                <div style={{ width: `${(100 * times) / top}%` }} />
              </div>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
