import { Link } from 'wouter'
import type { LoggedRequest } from '../../client/src/index.ts'
import { Card } from '../components/layout/card.tsx'
import { groupsOf } from '../data/developers/traffic.ts'
import { count, words } from '../data/format.ts'
import styles from './refusal-bars.module.css'

/** Refused requests by code as a picture: the most frequent first. */
export function RefusalBars({ requests: rows, shown }: { requests: readonly LoggedRequest[]; shown: number }) {
  const codes = new Map<string, number>()
  for (const { code, count: times } of groupsOf(rows)) codes.set(code, (codes.get(code) ?? 0) + times)
  const most = [...codes].sort(([, one], [, other]) => other - one).slice(0, shown)
  const top = most[0]?.[1] ?? 0
  return (
    <Card
      title="Refused requests"
      {...(top > 0 && { aside: <Link href="/requests?status=4xx">All {count(rows.length)}</Link> })}
    >
      {top === 0 ? (
        <p className="muted">No request was refused.</p>
      ) : (
        <ul className={styles.bars}>
          {most.map(([code, times]) => (
            <li key={code}>
              <Link href={`/requests?code=${code}`}>{words(code)}</Link>
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
