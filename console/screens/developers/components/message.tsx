import type { ReactNode } from 'react'
import { Copy } from '../../../components/display/copy.tsx'
import { Card } from '../../../components/layout/card.tsx'
import styles from './json.module.css'
import { Json } from './json.tsx'

interface Shown {
  headers: Record<string, string>
  body: string | null
  truncated?: boolean
}

/** The body and the headers of a request or of an answer. */
export function Message({ title, aside, message }: { title: string; aside?: ReactNode; message: Shown }) {
  const { headers, body, truncated = false } = message
  return (
    <Card
      title={title}
      aside={
        <span className="row">
          {aside}
          {body && <Copy text={body} />}
        </span>
      }
    >
      {body ? <Json text={body} label={`Body of ${title.toLowerCase()}`} /> : <p className="muted">Without a body</p>}
      {truncated && <p className="warn">Only the first 10 KB are kept.</p>}
      <HeaderList of={headers} label={`Headers of ${title.toLowerCase()}`} />
    </Card>
  )
}

function HeaderList({ of: headers, label }: { of: Record<string, string>; label: string }) {
  const entries = Object.entries(headers)
  if (entries.length === 0) return null
  return (
    <details className={styles.headers}>
      <summary>{entries.length === 1 ? 'One header' : `${entries.length} headers`}</summary>
      <table aria-label={label}>
        <tbody>
          {entries.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
