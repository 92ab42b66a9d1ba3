import type { ReactNode } from 'react'
import type { ApiKey } from '../../../client/src/index.ts'
import { useSession } from '../../data/purser.tsx'
import { hasScope } from '../../data/session.ts'
import { Card } from '../layout/card.tsx'
import { Empty } from './empty.tsx'

type Scope = NonNullable<ApiKey['scopes']>[number]

/** In place of a part that the key may not use, or that the service does not have: says which. */
export function Unavailable({ title, scope, children }: { title: string; scope: Scope; children: ReactNode }) {
  const { key } = useSession().me
  const lacks = !hasScope(key, scope)
  return (
    <Card title={title} bare>
      <Empty title={lacks ? 'This key may not read here' : 'Not available here'}>
        {lacks ? (
          <p>
            The key “{key.name}” needs the scope <code>{scope}</code>.
          </p>
        ) : (
          <p>{children}</p>
        )}
      </Empty>
    </Card>
  )
}
