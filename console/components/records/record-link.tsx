import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { hasScreen, recordPath } from '../../routes.ts'

/** A link to the screen of a record, if its type has one; its text is the id unless another one is given. */
export function RecordLink({ type, id, children }: { type: string; id: string | number; children?: ReactNode }) {
  if (!hasScreen(type)) return children ?? <span className="mono">{id}</span>
  return (
    <Link href={recordPath(type, id)} className={children === undefined ? 'mono' : undefined}>
      {children ?? id}
    </Link>
  )
}
